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

/// A database that a wrong clock was believed for is dated anew, once, when the clock is right.
@Suite struct RedatingTests {
    /// What an older version left behind whose clock was 400 days ahead for a while.
    private func ahead(_ box: FamilyBox) throws {
        let span = Int64(400 * 86_400_000)
        let database = box.store.database
        func run(_ sql: String) throws { _ = try database.run(sql, values: [.int(span)]) }
        try box.store.beginTurn()
        try run("UPDATE log SET at = at + ?1 WHERE position > (SELECT max(position) - 3 FROM log)")
        try run("UPDATE sessions SET opened_at = opened_at + ?1, used_at = used_at + ?1")
        try run("UPDATE invites SET created_at = created_at + ?1, expires_at = expires_at + ?1")
        try run("UPDATE latest_positions SET at = at + ?1")
        try run("UPDATE sharing SET since = since + ?1, until = until + ?1")
        try run("UPDATE inbox SET at = at + ?1")
        try run("UPDATE clock SET moment = moment + ?1, boot = 'unknown', since_boot = 0")
        try run("UPDATE log_state SET latest = latest + ?1")
        try box.store.commitTurn()
        box.store.database.rollback()
    }

    @Test func `work in turns that was planned by a clock that was ahead goes on when it is right`() throws {
        let box = try FamilyBox()
        box.machine = .alone
        _ = try box.found()
        let kinds = [
            "shared.goOn", "picturesOfRoom", "picturesOfLeaver", "picturesLeftBehind", "picturesNamingLeaver",
            "picture",
        ]
        let nobody = Identifier(high: 1, low: 2)
        box.machine.isSynchronised = true
        try box.restart(after: 60, booted: true) {
            try ahead(box)
            try box.store.beginTurn()
            for kind in kinds {
                let about = kind == "shared.goOn" ? "*/\(nobody)" : nobody.description
                try box.store.due.add(at: box.clock.adding(days: 400), kind: kind, about: about)
            }
            try box.store.commitTurn()
            box.forgetFollowers()
        }
        #expect(box.notes.contains { $0.contains("is dated now") })
        let left = "SELECT count(*) FROM due WHERE kind IN ('\(kinds.joined(separator: "', '"))')"
        try box.wait(seconds: Limits.sharedLosingSeconds)
        // Of what lies in the bin it is not known for how long it does.
        #expect(try box.count(left) == 1)
        try box.wait(seconds: 7 * 86_400)
        #expect(try box.count(left) == 0)
    }

    @Test(arguments: [true, false]) func `what an older version dated ahead is dated now, once, and everybody is told`(
        isSynchronised: Bool
    ) throws {
        let box = try FamilyBox()
        box.machine = .alone
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ada, "sharing.set", ["state": "on", "until": .time(box.clock.adding(seconds: 3600))])
        try box.call(ada, "position.report", ["lat": 1, "lon": 13.4, "at": .time(box.clock)])
        let code = try #require(try box.call(ada, "invite.create")["code"])
        box.machine.isSynchronised = isSynchronised
        try box.restart(after: 60, booted: true) {
            try ahead(box)
            box.forgetFollowers()
        }
        if !isSynchronised {
            #expect(box.notes.last?.contains("before the last event") == true)
            #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .unavailable)
            try box.call(.machine, "clock.trust")
            try box.wait(seconds: 1)
        }
        #expect(box.notes.contains { $0.contains("is dated now") })
        #expect(box.allHeard(ben).contains { $0.type == "reset" } || isSynchronised)
        for (table, column) in Redating.columns(of: Registry.family.areas, phones: true).map({ ($0.name, $1) }) {
            let later = try box.count("SELECT count(*) FROM \(table) WHERE \(column) > \(box.clock.milliseconds)")
            #expect(later == 0, "\(table).\(column) is later than now")
        }
        #expect(try box.fresh(ben.id).positions[ada.id] != nil)
        try box.wait(seconds: 120)
        try box.call(ada, "position.report", ["lat": 1.0001, "lon": 13.4, "at": .time(box.clock)])
        #expect(try box.fresh(ben.id).positions[ada.id]?.lat == 1.0001)
        try box.wait(seconds: 3700)
        #expect(try box.call(ada, "sharing.show")["sharing"]?["state"] == "off")
        try box.wait(seconds: Limits.inviteDays * 86_400)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .notFound)
        #expect(box.notes.filter { $0.contains("is dated now") }.count == 1)
        try box.restart(after: 60)
        #expect(box.notes.filter { $0.contains("is dated now") }.count == 1)
    }

    /// Columns of the store's own tables that may well be later than now.
    private static let others: Set = ["due.at", "epochs.at"]

    @Test func `every column that says when something was is among those that are dated anew`() throws {
        let box = try FamilyBox()
        let columns = try box.store.database.rows(
            """
            SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.type = 'INTEGER' AND (c.name IN ('at', 'since', 'until', 'contact', 'added')
            OR c.name LIKE '%\\_at' ESCAPE '\\' OR c.name LIKE '%\\_since' ESCAPE '\\'
            OR c.name LIKE '%\\_until' ESCAPE '\\')
            AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."from" = c.name)
            """
        ) { row in row.text(0) }
        let ahead = Registry.family.areas.flatMap(\.tables).flatMap { table in table.ahead.map { "\(table.name).\($0)" }
        }
        #expect(Set(columns).isSuperset(of: ahead))
        let known = Self.others.union(ahead).union(
            Redating.columns(of: Registry.family.areas, phones: true).map { "\($0.table.name).\($0.column)" })
        #expect(columns.filter { !known.contains($0) } == [])
    }
}
