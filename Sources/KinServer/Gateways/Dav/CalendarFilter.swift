import KinICal
import KinModel
import KinXML

/// A client's choice among the things of a calendar (RFC 4791, 9.7).
struct CalendarFilter {
    typealias Flaw = DavMatch.Flaw

    private struct Condition {
        let name: String
        let isAbsent: Bool
        /// Within which the time that it says has to be.
        let time: ComponentTime?
        let match: DavMatch?
        let parameters: [DavParameter]
    }

    /// What a component within the calendar has to be like.
    private struct Part {
        let name: String
        let isAbsent: Bool
        /// The time at which it has to be on; of an event the area judges that.
        let time: ComponentTime?
        let conditions: [Condition]
        let parts: [Part]
    }

    private var parts: [Part] = []
    /// The time within which something has to be on.
    private(set) var from: Instant?
    private(set) var to: Instant?

    /// Whether what things say has to be looked at.
    var isOfWords: Bool {
        parts.contains { $0.name != "VEVENT" || $0.isAbsent || !$0.conditions.isEmpty || !$0.parts.isEmpty }
    }

    init(_ filter: XMLElement?) throws(Flaw) {
        guard let filter else { return }
        var count = 0
        guard filter.children.count == 1, let whole = filter.first(Dav.calendar("comp-filter")),
            whole["name"]?.uppercased() == "VCALENDAR"
        else { throw .unknown("something else than VCALENDAR") }
        for part in whole.children {
            guard part.name == Dav.calendar("comp-filter") else {
                // Everything is of the same version and from the same program.
                if part.name == Dav.calendar("prop-filter") { continue }
                throw .unknown(part.name.local)
            }
            if let range = part.first(Dav.calendar("time-range")), part["name"]?.uppercased() == "VEVENT" {
                (from, to) = try Self.span(range)
            }
            parts.append(try Self.part(part, &count))
        }
    }

    /// `time-range`: either end may be left out.
    static func span(_ range: XMLElement) throws(Flaw) -> (Instant?, Instant?) {
        func moment(_ name: String) throws(Flaw) -> Instant? {
            guard let text = range[name] else { return nil }
            guard let time = ICalTime(text), time.isUTC else { throw .unknown("the time \(text.prefix(40))") }
            return time.moment
        }
        let (from, to) = (try moment("start"), try moment("end"))
        if let from, let to, from >= to { throw .unknown("a time that ends before it begins") }
        if from == nil, to == nil { throw .unknown("a time without either end") }
        return (from, to)
    }

    private static func part(_ element: XMLElement, _ count: inout Int) throws(Flaw) -> Part {
        count += 1
        guard count <= DavLimits.conditionsMax else { throw .tooLong }
        var conditions: [Condition] = []
        var parts: [Part] = []
        var time: ComponentTime?
        for child in element.children {
            switch child.name {
            case Dav.calendar("comp-filter"): parts.append(try part(child, &count))
            case Dav.calendar("prop-filter"): conditions.append(try condition(child, &count))
            case Dav.calendar("time-range"):
                let (from, to) = try span(child)
                time = ComponentTime(from, to)
            case Dav.calendar("is-not-defined"): break
            default: throw .unknown(child.name.local)
            }
        }
        return Part(
            name: element["name"]?.uppercased() ?? "",
            isAbsent: element.first(Dav.calendar("is-not-defined")) != nil, time: time, conditions: conditions,
            parts: parts)
    }

    private static func condition(_ element: XMLElement, _ count: inout Int) throws(Flaw) -> Condition {
        count += 1
        guard count <= DavLimits.conditionsMax else { throw .tooLong }
        func match(_ element: XMLElement) throws(Flaw) -> DavMatch? {
            guard let text = element.first(Dav.calendar("text-match")) else { return nil }
            return try DavMatch(text, collation: "i;ascii-casemap")
        }
        var time: ComponentTime?
        if let range = element.first(Dav.calendar("time-range")) {
            let (from, to) = try span(range)
            time = ComponentTime(from, to)
        }
        var parameters: [DavParameter] = []
        for one in element.all(Dav.calendar("param-filter")) {
            count += 1
            guard count <= DavLimits.conditionsMax else { throw .tooLong }
            parameters.append(
                DavParameter(
                    name: one["name"]?.uppercased() ?? "",
                    isAbsent: one.first(Dav.calendar("is-not-defined")) != nil, match: try match(one)))
        }
        return Condition(
            name: element["name"]?.uppercased() ?? "",
            isAbsent: element.first(Dav.calendar("is-not-defined")) != nil, time: time, match: try match(element),
            parameters: parameters)
    }

    /// Whether a thing fits; what is longer than can be read here does.
    func fits(_ text: String) -> Bool {
        guard let whole = try? ICalComponent(text.utf8) else { return true }
        return parts.allSatisfy { Self.fits($0, whole) }
    }

    private static func fits(_ part: Part, _ whole: ICalComponent) -> Bool {
        let named = whole.components.filter { $0.name == part.name }
        if part.isAbsent { return named.isEmpty }
        return named.contains { component in
            isOn(part, component, whole) && part.conditions.allSatisfy { fits($0, component) }
                && part.parts.allSatisfy { fits($0, component) }
        }
    }

    private static func isOn(_ part: Part, _ component: ICalComponent, _ parent: ICalComponent) -> Bool {
        guard let time = part.time else { return true }
        switch part.name {
        case "VTODO": return time.holds(task: component)
        case "VALARM": return time.holds(alarm: component, of: parent)
        default: return true
        }
    }

    private static func fits(_ condition: Condition, _ component: ICalComponent) -> Bool {
        let lines = component.all(condition.name)
        if condition.isAbsent { return lines.isEmpty }
        return lines.contains { line in
            (condition.time?.holds(property: line) ?? true) && (condition.match?.fits(line.text) ?? true)
                && condition.parameters.allSatisfy { $0.fits(line[$0.name].map { [$0] } ?? []) }
        }
    }
}
