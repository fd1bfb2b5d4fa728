import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MeetingsLeavingTests {
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

    private func remove(_ who: FamilyBox.Person, _ keep: JSON) throws {
        try box.call(ada, "member.remove", ["member": .id(who.id), "keep": keep])
    }

    @Test func `a host who leaves hands the meetings over`() throws {
        let soup = try box.propose(by: ben, invitees: [kit])
        let past = try box.propose("Stew", by: ben, invitees: [kit])
        try box.call(ben, "meeting.cancel", past.params)
        try box.call(kit, "meeting.vote", soup.votes("yes"))
        for person in [ada, kit] { _ = box.heard(person) }
        try remove(ben, "hand-over")
        #expect(box.types(kit).contains("meeting.handedOver"))
        #expect(box.types(ada).contains("meeting.shown"))
        let seen = try box.show(soup, to: kit)
        #expect(seen.meeting.host == ada.id)
        #expect(seen.own.reply == .voted)
        #expect(seen.meeting.tally.invitees == 1)
        #expect(try box.titles(ada, "past") == ["Stew"])
        #expect(try box.titles(ada, "past", ["words": "stew"]) == ["Stew"])
        try box.call(ada, "meeting.confirm", soup.confirm(0))
    }

    @Test func `who inherits a meeting is its invitee no longer, in what is past neither`() throws {
        let soup = try box.propose(by: ben, invitees: [ada, kit])
        let past = try box.propose("Stew", by: ben, invitees: [ada, kit])
        for met in [soup, past] { try box.call(ada, "meeting.vote", met.votes("yes")) }
        try box.call(ben, "meeting.confirm", past.confirm(0))
        try box.wait(seconds: 26 * 3600)
        try remove(ben, "hand-over")
        for met in [soup, past] {
            let seen = try box.show(met, to: kit)
            #expect(seen.meeting.host == ada.id)
            #expect([seen.meeting.tally.voted, seen.meeting.tally.noReply] == [0, 1])
            #expect(seen.meeting.tally.slots.allSatisfy { $0.yes == 0 })
            #expect(try box.show(met, to: ada).own == OwnPart())
        }
        #expect(try box.show(past, to: kit).meeting.tally.going == 0)
        #expect(try box.titles(ada, "past") == ["Stew"])
    }

    @Test func `a host who leaves takes the meetings along, and their bytes leave the files`() throws {
        let soup = try box.propose("Quillon", by: ben, invitees: [kit], ["note": "Marzipanbrot", "place": "Ollenhof"])
        try box.call(kit, "meeting.refuse", soup.with(["reason": "Zahnweh"]))
        let past = try box.propose("Xylophon", kind: "public", by: ben)
        try box.call(ben, "meeting.cancel", past.params)
        _ = box.heard(kit)
        try remove(ben, "delete")
        #expect(box.types(kit).filter { $0 == "meeting.deleted" }.count == 2)
        #expect(try box.refusal(kit, "meeting.show", soup.params)?.kind == .notFound)
        #expect(try box.titles(kit, "past") == [])
        for table in ["meetings", "meeting_slots", "meeting_people", "meeting_votes", "meeting_words", "meeting_past"] {
            #expect(try box.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        try box.wait(seconds: 2)
        for erased in [
            "Quillon", "quillon", "Marzipanbrot", "marzipanbrot", "Ollenhof", "ollenhof", "Zahnweh", "xylophon",
        ] {
            #expect(try !box.holds(erased), "\(erased)")
        }
    }

    @Test func `answers and suggestions of a former member vanish, and those who see it are told`() throws {
        let soup = try box.propose(by: ada, invitees: [ben, kit])
        let fair = try box.propose("Fair", kind: "public", by: ada)
        let past = try box.propose("Stew", by: ada, invitees: [ben, kit])
        for met in [soup, fair, past] { try box.call(ben, "meeting.vote", met.votes("yes", "ifNeedBe")) }
        try box.call(ben, "meeting.suggest", soup.with(["slot": FamilyBox.slot(72)]))
        try box.call(ada, "meeting.confirm", past.confirm(0))
        try box.wait(seconds: 26 * 3600)
        _ = box.heard(kit)
        try remove(ben, "delete")
        let updated = box.heard(kit).filter { $0.type == "meeting.updated" }
        #expect(updated.map { $0.data["changes"] } == [["suggestions", "invitees"], ["invitees"]])
        let seen = try box.show(soup, to: kit)
        #expect(seen.meeting.suggestions == [])
        #expect(seen.meeting.tally == Tally(noReply: 1, slots: soup.slots.map { Tally.Count(slot: $0) }))
        #expect(try box.show(fair, to: kit).meeting.tally.invitees == 0)
        let old = try box.show(past, to: kit).meeting.tally
        #expect([old.voted, old.noReply, old.going] == [0, 1, 0])
        #expect(try box.refusal(ben, "meeting.vote", soup.votes("yes"))?.kind == .notSignedIn)
    }

    @Test func `a host who becomes a guest keeps what names them`() throws {
        let soup = try box.propose(by: ben, invitees: [kit])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try box.titles(ben, "hosting") == ["Soup"])
        try box.call(ben, "meeting.update", soup.with(["title": "Stew", "invitees": [.id(kit.id)]]))
        try box.call(ben, "meeting.confirm", soup.confirm(0))
        #expect(try box.refusal(ben, "meeting.propose", ["title": "X"])?.kind == .forbidden)
    }

    @Test func `closing the family leaves no word of a meeting`() throws {
        _ = try box.propose("Quillon", by: ben, invitees: [kit], ["note": "Marzipanbrot"])
        try box.call(ada, "family.close", ["confirm": "Reed"])
        for erased in ["Quillon", "quillon", "Marzipanbrot", "marzipanbrot"] { #expect(try !box.holds(erased)) }
    }
}
