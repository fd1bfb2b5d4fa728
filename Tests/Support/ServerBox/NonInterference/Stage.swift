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

/// A family made from a seed, in which somebody does things that others may not see.
///
/// In the household Hill: Ada the admin, Hal the head, Ben the member, Gil the guest. In Mill: Mia the head, Mo and Nan
/// the members, Gus the guest. What they did before, and what everything is called, is the seed's.
final class Stage: HiddenStage {
    /// Who looks. Mia, Mo and Nan act.
    static let observers = ["ada", "hal", "ben", "gil", "gus", wall]
    /// The screen on the wall of one household. It looks, and does nothing.
    static let wall = "wall"

    /// Why something was not done.
    struct Refused: Error, CustomStringConvertible {
        let method: String
        let answer: String
        var description: String { "\(method): \(answer)" }
    }

    let box: Box
    let registry: Registry
    /// For what a secret says: the same in every world of the seed until the first secret rolls them.
    var dice: Dice
    private(set) var households: [String: Identifier] = [:]
    /// Passwords of phones, by member.
    private(set) var phones: [String: String] = [:]
    /// Something of which others know only when it is.
    private(set) var privateEntry: Identifier?
    /// Identifiers of what is hidden.
    private(set) var hidden: [Identifier] = []

    init(seed: UInt64, registry: Registry = .family) throws {
        self.registry = registry
        dice = Dice(seed: seed &* 977)
        var setting = Box.Setting(seed: seed, registry: registry, hasTowns: true)
        // In every other world nearly everything is read from the log, in the others from the feed.
        if seed % 2 == 0 { setting.limits.feedBytes = 3000 }
        box = try Box.family(setting)
        let mill = try machine("household.found", ["name": .string("Mill " + words(3)), "stay": true])
        households["mill"] = try Self.id(mill, "household")
        for (name, role) in [("mia", "head"), ("mo", "member"), ("nan", "member"), ("gus", "guest")] {
            try machine(
                "member.add",
                [
                    "username": .string(name), "password": .string(Box.password),
                    "displayName": .string(name + " " + words(2)), "household": .id(try household("mill")),
                    "role": .string(role), "kind": "adult",
                ])
            try box.welcome(name)
        }
        let hill = try does("ada", "family.show")["households"]?.array ?? []
        households["hill"] = hill.compactMap { $0["id"]?.identifier }.first { $0 != households["mill"] }
        try box.hang(Self.wall, in: households["hill"])
        for name in Self.observers + ["mo"] where name != Self.wall {
            let made = try does(name, "appPassword.create", ["device": "phone", "scope": "location"])
            phones[name] = made["password"]?.string
        }
        // Whether the family may ring in browsers is no secret.
        try does(
            "ada", "notice.allowPush",
            ["on": true, "contact": "mailto:ada@example.org", "hosts": ["push.example.com"]])
        try past()
        // Whoever made the stage rolled the dice; from here on every world of the seed begins alike.
        box.deeds = Box.Deeds()
    }

    /// What happened before: everybody saw of it what they may.
    private func past() throws {
        for name in ["ben", "hal", "nan", "gil"] where dice.once(in: 2) {
            try does(name, "sharing.set", ["state": "on"])
            try report(name)
            if dice.once(in: 3) { try does(name, "sharing.set", ["state": "off"]) }
        }
        for _ in 0...dice.below(3) { try does("ada", "activity.announce", ["text": .string(words(20))]) }
        try meeting("hal", "public", [])
        try meeting("ben", "group", ["gil", "gus", "ada"])
        // Everybody but guests sees when Nan is busy, and nobody with what.
        try does("nan", "calendar.share", ["calendar": .id(try id("nan")), "with": "everyone", "right": "busy"])
        try does(
            "nan", "entry.add",
            ["subject": .string(words(9)), "start": "2026-09-21T10:00", "zone": "Europe/Berlin", "repeat": "daily"])
        // Calendars are read outside, if there are any.
        try does("ada", "calendar.allowOutside", ["on": true])
        try does("ada", "news.allowOutside", ["on": true])
        try does("ada", "dish.allowOutside", ["on": true])
        // Of something private in the family's calendar everybody but guests knows when it is.
        let made = try does(
            "mo", "entry.add",
            [
                "subject": .string(words(9)), "start": "2026-12-21T10:00", "zone": "Europe/Berlin", "repeat": "weekly",
                "privacy": "private",
                "calendar": .id(try machine("family.show")["family"]?["id"]?.identifier ?? id("mo")),
            ])
        privateEntry = made["entry"]?["id"]?.identifier
        if dice.once(in: 2) {
            try does("hal", "member.relate", ["member": .id(try id("hal")), "partnerOf": .id(try id("ben"))])
        }
    }

    // MARK: What people do

    /// The same without parameters.
    @discardableResult
    func does(_ who: String, _ method: String) throws -> JSON { try does(who, method, [:]) }

    /// Somebody does something, on a connection of its own.
    @discardableResult
    func does(_ who: String, _ method: String, _ params: JSON) throws -> JSON {
        let client = box.connect()
        let token = try box.person(who).token
        return try call(client, [("session.resume", ["token": .string(token)]), (method, params)])
    }

    /// Something is done at the machine.
    @discardableResult
    func machine(_ method: String, _ params: JSON = [:]) throws -> JSON {
        try call(box.connect(from: Box.machine), [(method, params)])
    }

    /// Somebody who is not signed in does something.
    @discardableResult
    func stranger(_ method: String, _ params: JSON = [:]) throws -> JSON { try call(box.connect(), [(method, params)]) }

    private func call(_ client: BoxClient, _ calls: [(method: String, params: JSON)]) throws -> JSON {
        defer { client.leave() }
        let last = calls.map { client.postCall($0.method, $0.params) }.last
        try box.settle()
        let messages = try client.messages()
        for message in messages where message["error"] != nil {
            throw Refused(method: calls.last?.method ?? "", answer: message.text)
        }
        guard let result = messages.first(where: { $0["id"]?.int == last })?["result"] else {
            throw Refused(method: calls.last?.method ?? "", answer: "nothing")
        }
        return result
    }

    /// A phone with OwnTracks says where it is.
    func publish(_ who: String, _ lat: Double) throws -> [UInt8] {
        let at = box.time.wallMilliseconds() / 1000
        let body = "{\"_type\":\"location\",\"lat\":\(lat),\"lon\":7,\"tst\":\(at),\"tid\":\"xx\"}"
        return try post(who, "/owntracks", body)
    }

    /// A phone with Overland says where it is.
    func publishPoints(_ who: String, _ lat: Double) throws {
        let at = Instant(milliseconds: box.time.wallMilliseconds())
        let feature: JSON = [
            "geometry": ["coordinates": [7, .double(lat)]], "properties": ["timestamp": .time(at)],
        ]
        _ = try post(who, "/overland", JSON.object(["locations": [feature]]).text)
    }

    /// Somebody sends a file, or a part of one.
    func put(_ who: String, _ path: String, _ headers: [String], _ content: String) throws {
        let client = box.connect()
        let bearer = "Authorization: Bearer \(try box.person(who).token)"
        try client.ask("PUT \(path)", [bearer, "Content-Type: image/png"] + headers, content)
        client.leave()
    }

    /// A phone says something of its owner.
    @discardableResult
    func post(_ who: String, _ path: String, _ body: String) throws -> [UInt8] {
        let basic = Base64.encode(Array("\(who):\(phones[who] ?? "")".utf8))
        let client = box.connect()
        defer { client.leave() }
        client.post(
            "POST \(path) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Basic \(basic)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try box.settle()
        return client.receive()
    }

    /// An app for contacts writes a card, or removes it.
    func keep(_ who: String, _ password: String, _ verb: String, _ card: String) throws {
        try keep(who, password, verb, "/dav/contacts/family/w1.vcf", "text/vcard", card)
    }

    /// An app for contacts or calendars does something.
    func keep(
        _ who: String, _ password: String, _ verb: String, _ path: String, _ type: String, _ content: String,
        _ headers: String = ""
    ) throws {
        let basic = Base64.encode(Array("\(who):\(password)".utf8))
        let client = box.connect()
        defer { client.leave() }
        client.post(
            "\(verb) \(path) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Basic \(basic)\r\n"
                + "Content-Type: \(type)\r\n\(headers)Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
        try box.settle()
        let answer = client.receive()
        guard answer.starts(with: Array("HTTP/1.1 20".utf8)) else {
            throw Refused(method: verb, answer: String(decoding: answer, as: UTF8.self))
        }
    }

    /// Presses a button below what a phone rings with last.
    func press(_ topic: String, _ index: Int) throws {
        let client = box.connect()
        defer { client.leave() }
        let messages = try client.ask("GET /\(topic)/json?poll=1").text.split(separator: "\n")
        let actions = try JSON.parse(Array((messages.last ?? "{}").utf8))["actions"]?.array ?? []
        let url = actions.indices.contains(index) ? actions[index]["url"]?.string ?? "" : ""
        let path = "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
        guard try client.ask("POST \(path)").status == 200 else {
            throw Refused(method: "stage", answer: "no button \(index)")
        }
    }

    /// Somebody reports a position of the dice.
    func report(_ who: String) throws {
        let at = Instant(milliseconds: box.time.wallMilliseconds())
        let lat = Double(dice.below(160)) - 80
        try does(who, "position.report", ["lat": .double(lat), "lon": .double(lat / 3), "at": .time(at)])
    }

    /// Somebody proposes a meeting that is to be long after everything else.
    @discardableResult
    func meeting(_ host: String, _ kind: String, _ invitees: [String]) throws -> JSON {
        let start = Instant(milliseconds: box.time.wallMilliseconds()).adding(days: 30 + Int64(dice.below(30)))
        return try does(
            host, "meeting.propose",
            [
                "title": .string(words(6)), "kind": .string(kind), "zone": "Europe/Berlin",
                "slots": [["start": .time(start), "end": .time(start.adding(seconds: 3600))]],
                "invitees": .array(try invitees.map { .id(try id($0)) }),
            ])
    }

    // MARK: Names

    /// From one to so many words.
    func words(_ max: Int) -> String {
        let all = ["oak", "heron", "lantern", "quilt", "ferry", "a", "birthday", "Größe", "\u{1F385}", "x\"y", "\\"]
        return (0...dice.below(max)).map { _ in dice.pick(all) }.joined(separator: " ")
    }

    func id(_ name: String) throws -> Identifier { try box.person(name).id }

    func household(_ name: String) throws -> Identifier {
        guard let id = households[name] else { throw Refused(method: "stage", answer: "no household \(name)") }
        return id
    }

    /// The identifier in `{"invite":{"id":…}}`.
    static func id(_ result: JSON, _ name: String) throws -> Identifier {
        guard let id = result[name]?["id"]?.identifier ?? result[name]?.identifier else {
            throw Refused(method: "stage", answer: "no \(name) in \(result.text)")
        }
        return id
    }

    /// Remembers the identifier of something that is hidden; observers will ask for it.
    @discardableResult
    func hide(_ result: JSON, _ name: String) throws -> Identifier {
        let id = try Self.id(result, name)
        hidden.append(id)
        return id
    }

    /// So many identifiers of hidden things; where there are fewer, some that are nobody's.
    func hidden(_ count: Int) -> [Identifier] {
        var random = Dice(seed: 4711)
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        return (0..<count).map { index in
            let nobodys = Identifier(at: now, random: (random.next(), random.next()))
            return index < hidden.count ? hidden[index] : nobodys
        }
    }
}
