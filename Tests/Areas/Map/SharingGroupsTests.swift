import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Rules, groups and moments as values: what they come to, row by row.
@Suite struct SharingGroupsTests {
    private static let now = Instant("2026-11-20T18:00:00Z") ?? .earliest
    private static let soon = now.adding(seconds: 600)
    private static let somebody = Identifier(high: 1, low: 1)

    private static func rule(
        _ viewer: SharingRule.Viewer, _ precision: Precision, until: Instant? = nil, history: Bool = false
    ) -> SharingRule {
        SharingRule(viewer: viewer, precision: precision, until: until, showsHistory: history)
    }

    private static func viewer(
        _ id: Identifier? = nil, guest: Bool = false, inside: Bool = true, household: Bool = false,
        everyone: Bool = false
    ) -> Viewers.Candidate {
        Viewers.Candidate(
            id: id, isGuest: guest, isInHousehold: inside, isAgreedInHousehold: household, isAgreedInEveryone: everyone)
    }

    private static let named = rule(.member(somebody), .home)
    private static let both = [rule(.everyone, .coarse, history: true), rule(.household, .exact)]
    private static let strict = [rule(.everyone, .exact, history: true), rule(.household, .place)]

    @Test(arguments: [
        // Rules, who looks, and what they see.
        ([], viewer(household: true, everyone: true), Precision.off, false),
        ([named] + both, viewer(somebody), .home, false),
        ([named] + both, viewer(somebody, guest: true), .home, false),
        (both, viewer(guest: true, household: true, everyone: true), .off, false),
        (both, viewer(), .off, false),
        (both, viewer(household: true), .exact, false),
        (both, viewer(everyone: true), .coarse, false),
        (both, viewer(household: true, everyone: true), .exact, false),
        (both, viewer(inside: false, household: true), .off, false),
        (both, viewer(inside: false, everyone: true), .coarse, true),
        (strict, viewer(everyone: true), .place, false),
        (strict, viewer(household: true, everyone: true), .place, false),
        (strict, viewer(inside: false, everyone: true), .exact, true),
        ([rule(.household, .off), rule(.everyone, .exact)], viewer(everyone: true), .off, false),
        ([rule(.household, .exact, until: now), rule(.everyone, .coarse)], viewer(everyone: true), .coarse, false),
        ([rule(.household, .exact, until: now), rule(.everyone, .coarse)], viewer(household: true), .off, false),
        ([rule(.household, .exact, until: soon)], viewer(household: true), .exact, false),
        ([rule(.member(somebody), .exact, until: now), rule(.everyone, .coarse)], viewer(somebody), .off, false),
    ])
    func `what a viewer sees`(
        rules: [SharingRule], viewer: Viewers.Candidate, precision: Precision, history: Bool
    ) {
        let seen = Viewers.seen(by: viewer, among: rules, now: Self.now)
        #expect(seen.precision == precision && seen.showsHistory == history)
    }

    @Test(arguments: [
        // Rules before, rules of a parent who may only narrow, and whether they do.
        (both, both, true), (both, [], true), ([], [rule(.everyone, .home)], false),
        (both, [rule(.everyone, .coarse), rule(.household, .exact)], true),
        (both, [rule(.everyone, .place), rule(.household, .place)], true),
        (both, [rule(.everyone, .exact), rule(.household, .exact)], false),
        (both, [rule(.everyone, .coarse, history: true), rule(.household, .exact, history: true)], false),
        // Without the household's rule, everyone's is for its members too: with the history, which it hid.
        (both, [rule(.everyone, .coarse, history: true)], false), (both, [rule(.everyone, .coarse)], true),
        // What hides is not taken away, nor does it end earlier.
        (strict, [rule(.everyone, .exact, history: true)], false),
        (strict, [rule(.everyone, .exact), rule(.household, .place, until: soon)], false),
        ([rule(.household, .off, until: soon), rule(.everyone, .exact)], [rule(.everyone, .exact)], false),
        (
            [rule(.household, .off, until: soon), rule(.everyone, .exact)],
            [rule(.household, .off), rule(.everyone, .exact)], true
        ),
        // What shows does not end later, but earlier.
        ([rule(.everyone, .exact, until: soon)], [rule(.everyone, .exact)], false),
        ([rule(.everyone, .exact)], [rule(.everyone, .exact, until: soon)], true),
        // Names: nobody gets more by one, not as a guest either.
        (both, both + [named], false),
        ([rule(.everyone, .exact)], [rule(.everyone, .exact), rule(.member(somebody), .off)], true),
        ([named], [], true),
        ([rule(.member(somebody), .off), rule(.everyone, .exact)], [rule(.everyone, .exact)], false),
    ])
    func `whether rules show nobody more`(before: [SharingRule], after: [SharingRule], isNarrower: Bool) {
        #expect(MemberSharing.isNarrower(after, than: before, from: Self.now) == isNarrower)
    }

    /// Watched, one of the household, one elsewhere, and a guest.
    private let roster = Roster(
        [(1, Role.member, 7), (2, .member, 7), (3, .member, 8), (4, .guest, 7)].map { number, role, household in
            Roster.Entry(
                id: Identifier(high: 0, low: UInt64(number)), number: Int32(number), role: role,
                household: Identifier(high: 0, low: UInt64(household)))
        })
    private let watched = Identifier(high: 0, low: 1)

    private func confirmed(_ rules: [SharingRule], only: Audience? = nil) -> SharingGroups {
        var groups = SharingGroups()
        groups.confirm(rules, of: watched, in: roster, now: Self.now, only: only)
        return groups
    }

    @Test func `a rule is for those for whom it decides, also where one that ends decides for now`() {
        var groups = confirmed(Self.both)
        #expect(groups.household.agreed == Audience([2]) && groups.everyone.agreed == Audience([3]))
        groups = confirmed([Self.rule(.everyone, .coarse), Self.rule(.household, .exact, until: Self.soon)])
        #expect(groups.household.agreed == Audience([2]) && groups.everyone.agreed == Audience([2, 3]))
        let named = Self.rule(.member(Identifier(high: 0, low: 2)), .off)
        #expect(confirmed([Self.rule(.everyone, .coarse), named]).everyone.agreed == Audience([3]))
        #expect(confirmed(Self.both, only: Audience([3])).household.agreed.isEmpty)
    }

    @Test func `who waits is who would see more, and was not refused`() {
        var groups = confirmed(Self.both, only: Audience())
        func waiting() -> [Int32] {
            groups.waiting(Self.both, of: watched, in: roster, now: Self.now).map(\.entry.number)
        }
        #expect(waiting() == [2, 3])
        groups.decline(roster.entries[1], [.household])
        #expect(waiting() == [3])
        groups.admit(roster.entries[1], [.household])
        groups.admit(roster.entries[2], [.everyone])
        #expect(waiting().isEmpty)
        // Who would see no more is not asked about.
        #expect(SharingGroups().waiting([Self.rule(.everyone, .off)], of: watched, in: roster, now: Self.now).isEmpty)
    }

    @Test func `what is to be confirmed ends alone, and not where it was answered`() {
        var groups = confirmed(Self.both)
        groups.household.unconfirmed = Audience([2])
        groups.household.until = Self.now
        groups.everyone.unconfirmed = Audience([3])
        groups.everyone.until = Self.now
        groups.admit(roster.entries[2], [.everyone])
        #expect(groups.everyone.until == nil)
        let wereAny = groups.expire(now: Self.now)
        #expect(wereAny && groups.household.agreed.isEmpty && groups.everyone.agreed == Audience([3]))
        let areMore = groups.expire(now: Self.now)
        #expect(!areMore)
    }

    @Test(arguments: [
        rule(.everyone, .coarse), rule(.household, .exact, until: soon, history: true), rule(.member(somebody), .off),
    ])
    func `a rule is read as it is written`(_ rule: SharingRule) throws {
        #expect(SharingRule(rule.json) == rule)
        try SharingRule.shape.check(rule.json, field: "rule")
    }

    @Test func `a rule that says nothing of history shows none`() throws {
        let read = SharingRule(["viewer": "everyone", "precision": "exact", "until": .null])
        #expect(read == Self.rule(.everyone, .exact))
        #expect(SharingRule(["viewer": "nobody", "precision": "exact"]) == nil)
        #expect(SharingRule(["viewer": "everyone", "precision": "near"]) == nil)
    }
}
