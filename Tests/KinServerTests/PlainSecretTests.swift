import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A password, token or app password that came in plain text from another machine is good no more, wherever it stood.
@Suite struct PlainSecretTests {
    private static let body = "{\"username\":\"ben\",\"password\":\"\(Box.password)\"}"
    private static let json = "Content-Type: application/json"
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private func family() throws -> Box {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        return try Box.family(setting)
    }

    /// The code of signing in on this machine with the right password.
    private func signIn(_ box: Box, _ username: String = "ben") throws -> Int64? {
        try box.connect().refusal(
            "session.open", ["username": .string(username), "password": .string(Box.password)])
    }

    @Test(arguments: ["JSON body", "form", "line", "basic", "chunked body", "change"])
    func `the right password signs in no more, sessions stay, and a new one makes all well`(place: String) throws {
        let box = try family()
        let phone = try box.line("ben")
        let remote = box.connect(from: Box.remote)
        switch place {
        case "JSON body":
            let refused = try remote.ask("POST /api/session", [Self.json], Self.body)
            #expect(refused.status == 426)
            #expect(refused.text.contains("signs in no more"))
        case "form":
            #expect(
                try remote.ask("POST /signin", [Self.form], "username=ben&password=\(Box.password)").status == 426)
        case "line":
            try remote.send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.open\",\"params\":\(Self.body)}\n")
            #expect(try remote.messages().first?["error"]?["message"]?.string?.contains("signs in no more") ?? false)
        case "basic":
            let basic = "Authorization: Basic " + Base64.encode(Array("ben:\(Box.password)".utf8))
            #expect(try remote.ask("POST /owntracks", [basic], "{}").status == 426)
        case "chunked body":
            try remote.send(
                "POST /api/session HTTP/1.1\r\nHost: box.local\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(Self.body.utf8.count, radix: 16))\r\n\(Self.body)\r\n0\r\n\r\n")
            #expect(try remote.responses().first?.status == 426)
        default:
            // The token says whose password it is, and goes too.
            let other = try box.signIn("ben")
            #expect(
                try remote.ask(
                    "PUT /api/password", [Self.json, "Authorization: Bearer \(other.token)"],
                    "{\"old\":\"\(Box.password)\",\"new\":\"plum-harbour-violin-7\"}"
                ).status == 426)
            #expect(try box.connect().refusal("session.resume", ["token": .string(other.token)]) == 1401)
        }
        #expect(remote.isOver)
        #expect(try signIn(box) == 1403)
        #expect(try signIn(box, "hal") == nil, "somebody else's equal password is theirs")
        #expect(box.notes.contains { $0.contains("password of ben") })
        // Signed-in devices go on, and change it; the same one again is not taken.
        let same: JSON = ["old": .string(Box.password), "new": .string(Box.password)]
        #expect(try phone.refusal("password.change", same) == 1422)
        #expect(
            try phone.refusal("password.change", ["old": .string(Box.password), "new": "plum-harbour-violin-7"]) == nil
        )
        let opened = try box.connect().refusal(
            "session.open", ["username": "ben", "password": "plum-harbour-violin-7"])
        #expect(opened == nil)
    }

    @Test func `a wrong password locks nobody out, and costs what a failed sign-in costs`() throws {
        let box = try family()
        for number in 0..<30 {
            let body = "{\"username\":\"ben\",\"password\":\"wrong-\(number)\"}"
            #expect(try box.connect(from: Box.remote).ask("POST /api/session", [Self.json], body).status == 426)
        }
        #expect(try signIn(box) == nil)
        #expect(!box.notes.contains { $0.contains("password of") })
        // Who guessed so often is not told by this way whether a guess was right: it is not looked at.
        #expect(try box.connect(from: Box.remote).ask("POST /api/session", [Self.json], Self.body).status == 426)
        #expect(try signIn(box) == nil)
    }

    @Test func `where nothing was shown nothing is said to be revoked`() throws {
        let box = try family()
        for (line, body) in [("POST /api/session", "{}"), ("POST /signin", "a=b"), ("DELETE /api/session", "")] {
            let refused = try box.connect(from: Box.remote).ask(line, [], body)
            #expect(refused.status == 426)
            #expect(!refused.text.contains("revoked") && !refused.text.contains("no more"), "\(refused.text)")
        }
        let line = box.connect(from: Box.remote)
        try line.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}\n")
        let said = try #require(try line.messages().first?["error"]?["message"]?.string)
        #expect(!said.contains("revoked") && !said.contains("no more"))
    }

    @Test func `a client that waits to be told to go on is stopped before it says the password`() throws {
        let box = try family()
        let remote = box.connect(from: Box.remote)
        try remote.send(
            "POST /api/session HTTP/1.1\r\nHost: box.local\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n")
        let refused = try #require(try remote.responses().first)
        #expect(refused.status == 426)
        #expect(!refused.text.contains("no more"))
        #expect(try signIn(box) == nil)
    }

    @Test func `no WebSocket opens in plain text, so nothing can be said on one`() throws {
        let box = try family()
        let remote = box.connect(from: Box.remote)
        #expect(try remote.openWebSocket().status == 308)
        let ben = try box.person("ben")
        #expect(
            try box.connect(from: Box.remote).openWebSocket(["Authorization: Bearer \(ben.token)"]).status == 426)
        #expect(try box.connect().refusal("session.resume", ["token": .string(ben.token)]) == 1401)
    }

    @Test func `when too much is under way nothing is revoked, and nobody is told so`() throws {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        setting.limits.requestsMax = 8
        let box = try Box.family(setting)
        let ben = try box.person("ben")
        let busy = [try box.line("ada"), try box.line("hal")]
        box.isKeeperBusy = true
        // One member alone does not fill the room.
        for _ in 0..<7 { busy[0].postCall("family.show") }
        try box.settle()
        busy[1].postCall("family.show")
        try box.settle()
        let refused = try box.connect(from: Box.remote).ask("GET /api/family", ["Authorization: Bearer \(ben.token)"])
        #expect(refused.status == 426)
        #expect(!refused.text.contains("revoked"))
        #expect(box.server.requestsInFlight <= 8)
        #expect(box.server.counters.limitsHit["requests"] == 1)
    }
}
