import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Reads that an area declares to be long: on a worker, in the order of their connection's requests, and answered only
/// with what the caller still sees.
@Suite struct LongReadTests {
    /// What the made-up archive was asked, and what becomes of a read.
    private final class Archive: Sendable {
        struct Seen {
            var connections: [ObjectIdentifier] = []
            var milliseconds: [UInt64] = []
            var failures = 0
            var questions = 0
            var isFickle = false
            var isEndless = false
        }
        let seen = Mutex(Seen())
        var reads: Int { seen.withLock { $0.connections.count } }
    }

    /// A statement that looks for its first row for long. (For ever, it would keep a daemon busy that does not end it.)
    private static let endless = """
        WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 3000000)
        SELECT count(*) / 100000 FROM numbers
        """

    private struct Asked: Sendable, Equatable {
        let member: Identifier
        let question: Int
    }

    private struct Found: Sendable {
        var names: [String] = []
        var ticks = 0
    }

    /// A family with an archive; a read of it takes so many ticks of 200 ms.
    private static func box(_ archive: Archive, ticks: Int = 0) throws -> Box {
        let time = Time()
        let method = Method.longRead(
            "archive.read", "Reads for long.", access: .signedIn,
            result: .object([.required("names", .list(.any, max: 99)), .required("ticks", .integer(0...99))]),
            admit: { (act, _, _: Asked?) throws(Rejection) in
                Asked(
                    member: try act.member.id,
                    question: archive.seen.withLock { seen in
                        if seen.isFickle { seen.questions += 1 }
                        return seen.questions
                    })
            },
            begin: { (_) in Found() },
            read: { (database, _, found, readTime) throws(StoreFailure) in
                let isToFail = archive.seen.withLock { seen in
                    seen.connections.append(ObjectIdentifier(database))
                    seen.failures -= 1
                    return seen.failures >= 0
                }
                if isToFail { throw .io(code: 266) }
                let begun = time.nanoseconds
                defer { archive.seen.withLock { $0.milliseconds.append((time.nanoseconds - begun) / 1_000_000) } }
                #expect(database.isInTransaction)
                if archive.seen.withLock({ $0.isEndless }) {
                    while time.nanoseconds < begun + Limits.longReadMillisecondsMax * 1_000_000 { time.tick() }
                    found.ticks = try database.first(Self.endless) { row in Int(row.int(0)) } ?? 0
                    return true
                }
                found.names = try database.rows("SELECT username FROM members ORDER BY username") { row in row.text(0) }
                while found.ticks < ticks {
                    if readTime.isOver { return false }
                    time.tick()
                    found.ticks += 1
                }
                return true
            },
            answer: { (_, _, _, found) throws(Rejection) in
                .done([
                    "names": .array(found.names.map { .string($0) }), "ticks": .int(Int64(found.ticks)),
                ])
            })
        var setting = Box.Setting()
        setting.registry = Registry.family.adding(
            Area("Archive", tables: [], migrations: [], methods: [method], events: []))
        let box = try Box.family(setting)
        time.simulated.withLock { $0 = box.time }
        return box
    }

    /// The box's clock, which a read moves.
    private final class Time: Sendable {
        let simulated = Mutex<SimulatedTime?>(nil)
        var nanoseconds: UInt64 { simulated.withLock { $0?.monotonicNanoseconds() ?? 0 } }
        func tick() { simulated.withLock { $0?.advance(milliseconds: 200) } }
    }

    private func names(_ answer: JSON) -> [String] { answer["result"]?["names"]?.array?.compactMap(\.string) ?? [] }

    @Test func `requests of a connection are answered in their order, and others' do not wait`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ben = try box.line("ben")
        box.isReaderBusy = true
        let ids = [ben.postCall("session.list"), ben.postCall("archive.read"), ben.postCall("session.list")]
        try box.settle()
        #expect(try ben.messages().compactMap { $0["id"]?.int } == [ids[0]])
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": "Supper"])
        box.isReaderBusy = false
        try box.settle()
        let answers = try ben.messages()
        #expect(answers.compactMap { $0["id"]?.int } == [ids[1], ids[2]])
        #expect(names(try #require(answers.first)) == ["ada", "ben", "gil", "hal"] && archive.reads == 1)
    }

    @Test func `what was read before the caller lost sight is dropped and read again`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        _ = try ada.result("sharing.set", ["state": "on"])
        _ = try ada.result(
            "position.report",
            ["lat": 47.5, "lon": 8.5, "at": .time(Instant(milliseconds: box.time.wallMilliseconds()))])
        box.isReaderBusy = true
        ben.postCall("archive.read")
        try box.settle()
        // The reader reads before, and the keeper hears of that after.
        box.isKeeperBusy = true
        ada.postCall("sharing.set", ["state": "off"])
        try box.settle()
        box.isReaderBusy = false
        try box.settle()
        #expect(archive.reads == 1)
        box.isKeeperBusy = false
        try box.settle()
        #expect(archive.reads == 2)
        #expect(names(try #require(try ben.messages().last)).count == 4)
        // What others lose changes nothing for the caller; what everybody may have lost does.
        box.isReaderBusy = true
        ben.postCall("archive.read")
        try box.settle()
        _ = try ada.result("activity.announce", ["text": "Supper"])
        box.isReaderBusy = false
        try box.settle()
        #expect(archive.reads == 3)
        box.isReaderBusy = true
        ben.postCall("archive.read")
        try box.settle()
        _ = try ada.result("member.setRole", ["member": .id(try box.person("hal").id), "role": "member"])
        box.isReaderBusy = false
        try box.settle()
        #expect(archive.reads == 5)
    }

    @Test func `whoever may not ask any more gets nothing of what was read`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ben = try box.line("ben")
        box.isReaderBusy = true
        ben.postCall("archive.read")
        try box.settle()
        let other = box.connect()
        _ = try other.result("session.resume", ["token": .string(try box.signIn("ben").token)])
        let own = try box.person("ben").session
        _ = try other.result("session.revoke", ["session": .id(own)])
        box.isReaderBusy = false
        try box.settle()
        #expect(archive.reads == 1)
        #expect(try ben.messages().allSatisfy { $0["result"] == nil })
    }

    @Test func `where sight changes for ever it is refused in a sentence`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ben = try box.line("ben")
        archive.seen.withLock { $0.isFickle = true }
        let answer = try ben.call("archive.read")
        #expect(answer["error"]?["message"]?.string == "What you may see changes while this is being read. Try again.")
        #expect(archive.reads == Limits.longReadTriesMax + 1)
        archive.seen.withLock { $0.isFickle = false }
        #expect(names(try ben.call("archive.read")).count == 4)
    }

    @Test func `a reader that dies within it says so, and the next one has a new connection`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ben = try box.line("ben")
        #expect(names(try ben.call("archive.read")).count == 4)
        archive.seen.withLock { $0.failures = 1 }
        let answer = try ben.call("archive.read")
        #expect(
            answer["error"]?["message"]?.string
                == "This could not be read: \(StoreFailure.io(code: 266).sentence)")
        #expect(names(try ben.call("archive.read")).count == 4)
        let connections = archive.seen.withLock { $0.connections }
        #expect(connections.count == 3 && connections[0] == connections[1] && connections[1] != connections[2])
    }

    @Test func `no pass outlives its time, and the next one goes on by key`() throws {
        let archive = Archive()
        let box = try Self.box(archive, ticks: 40)
        let ben = try box.line("ben")
        let answer = try ben.call("archive.read")
        #expect(answer["result"]?["ticks"] == 40)
        let passes = archive.seen.withLock { $0.milliseconds }
        #expect(passes.count > 5 && passes.reduce(0, +) == 40 * 200)
        #expect(passes.allSatisfy { $0 < Limits.longReadMilliseconds + 200 })
        #expect(Limits.longReadMilliseconds < 20_000)
    }

    @Test func `a statement that runs on is ended with its sentence, and the next read is whole`() throws {
        let archive = Archive()
        let box = try Self.box(archive)
        let ben = try box.line("ben")
        archive.seen.withLock { $0.isEndless = true }
        let answer = try ben.call("archive.read")
        // It would take as long once more: nobody is told to try again.
        #expect(answer["error"]?["message"]?.string == StoreFailure.overdue.sentence)
        #expect(answer["error"]?["code"] == 1413 && answer["error"]?["data"]?["retryAfter"] == nil)
        archive.seen.withLock { $0.isEndless = false }
        #expect(names(try ben.call("archive.read")).count == 4)
    }

    @Test func `who took a history along is on disk before the file leaves`() throws {
        let box = try Box.family()
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        let rule: JSON = ["viewer": "everyone", "precision": "exact", "history": true]
        _ = try ada.result("sharing.set", ["state": "on", "historyDays": 30, "rules": [rule]])
        _ = try ada.result(
            "position.report",
            ["lat": 47.5, "lon": 8.5, "at": .time(Instant(milliseconds: box.time.wallMilliseconds()))])
        let member = JSON.id(try box.person("ada").id)
        box.isReaderBusy = true
        ben.postCall("position.export", ["member": member, "format": "gpx"])
        try box.settle()
        let before = try box.rows("looks")
        var noted: Int64?
        box.fault = { commit in
            guard let reply = commit.replies.first, case .piece = reply.effect else { return }
            #expect(ben.receive().isEmpty)
            noted = try? box.rows("looks")
        }
        box.isReaderBusy = false
        try box.settle()
        #expect(noted == before + 1)
        #expect(try ben.messages().last?["result"]?["positions"] == 1)
    }

    // MARK: The family's own

    /// What is read for long, with something to be found, and Ben's question.
    private func question(_ method: String, _ box: Box) throws -> JSON {
        let ada = try box.line("ada")
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        switch method {
        case "meeting.list":
            for title in ["Soup", "Bread"] {
                let start = now.adding(days: 30)
                _ = try ada.result(
                    "meeting.propose",
                    [
                        "title": .string(title), "kind": "public", "zone": "Europe/Berlin",
                        "slots": [["start": .time(start), "end": .time(start.adding(seconds: 3600))]],
                    ])
            }
            return ["view": "invitations", "words": "soup"]
        case "contact.list", "contact.export":
            for name in ["Soup", "Bread"] { _ = try ada.result("contact.add", ["lastName": .string(name)]) }
            return ["words": "soup"]
        default:
            let rule: JSON = ["viewer": "everyone", "precision": "exact", "history": true]
            _ = try ada.result("sharing.set", ["state": "on", "historyDays": 30, "rules": [rule]])
            _ = try ada.result("position.report", ["lat": 47.5, "lon": 8.5, "at": .time(now)])
            let member = JSON.id(try box.person("ada").id)
            return method == "position.export"
                ? ["member": member, "format": "gpx"]
                : ["member": member, "from": .time(now.adding(seconds: -60)), "to": .time(now)]
        }
    }

    /// How many an answer holds.
    private func count(_ answer: JSON) -> Int? {
        let result = answer["result"]
        return (result?["meetings"] ?? result?["contacts"] ?? result?["positions"]).flatMap { found in
            found.array?.count ?? found.int.map(Int.init)
        }
    }

    @Test(arguments: ["meeting.list", "contact.list", "contact.export", "position.history", "position.export"])
    func `at whatever read of the disk a reader dies, its sentence is the answer, and the next one is whole`(
        method: String
    ) throws {
        let box = try Box.family()
        let params = try question(method, box)
        let ben = try box.line("ben")
        /// Asks with a reader that knows nothing by heart, and whose disk fails at its n-th read.
        func answer(dyingAt n: Int) throws -> JSON {
            box.isReaderBusy = true
            ben.postCall(method, params)
            try box.settle()
            (box.isKeeperBusy, box.isReaderBusy) = (true, false)
            box.worker.rest()
            box.disk.failAt(n, .read, .ioError)
            try box.settle()
            box.disk.heal()
            box.isKeeperBusy = false
            try box.settle()
            return try #require(try ben.messages().last { $0["id"] != nil })
        }
        var deaths = 0
        while deaths < 1000 {
            let answered = try answer(dyingAt: deaths + 1)
            guard let sentence = answered["error"]?["message"]?.string else {
                #expect(count(answered) == 1)
                break
            }
            #expect(sentence.hasPrefix("This could not be read: The disk failed"))
            deaths += 1
            #expect(count(try ben.call(method, params)) == 1)
        }
        #expect((3..<1000).contains(deaths))
    }
}
