import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinSimulation

/// Families in which everybody does anything; `deploy/test` runs 40 of them, optimised. A finding names its seed;
/// `swift run kinwire-simulation --sharing --seed N --steps 250 --trace` replays it.
@Suite struct SharingTests {
    @Test(arguments: 0..<4) func `nobody is made visible but by themselves, whatever everybody does`(seed: UInt64) {
        do throws(Finding) { _ = try SharingWorld.run(seed: seed, steps: 250) } catch {
            Issue.record(
                "seed \(seed): \(error)\nswift run kinwire-simulation --sharing --seed \(seed) --steps 250 --trace")
        }
    }

    @Test func `every command bears on who sees whom, or is known not to`() {
        #expect(SharingMethods.forgotten == [])
        #expect(SharingMethods.unknown == [])
    }

    /// What everybody does is not refused all the time: each act of the table happens, and shows somebody.
    @Test func `in these families each act happens, and each who may show somebody does`() throws {
        var (done, shown): (Set<String>, Set<String>) = ([], [])
        for seed in 0..<24 as Range<UInt64> {
            let tally = try SharingWorld.survey(seed: seed, steps: 250)
            done.formUnion(tally.done.keys)
            shown.formUnion(tally.shown.keys)
        }
        let there = Set(Registry.family.methods.keys)
        #expect(Set(SharingMethods.weights.keys).intersection(there).subtracting(done) == [])
        for actor in Authority.Actor.allCases where actor != .root {
            for watched in Authority.Watched.allCases where Authority.effect(actor, on: watched) == .shows {
                #expect(shown.contains("\(actor.rawValue) \(watched.rawValue)"), "\(actor) \(watched)")
            }
        }
        #expect(shown.isSuperset(of: ["root adult", "root free", "time adult"]))
    }

    /// Each rule, the checkers that notice when it is not kept, and the first seed to try: some families hardly ever come
    /// to where it matters.
    static let rules: [(Rule, Set<String>, from: UInt64)] = [
        (.adultsStayAdults, ["kind"], 40), (.holdersAreParents, ["holder"], 40), (.holdersHandOver, ["held"], 140),
        (.moversAreAdmitted, ["household"], 40), (.newcomersAreAskedAbout, ["sharing"], 40),
        (.returnersAreNewcomers, ["sharing"], 100), (.leaversSeeNoMore, ["sharing"], 100),
        (.waitingSessionsSeeNothing, ["waiting"], 40),
        (.waitingSessionsWidenNothing, ["sharing", "links", "waiting"], 40),
        (.placesCountAsAgreed, ["places"], 40), (.hiddenRowsLeave, ["log", "inbox"], 40),
        (.marksAreOnesOwn, ["marks"], 40), (.theMachineIsNamed, ["record"], 40),
    ]

    @Test(arguments: rules) func `a rule that is left out is missed by the checker made for it`(
        rule: Rule, checkers: Set<String>, from: UInt64
    ) throws {
        for seed in from..<from + 80 {
            let found = try SharingWorld.survey(seed: seed, steps: 400, leavingOut: [rule]).found
            if !checkers.isDisjoint(with: found.keys) { return }
        }
        Issue.record("none of \(checkers) noticed in 80 families that \(rule) is not kept")
    }

    @Test func `every rule has its checker`() { #expect(Set(Self.rules.map(\.0)) == Set(Rule.allCases)) }

    @Test(.enabled(if: getenv("SWIFT_DETERMINISTIC_HASHING") != nil)) func `such a family repeats itself`() throws {
        let first = try SharingWorld.survey(seed: 7, steps: 200)
        let second = try SharingWorld.survey(seed: 7, steps: 200)
        #expect(first == second)
    }
}

/// What the families are judged by, where it is not plain.
@Suite struct SharingBookTests {
    private let nia = Identifier(high: 1, low: 1)
    private let home = Identifier(high: 1, low: 2)
    private let now = Instant(milliseconds: 1_790_000_000_000)

    @Test(arguments: [true, false])
    func `a session waits by a password that somebody else set where the account was in use, else not`(isInUse: Bool) {
        var book = SharingBook()
        if isInUse { book.inUse.insert(nia) }
        book.setPassword("first", of: nia, isOwn: false, at: now)
        func waits(after seconds: Int64) -> Bool {
            let then = now.adding(seconds: seconds)
            let key = SharingBook.Key(
                secret: "s", id: home, member: nia, origin: book.origin(ofPassword: nia, at: then), openedAt: then)
            return SharingBook.isWaiting(key, at: then)
        }
        #expect(waits(after: 0) == isInUse && waits(after: SharingBook.waitSeconds - 1) == isInUse)
        #expect(!waits(after: SharingBook.waitSeconds))
        book.inUse.insert(nia)
        book.setPassword("own", of: nia, isOwn: true, at: now)
        #expect(!waits(after: 0))
    }

    @Test func `a place counts as agreed to while its circle is the same and it is no other household's home`() {
        func circle(_ lat: Double, _ homeOf: Identifier?) -> SharingFacts.Circle {
            SharingFacts.Circle(lat: lat, lon: 14, radius: 100, homeOf: homeOf)
        }
        #expect(circle(45, home).isAgreed(by: circle(45, home)))
        #expect(circle(45, nil).isAgreed(by: circle(45, home)))
        #expect(!circle(45, home).isAgreed(by: circle(45, nil)))
        #expect(!circle(45, nia).isAgreed(by: circle(45, home)))
        #expect(!circle(46, nil).isAgreed(by: circle(45, home)))
    }
}

/// The page of the documentation that says who can make whom visible.
@Suite struct AuthorityTests {
    @Test func `the table in the threat model is the one that families are judged by`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let file = try #require(fopen("\(root)/Sources/KinServer/KinServer.docc/ThreatModel.md", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let page = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        let isThere = page.contains(Authority.page)
        #expect(isThere, "ThreatModel.md should hold:\n\(Authority.page)")
        for method in Authority.showing { #expect(page.contains("`\(method)`"), "\(method)") }
    }
}
