import KinActivity
import KinCodec
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
@testable import KinSimulation

/// How connections end that the daemon ends: told where they can be told.
@Suite struct GoodbyeTests {
    /// Ben follows in one of three ways and then takes nothing for a minute; what he reads when he wakes up.
    private func stuck(_ box: Box, _ transport: String, wakes seconds: Int) throws -> BoxClient {
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        let ben = box.connect(room: 400)
        switch transport {
        case "WebSocket":
            _ = try ben.openWebSocket([bearer])
            _ = try ben.result("live.follow")
        case "TLS":
            try ben.startTLS()
            _ = try ben.result("session.resume", ["token": .string(try box.person("ben").token)])
            _ = try ben.result("live.follow")
        case "server-sent events":
            try ben.send("GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\n\(bearer)\r\n\r\n")
        default:
            _ = try ben.result("session.resume", ["token": .string(try box.person("ben").token)])
            _ = try ben.result("live.follow")
        }
        _ = ben.receive()
        try ben.stall(true)
        let ada = try box.line("ada")
        for index in 0..<10 { _ = try ada.result("activity.announce", ["text": .string("number \(index)")]) }
        try box.advance(seconds: 59)
        #expect(box.server.counters.limitsHit["stuck"] == nil)
        try box.advance(seconds: 1, milliseconds: 1)
        #expect(box.server.counters.limitsHit["stuck"] == 1)
        try box.advance(seconds: seconds)
        try ben.stall(false)
        return ben
    }

    @Test(arguments: ["WebSocket", "TLS", "server-sent events", "lines"])
    func `who took nothing for a minute and wakes up just then reads 4008 behind what waited`(
        transport: String
    ) throws {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        let box = try Box.family(setting)
        let ben = try stuck(box, transport, wakes: 1)
        if transport == "server-sent events" {
            let text = ben.text()
            #expect(text.contains("\"code\":4008") && text.hasSuffix("0\r\n\r\n"))
        } else {
            let heard = try ben.heard()
            // What was made ready for it comes whole; for the rest it comes back with its cursor.
            #expect((1..<10).contains(heard.count { $0["method"] == "event" }))
            #expect(heard.last?["params"]?["code"] == 4008)
            if transport == "WebSocket" {
                guard case .close(code: 4008, reason: _)? = ben.frames.last else {
                    Issue.record("\(ben.frames)")
                    return
                }
            }
        }
        #expect(box.server.connections.count == 1 || ben.isOver)
    }

    @Test(arguments: ["WebSocket", "server-sent events", "lines"])
    func `who goes on taking nothing is closed without it`(transport: String) throws {
        let box = try Box.family()
        let ben = try stuck(box, transport, wakes: 3)
        #expect(!ben.text().contains("4008"))
        #expect(ben.isOver)
        #expect(box.server.connections.count == 1, "only Ada is left")
    }

    @Test func `a closed family says 1001 to everybody, and it is no 4103`() throws {
        let box = try Box.family()
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let socket = box.connect()
        _ = try socket.openWebSocket(["Authorization: Bearer \(try box.person("hal").token)"])
        let ada = try box.line("ada")
        #expect(try ada.refusal("family.close", ["confirm": "Oak"]) == nil)
        #expect(try ben.heard().last?["params"]?["code"] == 1001)
        _ = try socket.messages()
        guard case .close(code: 1001, reason: _)? = socket.frames.last else {
            Issue.record("\(socket.frames)")
            return
        }
        #expect(ben.isOver && socket.isOver)
    }

    @Test(arguments: [false, true])
    func `a drain waits for what messages asked for`(isWebSocket: Bool) throws {
        let box = try Box.family()
        let ben = box.connect()
        if isWebSocket {
            _ = try ben.openWebSocket(["Authorization: Bearer \(try box.person("ben").token)"])
        } else {
            _ = try ben.result("session.resume", ["token": .string(try box.person("ben").token)])
        }
        let idle = try box.line("hal")
        box.isKeeperBusy = true
        let id = ben.postCall("sharing.set", ["state": "on"])
        try box.settle()
        box.server.drain()
        try box.settle()
        #expect(try idle.heard().last?["params"]?["code"] == 1012)
        #expect(idle.isOver && !ben.isOver, "one who waits for an answer is not sent away")
        box.isKeeperBusy = false
        try box.settle()
        let messages = try ben.messages()
        #expect(messages.contains { $0["id"] == .int(id) && $0["result"] != nil })
        #expect(try messages.last?["params"]?["code"] == 1012 || ben.heard().last?["params"]?["code"] == 1012)
        try box.advance(seconds: 3)
        #expect(ben.isOver)
        #expect(box.server.isFinished)
    }
}
