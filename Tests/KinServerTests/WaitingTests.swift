import KinActivity
import KinCodec
import KinCrypto
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
@testable import KinSimulation

/// A session that waits, over the wire: whatever it follows and asks over HTTP, it is shown nobody; and whoever acts at the
/// machine in somebody's name is said to.
@Suite struct WaitingTests {
    private let box: Box
    private let ada: BoxClient
    private let mo: BoxClient

    /// Hal shares with everyone and is at a place; Ben looks.
    init() throws {
        box = try Box.family()
        ada = try box.line("ada")
        mo = try box.line("hal")
        _ = try mo.result("sharing.set", ["state": "on"])
        _ = try ada.result(
            "place.add", ["name": "Heron Pond", "lat": 52.25, "lon": 13.75, "radius": 200, "audience": "everyone"])
        try report(52.25)
    }

    private func report(_ lat: Double) throws {
        try box.advance(seconds: 60)
        let at = Instant(milliseconds: box.time.wallMilliseconds())
        _ = try mo.result("position.report", ["lat": .double(lat), "lon": 13.75, "at": .time(at)])
    }

    /// Ada opens Ben's account by a link.
    private func thief() throws -> (token: String, session: JSON) {
        let ben = try box.person("ben").id
        let link = try ada.result("session.link", ["member": .id(ben)])["link"] ?? .null
        let client = box.connect()
        client.postCall("session.redeem", ["link": link, "device": "Pixel"])
        try box.settle()
        let opened = try #require(try client.messages().first?["result"])
        client.leave()
        let maker = try box.person("ada").id
        #expect(opened["waitsUntil"] != nil && opened["openedBy"]?.identifier == maker)
        return (try #require(opened["token"]?.string), try #require(opened["session"]))
    }

    private static let secrets = ["52.25", "13.75", "52.26", "Heron"]

    @Test func `no stream of a session that waits carries a position or a place, until it waits no longer`() throws {
        let (token, session) = try thief()
        let socket = box.connect()
        _ = try socket.openWebSocket(["Authorization: Bearer \(token)"])
        socket.postCall("live.follow", ["since": nil])
        let line = box.connect()
        line.postCall("session.resume", ["token": .string(token)])
        line.postCall("live.follow", ["since": nil, "types": ["position", "place."]])
        var streams: [BoxClient] = []
        for accept in ["text/event-stream", "application/x-ndjson"] {
            for query in ["", "?view=map", "?view=all"] {
                let client = box.connect()
                client.post(
                    "GET /live\(query) HTTP/1.1\r\nHost: box.local\r\nAccept: \(accept)\r\n"
                        + "Authorization: Bearer \(token)\r\n\r\n")
                streams.append(client)
            }
        }
        try box.settle()
        try report(52.26)
        try box.settle()
        for client in streams {
            let text = client.text()
            #expect(text.contains("snapshot"))
            for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
        }
        for client in [socket, line] {
            let text = try client.messages().map(\.text).joined()
            #expect(text.contains("\"mode\":\"reset\""))
            for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
        }
        // Nor does the plain HTTP of it.
        let header = "Authorization: Bearer \(token)"
        for path in ["/api/positions", "/api/places", "/api/sharing/looks", "/api/activity"] {
            let answer = try box.connect().ask("GET \(path)", [header])
            #expect(answer.status == (path == "/api/activity" ? 200 : 403), "\(path)")
            for secret in Self.secrets { #expect(!answer.text.contains(secret), "\(path) says \(secret)") }
        }
        // Once an older session says so, everything that follows ends so as to come back, and the rest goes on.
        let ben = try box.line("ben")
        _ = try ben.result("session.trust", ["session": session])
        try box.settle()
        _ = try socket.messages()
        guard case .close(let code, _)? = socket.frames.last else { throw Rejection(.parse, "not closed") }
        #expect(code == CloseCode.sightChanged.rawValue)
        #expect(try line.heard().last?["params"]?["code"]?.int == 4009)
        let again = box.connect()
        again.postCall("session.resume", ["token": .string(token)])
        again.postCall("live.follow", ["since": nil])
        try box.settle()
        #expect(try again.messages().map(\.text).joined().contains("52.26"))
    }

    @Test func `a cursor of the wait leads to a fresh snapshot, with the view that was asked for`() throws {
        let (token, session) = try thief()
        let line = box.connect()
        line.postCall("session.resume", ["token": .string(token)])
        let first = try line.result("live.follow", ["since": nil])
        let cursor = try #require(first["cursor"])
        let view = try #require(first["view"])
        #expect(try line.result("live.follow", ["since": cursor, "view": view])["mode"] == "live")
        // Without the view, or with the one of a whole session, it is a fresh snapshot each time.
        #expect(try line.result("live.follow", ["since": cursor])["mode"] == "reset")
        let ben = try box.line("ben")
        let whole = try ben.result("live.follow", ["since": nil])
        #expect(
            try line.result("live.follow", ["since": whole["cursor"] ?? .null, "view": whole["view"] ?? .null])["mode"]
                == "reset")
        _ = try ben.result("session.trust", ["session": session])
        try box.settle()
        let after = box.connect()
        after.postCall("session.resume", ["token": .string(token)])
        try box.settle()
        for params: JSON in [["since": cursor, "view": view], ["since": cursor], ["since": cursor, "view": "all"]] {
            let followed = try after.result("live.follow", params)
            #expect(followed["mode"] == "reset" && followed["view"] == whole["view"])
            #expect(followed["snapshot"]?["positions"]?.array?.isEmpty == false)
        }
    }

    @Test func `root who follows as Ben is written down as the machine, live too, and so is what it does`() throws {
        let machine = box.connect(from: Box.machine)
        _ = try machine.result("session.as", ["username": "ben"])
        _ = try machine.result("live.follow", ["since": nil])
        try box.advance(seconds: 86_400)
        // The day after, by what the stream carries.
        try report(52.26)
        try box.settle()
        let looks = try mo.result("sharing.looks")["looks"]?.array ?? []
        let ben = try box.person("ben").id
        let live = looks.filter { $0["viewer"]?.identifier == ben && $0["how"] == "live" }
        #expect(live.count == 2 && live.allSatisfy { $0["atMachine"] == true }, "\(looks.map(\.text))")
        // Ben himself is Ben.
        let own = try box.line("ben")
        _ = try own.result("live.follow", ["since": nil])
        try report(52.25)
        try box.settle()
        let more = try mo.result("sharing.looks")["looks"]?.array ?? []
        #expect(more.count { $0["viewer"]?.identifier == ben && $0["atMachine"] == nil } == 1)
        // And in events: beside who it was.
        _ = try own.heard()
        _ = try machine.result("member.update", ["member": .id(ben), "displayName": "Benny"])
        try box.settle()
        let told = try own.heard().first { $0["params"]?["type"] == "member.updated" }?["params"]
        #expect(told?["by"]?.identifier == ben && told?["atMachine"] == true)
        _ = try own.result("member.update", ["member": .id(ben), "displayName": "Ben"])
        try box.settle()
        let plain = try own.heard().first { $0["params"]?["type"] == "member.updated" }?["params"]
        #expect(plain?["by"]?.identifier == ben && plain?["atMachine"] == nil)
    }

    @Test func `a phone with the scope report is answered nobody's dots, by each of the gateways`() throws {
        let made = try box.line("ben").result("appPassword.create", ["device": "car", "scope": "report"])
        let password = made["password"]?.string ?? ""
        let basic = "Authorization: Basic \(Base64.encode(Array("ben:\(password)".utf8)))"
        let at = box.time.wallMilliseconds() / 1000
        let posts = [
            ("/owntracks", "{\"_type\":\"location\",\"lat\":1.5,\"lon\":2.5,\"tst\":\(at),\"tid\":\"xx\"}"),
            ("/api/positions", "{\"lat\":1.5,\"lon\":2.5,\"at\":\"\(Instant(milliseconds: at * 1000))\"}"),
        ]
        for (path, body) in posts {
            let client = box.connect()
            let answer = try client.ask("POST \(path)", [basic, "Content-Type: application/json"], body)
            #expect(answer.status == 200 && !answer.text.contains("lat"), "\(path): \(answer.text)")
            if path == "/owntracks" { #expect(answer.text == "[]") }
        }
        #expect(try box.connect().ask("GET /osmand?id=\(password)&lat=1.5&lon=2.5&timestamp=\(at)").status == 200)
        for path in ["/api/positions", "/api/places", "/api/members"] {
            #expect(try box.connect().ask("GET \(path)", [basic]).status == 403, "\(path)")
        }
        #expect(try box.line("ben").result("position.latest").text.contains("1.5"))
    }
}
