import Glibc
import KinClient
import KinCrypto
import KinModel

/// Everything that a house is asked, in one go: phones that come back, snapshots, the log from an old cursor, sign-ins,
/// pictures, points and what was exported of them.
struct MixedLoad {
    let house: House
    let token: String
    private let member: String
    private let photo: [UInt8]
    private let point: [UInt8]

    init(_ house: House) throws(Trouble) {
        self.house = house
        token = try house.signIn()
        let ada = try attempt { try house.conversation(as: House.username) }
        _ = try attempt { try ada.call("sharing.set", ["state": "on"]) }
        let members = try attempt { try ada.call("member.list", [:]) }
        guard let id = members["members"]?.array?.first?["id"]?.string else { throw Trouble("The family is empty.") }
        member = id
        let text = Base64.encode(Photo.png(width: 4_000, height: 3_000))
        photo = JSON.object(["picture": .string(text)]).bytes
        var clock = timespec()
        clock_gettime(CLOCK_REALTIME, &clock)
        let now = Int64(clock.tv_sec) * 1_000
        let points = (0..<500).map { index -> JSON in
            [
                "lat": .double(45.5 + Double(index) / 10_000), "lon": 14.5,
                "at": .time(Instant(milliseconds: now - Int64(index) * 5_000)),
            ]
        }
        point = JSON.object(["positions": .array(points)]).bytes
    }

    /// Announcements: the log grows.
    func announce(_ count: Int) throws(Trouble) {
        let publisher = try house.client(.lines, token: token, follows: false)
        let text = JSON.string(String(repeating: "Dinner is at seven, bring the good knives. ", count: 8))
        for _ in 0..<count { try publisher.ask("activity.announce", ["text": text]) }
    }

    /// Phones come, take a snapshot and go; a fifth as many over TLS.
    func visit(_ count: Int) throws(Trouble) {
        let flock = try Flock()
        try flock.join(house, token: token, count, compressing: true)
        let follow = try house.client(.webSocket, token: token, follows: false).request(
            "live.follow", ["since": .null])
        try flock.askAll(follow, atOnce: 100)
        let secure = try SecureFlock()
        try secure.join(house, token: token, count / 5)
        try secure.sayAll(follow)
        try secure.waitForQuiet()
    }

    /// Clients that missed everything since a cursor read the log on. Each stays until it has heard what is announced
    /// last.
    func comeBack(_ count: Int, since cursor: String) throws(Trouble) {
        let clients = try (0..<count).map { _ throws(Trouble) in
            try house.client(.webSocket, token: token, follows: false)
        }
        for client in clients { try client.write(client.request("live.follow", ["since": .string(cursor)])) }
        for client in clients {
            var heard = 0
            // A pause of a second is the end of what was missed.
            while client.isReadable(milliseconds: 1_000) { heard += try client.messages().count }
            guard heard > 0 else { throw Trouble("Nothing was replayed.") }
        }
    }

    /// The cursor of this moment.
    func cursor() throws(Trouble) -> String {
        let answer = try attempt { try house.conversation(as: House.username).call("live.follow", ["since": .null]) }
        guard let cursor = answer["cursor"]?.string else { throw Trouble("There is no cursor.") }
        return cursor
    }

    /// Right passwords and made-up names, all from this machine's one address; the sessions that come of it are closed
    /// again. Every fourth is the founder's, on a device that is not known.
    func signIns(_ count: Int) -> Burst.Statuses {
        Burst.send(
            house.port,
            (0..<count).map { index in signIn(index % 4 == 0 ? House.username : "nobody\(index)") })
    }

    /// The same at once, told apart: the founder's known devices, and made-up names.
    func signIns(known: [JSON], madeUp count: Int) -> (known: Burst.Statuses, madeUp: Burst.Statuses) {
        let strangers = (0..<count).map { signIn("nobody\($0)") }
        let answers = Burst.each(house.port, strangers + known.map { signIn(House.username, known: $0) })
        return (Burst.count(answers[count...]), Burst.count(answers[..<count]))
    }

    /// Devices that are known from here on: what each of them shows next time.
    func devices(_ count: Int) throws(Trouble) -> [JSON] {
        var known: [JSON] = []
        for _ in 0..<count {
            let answer = try attempt {
                try Conversation.open(.tcp(host: "127.0.0.1", port: house.port, isTLS: false, envelope: .lines)).call(
                    "session.open",
                    ["username": .string(House.username), "password": .string(House.password), "device": "storm"])
            }
            guard let secret = answer["knownDevice"] else { throw Trouble("The device is not known.") }
            known.append(secret)
        }
        return known
    }

    private func signIn(_ username: String, known: JSON? = nil) -> [UInt8] {
        let body = JSON.object(leavingOut: [
            "username": .string(username), "password": .string(House.password), "device": "storm", "knownDevice": known,
        ])
        return Burst.request("POST /api/session", json: body.bytes)
    }

    /// Pictures of twelve megapixels, one in the other's place.
    func pictures(_ count: Int) -> Burst.Statuses {
        let request = Burst.request("PUT /api/members/\(member)/picture", token: token, json: photo)
        return Burst.send(house.port, [[UInt8]](repeating: request, count: count))
    }

    /// Points go in, their history comes out as files.
    func exports(_ count: Int) -> Burst.Statuses {
        let report = Burst.send(house.port, [Burst.request("POST /api/positions", token: token, json: point)])
        let request = Burst.request("GET /api/positions/\(member)/export?format=gpx", token: token)
        return report.merging(Burst.send(house.port, [[UInt8]](repeating: request, count: count)), uniquingKeysWith: +)
    }

    /// Strangers: connections that say nothing of use, and more of them than one address may have.
    func flood(_ count: Int) -> Burst.Statuses {
        let lines = [
            "GET / HTTP/1.1\r\n\r\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n", "\u{16}\u{3}\u{1}", "~",
        ]
        return Burst.send(house.port, (0..<count).map { Array(lines[$0 % lines.count].utf8) })
    }

    /// Sessions of sign-ins end, points are forgotten: what can be taken back is.
    func tidyUp() throws(Trouble) {
        let ada = try attempt { try house.conversation(as: House.username) }
        let sessions = try attempt { try ada.call("session.list", [:]) }
        for session in sessions["sessions"]?.array ?? [] where session["device"]?.string == "storm" {
            _ = try? ada.call("session.revoke", ["session": session["id"] ?? .null])
        }
        _ = try? ada.call("position.forget", ["from": "2020-01-01T00:00:00.000Z", "to": "2100-01-01T00:00:00.000Z"])
    }
}
