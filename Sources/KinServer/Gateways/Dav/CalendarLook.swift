import KinModel
import KinXML

/// The properties of a calendar that a client sets and removes (RFC 4918 §14.19; RFC 4791, 5.3.1; RFC 5689, 3).
struct CalendarLook {
    /// The parameters that say it: `name` and `color`.
    private(set) var params = JSON.Object()
    /// All properties that are named.
    private(set) var names: [XMLName] = []
    /// Those that are not the client's to set.
    private(set) var others: [XMLName] = []
    /// Whether only things are to stand in it that never do.
    private(set) var isOfOtherThings = false
    /// Whether only tasks are to stand in it.
    private(set) var isOfTasks = false
    /// What it is to be, where that is said.
    private(set) var types: [XMLName]?

    /// Reads what stands in these elements; `nil` where none of them is there.
    init?(_ root: XMLElement, in set: XMLName, _ remove: XMLName? = nil) {
        let all = root.children.filter { $0.name == set || $0.name == remove }
        guard !all.isEmpty else { return nil }
        for part in all {
            for property in part.first(Dav.core("prop"))?.children ?? [] {
                names.append(property.name)
                take(property, isRemoved: part.name == remove)
            }
        }
    }

    private mutating func take(_ property: XMLElement, isRemoved: Bool) {
        let text = property.trimmedText
        switch property.name {
        case Dav.core("displayname"): params["name"] = isRemoved || text.isEmpty ? .null : .string(Self.line(text))
        case Dav.apple("calendar-color"):
            guard !isRemoved else {
                params["color"] = .null
                return
            }
            // Apple writes how opaque it is behind it.
            let color = String(text.prefix(7))
            let isColor =
                color.utf8.count == 7 && color.utf8.first == UInt8(ascii: "#")
                && color.utf8.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            if isColor { params["color"] = .string(color) } else { others.append(property.name) }
        case Dav.core("resourcetype"):
            types = property.children.map(\.name)
            others.append(property.name)
        case Dav.calendar("supported-calendar-component-set"):
            let kinds = property.all(Dav.calendar("comp")).compactMap { $0["name"]?.uppercased() }
            isOfOtherThings = !kinds.isEmpty && !kinds.contains("VEVENT")
            isOfTasks = isOfOtherThings && kinds.contains("VTODO")
            others.append(property.name)
        default: others.append(property.name)
        }
    }

    /// A name within bounds.
    private static func line(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String(String.UnicodeScalarView(kept)).prefix(DavLimits.displayNameMax))
    }
}

extension DavLimits {
    /// Characters of a calendar's name.
    static let displayNameMax = 64
}
