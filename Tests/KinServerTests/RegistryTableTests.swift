import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox

/// The documentation's pages of methods, values and events say what the registry says.
@Suite struct RegistryTableTests {
    /// `Methods.md` as the registry has it.
    static var methods: String {
        var text = """
            # Methods

            Everything that can be asked: by whom, with what, what is answered, and what comes of it.

            ## Overview

            This page is made from the registry: `KINWIRE_WRITE_DOCS=1 swift test --filter RegistryTableTests` writes it anew.
            "Everybody" includes those who are not signed in; "machine" is the Unix socket as root or the daemon's own
            user, as no member. Over HTTP the parameters stand in the path, the query (GET, DELETE) or a JSON body. Every
            method that changes something takes `op` as well, over HTTP the field `Idempotency-Key`. A parameter with a
            question mark may be left out. What the types mean stands on the page <doc:Values>.

            | method | HTTP | who | what it does |
            |---|---|---|---|

            """
        let all = RegistryAccessTests.methods
        for method in all {
            text += row(
                [
                    "`\(method.name)`", method.route.map { "`\($0.verb) \($0.path)`" } ?? "", who(method.access),
                    method.summary,
                ])
        }
        for method in all { text += section(method) }
        return text
    }

    private static func section(_ method: KinKeeper.Method) -> String {
        var text = "\n## \(method.name)\n\n\(method.summary)"
        if !method.note.isEmpty { text += " Rules: \(method.note)\(method.note.hasSuffix(".") ? "" : ".")" }
        if let route = method.route { text += " HTTP: `\(route.verb) \(route.path)`, answered \(route.status)." }
        text += " Who: \(who(method.access))"
        text +=
            method.scopes.isEmpty
            ? "." : ", app passwords for \(method.scopes.map(\.rawValue).joined(separator: ", "))."
        if !method.events.isEmpty { text += " Events: \(method.events.map { "`\($0)`" }.joined(separator: ", "))." }
        let files = ServedType.fileTypes(of: method).filter { $0 != "application/json" }
        if let parcel = method.parcel, !files.isEmpty {
            text +=
                " The file may be sent by itself, with the other parameters in the query (<doc:Doors>): `\(parcel.parameter)` as "
                + files.map { "`\($0)`" }.joined(separator: ", ") + "."
        }
        text += "\n"
        if !method.parameters.isEmpty { text += "\n" + table("parameter", rows(method.parameters)) }
        if !method.mediaTypes.isEmpty {
            return text + "\nOver HTTP it answers \(method.mediaTypes.map { "`\($0)`" }.joined(separator: " or ")).\n"
        }
        return text + "\n" + result(method.result)
    }

    private static func result(_ shape: Shape) -> String {
        guard case .object(let fields) = shape else { return "Answers: \(shape.words).\n" }
        return fields.isEmpty ? "Answers `{}`.\n" : table("answer", rows(fields))
    }

    /// `Values.md`: what types mean, and the values that have a name.
    static var values: String {
        var named: [String: Shape] = Registry.family.snapshot.named
        for method in RegistryAccessTests.methods {
            for field in method.parameters { named.merge(field.shape.named) { first, _ in first } }
            named.merge(method.result.named) { first, _ in first }
        }
        for event in Registry.family.events.values { named.merge(event.data.named) { first, _ in first } }
        var text = """
            # Values

            What the types of parameters, answers and events mean, and the values that have a name.

            ## Overview

            This page is made from the registry: `KINWIRE_WRITE_DOCS=1 swift test --filter RegistryTableTests` writes it anew.

            | type | what it is |
            |---|---|
            | identifier | A UUID (version 7) in lower case: `01980000-0000-7000-8000-000000000000`. A newer one sorts behind an older one. |
            | time | A moment as RFC 3339 in UTC, with milliseconds: `2026-11-20T18:04:05.123Z`. Written so always; a request may have fewer digits or another offset. |
            | line | Text for people without line ends or control characters. Characters are Unicode code points. |
            | text | The same, with line ends. |
            | secret | A password, a code or a token, of any characters. |
            | token | Printable ASCII without spaces: cursors, names of zones. |
            | username | The characters a–z, 0–9, dot, underscore and hyphen. |
            | whole number, number | Bounds are included. Degrees are WGS 84, lengths metres, speeds metres per second, charges per cent. |
            | list of at most n | A longer one is refused (1413). |

            A field with a question mark may be absent; `slots[].start` is a field of each element of the list `slots`.

            """
        for (name, inner) in named.sorted(by: { $0.key < $1.key }) {
            text += "\n## \(name)\n\n"
            if case .object(let fields) = inner {
                text += table("field", rows(fields))
            } else {
                text += inner.words + ".\n"
            }
        }
        return text
    }

    /// `Events.md`: what is told.
    static var events: String {
        var text = """
            # Events

            Everything that is told: what happened, who is told, and with what.

            ## Overview

            This page is made from the registry: `KINWIRE_WRITE_DOCS=1 swift test --filter RegistryTableTests` writes it anew.
            Around its `data` each event has `cursor`, `type`, `at`, `by` and `about`. What the types mean stands on the page
            <doc:Values>, what each event does to a snapshot on the page `Fold.md` of KinModel.

            | event | what happened, and who is told |
            |---|---|

            """
        let all = Registry.family.events.values.sorted { $0.name < $1.name }.filter { $0.name != Registry.resetType }
        for event in all {
            text += row([
                "`\(event.name)`", event.summary + (event.isLatestOnly ? " A newer one takes its place." : ""),
            ])
        }
        for event in all {
            text += "\n## \(event.name)\n\n\(event.summary)\n\n"
            switch event.data {
            case .object(let fields) where fields.isEmpty: text += "`data` is `{}`.\n"
            case .object(let fields): text += table("data", rows(fields))
            default: text += "`data` is \(event.data.words).\n"
            }
        }
        return text
    }

    // MARK: Tables

    private static func table(_ what: String, _ rows: [[String]]) -> String {
        "| \(what) | type | meaning |\n|---|---|---|\n" + rows.map { row($0) }.joined()
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ") + " |\n"
    }

    /// A field each, and those within it behind it.
    private static func rows(_ fields: [Field], of path: String = "") -> [[String]] {
        fields.flatMap { field in
            let name = path + field.name
            var (shape, end) = (field.shape, "")
            var outer = ""
            if case .nullable(let inner) = shape { (shape, outer) = (inner, "; or `null`") }
            if case .list(let inner, let max) = shape, case .object = inner {
                (shape, end) = (inner, "[]")
                outer = "list of at most \(max) objects" + outer
            } else if case .object(let inner) = shape, !inner.isEmpty {
                outer = "object" + outer
            }
            guard case .object(let inner) = shape, !inner.isEmpty else {
                return [["`\(name)`\(field.isRequired ? "" : "?")", field.shape.words, field.summary]]
            }
            return [["`\(name)`\(field.isRequired ? "" : "?")", outer, field.summary]]
                + rows(inner, of: name + end + ".")
        }
    }

    private static func who(_ access: Access) -> String {
        if access == .everybody { return "everybody" }
        if access.isSuperset(of: .signedIn) {
            let more = access.subtracting(.signedIn)
            return more.isEmpty ? "signed in" : "signed in, " + words(more)
        }
        return words(access)
    }

    private static func words(_ access: Access) -> String {
        RegistryAccessTests.callers.filter { access.contains($0.bit) }.map(\.word).joined(separator: ", ")
    }

    @Test func `the page of methods is the registry's`() throws {
        try Documentation("Methods").expect(Self.methods)
    }

    @Test func `the page of values is the registry's`() throws {
        try Documentation("Values").expect(Self.values)
    }

    @Test func `the page of events is the registry's`() throws {
        try Documentation("Events").expect(Self.events)
    }

    /// A number of what? Counts say it by their names.
    @Test func `every number with a fraction says its unit`() {
        func unsaid(_ shape: Shape, _ path: String) -> [String] {
            switch shape {
            case .named(_, let inner), .nullable(let inner): unsaid(inner, path)
            case .list(let inner, _): unsaid(inner, path + "[]")
            case .either(let first, let second): unsaid(first, path) + unsaid(second, path)
            case .object(let fields):
                fields.flatMap { field in
                    let path = path + "." + field.name
                    if case .number = field.shape { return field.summary.isEmpty ? [path] : [] }
                    return unsaid(field.shape, path)
                }
            default: []
            }
        }
        var all: [String] = []
        for method in RegistryAccessTests.methods {
            all += unsaid(.object(method.parameters), method.name) + unsaid(method.result, method.name)
        }
        for event in Registry.family.events.values { all += unsaid(event.data, event.name) }
        #expect(Set(all).sorted() == [])
    }
}
