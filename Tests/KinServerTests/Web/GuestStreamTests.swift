import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The stream of a guest link's page.
@Suite struct GuestStreamTests {
    private let box: Box

    init() throws { box = try Self.house() }

    /// A family in which Ada shares where she is.
    private static func house(_ limits: (inout ServerLimits) -> Void = { _ in }) throws -> Box {
        var setting = Box.Setting()
        setting.allowPlain = ["203.0.113.0/24"]
        limits(&setting.limits)
        let box = try Box.family(setting)
        let ada = try box.line("ada")
        _ = try ada.result("sharing.set", ["state": "on"])
        ada.leave()
        try move(box, 52.5)
        return box
    }

    private static func move(_ box: Box, _ lat: Double, _ name: String = "ada") throws {
        let line = try box.line(name)
        let at = Instant(milliseconds: box.time.wallMilliseconds())
        _ = try line.result("position.report", ["lat": .double(lat), "lon": 13.4, "at": .time(at)])
        line.leave()
    }

    private func link(_ box: Box, _ precision: JSON = "exact", seconds: Int64 = 3600) throws -> (
        id: JSON, path: String
    ) {
        let ada = try box.line("ada")
        defer { ada.leave() }
        let until = Instant(milliseconds: box.time.wallMilliseconds()).adding(seconds: seconds)
        let made = try ada.result(
            "guestLink.create", ["precision": precision, "until": .time(until), "name": "Mum"])
        return (try #require(made["guestLink"]?["id"]), "/where/\(try #require(made["secret"]?.string))")
    }

    /// Opens the page as its script does: what it shows.
    private func state(_ box: Box, _ path: String) throws -> String {
        let client = box.connect()
        defer { client.leave() }
        let page = try client.ask(
            "POST \(path)",
            ["Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"], "look=yes")
        #expect(page.status == 200)
        return String(try #require(page.text.firstMatch(of: /data-seen="([0-9a-f]+)"/)).1)
    }

    private func listen(
        _ box: Box, _ path: String, _ seen: String, from peer: Peer = Box.loopback, room: Int = 1 << 20
    ) throws -> (client: BoxClient, response: BoxResponse) {
        let client = box.connect(from: peer, room: room)
        return (client, try client.ask("GET \(path)/live?seen=\(seen)", ["Accept: text/event-stream"]))
    }

    /// What came since, without the chunks' frames.
    private func content(_ client: BoxClient) throws -> String {
        var rest = Array(client.receive())[...]
        var text: [UInt8] = []
        while let end = rest.firstRange(of: [0x0D, 0x0A]) {
            let size = try #require(Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16))
            text += rest[end.upperBound..<(end.upperBound + size)]
            rest = rest[(end.upperBound + size + 2)...]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func types(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func `a link's stream tells what moved, and only what its link shows`() throws {
        let (exact, coarse) = (try link(box), try link(box, "coarse"))
        let (fine, begun) = try listen(box, exact.path, try state(box, exact.path))
        let (cell, _) = try listen(box, coarse.path, try state(box, coarse.path))
        #expect(begun.status == 200 && begun["Content-Type"] == "text/event-stream")
        #expect(begun["Cache-Control"] == "no-store" && begun["Referrer-Policy"] == "no-referrer")
        #expect(begun["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        // The state comes at once, whole.
        #expect(types(begun.text) == ["shown"])
        #expect(begun.text.contains("52.5° N") && begun.text.contains("Mum"))
        try box.advance(seconds: 2)
        #expect(try content(fine) == "")
        try Self.move(box, 52.71234)
        try box.advance(seconds: 2)
        let moved = try content(fine)
        #expect(types(moved) == ["shown"] && moved.contains("52.71234"))
        #expect(try !content(cell).contains("52.71234"))
        // Of what else happens nothing is sent, nor is anything sent at that time.
        let hal = try box.line("hal")
        _ = try hal.result("activity.say", ["text": "Soup"])
        _ = try hal.result("sharing.set", ["state": "on"])
        try Self.move(box, 48.1, "hal")
        let ada = try box.line("ada")
        _ = try ada.result(
            "place.add", ["name": "Den", "lat": 52.71234, "lon": 13.4, "radius": 100, "audience": "everyone"])
        try box.advance(seconds: 2)
        #expect(try content(fine) == "" && content(cell) == "")
        _ = try ada.result("sharing.set", ["state": "off"])
        try box.advance(seconds: 2)
        let off = try content(fine)
        #expect(types(off) == ["shown"] && !off.contains("52.7"))
        // All of that was one opening of each page.
        let looks = try ada.result("sharing.looks")["looks"]?.array ?? []
        #expect(looks.filter { $0["how"] == "link" }.map { $0["count"] } == [1, 1])
    }

    @Test func `moves that come quickly are told once a second, the last one whole`() throws {
        let made = try link(box)
        let (client, _) = try listen(box, made.path, try state(box, made.path))
        try box.advance(seconds: 2)
        try Self.move(box, 52.61)
        _ = try content(client)
        for lat in [52.62, 52.63] {
            try box.advance(seconds: 0, milliseconds: 100)
            try Self.move(box, lat)
        }
        #expect(try content(client) == "")
        try box.advance(seconds: 1)
        let told = try content(client)
        #expect(types(told) == ["shown"] && told.contains("52.63"))
    }

    @Test func `a link's stream ends with one last event, whether it is revoked or its time is over`() throws {
        let (revoked, short) = (try link(box), try link(box, seconds: 20))
        let seen = try state(box, revoked.path)
        let (one, _) = try listen(box, revoked.path, seen)
        let (two, _) = try listen(box, short.path, try state(box, short.path))
        try box.advance(seconds: 2)
        let ada = try box.line("ada")
        _ = try ada.result("guestLink.revoke", ["guestLink": revoked.id])
        try box.advance(seconds: 2)
        let last = one.text()
        #expect(types(last) == ["ended"] && !last.contains("Mum") && last.hasSuffix("\r\n0\r\n\r\n"))
        #expect(try content(two) == "")
        #expect(try listen(box, revoked.path, seen).response.status == 404)
        try box.advance(seconds: 10)
        #expect(types(two.text()) == [])
        try box.advance(seconds: 9)
        #expect(types(two.text()).last == "ended")
    }

    @Test func `a revoked link's stream is over too where many others were tried at its address`() throws {
        let made = try link(box)
        let seen = try state(box, made.path)
        let (client, _) = try listen(box, made.path, seen)
        for number in 0..<14 {
            // Behind the free ones each is looked at that waited long enough.
            if number >= Limits.guessesFree { try box.advance(seconds: 1 << (number - Limits.guessesFree)) }
            #expect(try listen(box, "/where/nobody\(number)", seen).response.status == 404)
        }
        _ = client.text()
        let ada = try box.line("ada")
        _ = try ada.result("guestLink.revoke", ["guestLink": made.id])
        try box.advance(seconds: 2)
        let last = client.text()
        #expect(types(last) == [] && last.hasSuffix("0\r\n\r\n"))
    }

    @Test func `a link's stream begins only with what its page got, and opening it by GET changes nothing`() throws {
        let (one, other) = (try link(box), try link(box))
        let (seen, foreign) = (try state(box, one.path), try state(box, other.path))
        let before = (commits: box.commits, looks: try box.rows("looks"))
        let client = box.connect()
        for (path, status) in [
            ("\(one.path)/live", 400), ("\(one.path)/live?seen=-", 404), ("\(one.path)/live?seen=\(foreign)", 404),
            ("/where/nobody/live?seen=\(seen)", 404),
        ] {
            let refused = try client.ask("GET \(path)", ["Accept: text/event-stream"])
            #expect(refused.status == status, "\(path)")
            #expect(refused["Cache-Control"] == "no-store" && refused["Referrer-Policy"] == "no-referrer")
            #expect(!refused.text.contains("Mum") && !refused.text.contains("52.5"))
        }
        #expect(try client.ask("POST \(one.path)/live", [], "look=yes").status == 405)
        #expect(box.commits == before.commits)
        #expect(try box.rows("looks") == before.looks)
        // A browser that comes back says which event it had last.
        let again = try box.connect().ask("GET \(one.path)/live", ["Last-Event-ID: \(seen)"])
        #expect(again.status == 200 && types(again.text) == ["shown"])
    }

    @Test func `a link has a few streams, an address too, and whoever leaves makes room`() throws {
        let box = try Self.house {
            $0.guestStreamsPerLinkMax = 2
            $0.guestStreamsPerAddressMax = 3
        }
        let links = try (0..<3).map { _ in try link(box) }
        let seen = try links.map { try state(box, $0.path) }
        func come(_ index: Int, from peer: Peer = Box.remote) throws -> (client: BoxClient, response: BoxResponse) {
            try listen(box, links[index].path, seen[index], from: peer)
        }
        let first = try come(0)
        #expect(try first.response.status == 200 && come(0).response.status == 200)
        let full = try come(0).response
        #expect(full.status == 429 && full["Retry-After"] != nil && full["Cache-Control"] == "no-store")
        #expect(try come(1).response.status == 200)
        #expect(try come(2).response.status == 429)
        let elsewhere = Peer.tcp(try #require(IPAddress("203.0.113.9")), port: 40_000)
        #expect(try come(2, from: elsewhere).response.status == 200)
        #expect(box.server.counters.limitsHit["guest_streams"] == 2)
        first.client.leave()
        try box.settle()
        #expect(try come(2).response.status == 200)
    }

    @Test func `streams of links have a bound in all`() throws {
        let box = try Self.house { $0.guestStreamsMax = 1 }
        let (one, other) = (try link(box), try link(box))
        #expect(try listen(box, one.path, try state(box, one.path)).response.status == 200)
        let full = try listen(box, other.path, try state(box, other.path)).response
        #expect(full.status == 503 && full["Retry-After"] != nil)
    }

    @Test(arguments: [false, true])
    func `a link's stream gives a sign of life whatever happens in the family`(isBusy: Bool) throws {
        let made = try link(box)
        let (client, _) = try listen(box, made.path, try state(box, made.path))
        let hal = try box.line("hal")
        var told: [[String]] = []
        for _ in 0..<4 {
            for _ in 0..<3 {
                if isBusy { _ = try hal.result("activity.say", ["text": "Soup"]) }
                try box.advance(seconds: 5)
            }
            told.append(types(try content(client)))
        }
        // Once a minute everything comes anew, since the time left gets shorter.
        #expect(told == [["beat"], ["beat"], ["beat"], ["beat", "shown"]])
    }

    @Test func `a page that takes nothing has one state held for it, and gets the last one when it takes again`() throws
    {
        let made = try link(box)
        let (client, begun) = try listen(box, made.path, try state(box, made.path), room: 500)
        try client.stall(true)
        for lat in [52.61, 52.62, 52.63, 52.64, 52.65] {
            try Self.move(box, lat)
            try box.advance(seconds: 2)
            let held = box.server.connections.open.map(\.pendingBytes).max() ?? 0
            #expect(held < 2 * begun.body.count)
        }
        try client.stall(false)
        try box.advance(seconds: 2)
        let told = try content(client)
        #expect(told.contains("52.65") && types(told).count <= 2)
    }

    @Test func `a daemon that ends ends the streams of links`() throws {
        let made = try link(box)
        let (client, _) = try listen(box, made.path, try state(box, made.path))
        box.server.drain()
        try box.settle()
        #expect(client.isOver)
    }
}
