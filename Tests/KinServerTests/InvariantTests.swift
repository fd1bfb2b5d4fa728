import Glibc
import KinFamily
import KinKeeper
import KinModel
import KinStore
import Testing

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What always holds is looked at in every build, and whoever finds it broken ends.
@Suite struct InvariantTests {
    @Test func `a turn within a turn`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box()
            try box.keeper.store.beginTurn()
            try box.keeper.store.beginTurn()
        }
        said(.oneTransaction, ended)
    }

    @Test func `an event written outside a turn`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Box().keeper.store.log.withdraw(key: "none")
        }
        said(.logIsWrittenInATurn, ended)
    }

    @Test func `events out of their order`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            box.fault = { $0.events.reverse() }
            // Two in one commit.
            let ada = try box.line("ada")
            box.isKeeperBusy = true
            for text in ["Dinner is ready.", "Dinner is cold."] {
                ada.postCall("activity.announce", ["text": .string(text)])
            }
            try box.settle()
            box.isKeeperBusy = false
            try box.settle()
        }
        said(.positionsRise, ended)
    }

    @Test func `an event of no declared type`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shout = Method.command(
                "shout.aloud", "Emits what nobody declared.", access: .signedIn, [], result: .object([]), events: [],
                apply: { (act, _) throws(Rejection) in
                    try act.emit(
                        EventType("shout.heard", "Nobody declared it."), Nothing(), about: "shout",
                        to: try act.roster.everyone)
                    return .done([:])
                })
            var setting = Box.Setting()
            setting.registry = Registry.family.adding(
                Area("Shout", tables: [], migrations: [], methods: [shout], events: []))
            let box = try Box.family(setting)
            _ = try box.line("ada").result("shout.aloud")
        }
        said(.eventsAreDeclared, ended)
    }

    @Test func `two members with one number`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            let hal = try box.person("hal").id
            let entry = try #require(try box.keeper.roster()[hal])
            _ = Roster([
                entry,
                Roster.Entry(
                    id: try box.person("ben").id, number: entry.number, role: entry.role, household: entry.household),
            ])
        }
        said(.membersHaveOneNumber, ended)
    }

    @Test func `a memory that no area declared`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let remember = Method.command(
                "shout.remember", "Remembers what nobody declared.", access: .signedIn, [], result: .object([]),
                events: [],
                apply: { (act, _) throws(Rejection) in
                    _ = act.memory(Echoes.self)
                    return .done([:])
                })
            var setting = Box.Setting()
            setting.registry = Registry.family.adding(
                Area("Shout", tables: [], migrations: [], methods: [remember], events: []))
            let box = try Box.family(setting)
            _ = try box.line("ada").result("shout.remember")
        }
        said(.memoriesAreDeclared, ended)
    }

    @Test func `events of a turn that was not kept`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            box.fault = { if !$0.events.isEmpty { $0.fate = .refused(.full) } }
            try InvariantTests.announceTwice(box)
        }
        said(.refusedTurnsTellNothing, ended)
    }

    @Test func `an event behind the end of its commit`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            box.fault = { if !$0.events.isEmpty { $0.through -= 1 } }
            try InvariantTests.announceTwice(box)
        }
        said(.eventsStandInTheirCommit, ended)
    }

    @Test func `two answers to one request`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            box.fault = { $0.replies += $0.replies }
            _ = try box.line("ada").result("family.show")
        }
        said(.answersHaveARequest, ended)
    }

    @Test func `somebody more who may see what was told`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            try InvariantTests.announceTwice(box)
            box.fault = { commit in
                guard let last = commit.events.last else { return }
                commit.narrowed[last.position - 1] = Audience([1, 2, 3, 4, 99])
            }
            try InvariantTests.announceTwice(box)
        }
        said(.audiencesOnlyNarrow, ended)
    }

    @Test func `somebody else's bytes`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            let entry = try #require(box.server.fanOut.feed.entries.last { !$0.bytes.isEmpty })
            let seer = try #require(entry.audience.members.first)
            // It asks as one who may, and stands among the followers as one who may not.
            let view = View.all(for: try box.person("ada").id)
            let following = Following(
                follow: 1, number: seer, member: try box.person("ada").id, isAtMachine: false, view: view, types: nil,
                state: .live,
                cursor: entry.position - 1)
            let ada = try box.line("ada")
            let token = ada.token
            let place = FollowerPlace(
                token: token, cursor: entry.position - 1, number: 99, envelope: .line, isWhole: true)
            _ = box.server.fanOut.feed.gather(for: following, place, bytesMax: 1 << 20)
        }
        said(.onlyWhoSeesItIsTold, ended)
    }

    @Test func `a client that is sent the same again`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            let ada = try box.line("ada")
            _ = try ada.result("live.follow")
            try InvariantTests.announceTwice(box)
            box.server.fanOut.followers.move(0, to: 1)
        }
        said(.cursorsGoForward, ended)
    }

    @Test func `a member who is gone and follows`() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = try Box.family()
            let ben = try box.line("ben")
            _ = try ben.result("live.follow")
            let connection = try #require(box.server.connection(ben.token))
            // Its connection is taken for somebody else's.
            let hal = try box.person("hal")
            connection.identity = Identity(member: hal.id, number: 2, session: hal.session)
            _ = try box.line("ada").result(
                "member.remove", ["member": .id(try box.person("ben").id), "keep": "delete"])
        }
        said(.whoIsGoneHearsNothing, ended)
    }

    @Test func `each is planted here`() throws {
        let file = try #require(fopen(#filePath, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        for invariant in Invariant.allCases { #expect(text.contains("said(.\(invariant),"), "\(invariant)") }
    }

    /// It ended because of this, and of nothing else.
    private func said(
        _ invariant: Invariant, _ ended: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("\(invariant): \(invariant.rawValue)"), "\(text.prefix(600))", sourceLocation: location)
    }

    static func announceTwice(_ box: Box) throws {
        let ada = try box.line("ada")
        for text in ["Dinner is ready.", "Dinner is cold."] {
            _ = try ada.result("activity.announce", ["text": .string(text)])
        }
    }

    /// What nobody declared.
    private final class Echoes: AreaMemory {
        init() {}
        func turn(_ turn: Turn) {}
        func forget() {}
    }
}
