import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinSimulation
import Testing

/// Families in which everybody does anything. A finding names its seed;
/// `swift run kinwire-simulation --consent --seed N --steps 250 --trace` replays it.
@Suite struct ConsentTests {
    /// Findings that are still to be cleared up, by their seeds; neither was traced to its cause. 22: it seems that a place
    /// that its member saw, lost from sight and saw again counts as agreed to. 27: it seems that the first session of an
    /// account that nobody ever used does not wait after root changed its password, which the judge does not expect.
    static let open: Set<UInt64> = [22, 27]

    @Test(arguments: 0..<10) func `nobody is made visible but by themselves, whatever everybody does`(ten: UInt64) {
        for seed in ten * 4..<ten * 4 + 4 {
            do throws(Finding) { _ = try ConsentWorld.run(seed: seed, steps: 250) } catch {
                let finding =
                    "seed \(seed): \(error)\nswift run kinwire-simulation --consent --seed \(seed) --steps 250 --trace"
                if Self.open.contains(seed) {
                    withKnownIssue { Issue.record(Comment(rawValue: finding)) }
                } else {
                    Issue.record(Comment(rawValue: finding))
                }
            }
        }
    }

    @Test func `every command bears on who sees whom, or is known not to`() {
        #expect(ConsentMethods.forgotten == [])
        #expect(ConsentMethods.unknown == [])
    }

    /// What everybody does is not refused all the time: each act of the table happens, and shows somebody.
    @Test func `in these families each act happens, and each who may show somebody does`() throws {
        var (done, shown): (Set<String>, Set<String>) = ([], [])
        for seed in 0..<24 as Range<UInt64> {
            let tally = try ConsentWorld.survey(seed: seed, steps: 250)
            done.formUnion(tally.done.keys)
            shown.formUnion(tally.shown.keys)
        }
        let there = Set(Registry.family.methods.keys)
        #expect(Set(ConsentMethods.weights.keys).intersection(there).subtracting(done) == [])
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
        (.moversAreAdmitted, ["household"], 40), (.newcomersAreAskedAbout, ["consent"], 40),
        (.returnersAreNewcomers, ["consent"], 100), (.leaversSeeNoMore, ["consent"], 20),
        (.waitingSessionsSeeNothing, ["waiting"], 40),
        (.waitingSessionsWidenNothing, ["consent", "links", "waiting"], 40),
        (.placesCountAsAgreed, ["places"], 40), (.hiddenRowsLeave, ["log", "inbox"], 40),
        (.marksAreOnesOwn, ["marks"], 40), (.theMachineIsNamed, ["record"], 40),
    ]

    @Test(arguments: rules) func `a rule that is left out is missed by the checker made for it`(
        rule: Rule, checkers: Set<String>, from: UInt64
    ) throws {
        for seed in from..<from + 80 {
            let found = try ConsentWorld.survey(seed: seed, steps: 400, leavingOut: [rule]).found
            if !checkers.isDisjoint(with: found.keys) { return }
        }
        Issue.record("none of \(checkers) noticed in 80 families that \(rule) is not kept")
    }

    @Test func `every rule has its checker`() { #expect(Set(Self.rules.map(\.0)) == Set(Rule.allCases)) }

    @Test(.enabled(if: getenv("SWIFT_DETERMINISTIC_HASHING") != nil)) func `such a family repeats itself`() throws {
        let first = try ConsentWorld.survey(seed: 7, steps: 200)
        let second = try ConsentWorld.survey(seed: 7, steps: 200)
        #expect(first == second)
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
