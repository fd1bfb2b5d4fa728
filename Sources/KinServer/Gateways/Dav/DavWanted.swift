import KinCalendar
import KinXML

/// The properties that a request asks for, of each thing.
struct DavWanted {
    /// A choice of properties.
    enum Properties {
        /// All but those that RFC 3744, 4791, 6352 and 6578 leave out of `allprop`, and these besides.
        case all(and: [XMLName])
        /// Only their names.
        case names
        case these([XMLName])
    }

    var properties = Properties.all(and: [])
    /// The things' own data, where a report asks for them; `nil` where it does not.
    var data: DavData?
    /// Whether missing properties need not be told (RFC 8144, 2.1).
    var isMinimal = false

    init() {}

    /// Reads `propfind`, or a report's own element.
    init(_ root: XMLElement?) {
        guard let root else { return }
        if let prop = root.first(Dav.core("prop")) {
            properties = .these(prop.children.map(\.name))
            data = prop.children.lazy.compactMap(DavData.init).first
        } else if root.first(Dav.core("propname")) != nil {
            properties = .names
        } else {
            let include = root.first(Dav.core("include"))?.children.map(\.name) ?? []
            properties = .all(and: include)
        }
    }

    /// Whether a property is asked for by its name.
    func names(_ name: XMLName) -> Bool {
        switch properties {
        case .all(let more): more.contains(name)
        case .names: false
        case .these(let names): names.contains(name)
        }
    }
}

/// `address-data` and `calendar-data` of a report (RFC 6352, 10.4; RFC 4791, 9.6).
struct DavData {
    let name: XMLName
    let contentType: String?
    let version: String?
    /// The lines of a vCard that are wanted, and of each whether its value is; `nil`: all.
    private let lines: [String: Bool]?
    /// The parts of an object of iCalendar that are wanted; `nil`: all.
    private let part: CalendarPart?
    /// Within which time each occurrence is wanted by itself.
    let expand: XMLElement?
    /// Only which occurrences that are otherwise are wanted; `nil`: all.
    private let within: ComponentTime?
    /// The part of it that is not understood.
    let flaw: DavMatch.Flaw?

    init?(_ element: XMLElement) {
        guard element.name == Dav.card("address-data") || element.name == Dav.calendar("calendar-data") else {
            return nil
        }
        name = element.name
        contentType = element["content-type"]
        version = element["version"]
        let named = CalendarPart.lines(element.all(Dav.card("prop")))
        lines = named.isEmpty || element.first(Dav.card("allprop")) != nil ? nil : named
        expand = element.first(Dav.calendar("expand"))
        let whole = element.first(Dav.calendar("comp"))
        part = whole.map { CalendarPart($0) }
        var (within, flaw): (ComponentTime?, DavMatch.Flaw?) = (nil, nil)
        if let whole, whole["name"]?.uppercased() != "VCALENDAR" {
            flaw = .unknown("parts of something else than VCALENDAR")
        }
        do throws(DavMatch.Flaw) {
            if let limit = element.first(Dav.calendar("limit-recurrence-set")) { within = try Self.time(limit) }
            // Objects that have free and busy times stand nowhere here: there is nothing to leave out.
            if let limit = element.first(Dav.calendar("limit-freebusy-set")) { _ = try Self.time(limit) }
        } catch { flaw = error }
        (self.within, self.flaw) = (within, flaw)
    }

    /// A time with both ends (RFC 4791, 9.6.6 and 9.6.7).
    private static func time(_ limit: XMLElement) throws(DavMatch.Flaw) -> ComponentTime {
        let (from, to) = try CalendarFilter.span(limit)
        guard let from, let to else { throw .unknown("a limit without an end") }
        return ComponentTime(from, to)
    }

    /// The part of a thing's text that is shown. Times without a zone are in the reader's.
    func shown(_ text: String, zone: Zone) -> String {
        if name == Dav.card("address-data") { return lines.map { Self.card(text, $0) } ?? text }
        guard part != nil || within != nil else { return text }
        return CalendarPruning.text(of: text, part ?? .all, within: within, zone: zone)
    }

    /// Only some lines of a vCard (RFC 6352, 10.4.2), with those that make it one.
    private static func card(_ text: String, _ wanted: [String: Bool]) -> String {
        var out: [UInt8] = []
        for line in TextLines(text) {
            let isNeeded = ["BEGIN", "VERSION", "UID", "END"].contains(line.name)
            guard let hasValue = isNeeded ? true : wanted[line.name] else { continue }
            if hasValue { out += line.bytes } else { out += line.withoutValue }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

/// One thing of an answer: its address, and what there is to say of it.
struct DavThing {
    let href: String
    /// The names of its properties, those first that `allprop` has.
    let names: [XMLName]
    /// The count of those that `allprop` has.
    let ordinary: Int
    /// A property's value, written as XML.
    let value: (XMLName) -> String?

    init(_ href: String, _ properties: [(XMLName, String)], beside: [(XMLName, String)] = []) {
        let all = properties + beside
        let values = Dictionary(all, uniquingKeysWith: { first, _ in first })
        self.href = href
        names = all.map(\.0)
        ordinary = properties.count
        value = { values[$0] }
    }

    init(_ href: String, names: [XMLName], ordinary: Int, _ value: @escaping (XMLName) -> String?) {
        self.href = href
        self.names = names
        self.ordinary = ordinary
        self.value = value
    }

    /// Writes it as a response of a multistatus (RFC 4918, 14.24).
    func write(_ wanted: DavWanted, to out: inout [UInt8]) {
        var found = ""
        var missing = ""
        switch wanted.properties {
        case .names: for name in names { found += Dav.element(name) }
        case .all(let more):
            for name in names[..<ordinary] + more.filter({ !names[..<ordinary].contains($0) }) {
                if let value = value(name) { found += Dav.element(name, value) } else { missing += Dav.element(name) }
            }
        case .these(let asked):
            for name in asked {
                if let value = value(name) { found += Dav.element(name, value) } else { missing += Dav.element(name) }
            }
        }
        out += "<D:response>\(Dav.href(href))".utf8
        if !found.isEmpty || missing.isEmpty {
            out += "<D:propstat><D:prop>\(found)</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>".utf8
        }
        if !missing.isEmpty, !wanted.isMinimal || found.isEmpty {
            out +=
                "<D:propstat><D:prop>\(missing)</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>".utf8
        }
        out += "</D:response>\n".utf8
    }

    /// Writes that nothing is there, or not all.
    static func write(_ href: String, _ status: String, _ error: String = "", to out: inout [UInt8]) {
        let error = error.isEmpty ? "" : "<D:error>\(error)</D:error>"
        out += "<D:response>\(Dav.href(href))<D:status>HTTP/1.1 \(status)</D:status>\(error)</D:response>\n".utf8
    }
}
