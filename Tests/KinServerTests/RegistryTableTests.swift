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

/// The documentation's table of methods says what the registry says.
@Suite struct RegistryTableTests {
    /// `Methods.md` as the registry has it.
    static var text: String {
        var text = """
            # Methods

            Everything that can be asked, by whom, and what comes of it.

            ## Overview

            This page is made from the registry: `KINWIRE_WRITE_DOCS=1 swift test --filter RegistryTableTests` writes it anew.
            "Everybody" includes those who are not signed in; "machine" is the Unix socket as root or the daemon's own
            user, as no member. Over HTTP the parameters stand in the path, the query (GET, DELETE) or a JSON body.

            | method | HTTP | who | events | note |
            |---|---|---|---|---|

            """
        for method in RegistryAccessTests.methods {
            let parameters = method.parameters.map { $0.isRequired ? $0.name : $0.name + "?" }.joined(separator: ", ")
            let cells = [
                parameters.isEmpty ? "`\(method.name)`" : "`\(method.name) {\(parameters)}`",
                method.route.map { "`\($0.verb) \($0.path)`" } ?? "",
                who(method.access), method.events.map { "`\($0)`" }.joined(separator: " "),
                ([method.summary] + (method.note.isEmpty ? [] : [method.note])
                    + method.scopes.map { "app passwords for \($0.rawValue)" })
                    .joined(separator: " — "),
            ]
            text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }
        text += """

            ## Events

            | event | what happened, and who is told | data |
            |---|---|---|

            """
        for event in Registry.family.events.values.sorted(by: { $0.name < $1.name })
        where event.name != Registry.resetType {
            var data = ""
            if case .object(let fields) = event.data {
                data = "{" + fields.map { $0.isRequired ? $0.name : $0.name + "?" }.joined(separator: ", ") + "}"
            } else if case .named(let name, _) = event.data {
                data = name
            }
            text +=
                "| `\(event.name)` | \(event.summary)\(event.isLatestOnly ? " A newer one takes its place." : "") | `\(data)` |\n"
        }
        return text
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

    @Test func `the table in the documentation is the registry's`() throws {
        try Documentation("Methods").expect(Self.text)
    }
}
