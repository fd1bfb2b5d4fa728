import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// Who is the machine: over the Unix socket, by the peer's user.
@Suite struct UnixPeerTests {
    private static func peer(_ user: UInt32) -> Peer { .unix(uid: user, gid: 7, pid: 7) }

    @Test func `root and the daemon's own user are the machine, anybody else signs in`() throws {
        let box = try Box.family()
        #expect(try box.connect(from: Self.peer(0)).refusal("family.check") == nil)
        // The box's daemon is root's; nobody's user is nobody.
        let stranger = box.connect(from: Self.peer(65_534))
        for method in ["family.check", "family.show", "daemon.status"] {
            #expect(try stranger.refusal(method) == 1401, "\(method)")
        }
        #expect(try stranger.refusal("session.as", ["username": "ada"]) == 1401)
        #expect(try stranger.refusal("password.reset", ["username": "ada", "password": "x"]) == 1401)
        #expect(try box.connect(from: Self.peer(65_534)).ask("GET /api/status").status == 401)
        // With a session of their own they are who they are.
        #expect(try stranger.refusal("session.resume", ["token": .string(try box.person("ben").token)]) == nil)
        #expect(try stranger.result("live.follow")["snapshot"]?["me"]?.identifier == (try box.person("ben").id))
        #expect(try stranger.refusal("family.check") == 1403)
    }

    @Test func `the machine acts as a member, and is the machine no more`() throws {
        let box = try Box.family()
        let client = box.connect(from: Box.machine)
        #expect(try client.refusal("session.as", ["username": "nobody.here"]) == 1404)
        _ = try client.result("session.as", ["username": "ben"])
        #expect(try client.result("live.follow")["snapshot"]?["me"]?.identifier == (try box.person("ben").id))
        #expect(try client.refusal("family.check") == 1403)
        #expect(try client.refusal("activity.announce", ["text": "as Ben"]) == 1403)
    }
}
