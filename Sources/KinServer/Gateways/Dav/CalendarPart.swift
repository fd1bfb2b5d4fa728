import KinXML

/// The part of one component of iCalendar that a report asks for (`comp`; RFC 4791, 9.6.1). An element with nothing in
/// it wants all of the component: so the example in RFC 4791, 7.8.1, asks for VTIMEZONE.
struct CalendarPart {
    /// The lines of it that are wanted, and of each whether the value is; `nil`: all.
    private let lines: [String: Bool]?
    /// Which of the components in it; `nil`: all, each whole.
    private let parts: [String: CalendarPart]?

    static let all = CalendarPart(lines: nil, parts: nil)

    private init(lines: [String: Bool]?, parts: [String: CalendarPart]?) {
        self.lines = lines
        self.parts = parts
    }

    /// The size of it is bounded by that of the document. What is named twice counts as it is named last; other elements
    /// than those that RFC 4791 knows are passed over (RFC 4918 §17).
    init(_ element: XMLElement) {
        let (prop, comp) = (Dav.calendar("prop"), Dav.calendar("comp"))
        let hasAllLines = element.first(Dav.calendar("allprop")) != nil
        let hasAllParts = element.first(Dav.calendar("allcomp")) != nil
        let lines = Self.lines(element.all(prop))
        var parts: [String: CalendarPart] = [:]
        for part in element.all(comp) { parts[part["name"]?.uppercased() ?? ""] = CalendarPart(part) }
        let isEmpty = lines.isEmpty && parts.isEmpty && !hasAllLines && !hasAllParts
        self.lines = hasAllLines || isEmpty ? nil : lines
        self.parts = hasAllParts || isEmpty ? nil : parts
    }

    /// The lines that `prop` elements name, and whether the value of each is wanted (`novalue`; RFC 4791, 9.6.4).
    static func lines(_ named: [XMLElement]) -> [String: Bool] {
        var lines: [String: Bool] = [:]
        for one in named { lines[one["name"]?.uppercased() ?? ""] = one["novalue"]?.lowercased() != "yes" }
        return lines
    }

    /// What is wanted of a component in it; `nil`: nothing.
    func part(_ name: String) -> CalendarPart? {
        guard let parts else { return .all }
        return parts[name]
    }

    /// Whether the value of a line is wanted; `nil`: not even its name.
    func line(_ name: String) -> Bool? {
        guard let lines else { return true }
        return lines[name]
    }
}
