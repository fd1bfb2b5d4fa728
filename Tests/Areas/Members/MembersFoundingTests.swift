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

@Suite struct MembersFoundingTests {
    static let founding: JSON.Object = [
        "name": "Reed", "household": "Mill", "username": "ada", "displayName": "Ada",
        "password": .string(FamilyBox.password),
    ]

    @Test func `whoever is at the machine founds the family and goes on as its admin`() throws {
        let box = try FamilyBox()
        let result = try box.call(.machine, "family.found", Self.founding)
        #expect(result["family"]?["name"] == "Reed")
        #expect(result["household"]?["name"] == "Mill")
        #expect(result["member"]?["role"] == "admin")
        #expect(result["token"] == nil)
        guard case .signedIn(let identity) = box.effect else { throw Rejection(.parse, "no sign-in") }
        #expect(identity.session == nil)
        let shown = try box.call(.machineAs(identity.member), "family.show")
        #expect(shown["households"]?.array?.first?["members"] == 1)
        #expect(try box.fresh(identity.member).members.count == 1)
        // What only the machine may, that connection still may.
        try box.call(.machineAs(identity.member), "session.as", ["username": "ada"])
    }

    @Test func `the set-up link founds the family once and signs the founder in`() throws {
        let box = try FamilyBox()
        let old = try #require(try box.keeper.newSetUpLink(now: box.clock))
        let new = try #require(try box.keeper.newSetUpLink(now: box.clock))
        var params = Self.founding
        #expect(try box.refusal(.none, "family.found", params)?.kind == .forbidden)
        params["link"] = .string(old)
        #expect(try box.refusal(.none, "family.found", params)?.kind == .forbidden)
        params["link"] = .string(new)
        let ada = try box.person(try box.call(.none, "family.found", params))
        #expect(try box.call(ada, "family.show")["family"]?["name"] == "Reed")
        #expect(try box.refusal(.none, "family.found", params)?.kind == .conflict)
        #expect(try box.refusal(.machine, "family.found", Self.founding)?.kind == .conflict)
        #expect(try box.keeper.newSetUpLink(now: box.clock) == nil)
        #expect(try !box.holds(new))
    }

    @Test func `a weak first password founds nothing`() throws {
        let box = try FamilyBox()
        for weak in ["reedmill", "password1", "ada", "adareed1"] {
            var params = Self.founding
            params["password"] = .string(weak)
            let rejection = try box.refusal(.machine, "family.found", params)
            #expect(rejection?.kind == .invalid)
            #expect(rejection?.field == "password")
        }
        #expect(!box.keeper.isFounded)
    }

    @Test func `before the family is founded there is nothing to show`() throws {
        let box = try FamilyBox()
        #expect(try box.refusal(.machine, "family.show")?.kind == .conflict)
        #expect(try box.refusal(.machine, "household.found", ["name": "Mill"])?.kind == .conflict)
        #expect(try box.call(.machine, "member.list")["members"] == [])
    }

    @Test func `after closing the family nothing falls due that it had planned`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let soon = box.clock.adding(seconds: 100)
        try box.store.beginTurn()
        try box.store.due.add(at: soon, kind: "meeting.closes", about: "meeting/of nobody")
        try box.store.commitTurn()
        #expect(box.keeper.turn([], clock: box.reading).nextDue == soon)
        try box.call(ada, "family.close", ["confirm": "Reed"])
        // Else the loop and the keeper would wake each other without end.
        for _ in 0..<2 { #expect(box.keeper.turn([], clock: box.machine.reading(at: soon)).nextDue ?? .latest > soon) }
    }

    @Test func `closing the family takes its name, and leaves nothing of it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("benedict", by: ada)
        #expect(try box.refusal(ben, "family.close", ["confirm": "Reed"])?.kind == .forbidden)
        #expect(try box.refusal(ada, "family.close", ["confirm": "reed"])?.field == "confirm")
        try box.call(ben, "appPassword.create", ["device": "Benedict's phone", "scope": "location"])
        try box.call(ada, "activity.announce", ["text": "Soup at six"])
        try box.call(ben, "position.report", ["lat": 52.5, "lon": 13.4, "at": .time(box.clock)])
        #expect(try box.count("SELECT count FROM point_count") == 1)
        try box.call(ada, "family.close", ["confirm": "Reed"], op: "closing")
        #expect(box.revocations.last == .everybody)
        #expect(!box.keeper.isFounded)
        let tables = try box.store.database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ) { row in row.text(0) }
        let kept = [
            "member_numbers", "house", "clock", "migrations", "log_state", "log_floors", "epochs", "audiences",
            "audience_members", "point_count",
        ]
        #expect(try box.count("SELECT count FROM point_count") == 0)
        for table in tables where !kept.contains(table) && !FamilyBox.isShadow(table, tables) {
            #expect(try box.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        #expect(try box.count("SELECT count(*) FROM log") == 0)
        #expect(try box.refusal(ada, "family.show")?.kind == .notSignedIn)
        for erased in ["Benedict", "Soup at six", "Reed"] { #expect(try !box.holds(erased)) }
        // And a new family begins with numbers that were nobody's.
        let eve = try box.found()
        #expect(try box.keeper.roster()[eve.id]?.number == 3)
    }
}
