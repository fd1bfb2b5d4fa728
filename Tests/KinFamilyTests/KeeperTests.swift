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

@Suite struct KeeperTests {
    @Test func `on a full disk what grows is refused, and deleting and hiding still work`() throws {
        let disk = FaultVFS.register(name: "keeper-full")
        let box = try FamilyBox(files: .memory(disk))
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "sharing.set", ["state": "on"])
        let invite = try #require(try box.call(ada, "invite.create", [:])["invite"]?["id"])
        let used = disk.paths.reduce(0) { $0 + (disk.bytes($1)?.count ?? 0) }
        disk.setRoom(used + (4 << 20) + 100_000)
        // Written past the box, since a turn that is refused whole is what this waits for.
        while !box.store.isShortOfRoom {
            let text = String(repeating: "long ", count: 500)
            let commit = box.keeper.turn(
                [box.request(ada.credential, "activity.announce", ["text": .string(text)])], clock: box.reading)
            if case .refused(let failure) = commit.fate { #expect(failure == .full) }
        }
        // What was announced past the box, the box has not followed.
        box.forgetFollowers()
        let before = box.store.commitCount
        for (method, params) in [
            ("activity.announce", ["text": "one more"]), ("invite.create", [:]), ("household.found", ["name": "Lake"]),
            ("sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 60))]),
        ] as [(String, JSON.Object)] {
            let refusal = try box.refusal(ben, method, params) ?? Rejection(.parse, "carried out")
            #expect(
                refusal.kind == (method == "activity.announce" || method == "invite.create" ? .forbidden : .unavailable)
            )
        }
        #expect(try box.refusal(ada, "activity.announce", ["text": "one more"])?.kind == .unavailable)
        #expect(box.store.commitCount == before)
        try box.call(ben, "sharing.show")
        try box.call(ben, "sharing.set", ["state": "off"])
        try box.call(ada, "invite.revoke", ["invite": invite])
        _ = try box.signIn("ben")
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        disk.setRoom(nil)
        box.keeper.afterTurn(isIdle: true, clock: box.clock)
        try box.call(ada, "activity.announce", ["text": "room again"])
    }

    @Test func `when the fate of a commit is unknown everybody is told so, and nothing is sent`() throws {
        let disk = FaultVFS.register(name: "keeper-unknown")
        let box = try FamilyBox(files: .memory(disk))
        let ada = try box.found()
        disk.failAt(1, .sync, .ioError, lasting: true)
        let commit = box.keeper.turn(
            [
                box.request(ada.credential, "activity.announce", ["text": "perhaps"], "one"),
                box.request(ada.credential, "family.show"),
            ], clock: box.reading)
        guard case .unknown = commit.fate else {
            Issue.record("\(commit.fate)")
            return
        }
        #expect(commit.events.isEmpty && commit.revocations.isEmpty)
        #expect(commit.replies.count == 2)
        for reply in commit.replies {
            guard case .failure(let rejection) = reply.result else {
                Issue.record("an answer before its commit")
                return
            }
            #expect(rejection.kind == .unavailable && rejection.isOutcomeUnknown)
            #expect(rejection.data["outcome"] == "unknown" && rejection.data["retryAfter"]?.int ?? 0 > 0)
        }
        #expect(commit.notes.map(\.notable) == [.disk])
    }

    @Test func `a disk that is well again is told of once`() throws {
        let disk = FaultVFS.register(name: "keeper-well")
        let box = try FamilyBox(files: .memory(disk))
        let ada = try box.found()
        func announce() -> [Notable] {
            let text = String(repeating: "soup ", count: 500)
            let request = box.request(ada.credential, "activity.announce", ["text": .string(text)])
            let commit = box.keeper.turn([request], clock: box.reading)
            box.keeper.afterTurn(isIdle: true, clock: box.clock)
            return commit.notes.map(\.notable)
        }
        disk.setRoom(6 << 20)
        var told: [Notable] = []
        while told.isEmpty { told = announce() }
        #expect(told == [.disk])
        disk.setRoom(nil)
        box.keeper.afterTurn(isIdle: true, clock: box.clock)
        #expect(announce() == [.diskWell])
        #expect(announce() == [])
    }

    @Test func `an op is known for thirty days, and its scope before sign-in is the code`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let params: JSON.Object = ["text": "Soup"]
        let first = try box.call(ada, "activity.announce", params, op: "one")
        box.clock = box.clock.adding(days: 29)
        try box.turn()
        #expect(try box.call(ada, "activity.announce", params, op: "one") == first)
        try box.wait(seconds: 2 * 86_400)
        #expect(try box.call(ada, "activity.announce", params, op: "one") != first)
        // Two who join with codes of their own may use the same op by chance.
        let codes = try (0..<2).map { _ in try #require(try box.call(ada, "invite.create")["code"]) }
        for (code, name) in zip(codes, ["ben", "kit"]) {
            try box.call(.none, "member.join", box.join(code, name), op: "chance")
        }
        #expect(try box.keeper.roster().entries.count == 3)
    }

    @Test func `by a clock in 1970 a family is founded, and nobody notices when somebody sets it`() throws {
        let box = try FamilyBox()
        box.machine = .alone
        box.machine.show(Instant(milliseconds: 5000), at: box.clock)
        try box.turn()
        box.clock = box.clock.adding(seconds: 1)
        let ada = try box.found()
        #expect(box.notes.contains { $0.hasPrefix("The clock is doubted: it says 1970-01-01") })
        try box.call(ada, "activity.announce", ["text": "What year is it?"])
        let code = try #require(try box.call(ada, "invite.create")["code"])
        #expect(try box.refusal(.none, "member.join", box.join(code, "ben"))?.kind == .unavailable)
        // Set, after what seems to be most of a year.
        box.machine.ahead = 0
        try box.turn()
        #expect(box.keeper.isClockDoubted)
        box.machine.isSynchronised = true
        try box.turn()
        _ = try box.call(ada, "family.show")
        let ben = try box.person(try box.call(.none, "member.join", box.join(code, "ben")))
        #expect(try box.fresh(ben.id).family != nil)
        #expect(try box.fresh(ada.id).inbox.entries.allSatisfy { $0.at == box.clock })
        try box.wait(seconds: Limits.inviteDays * 86_400)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
    }

    @Test func `the log is brought down to its limit in as many turns as it takes`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for _ in 0..<50 {
            let requests = (0..<100).map { _ in box.request(ada.credential, "activity.announce", ["text": "x"]) }
            #expect(box.keeper.turn(requests, clock: box.reading).fate == .committed)
        }
        box.clock = box.clock.adding(days: Limits.logDays + 1)
        var turns = 0
        while try box.count("SELECT count(*) FROM log WHERE type = 'activity.announced'") > 0 {
            let commit = box.keeper.turn([], clock: box.reading)
            // The keeper asks to be woken soon, not in an hour.
            #expect(try #require(commit.nextDue) <= box.clock.adding(seconds: 1))
            box.clock = box.clock.adding(seconds: 1)
            turns += 1
            try #require(turns < 10)
        }
        #expect(turns == 3)
    }

    @Test func `after a refused turn overdue work is tried again, but not at once`() throws {
        let disk = FaultVFS.register(name: "keeper-refused")
        let box = try FamilyBox(files: .memory(disk))
        let ada = try box.found()
        try box.call(
            ada, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 60))])
        box.clock = box.clock.adding(seconds: 3700)
        disk.failAt(1, .write, .full, lasting: true)
        let refused = box.keeper.turn([], clock: box.reading)
        #expect(refused.fate == .refused(.full))
        #expect(try #require(refused.nextDue) == box.clock.adding(seconds: 10))
        disk.heal()
        try box.wait(seconds: 10)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "off")
    }
}
