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

/// What becomes of an inbox with time: digests, retention, bounds.
@Suite struct ActivityKeepingTests {
    /// Sign-ins make entries of their own about things of their own.
    private func sign(_ box: FamilyBox, _ times: Int, _ ben: inout FamilyBox.Person) throws {
        for _ in 0..<times { ben = try box.signIn("ben") }
    }

    @Test func `who was away finds a digest and what is new, not a storm`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var ben = try box.join("ben", by: ada)
        box.clock = box.clock.adding(days: 1)
        let since = box.clock
        try sign(box, 40, &ben)
        try box.call(ada, "activity.announce", ["text": "Soup"])
        try box.wait(seconds: 86_400 * 3)
        // Forty are no storm.
        #expect(try box.fresh(ben.id).inbox.unread == 41)
        try sign(box, 20, &ben)
        let rows = try box.count("SELECT count(*) FROM log WHERE type = 'activity.added'")
        try box.wait(seconds: 3600)
        let inbox = try box.fresh(ben.id).inbox
        #expect(inbox.unread == 22 && inbox.entries.filter(\.isOfficial).map(\.title) == ["Soup"])
        let digest = try #require(inbox.entries.first)
        #expect(
            digest.lines.first?["kinds"] == [["kind": "newDevice", "count": 40]]
                && digest.lines.first?["since"] == .time(since))
        // A client that comes back is not sent them one by one.
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'activity.added'") == rows - 40)
        // Another digest takes the first one in.
        try sign(box, 31, &ben)
        try box.wait(seconds: 86_400 * 3)
        let later = try box.fresh(ben.id).inbox
        #expect(later.unread == 2 && later.entries.first?.lines.first?["count"] == 91)
        #expect(later.entries.first?.lines.first?["since"] == .time(since))
        #expect(try box.call(ben, "activity.list", ["limit": 200])["entries"]?.array?.count == 93)
    }

    @Test func `read entries go after thirty days, unread ones after ninety`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var ben = try box.join("ben", by: ada)
        box.clock = box.clock.adding(seconds: 1)
        try sign(box, 2, &ben)
        try box.call(ada, "activity.announce", ["text": "Soup"])
        try box.readAll(ben)
        try sign(box, 1, &ben)
        try box.call(ada, "activity.announce", ["text": "Nuts"])
        #expect(try box.call(ben, "activity.list")["entries"]?.array?.count == 5)
        try box.wait(seconds: 86_400 * 30 + 2)
        #expect(try box.call(ben, "activity.list")["entries"]?.array?.count == 2)
        #expect(try box.count("SELECT count(*) FROM inbox WHERE state = 2") == 0)
        try box.wait(seconds: 86_400 * 60)
        #expect(try box.fresh(ben.id).inbox.unread == 0)
        #expect(box.toldByInbox(ben).contains { $0.type == "activity.read" })
        #expect(try box.count("SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM announcements)") == 0)
    }

    /// However deep a page lies: SQLite's own plan says that it is reached by an index.
    @Test(arguments: [
        """
        SELECT id FROM inbox WHERE member = x'00' AND (at, id) < (5, x'00') AND (state = 0 OR (state = 2 AND at >= 4))
        ORDER BY at DESC, id DESC LIMIT 5
        """,
        "SELECT id FROM inbox WHERE member = x'00' AND state = 0 ORDER BY at DESC, id DESC LIMIT 5",
        """
        SELECT id FROM announcements a WHERE seq > 1 AND author IS NOT x'00' AND at <= 5 AND NOT EXISTS
            (SELECT 1 FROM inbox_dismissed d WHERE d.member = x'00' AND d.announcement = a.id) ORDER BY seq DESC
        """,
    ])
    func `a page looks at no more than itself`(sql: String) throws {
        let box = try FamilyBox()
        let plan = try box.store.database.rows("EXPLAIN QUERY PLAN " + sql, map: { $0.text(3) })
        #expect(!plan.isEmpty && !plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func `a page of twenty takes as many statements as a page of one, and finds lines by their entry`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var ben = try box.join("ben", by: ada)
        box.clock = box.clock.adding(seconds: 1)
        try sign(box, 21, &ben)
        func statements(_ limit: Int64) throws -> Int {
            let before = box.store.database.statementCount
            let listed = try box.call(ben, "activity.list", ["limit": .int(limit)])["entries"]?.array
            #expect(listed?.count == Int(limit))
            return box.store.database.statementCount - before
        }
        _ = try statements(1)
        #expect(try statements(20) == statements(1))
        let plan = try box.store.database.rows(
            """
            EXPLAIN QUERY PLAN SELECT i.*, l.at FROM
            (SELECT id, at AS latest FROM inbox WHERE member = x'00' ORDER BY at DESC, id DESC LIMIT 5) i
            LEFT JOIN inbox_lines l ON l.entry = i.id ORDER BY latest DESC, id DESC, number
            """, map: { $0.text(3) })
        #expect(plan.contains { $0.hasPrefix("SEARCH l USING PRIMARY KEY (entry=?)") }, "\(plan)")
    }

    /// SQLite prepares a statement anew for each value that could meet a partial index's condition, unless told not to.
    @Test func `a statement is prepared once, whatever is bound to it`() throws {
        let box = try FamilyBox()
        let database = box.store.database
        let plan = try database.rows(
            "EXPLAIN QUERY PLAN SELECT id FROM inbox WHERE member = ? AND state = ? ORDER BY at, id", .blob([0]),
            .int(0),
            map: { $0.text(3) })
        #expect(plan.contains { $0.contains("inbox_by_member") }, "\(plan)")
    }

    @Test func `an inbox holds a thousand entries, and the oldest go`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var ben = try box.join("ben", by: ada)
        try box.store.database.begin()
        for number in 1...999 {
            let id = Value.id(Identifier(high: 5, low: UInt64(number)))
            try box.store.database.run(
                "INSERT INTO inbox (id, member, about, official, state, at) VALUES (?, ?, ?, 0, 0, ?)", id, .id(ben.id),
                .text("session/\(number)"), .time(box.clock.adding(seconds: Int64(number - 2000))))
            try box.store.database.run(
                "INSERT INTO inbox_lines (entry, number, kind, at, count) VALUES (?, 1, 'newDevice', 0, 1)", id)
        }
        try box.store.database.commit()
        box.forgetFollowers()
        try box.wait(seconds: 1)
        try sign(box, 2, &ben)
        let count = try box.count("SELECT count(*) FROM inbox WHERE state = 0 AND about LIKE 'session/%'")
        #expect(count <= 1000 && count >= 900)
        #expect(try box.fresh(ben.id).inbox.unread == Int64(count))
        try box.store.database.begin()
        for number in 0..<1005 {
            try box.store.database.run(
                "INSERT INTO announcements (id, at, text, seq) VALUES (?, ?, 'x', ?)",
                .id(Identifier(high: 6, low: UInt64(number))), .time(box.clock.adding(milliseconds: Int64(number))),
                .int(Int64(1_000_000 + number)))
        }
        try box.store.database.commit()
        box.forgetFollowers()
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM announcements") <= 1000)
    }
}
