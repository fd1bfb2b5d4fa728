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

@Suite struct MeetingsListingTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
    }

    @Test func `a meeting moves from invitations to coming to past`() throws {
        let soup = try box.propose(by: ada, invitees: [ben, kit])
        #expect(try box.titles(ben, "invitations") == ["Soup"])
        #expect(try box.titles(ada, "hosting") == ["Soup"])
        #expect(try box.titles(ada, "invitations") == [])
        try box.call(ben, "meeting.vote", soup.votes("yes", "no"))
        #expect(try box.titles(ben, "invitations") == [])
        #expect(try box.titles(ben, "coming") == ["Soup"])
        try box.call(ada, "meeting.confirm", soup.confirm(0))
        #expect(try box.titles(ada, "coming") == ["Soup"])
        // Kit has not answered and still can.
        #expect(try box.titles(kit, "invitations") == ["Soup"])
        try box.call(kit, "meeting.attend", soup.with(["answer": "going"]))
        #expect(try box.titles(kit, "invitations") == [])
        #expect(try box.titles(kit, "coming") == ["Soup"])
        try box.call(ben, "meeting.attend", soup.with(["answer": "notGoing"]))
        #expect(try box.titles(ben, "coming") == [])
        // Who does not go finds it among the invitations again, until it is over.
        #expect(try box.titles(ben, "invitations") == ["Soup"])
        try box.wait(seconds: 26 * 3600)
        for person in [ada, ben, kit] {
            #expect(try box.titles(person, "past") == ["Soup"])
            #expect(try box.titles(person, "coming") == [])
            #expect(try box.titles(person, "hosting") == [])
        }
    }

    @Test func `what one said no to is found behind what waits for an answer, page by page`() throws {
        let refused = try box.propose("Refused", slots: [24], by: ada, invitees: [ben])
        try box.call(ben, "meeting.refuse", refused.params)
        let deadline: JSON.Object = ["deadline": .time(FamilyBox.start.adding(seconds: 3600))]
        _ = try box.propose("Closed", slots: [25], by: ada, invitees: [ben], deadline)
        let off = try box.propose("Not going", slots: [26], by: ada, invitees: [ben])
        try box.call(ben, "meeting.vote", off.votes("yes"))
        try box.call(ada, "meeting.confirm", off.confirm(0))
        try box.call(ben, "meeting.attend", off.with(["answer": "notGoing"]))
        for (title, hours) in [("Open", 48), ("Open too", 49)] as [(String, Int64)] {
            _ = try box.propose(title, slots: [hours], by: ada, invitees: [ben])
        }
        try box.wait(seconds: 3600)
        let expected = ["Open", "Open too", "Refused", "Closed", "Not going"]
        #expect(try box.titles(ben, "invitations") == expected)
        #expect(try box.titles(ben, "invitations", ["words": "going"]) == ["Not going"])
        var (listed, after): ([String], JSON?) = ([], nil)
        repeat {
            var params: JSON.Object = ["view": "invitations", "limit": 2]
            params["after"] = after
            let page = try box.call(ben, "meeting.list", params)
            listed += (page["meetings"]?.array ?? []).compactMap { $0["meeting"]?["title"]?.string }
            after = page["next"]
        } while after != nil && listed.count < 20
        #expect(listed == expected)
        // Whatever is in sight and not past is in one of the three.
        for person in [ada, ben, kit] {
            let views = try ["hosting", "invitations", "coming"].flatMap { try box.titles(person, $0) }
            #expect(Set(views) == Set(try box.fresh(person.id).meetings.values.map(\.meeting.title)))
        }
        // Who thinks better of it votes in place of the refusal.
        try box.call(ben, "meeting.vote", refused.votes("yes"))
        #expect(try box.titles(ben, "coming") == ["Refused"])
    }

    @Test func `past ones are cleared in one act, for oneself`() throws {
        _ = try box.propose(by: ada, invitees: [ben])
        try box.wait(seconds: 51 * 3600)
        let fair = try box.propose("Fair", kind: "public", slots: [60], by: ada)
        try box.call(ada, "meeting.cancel", fair.params)
        #expect(try box.titles(ben, "past") == ["Fair", "Soup"])
        _ = box.heard(ben)
        try box.call(ben, "meeting.clearPast")
        #expect(box.types(ben) == ["meeting.cleared"])
        #expect(try box.titles(ben, "past") == [])
        #expect(try box.titles(ben, "past", ["words": "fair"]) == [])
        #expect(try box.titles(ada, "past") == ["Fair", "Soup"])
        try box.call(ben, "meeting.clearPast")
        #expect(box.types(ben) == [])
        // What is past later is listed again.
        let stew = try box.propose("Stew", slots: [60], by: ada, invitees: [ben])
        try box.call(ada, "meeting.cancel", stew.params)
        #expect(try box.titles(ben, "past") == ["Stew"])
    }

    @Test(arguments: ["coming", "past"]) func `pages go on where the last one ended, each meeting once`(
        view: String
    ) throws {
        var expected: [String] = []
        for index in 0..<9 as Range<Int64> {
            // Public, invited and both among each other.
            let kind = index % 3 == 0 ? "public" : "group"
            let met = try box.propose(
                "M\(index)", kind: kind, slots: [24 + index], by: ada, invitees: index == 3 ? [] : [ben])
            try box.call(ben, "meeting.vote", met.votes("yes"))
            if index % 4 != 1 { expected.append("M\(index)") }
            if index % 4 == 1, view == "coming" {
                try box.call(ada, "meeting.cancel", met.params)
            } else if index % 4 == 1 {
                try box.call(ada, "meeting.update", met.with(["slots": [FamilyBox.slot(500)]]))
            }
        }
        if view == "past" {
            try box.wait(seconds: 48 * 3600)
            expected.reverse()
        }
        for limit in [1, 2, 3, 100] as [Int64] {
            var listed: [String] = []
            var after: JSON?
            repeat {
                var params: JSON.Object = ["view": .string(view), "limit": .int(limit)]
                params["after"] = after
                let page = try box.call(ben, "meeting.list", params)
                let titles = (page["meetings"]?.array ?? []).compactMap { $0["meeting"]?["title"]?.string }
                #expect(titles.count <= Int(limit))
                listed += titles
                after = page["next"]
            } while after != nil && listed.count < 20
            #expect(listed == expected)
        }
    }

    @Test func `a place that means nothing is refused`() throws {
        let soup = try box.propose(by: ada, invitees: [ben])
        for after in ["x", "1", "1.x", ".", "9.\(soup.id)", "0.9.\(soup.id)", "0.99999999999999999999.\(soup.id)"] {
            let params: JSON.Object = ["view": "past", "after": .string(after)]
            #expect(try box.refusal(ben, "meeting.list", params)?.field == "after", "\(after)")
        }
    }

    @Test func `words are found in title, place and note, by their beginnings and without accents`() throws {
        let details: JSON.Object = ["place": "Grandma's kitchen", "note": "Bring the crème fraîche"]
        let soup = try box.propose("Pumpkin soup", by: ada, invitees: [ben], details)
        _ = try box.propose("Walk", kind: "public", by: ada)
        for (words, titles) in [
            ("soup", ["Pumpkin soup"]), ("PUMP", ["Pumpkin soup"]), ("creme", ["Pumpkin soup"]),
            ("kitchen fraiche", ["Pumpkin soup"]), ("kitchen walk", []), ("wal", ["Walk"]), ("alk", []),
            ("grandma's", ["Pumpkin soup"]), ("everyone", []), ("m2", []), ("\"", []), ("!! ??", []),
            ("soup* OR walk", []), ("NEAR(soup)", []), ("seers : m1", []), ("title:walk", []),
        ] {
            #expect(try box.titles(ben, "invitations", ["words": .string(words)]) == titles, "\(words)")
        }
        #expect(try box.titles(kit, "invitations", ["words": "soup"]) == [])
        try box.call(ada, "meeting.update", soup.with(["title": "Barley soup", "invitees": [.id(kit.id)]]))
        #expect(try box.titles(ben, "invitations", ["words": "soup"]) == [])
        #expect(try box.titles(kit, "invitations", ["words": "barley soup"]) == ["Barley soup"])
        #expect(try box.titles(kit, "invitations", ["words": "pumpkin"]) == [])
        try box.wait(seconds: 51 * 3600)
        #expect(try box.titles(kit, "past", ["words": "barley"]) == ["Barley soup"])
        #expect(try box.titles(ben, "past", ["words": "barley"]) == [])
        #expect(try box.titles(ben, "past", ["words": "walk"]) == ["Walk"])
    }

    @Test func `a guest finds what names them, before and after becoming a member`() throws {
        let gus = try box.join("gus", role: .guest, by: ada)
        _ = try box.propose(by: ada, invitees: [gus])
        let fair = try box.propose("Fair", kind: "public", by: ada)
        #expect(try box.titles(gus, "invitations") == ["Soup"])
        #expect(try box.refusal(gus, "meeting.vote", fair.votes("yes"))?.kind == .notFound)
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "member"])
        #expect(Set(try box.titles(gus, "invitations")) == ["Soup", "Fair"])
        try box.call(gus, "meeting.vote", fair.votes("yes"))
        try box.call(ada, "member.setRole", ["member": .id(gus.id), "role": "guest"])
        #expect(try box.titles(gus, "coming") == [])
        #expect(Set(try box.fresh(gus.id).meetings.values.map(\.meeting.title)) == ["Soup"])
        // The vote was given, and counts.
        #expect(try box.show(fair, to: ben).meeting.tally.voted == 1)
        try box.wait(seconds: 51 * 3600)
        #expect(try box.titles(gus, "past") == ["Soup"])
        #expect(try box.titles(gus, "past", ["words": "fair"]) == [])
    }

    @Test(arguments: ["hosting", "coming", "past"]) func `a page of twenty takes as many statements as a page of one`(
        view: String
    ) throws {
        for index in 0..<21 as Range<Int64> {
            let met = try box.propose(
                "M\(index)", kind: index % 2 == 0 ? "public" : "group", by: ada, invitees: [ben])
            try box.call(ben, "meeting.vote", met.votes("yes", "no"))
            if view == "past" { try box.call(ada, "meeting.cancel", met.params) }
        }
        let person = view == "hosting" ? ada : ben
        func statements(_ limit: Int64) throws -> Int {
            let before = box.store.database.statementCount
            #expect(try box.titles(person, view, ["limit": .int(limit)]).count == limit)
            return box.store.database.statementCount - before
        }
        _ = try statements(1)
        #expect(try statements(20) == statements(1))
    }

    /// Statements over years of meetings go by an index: SQLite's own plan says so.
    @Test func `lists of past meetings look at no more than their page`() throws {
        for index in 0..<40 as Range<Int64> {
            let met = try box.propose("M\(index)", kind: index % 2 == 0 ? "public" : "group", by: ada, invitees: [ben])
            try box.call(ada, "meeting.cancel", met.params)
        }
        for sql in [
            "SELECT past FROM meeting_past WHERE member = x'00' AND past < 9 AND past > 0 ORDER BY past DESC LIMIT 3",
            """
            SELECT past FROM meetings WHERE kind = 'public' AND past IS NOT NULL AND 1 AND past < 9 AND past > 0
            ORDER BY past DESC LIMIT 3
            """,
            "SELECT coalesce(sum(bytes), 0) FROM meetings WHERE past IS NULL", "SELECT max(past) FROM meetings",
            "SELECT m.number FROM json_each('[1]') j CROSS JOIN meetings m ON m.past = j.value ORDER BY j.key",
        ] {
            let plan = try box.store.database.rows("EXPLAIN QUERY PLAN " + sql, map: { $0.text(3) })
            // A scan names the index it goes along, or the list of a page.
            let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("INDEX") && !$0.hasPrefix("SCAN j ") }
            #expect(scans == [])
            #expect(plan.contains { $0.contains("INDEX") || $0.contains("PRIMARY KEY") }, "\(plan)")
        }
        #expect(try box.titles(ben, "past", ["limit": 3]) == ["M39", "M38", "M37"])
    }
}
