import KinActivity
import KinFamily
import KinKeeper
import KinLoop
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

/// The table of roles and methods, whole.
@Suite struct RegistryAccessTests {
    /// Who calls, by the word of the table.
    static let callers: [(word: String, bit: Access, member: String?)] = [
        ("nobody", .nobody, nil), ("guest", .guest, "gil"), ("member", .member, "ben"), ("head", .head, "hal"),
        ("admin", .admin, "ada"), ("machine", .machine, nil), ("wall", .wall, "wall"),
    ]

    static var methods: [KinKeeper.Method] {
        Registry.family.methods.values.filter(\.isPublic).sorted { $0.name < $1.name }
    }

    /// A connection of a caller, with a session of its own.
    static func client(_ box: Box, _ caller: (word: String, bit: Access, member: String?)) throws -> BoxClient {
        if caller.bit == .wall, !box.isThere("wall") { try box.hang("wall") }
        let client = box.connect(from: caller.bit == .machine ? Box.machine : Box.loopback)
        if let member = caller.member {
            _ = try client.result(
                "session.resume",
                ["token": .string(try caller.bit == .wall ? box.person(member).token : box.signIn(member).token)])
        }
        return client
    }

    @Test func `whoever may not call a method is told so, and nothing changes`() throws {
        let box = try Box.family()
        for caller in Self.callers {
            var client = try Self.client(box, caller)
            let before = try box.fingerprint()
            for method in Self.methods where !method.access.contains(caller.bit) {
                // Who is not signed in has a few kilobytes to say so.
                if caller.bit == .nobody {
                    client.leave()
                    client = try Self.client(box, caller)
                }
                let code = try client.refusal(method.name)
                #expect(code == (caller.bit == .nobody ? 1401 : 1403), "\(method.name) for \(caller.word)")
            }
            #expect(try box.fingerprint() == before, "\(caller.word)")
        }
    }

    @Test func `whoever may call a method is never told that it is not for them`() throws {
        let box = try Box.family()
        for caller in Self.callers {
            for method in Self.methods where method.access.contains(caller.bit) && method.name != "family.close" {
                let client = try Self.client(box, caller)
                let response = try client.call(method.name)
                let code = response["error"]?["code"]?.int
                #expect(code != 1401 && code != 1403, "\(method.name) for \(caller.word): \(response.text)")
                if method.parameters.contains(where: \.isRequired) {
                    let missing = method.parameters.first(where: \.isRequired)?.name
                    #expect(code == -32602, "\(method.name) for \(caller.word): \(response.text)")
                    #expect(response["error"]?["data"]?["field"]?.string == missing)
                }
                client.leave()
            }
        }
    }

    @Test func `what only gateways call has no name and no address`() throws {
        let box = try Box.family()
        let ada = try box.line("ada")
        for method in Registry.family.methods.values where !method.isPublic {
            #expect(try ada.refusal(method.name) == -32601)
            #expect(method.route == nil)
        }
    }

    @Test func `every address over HTTP leads to its own method`() throws {
        let routes = Routes(.family)
        for method in Self.methods {
            guard let route = method.route else { continue }
            let path = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }
            guard case .method(let found, _, _) = routes.find(route.verb, path) else {
                Issue.record("nothing is at \(route.verb) \(route.path)")
                continue
            }
            #expect(found.name == method.name, "\(route.verb) \(route.path)")
        }
    }
}
