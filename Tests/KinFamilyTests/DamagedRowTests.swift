import KinFamily
import KinModel
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper

/// A row that holds what it cannot hold, as after a fault of the disk: whoever needs it is refused with a sentence, and
/// nobody is answered with a 0 in its place.
@Suite struct DamagedRowTests {
    private static let sentence =
        "The database is damaged: the column yes holds a text, not an integer. Restore the newest backup."

    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let soup: Proposed

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        soup = try box.propose(by: ada, invitees: [ben], ["deadline": .time(FamilyBox.start.adding(seconds: 36_000))])
        try box.call(ben, "meeting.vote", soup.votes("yes"))
    }

    /// The family's tables take no text as a number: for this connection one stands before them that does.
    private func damage() throws {
        try box.store.database.run("CREATE TEMP TABLE meeting_slots AS SELECT * FROM main.meeting_slots")
        try box.store.database.run("UPDATE temp.meeting_slots SET yes = 'one' WHERE place = 0")
    }

    private func mend() throws { try box.store.database.run("DROP TABLE temp.meeting_slots") }

    @Test func `who needs a damaged row is refused with its sentence, until it is mended`() throws {
        try damage()
        for method in ["meeting.vote", "meeting.show"] {
            let params = method == "meeting.vote" ? soup.votes("no") : soup.params
            let refusal = try #require(try box.refusal(ben, method, params))
            #expect(refusal.kind == .unavailable)
            #expect(refusal.message == Self.sentence)
        }
        try mend()
        #expect(try box.show(soup, to: ben).meeting.tally.slots.map(\.yes) == [1, 0])
        try box.call(ben, "meeting.vote", soup.votes("no"))
        #expect(try box.show(soup, to: ben).meeting.tally.slots.map(\.yes) == [0, 0])
    }

    @Test func `a damaged row refuses no other request of the same turn`() throws {
        try damage()
        let commit = try box.turn(
            box.request(ada.credential, "activity.announce", ["text": "Soup at six"]),
            box.request(ben.credential, "meeting.vote", soup.votes("no")),
            box.request(ada.credential, "activity.announce", ["text": "Who brings bread?"]))
        let messages = commit.replies.map { reply in
            if case .failure(let rejection) = reply.result { rejection.message } else { "" }
        }
        #expect(messages == ["", Self.sentence, ""])
        #expect(try box.count("SELECT count(*) FROM announcements") == 2)
    }

    @Test func `a word that is not known is another kind, and nobody is answered with another word`() throws {
        try box.call(ada, "alarm.raise", ["kind": "sos"])
        try box.store.database.run("CREATE TEMP TABLE alarms AS SELECT * FROM main.alarms")
        try box.store.database.run("UPDATE temp.alarms SET kind = 'pray'")
        let refusal = try box.refusal(ben, "alarm.list", [:])
        #expect(
            refusal?.message
                == "The database is damaged: the column kind holds an unknown word, not one of its own. Restore the newest backup."
        )
        try box.store.database.run("DROP TABLE temp.alarms")
        #expect(try box.call(ben, "alarm.list")["alarms"]?.array?.first?["kind"] == "sos")
    }

    @Test func `what falls due and meets a damaged row is noted, and the family goes on`() throws {
        try damage()
        try box.wait(seconds: 36_000)
        #expect(box.notes.contains("Due work was refused: " + Self.sentence))
        try box.call(ada, "activity.announce", ["text": "Soup at six"])
    }

    @Test func `an area whose upkeep is refused keeps no other from its own`() throws {
        func tidying(_ name: String, _ tidy: @escaping Area.Deed) -> Area {
            Area(
                name, tables: [], migrations: [], methods: [], events: [], upkeep: tidy)
        }
        let own = Area(
            "Own", tables: [Table("own_hours")],
            migrations: [
                Migration(
                    number: (Registry.family.migrations.last?.number ?? 0) + 1, name: "hours", tables: ["own_hours"],
                    sql: "CREATE TABLE own_hours (one INTEGER) STRICT;")
            ], methods: [], events: [])
        let hour: Area.Deed = { (act) throws(Rejection) in try act.run("INSERT INTO own_hours VALUES (1)") }
        let refused = tidying("Refused") { (_) throws(Rejection) in throw Rejection(.unavailable, "Not this hour.") }
        let registry = Registry.family.adding(own).adding(tidying("Before", hour)).adding(refused)
            .adding(tidying("Behind", hour))
        let box = try FamilyBox(registry: registry)
        _ = try box.found()
        let before = try box.count("SELECT count(*) FROM own_hours")
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM own_hours") == before + 2)
        #expect(box.notes.contains { $0 == "Due work was refused: Not this hour." })
    }

    @Test func `what fell due and was refused is tried again, ever more seldom, and done once it can be`() throws {
        try damage()
        try box.wait(seconds: 36_000)
        func refusals() -> Int { box.notes.count { $0 == "Due work was refused: " + Self.sentence } }
        let works = refusals()
        #expect(works > 0)
        try box.wait(seconds: 59)
        #expect(refusals() == works)
        try box.wait(seconds: 1)
        try box.wait(seconds: 119)
        #expect(refusals() == 2 * works)
        try mend()
        #expect(try box.show(soup, to: ben).meeting.state == .open)
        try box.wait(seconds: 1)
        #expect(refusals() == 2 * works)
        #expect(try box.show(soup, to: ben).meeting.state == .closed)
    }
}
