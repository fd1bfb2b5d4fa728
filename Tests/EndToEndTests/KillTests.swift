import Glibc
import KinCodec
import KinCrypto
import KinModel
import Testing

@Suite(.serialized) struct KillTests {
    @Test func `after 200 deaths under load every acknowledged op is there once and every stream is whole`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let beginning = try house.door(as: "ada").call("live.follow", ["since": .null])["cursor"] ?? .null
        var dice = Seed(value: 5469)
        let load = Load(house)
        let listeners = [Listener(beginning), Listener(beginning)]

        for round in 0..<200 {
            for listener in listeners { try listener.come(house) }
            try load.begin(round, &dice)
            let end = Stage.seconds + Double(dice.next(below: 20_000)) / 1e6
            while Stage.seconds < end {
                try load.turn()
                for listener in listeners { try listener.listen(milliseconds: 0) }
            }
            house.kill()
            load.end()
            for listener in listeners { listener.leave() }
            // One death in eight is followed by another in the middle of the start.
            if dice.next(below: 8) == 0 { house.startInVain(microseconds: dice.next(below: 100_000)) }
            try house.start()
        }
        try load.settle()

        let whole = Listener(beginning)
        for listener in listeners + [whole] {
            try listener.come(house)
            while !listener.isCaughtUp { try listener.listen(milliseconds: 1000) }
        }
        #expect(load.acknowledged.count > 200)
        let told = Dictionary(grouping: whole.announcements, by: \.text)
        for (text, id) in load.acknowledged {
            #expect(told[text]?.map(\.about) == ["announcement/\(id)"], "\(text) stands once in the stream")
        }
        #expect(whole.announcements.count == load.acknowledged.count, "nothing stands there that nobody sent")
        for listener in listeners { #expect(listener.announcements == whole.announcements) }
    }

    @Test func `of a calendar's file nothing or all is there after a death, and once`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        var dice = Seed(value: 21)
        let count = 200
        for round in 0..<8 {
            let calendar = try house.door(as: "ada").call("calendar.add", ["name": "Round"])["calendar"]?["id"] ?? .null
            let events = (0..<count).map {
                "BEGIN:VEVENT\nUID:r\(round)-\($0)\nDTSTART:20261124T180000Z\nSUMMARY:E\nEND:VEVENT\n"
            }
            let file = Base64.encode(Array(("BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n").utf8))
            let params: JSON = ["ics": .string(file), "calendar": calendar]
            let door = try house.door(as: "ada")
            _ = try door.send("calendar.import", params)
            let end = Stage.seconds + Double(dice.next(below: 800_000)) / 1e6
            while Stage.seconds < end { _ = try door.next(milliseconds: 1) }
            house.kill()
            try house.start()
            let again = try house.door(as: "ada")
            func taken() throws -> Int {
                var (count, after) = (0, JSON.null)
                repeat {
                    let page = try again.call(
                        "entry.all", after.isNull ? ["calendar": calendar] : ["calendar": calendar, "after": after])
                    count += page["entries"]?.array?.count ?? 0
                    after = page["next"] ?? .null
                } while !after.isNull
                return count
            }
            var left = -1
            try stage.wait("nothing or all") {
                left = try taken()
                return left == 0 || left == count
            }
            // Importing again brings no doubles.
            let report = try again.call("calendar.import", params)["entries"]?.array ?? []
            #expect(report.count == count && (left == 0 || report.allSatisfy { $0["outcome"] == "same" }))
            #expect(try taken() == count)
        }
    }
}

/// Numbers from a seed (SplitMix64).
struct Seed {
    var value: UInt64

    mutating func next(below bound: UInt64) -> UInt64 {
        value &+= 0x9E37_79B9_7F4A_7C15
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % bound
    }
}

/// Connections that send announcements with an `op` as fast as they are answered.
private final class Load {
    private static let connections = 3
    private static let unansweredMax = 8

    private let house: House
    private var clients: [(client: LineClient, sent: [Int64: String])] = []
    private var round = 0
    private var count = 0
    /// The announcement's identifier by its text, which is its op too.
    private(set) var acknowledged: [String: String] = [:]
    /// Sent, and killed before the answer.
    private var unknown: Set<String> = []

    init(_ house: House) { self.house = house }

    /// New connections, which first repeat what was not answered, and something that was.
    func begin(_ round: Int, _ dice: inout Seed) throws {
        (self.round, count) = (round, 0)
        clients = try (0..<Self.connections).map { _ in (try house.door(as: "ada"), [:]) }
        let answered = acknowledged.keys.sorted()
        var again = unknown.sorted()
        if !answered.isEmpty { again.append(answered[Int(dice.next(below: UInt64(answered.count)))]) }
        for (index, text) in again.enumerated() { try send(text, by: index % Self.connections) }
    }

    func turn() throws {
        for index in clients.indices {
            while clients[index].sent.count < Self.unansweredMax {
                count += 1
                try send("round-\(round)-\(count)", by: index)
            }
            try receive(index, milliseconds: index == 0 ? 1 : 0)
        }
    }

    private func send(_ text: String, by index: Int) throws {
        unknown.insert(text)
        let id = try clients[index].client.send("activity.announce", ["text": .string(text), "op": .string(text)])
        clients[index].sent[id] = text
    }

    private func receive(_ index: Int, milliseconds: Int32) throws {
        while let message = try clients[index].client.next(milliseconds: milliseconds) {
            guard let id = message["id"]?.int, let text = clients[index].sent.removeValue(forKey: id) else { continue }
            let answer = try #require(message["result"]?["announcement"]?["id"]?.string, "\(message.text)")
            // A repeat is answered like the first time.
            #expect(acknowledged[text] ?? answer == answer)
            acknowledged[text] = answer
            unknown.remove(text)
        }
    }

    /// After a death: what had been answered until then lies in the sockets.
    func end() {
        for index in clients.indices { try? receive(index, milliseconds: 0) }
        clients = []
    }

    /// Everything that was ever sent is acknowledged in the end.
    func settle() throws {
        let client = try house.door(as: "ada")
        for text in unknown.sorted() {
            let result = try client.call("activity.announce", ["text": .string(text), "op": .string(text)])
            acknowledged[text] = try #require(result["announcement"]?["id"]?.string)
        }
        unknown = []
    }
}

/// Follows from life to life of the daemon by its cursor.
private final class Listener {
    struct Announcement: Equatable {
        let text: String
        let about: String
    }

    private var cursor: JSON
    private var client: LineClient?
    private(set) var announcements: [Announcement] = []
    private(set) var isCaughtUp = false

    init(_ cursor: JSON) { self.cursor = cursor }

    func come(_ house: House) throws {
        isCaughtUp = false
        let client = try house.door(as: "ada")
        let result = try client.call("live.follow", ["since": cursor])
        #expect(result["snapshot"]?.isNull == true, "the cursor is good")
        isCaughtUp = result["mode"] == "live"
        for message in client.notifications { take(message) }
        self.client = client
    }

    func leave() {
        try? listen(milliseconds: 0)
        client = nil
    }

    func listen(milliseconds: Int32) throws {
        while let message = try client?.next(milliseconds: milliseconds) {
            take(message)
            if isCaughtUp { return }
        }
    }

    private func take(_ message: JSON) {
        guard let params = message["params"] else { return }
        cursor = params["cursor"] ?? cursor
        if message["method"] == "upto" { isCaughtUp = true }
        guard let event = Event(params), event.type == "activity.announced" else { return }
        announcements.append(Announcement(text: event.data["text"]?.string ?? "", about: event.about))
    }
}
