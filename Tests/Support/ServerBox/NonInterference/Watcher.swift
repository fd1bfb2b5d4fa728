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

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinSimulation
@testable import KinStore

/// Somebody who looks at everything there is to look at: a stream on each transport, every question, every command about
/// what is hidden, coming back with a cursor, the phone's answers.
final class Watcher {
    let name: String
    private let stage: Stage
    /// A screen on a wall has no phone and no tablet beside it, and keeps and makes nothing.
    private let isWall: Bool
    private let streams: [(transport: String, client: BoxClient)]
    private let begun: String
    /// Its tablet's, for calendars and contacts.
    private let password: String
    /// Cursors that were new when they were given, in their order.
    private var cursors: [String] = []
    private let beganAt: Instant
    private(set) var seen: [Sight] = []
    private var blotting = Blotting(
        validatorsAfter: "filename=\"calendar.ics\"\r\nCache-Control: no-store\r\nETag: \"")

    /// Something seen: what was asked and the bytes that came.
    struct Sight: Equatable {
        let of: String
        let bytes: [UInt8]
    }

    private static let transports = ["lines", "web socket", "server-sent events", "lines over HTTP"]

    init(_ name: String, _ stage: Stage) throws {
        self.name = name
        self.stage = stage
        let token = try stage.box.person(name).token
        isWall = name == Stage.wall
        let made =
            isWall ? .null : try stage.does(name, "appPassword.create", ["device": "tablet", "scope": "calendar"])
        password = made["password"]?.string ?? ""
        streams = Self.transports.map { ($0, stage.box.connect()) }
        for stream in streams { Self.follow(stream.client, stream.transport, token, since: nil) }
        let first = try stage.does(name, "live.follow")
        begun = first["cursor"]?.string ?? ""
        beganAt = Instant(milliseconds: stage.box.time.wallMilliseconds())
    }

    private static func follow(_ client: BoxClient, _ transport: String, _ token: String, since: String?) {
        let isStream = transport == "server-sent events" || transport == "lines over HTTP"
        let since = since.map { JSON.string($0) } ?? .null
        let calls = [
            RPC.request(id: 1, method: "session.resume", params: ["token": .string(token)]),
            RPC.request(id: 2, method: "live.follow", params: ["since": since, "passing": true]),
        ]
        guard isStream || transport == "web socket" else {
            for call in calls { client.post(call + [0x0A]) }
            return
        }
        var head = "GET /live?passing=true HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\n"
        if isStream {
            head += "Accept: \(transport == "lines over HTTP" ? "application/x-ndjson" : "text/event-stream")\r\n"
            if let cursor = since.string { head += "Last-Event-ID: \(cursor)\r\n" }
            return client.post(head + "\r\n")
        }
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        head += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: kinwire.v1\r\n\r\n"
        var bytes = Array(head.utf8)
        WebSocketFrame.write(.text, calls[1], mask: 0x1234_5678, to: &bytes)
        client.post(bytes)
    }

    // MARK: Looking

    /// Comes back with the cursor from before, on each transport.
    func comeBack(_ when: String) throws {
        let token = try stage.box.person(name).token
        let clients = Self.transports.map { transport in
            let client = stage.box.connect()
            Self.follow(client, transport, token, since: begun)
            return (transport, client)
        }
        try stage.box.settle()
        for (transport, client) in clients {
            see("coming back over \(transport) \(when)", client.receive())
            client.leave()
        }
        cursors.append(try stage.does(name, "live.follow")["cursor"]?.string ?? "")
    }

    /// Keeps cursors under a name, those of moments too: whether each is further than the one before. And how it would go
    /// on from each.
    func mark() throws {
        if isWall { return }
        let span = now.milliseconds(since: beganAt)
        let times = (-1...Int64(12)).map { JSON.time(beganAt.adding(milliseconds: $0 * span / 12)) }
        let moments = try results(times.map { ("live.at", ["time": $0]) }).map { $0["cursor"]?.string ?? "" }
        for (name, given) in [("cursors", [begun] + cursors), ("moments", moments)] {
            let kept = try results(given.map { ("live.mark", ["name": .string(name), "cursor": .string($0)]) })
            let modes = try results(given.map { ("live.follow", ["since": .string($0)]) })
            let answers = zip(given, zip(kept, modes)).map { cursor, answer in
                (answer.0["cursor"]?.string == cursor ? "further, " : "the same, ") + (answer.1["mode"]?.string ?? "")
            }
            see("marks of \(name)", Array(answers.joined(separator: "; ").utf8))
        }
    }

    /// What is answered to these, on one connection.
    private func results(_ calls: [(method: String, params: JSON)]) throws -> [JSON] {
        let client = stage.box.connect()
        defer { client.leave() }
        client.postCall("session.resume", ["token": .string(try stage.box.person(name).token)])
        let ids = calls.map { client.postCall($0.method, $0.params) }
        try stage.box.settle()
        let messages = try client.messages()
        return ids.map { id in messages.first { $0["id"]?.int == id }?["result"] ?? .null }
    }

    /// Makes things of its own, as many as there may be of them as far as it can know.
    func grow() throws {
        if isWall { return }
        let start = now.adding(days: 90)
        let slot: JSON = ["start": .time(start), "end": .time(start.adding(seconds: 3600))]
        let own = JSON.id(try stage.box.person(name).id)
        var calls: [(String, JSON)] = [
            ("live.mark", ["name": "another"]), ("place.notify", ["when": "both"]),
            ("sharing.set", ["state": "on", "rules": []]),
        ]
        if !["gil", "gus"].contains(name) {
            calls += [
                ("place.add", ["name": "Well", "lat": 1, "lon": 2, "audience": [own]]),
                (
                    "meeting.propose",
                    ["title": "Alone", "kind": "solo", "zone": "UTC", "slots": [slot], "invitees": []]
                ),
            ]
        }
        try put(calls)
    }

    /// Makes more of everything than there may be, so that it shows how much there may be.
    func growFull() throws {
        if isWall { return }
        let own = JSON.array([.id(try stage.box.person(name).id)])
        var calls: [(method: String, params: JSON)] = []
        func add(_ count: Int, _ method: String, _ params: JSON) {
            calls += (0...count).map { _ in (method: method, params: params) }
        }
        add(Int(Limits.guestLinksPerMemberMax), "guestLink.create", Secret.link(stage))
        if !Secret.guests.contains(name) {
            add(Limits.keptPlacesBytesMax / 300, "place.add", Secret.place(own))
            add(Limits.sharedPlacesBytesMax / 300, "place.add", Secret.place("everyone"))
            add(10, "meeting.propose", Secret.meeting(stage, slots: Limits.meetingSlotsMax))
            add(Limits.meetingsPerHostMax, "meeting.propose", Secret.meeting(stage, slots: 1))
        }
        if ["ada", "hal"].contains(name) { add(Limits.invitesPerHouseholdMax, "invite.create", [:]) }
        try put(calls)
    }

    /// What was answered about room: how often something was done, and how often there was none for it.
    var answersAboutRoom: (done: Int, refused: Int) {
        let texts = seen.filter { $0.of.contains("place.add") || $0.of.contains("meeting.propose") }.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
        return (texts.count { $0.contains("\"result\"") }, texts.count { $0.contains("1413") })
    }

    /// Asks everything there is to ask, about everybody.
    func ask() throws {
        let own = try stage.box.person(name).id
        let people = try ["ada", "mo", "nan"].map { try stage.id($0) }
        let households = try [stage.household("mill"), stage.household("hill")]
        let sample = Sample(own: own, ids: [own] + people + households + stage.hidden(3), now: now)
        let calls = try methods {
            $0.sort == .query && !Self.ofConnections.contains($0.name) && !Self.ofTheHouse.contains($0.name)
        }.flatMap { method in
            sample.questions(method).map { (method.name, $0) }
        }
        try put(calls)
        try askOfMarch(people)
        try visit()
    }

    /// Looks at days on which hidden entries stand.
    private func askOfMarch(_ people: [Identifier]) throws {
        let when: JSON = ["from": "2027-02-28", "to": "2027-03-04", "zone": "UTC"]
        var calls: [(method: String, params: JSON)] = ["entry.list", "entry.days"].map { (method: $0, params: when) }
        for person in people {
            var params = when
            params["members"] = [.id(person)]
            for method in ["entry.list", "entry.days", "entry.free"] { calls.append((method: method, params: params)) }
        }
        let known = Set(try methods { $0.sort == .query }.map(\.name))
        try put(calls.filter { known.contains($0.method) })
    }

    /// Tries everything about what is hidden from it.
    func attempt() throws {
        // Gil sees nothing of Mill: whatever Mo is to be made to do is about somebody hidden.
        let unseen = name == "gil" ? try [stage.id("mo")] : []
        let sample = Sample(own: try stage.box.person(name).id, ids: stage.hidden(3) + unseen, now: now)
        let calls = try methods { $0.sort != .query }.flatMap { method in
            sample.attempts(method).map { (method.name, $0) }
        }
        try put(calls)
        if !isWall { try attemptDav(unseen) }
    }

    /// Puts and moves entries into calendars that may be hidden, and makes a calendar where one may be.
    private func attemptDav(_ unseen: [Identifier]) throws {
        let client = stage.box.connect()
        let home = "/dav/calendars/\(try stage.box.person(name).id)/"
        let own = home + "\(try stage.box.person(name).id)/w2.ics"
        _ = try askDav(client, "PUT \(own)", Self.event("w2"), Self.isCalendar)
        for id in stage.hidden(3) + unseen {
            _ = try askDav(client, "PUT \(home)\(id)/w3.ics", Self.event("w3"), Self.isCalendar)
            _ = try askDav(client, "COPY \(own)", "", "Destination: \(home)\(id)/w4.ics\r\n")
            _ = try askDav(client, "MOVE \(own)", "", "Destination: \(home)\(id)/w2.ics\r\n")
            _ = try askDav(client, "MKCALENDAR \(home)\(id)/", Self.named, "")
            _ = try askDav(client, "DELETE \(home)\(id)/", "", "")
        }
        _ = try askDav(client, "DELETE \(own)", "", "")
        client.leave()
    }

    /// Says where it is, as a phone.
    func publish() throws { if !isWall { see("what the phone is answered", try stage.publish(name, 48)) } }

    private static let ofConnections: Set = ["session.resume", "live.follow", "live.unfollow"]
    /// Admins are told how large the house is and how many are connected, as `/metrics` tells them; and whom nothing
    /// reaches, which is that much of members' devices.
    private static let ofTheHouse: Set = ["daemon.status", "notice.unreached"]

    private func methods(where isWanted: (KinKeeper.Method) -> Bool) throws -> [KinKeeper.Method] {
        let role = role
        return stage.registry.methods.values.filter { $0.isPublic && $0.access.contains(role) && isWanted($0) }
            .sorted { $0.name < $1.name }
    }

    private var now: Instant { Instant(milliseconds: stage.box.time.wallMilliseconds()) }

    private func put(_ calls: [(method: String, params: JSON)]) throws {
        let hidden = stage.hidden(3)
        let client = stage.box.connect()
        client.postCall("session.resume", ["token": .string(try stage.box.person(name).token)])
        var asked: [Int64: String] = [:]
        for call in calls {
            asked[client.postCall(call.method, call.params)] = "\(call.method) \(call.params.text)"
        }
        try stage.box.settle()
        let text = String(decoding: client.receive(), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let id = (try? JSON.parse(Array(line.utf8)))?["id"]?.int ?? 0
            see(asked[id] ?? "something", Array(line.utf8), hiding: hidden)
        }
        client.leave()
    }

    /// The addresses of questions over HTTP.
    private func visit() throws {
        let token = try stage.box.person(name).token
        let client = stage.box.connect()
        // The description is long and nobody's own: once is enough.
        var paths = name == "gil" ? ["/healthz", "/api/openapi.json"] : ["/healthz"]
        for method in try methods(where: { $0.route?.verb == "GET" && !Self.ofTheHouse.contains($0.name) }) {
            let path = try (method.route?.path ?? "").replacing("{member}", with: stage.id("mo").description)
            guard !path.contains("{") else { continue }
            paths.append(path + "?from=\(now.adding(days: -1))&to=\(now)&time=\(now)")
            paths.append(path)
        }
        for path in paths {
            client.post("GET \(path) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(token)\r\n\r\n")
        }
        try stage.box.settle()
        see("questions over HTTP", client.receive(), hiding: stage.hidden(3))
        client.leave()
        if !isWall { try visitDav() }
    }

    /// What a tablet's apps for calendars and contacts ask.
    private func visitDav() throws {
        let client = stage.box.connect()
        let sync =
            "<sync-collection xmlns=\"DAV:\"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>"
        let own = try stage.box.person(name).id
        let asked = [
            ("PROPFIND /dav/", ""), ("PROPFIND /dav/principals/\(own)/", ""),
            ("PROPFIND /dav/principals/\(try stage.id("mo"))/", ""), ("PROPFIND /dav/contacts/", ""),
            ("PROPFIND /dav/contacts/family/", ""), ("REPORT /dav/contacts/family/", sync),
        ]
        func ask(_ line: String, _ body: String, _ headers: String) throws -> [UInt8] {
            try askDav(client, line, body, headers)
        }
        for (line, body) in asked { _ = try ask(line, body, "") }
        try visitCalendars(own, sync, ask)
        client.leave()
    }

    /// Asks as the tablet does.
    private func askDav(_ client: BoxClient, _ line: String, _ body: String, _ headers: String) throws -> [UInt8] {
        let credential = KinCrypto.Base64.encode(Array("\(name):\(password)".utf8))
        client.post(
            "\(line) HTTP/1.1\r\nHost: box.local\r\nDepth: 1\r\nAuthorization: Basic \(credential)\r\n\(headers)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try stage.box.settle()
        let answer = client.receive()
        see(line, answer, hiding: stage.hidden(3))
        return answer
    }

    private static func event(_ uid: String) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20270301T100000Z\r\nSUMMARY:Own\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    }

    private static let isCalendar = "Content-Type: text/calendar\r\n"

    /// Each calendar that the tablet finds, with what is in it; and addresses at which something may be that is hidden.
    private func visitCalendars(
        _ own: Identifier, _ sync: String, _ ask: (String, String, String) throws -> [UInt8]
    ) throws {
        let home = "/dav/calendars/\(own)/"
        let look =
            "<propfind xmlns=\"DAV:\" xmlns:S=\"http://calendarserver.org/ns/\"><prop><displayname/><owner/><sync-token/><S:getctag/><current-user-privilege-set/></prop></propfind>"
        let found = String(decoding: try ask("PROPFIND \(home)", look, ""), as: UTF8.self)
        // Times of which something is seen, and days on which hidden entries stand.
        let data = [("20261215", "20270102"), ("20270228", "20270304")].map { from, to in
            "<C:calendar-query xmlns=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><prop><getetag/><C:calendar-data/></prop><C:filter><C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VEVENT\"><C:time-range start=\"\(from)T000000Z\" end=\"\(to)T000000Z\"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
        }
        let busy =
            "<C:free-busy-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><C:time-range start=\"20260901T000000Z\" end=\"20270310T000000Z\"/></C:free-busy-query>"
        for part in found.split(separator: "<D:href>" + home).dropFirst() {
            let place = home + part.prefix { $0 != "/" } + "/"
            guard part.first != "<", !place.hasSuffix("/inbox/"), !place.hasSuffix("/outbox/") else { continue }
            for body in [sync] + data + [busy] { _ = try ask("REPORT \(place)", body, "") }
        }
        let others = try ["mo", "nan"].map { "ATTENDEE:mailto:\(try stage.id($0))@kinwire.invalid" }
        let free =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VFREEBUSY", "UID:f"]
            + ["DTSTART:20270228T000000Z", "DTEND:20270304T000000Z", "ORGANIZER:mailto:\(own)@kinwire.invalid"]
            + others + ["END:VFREEBUSY", "END:VCALENDAR", ""]
        _ = try ask("POST \(home)outbox/", free.joined(separator: "\r\n"), Self.isCalendar)
        // Its own things, under names and UIDs that may be hidden ones' too.
        let hidden = stage.hidden(3)
        let mine = home + "\(own)/"
        for (name, uid) in [("w1.ics", "w1")] + hidden.map({ ("\($0).ics", "\($0)@kinwire") }) {
            for (verb, body) in [("GET", ""), ("PUT", Self.event(uid)), ("GET", ""), ("DELETE", "")] {
                _ = try ask("\(verb) \(mine)\(name)", body, verb == "PUT" ? Self.isCalendar : "")
            }
        }
        for verb in ["PROPFIND", "DELETE"] { _ = try ask("\(verb) \(home)trip/", "", "") }
        for id in hidden {
            _ = try ask("PROPFIND \(home)\(id)/", "", "")
            _ = try ask("PROPPATCH \(home)\(id)/", look, "")
            for verb in ["PROPFIND", "DELETE", "MKCALENDAR"] { _ = try ask("\(verb) \(home)list-\(id)/", "", "") }
            _ = try ask("GET \(home)list-\(id)/a.ics", "", "")
        }
    }

    /// A calendar's name, so that it is not called after its address.
    private static let named =
        "<C:mkcalendar xmlns=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><set><prop><displayname>Own</displayname></prop></set></C:mkcalendar>"

    /// What came on the streams up to here.
    func look(_ when: String) { for stream in streams { see("\(stream.transport) \(when)", stream.client.receive()) } }

    private var role: Access {
        isWall ? .wall : .role(name == "ada" ? .admin : name == "hal" ? .head : name == "ben" ? .member : .guest)
    }

    private func see(_ what: String, _ bytes: [UInt8], hiding hidden: [Identifier] = []) {
        let names = Set(hidden.map(\.description))
        let epochs = stage.box.epochs
        let bytes = blotting.blotted(bytes, names) { epochs.position(of: $0) != nil }
        seen.append(Sight(of: Blotting.starred(what, names), bytes: bytes))
    }
}
