import KinLoop
import KinModel
import Testing

@testable import KinFamily
@testable import KinServer
@testable import KinSimulation

/// What somebody may not see makes no difference to what they get. Two worlds of the same seed, clock and randomness go
/// the same way, except for acts whose content, or whose being there at all, is hidden from the observer; the bytes the
/// observer gets are the same. Cursors are ciphertext and are blotted out first.
@Suite struct NonInterferenceTests {
    /// An act hidden from the observer, in both worlds.
    struct Secret: Sendable {
        let name: String
        /// Who may not know.
        let observers: [String]
        let first: @Sendable (Box) throws -> Void
        let second: @Sendable (Box) throws -> Void
    }

    private static func act(_ who: String, _ method: String, _ params: JSON) -> @Sendable (Box) throws -> Void {
        { box in
            let client = try box.line(who)
            _ = try client.result(method, params)
            client.leave()
            try box.settle()
        }
    }

    private static func report(_ who: String, _ lat: Double) -> @Sendable (Box) throws -> Void {
        { box in
            let at = Instant(milliseconds: box.time.wallMilliseconds())
            try act(who, "position.report", ["lat": .double(lat), "lon": 1, "at": .time(at), "battery": 3])(box)
        }
    }

    private static let nothing: @Sendable (Box) throws -> Void = { _ in }

    static let secrets: [Secret] = [
        Secret(
            name: "an announcement's text, from a guest", observers: ["gil"],
            first: act("ada", "activity.announce", ["text": "the surprise is on Sunday"]),
            second: act("ada", "activity.announce", ["text": "nothing"])),
        Secret(
            name: "that there was an announcement, from a guest", observers: ["gil"],
            first: act("ada", "activity.announce", ["text": "psst"]), second: nothing),
        Secret(
            name: "a position while sharing is off", observers: ["gil", "ben", "hal"], first: report("ada", 10),
            second: report("ada", 20)),
        Secret(
            name: "that a position was reported while sharing is off", observers: ["gil", "ben", "hal"],
            first: report("ada", 10), second: nothing),
        Secret(
            name: "a shared position, from a guest", observers: ["gil"],
            first: { box in
                try act("ada", "sharing.set", ["state": "on"])(box)
                try report("ada", 10)(box)
            }, second: nothing),
        Secret(
            name: "sharing that is switched on and off without a position", observers: ["gil", "ben", "hal"],
            first: { box in
                try act("ada", "sharing.set", ["state": "on"])(box)
                try act("ada", "sharing.set", ["state": "off"])(box)
            }, second: nothing),
        Secret(
            name: "an invite", observers: ["gil", "ben"],
            first: { box in
                let household = try box.household()
                try act("ada", "invite.create", ["household": household, "role": "member", "kind": "adult"])(box)
            }, second: nothing),
        Secret(
            name: "another member's sessions", observers: ["gil", "ben", "hal"],
            first: { box in _ = try box.signIn("ada") }, second: nothing),
        Secret(
            name: "another member's password", observers: ["gil", "ben", "hal"],
            first: act(
                "ada", "password.change", ["old": .string(Box.password), "new": "another-heron-lantern-43"]),
            second: nothing),
        Secret(
            name: "another member's app passwords", observers: ["gil", "ben", "hal"],
            first: act("ada", "appPassword.create", ["device": "phone", "scope": "location"]), second: nothing),
        Secret(
            name: "another member's named cursors", observers: ["gil", "ben", "hal"],
            first: { box in
                let ada = try box.line("ada")
                let cursor = try #require(try ada.result("live.follow")["cursor"])
                _ = try ada.result("live.mark", ["name": "kitchen", "cursor": cursor])
                ada.leave()
            }, second: nothing),
        Secret(
            name: "a household a guest is no guest of", observers: ["gil"],
            first: act("ada", "household.found", ["name": "Mill", "stay": true]), second: nothing),
        Secret(
            name: "a username and relations, from a guest", observers: ["gil"],
            first: { box in
                try act(
                    "ada", "member.relate",
                    ["member": .id(try box.person("ada").id), "partnerOf": .id(try box.person("ben").id)])(box)
            }, second: nothing),
    ]

    /// What is the same for the observer: the stream's bytes, over two transports, and the answers to every question.
    private static func world(_ observer: String, _ secret: @Sendable (Box) throws -> Void) throws -> String {
        let box = try Box.family()
        box.reseed(7)
        let stream = try box.line(observer)
        stream.postCall("live.follow")
        let http = box.connect()
        http.post(
            "GET /live HTTP/1.1\r\nHost: box.local\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(try box.person(observer).token)\r\n\r\n"
        )
        try box.settle()
        try secret(box)
        // Whatever the secret used of it, the randomness is the same from here on; time passes alike.
        box.reseed(8)
        try box.advance(seconds: 15)
        try act("ada", "member.update", ["member": .id(try box.person("ada").id), "displayName": "Ada L"])(box)
        let asking = try box.line(observer)
        var answers: [String] = []
        for method in RegistryAccessTests.methods
        where method.sort == .query && method.access.contains(.everybodySignedIn) {
            guard !["session.resume", "live.follow", "live.unfollow"].contains(method.name) else { continue }
            for params in try questions(method, box) {
                answers.append("\(method.name) \(params.text) " + (try asking.call(method.name, params)).text)
            }
        }
        let fresh = try asking.call("live.follow").text
        let all = [stream.text(), http.text(), fresh] + answers
        return blot(all.joined(separator: "\n"))
    }

    /// Parameters for a question: about everybody there is.
    private static func questions(_ method: KinFamily.Method, _ box: Box) throws -> [JSON] {
        let required = method.parameters.filter(\.isRequired).map(\.name)
        if required.isEmpty { return [[:]] }
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        return try ["ada", "ben", "hal", "gil"].map { name in
            var params = JSON.object([:])
            for name2 in required {
                switch name2 {
                case "member": params["member"] = .id(try box.person(name).id)
                case "from": params["from"] = .time(now.adding(days: -1))
                case "to", "time": params[name2] = .time(now)
                default: params[name2] = .id(try box.person(name).id)
                }
            }
            return params
        }
    }

    /// Cursors are made of the position under the epoch's key: they are put out of sight, in whatever field they stand.
    private static func blot(_ text: String) -> String {
        text.replacing(/"cursor":"[^"]*"/, with: "\"cursor\":\"\"").replacing(/id: ?[A-Za-z0-9_-]+/, with: "id:")
    }

    @Test(arguments: secrets.indices)
    func `what is hidden changes nothing of what one gets`(index: Int) throws {
        let secret = Self.secrets[index]
        for observer in secret.observers {
            let first = try Self.world(observer, secret.first)
            let second = try Self.world(observer, secret.second)
            if first != second {
                let lines = zip(first.split(separator: "\n"), second.split(separator: "\n")).first { $0.0 != $0.1 }
                Issue.record("\(secret.name), seen by \(observer): \(lines?.0 ?? "") / \(lines?.1 ?? "")")
            }
        }
    }

    @Test func `the comparison sees a difference where there is one`() throws {
        let first = try Self.world("ben", Self.act("ada", "activity.announce", ["text": "one"]))
        let second = try Self.world("ben", Self.act("ada", "activity.announce", ["text": "two"]))
        #expect(first != second)
    }

    @Test func `cursors of different worlds are of one length`() throws {
        let box = try Box.family()
        let gil = try box.line("gil")
        var lengths: Set<Int> = []
        for _ in 0..<5 {
            lengths.insert(try #require(try gil.result("live.follow")["cursor"]?.string).utf8.count)
            try Self.act("ada", "activity.announce", ["text": "hidden"])(box)
        }
        #expect(lengths.count == 1)
    }
}

extension Access {
    /// Whoever is signed in at all may ask.
    fileprivate static let everybodySignedIn = Access.signedIn
}

extension Box {
    /// The one household's identifier.
    func household() throws -> JSON {
        let client = try line("ada")
        defer { client.leave() }
        return try #require(try client.result("family.show")["households"]?.array?.first?["id"])
    }
}
