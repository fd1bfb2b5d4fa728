import KinActivity
import KinFamily
import KinKeeper
import KinLists
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

/// The table of rules on the page Activity, row by row: who is told what, and who is not.
@Suite struct ActivityRulesTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person
    let eve: FamilyBox.Person

    /// Ben hosts, Kit and Ada are asked, Eve is not; all have read what came before.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
        eve = try box.join("eve", by: ada)
        try box.readAll(ada, ben, kit, eve)
    }

    /// What came into each one's inbox by a deed: the last line of each new entry, without its time.
    private func told(_ deed: () throws -> Void) throws -> [String: [JSON]] {
        try box.readAll(ada, ben, kit, eve)
        try deed()
        var told: [String: [JSON]] = [:]
        for (name, person) in [("ada", ada), ("ben", ben), ("kit", kit), ("eve", eve)]
        where try box.keeper.roster()[person.id] != nil {
            let lines = try box.fresh(person.id).inbox.entries.compactMap { entry -> JSON? in
                var line = entry.lines.last
                line?["at"] = nil
                #expect(
                    entry.isOfficial == (Registry.family.inboxKinds[line?["kind"]?.string ?? ""]?.isOfficial ?? false))
                return line
            }
            if !lines.isEmpty { told[name] = lines }
        }
        return told
    }

    private func line(_ kind: String, by: FamilyBox.Person? = nil, _ more: JSON.Object = [:]) -> JSON {
        var line: JSON.Object = ["kind": .string(kind)]
        if let by { line["by"] = .id(by.id) }
        for member in more.members { line[member.name] = member.value }
        return .object(line)
    }

    private func same(_ told: [String: [JSON]], _ expected: [String: [JSON]]) -> Bool {
        told.mapValues { $0.map { String(decoding: $0.canonicalBytes, as: UTF8.self) } }
            == expected.mapValues { $0.map { String(decoding: $0.canonicalBytes, as: UTF8.self) } }
    }

    private func check(
        _ expected: [String: [JSON]], _ location: SourceLocation = #_sourceLocation, _ deed: () throws -> Void
    ) throws {
        let told = try told(deed)
        #expect(same(told, expected), "\(told)", sourceLocation: location)
    }

    @Test func `what becomes of a meeting is told to those who see it, what they say to its host`() throws {
        var soup = Proposed(id: ben.id, slots: [])
        try check(["ada": [line("invited", by: ben)], "kit": [line("invited", by: ben)]]) {
            soup = try box.propose(slots: [48, 72], by: ben, invitees: [ada, kit])
        }
        try check(["ben": [line("voted", by: kit, ["reply": "voted"])]]) {
            try box.call(kit, "meeting.vote", soup.votes("yes"))
        }
        try check(["ben": [line("meetingChanged", by: kit, ["changes": ["suggestions"]])]]) {
            try box.call(kit, "meeting.suggest", soup.with(["slot": FamilyBox.slot(96)]))
        }
        // Who else is asked, and what somebody suggests, is no news for the others.
        try check([:]) {
            let suggestion = try #require(try box.show(soup, to: ben).meeting.suggestions.first)
            try box.call(ben, "meeting.decline", soup.with(["suggestion": .id(suggestion.slot.id)]))
        }
        try check(["eve": [line("invited", by: ben)]]) {
            try box.call(ben, "meeting.update", soup.with(["invitees": [.id(ada.id), .id(kit.id), .id(eve.id)]]))
        }
        try check([:]) {
            try box.call(ben, "meeting.update", soup.with(["invitees": [.id(ada.id), .id(kit.id)]]))
        }
        let changed = line("meetingChanged", by: ben, ["changes": ["title", "place"]])
        try check(["ada": [changed], "kit": [changed]]) {
            try box.call(ben, "meeting.update", soup.with(["title": "Stew", "place": "Mill"]))
        }
        try check(["ada": [line("nudged", by: ben)]]) { try box.call(ben, "meeting.nudge", soup.params) }
        // The last reply of all: one entry of two lines.
        try check(["ben": [line("allReplied")]]) { try box.call(ada, "meeting.refuse", soup.params) }
        // A reply that is changed is no second last one.
        try check(["ben": [line("voted", by: kit, ["reply": "voted"])]]) {
            try box.call(kit, "meeting.vote", soup.votes("no"))
        }
        try check(["ada": [line("confirmed", by: ben)], "kit": [line("confirmed", by: ben)]]) {
            try box.call(ben, "meeting.confirm", soup.confirm(0))
        }
        try check(["ben": [line("goingChanged", by: ada, ["answer": "going"])]]) {
            try box.call(ada, "meeting.attend", soup.with(["answer": "going"]))
        }
        try check(["kit": [line("meetingChanged", by: ben, ["changes": ["host"]])]]) {
            try box.call(ben, "meeting.handOver", soup.with(["to": .id(kit.id)]))
        }
        try check(["ada": [line("cancelled", by: kit)], "ben": [line("cancelled", by: kit)]]) {
            try box.call(kit, "meeting.cancel", soup.params)
        }
    }

    @Test func `a deadline that is near is told to whom it concerns, its end to all`() throws {
        let deadline: JSON = .time(FamilyBox.start.adding(days: 3))
        let soup = try box.propose(slots: [100], by: ben, invitees: [ada, kit], ["deadline": deadline])
        try box.call(kit, "meeting.vote", soup.votes("yes"))
        try check(["ada": [line("deadlineNear", ["deadline": deadline])]]) { try box.wait(seconds: 50 * 3600) }
        try check(["ada": [line("closed")], "ben": [line("closed")], "kit": [line("closed")]]) {
            try box.wait(seconds: 24 * 3600)
        }
    }

    @Test func `who comes and goes is told to all, a role, a password, a device to the member`() throws {
        var dora = eve
        // It is about who comes: nobody else did it.
        let comes = [line("memberJoined")]
        try check(["ada": comes, "ben": comes, "kit": comes, "eve": comes]) { dora = try box.join("dora", by: ada) }
        try check(["ben": comes, "kit": comes, "eve": comes]) {
            try box.call(
                ada, "member.add",
                [
                    "username": "finn", "password": .string(FamilyBox.password), "displayName": "Finn",
                    "household": .id(try box.household(of: ada)), "role": "member", "kind": "child",
                ])
        }
        let left = line("memberLeft", by: ada)
        try check(["ben": [left], "kit": [left], "eve": [left]]) {
            try box.call(ada, "member.remove", ["member": .id(dora.id), "keep": "delete"])
        }
        try check(["kit": [line("roleChanged", by: ada, ["role": "head"])]]) {
            try box.call(ada, "member.setRole", ["member": .id(kit.id), "role": "head"])
        }
        let lake = try box.foundHousehold("Lake", by: ada)
        // A head who is moved is a member there.
        try check(["kit": [line("roleChanged", ["role": "member"])]]) {
            try box.move(kit, to: lake)
        }
        // The adults who live there are told too, and by what is done at the machine whom it was done to.
        let made = line("accountChanged", by: ada, ["what": "signInLinkMade"])
        try check(["eve": [line("permissionChanged", by: ada, ["what": "signInLinkMade"])], "ben": [made]]) {
            try box.call(ada, "session.link", ["member": .id(eve.id)])
        }
        try check(["eve": [line("newDevice", ["device": "test"])]]) { _ = try box.signIn("eve") }
        let told = try told { try box.call(ada, "activity.announce", ["text": "Soup"]) }
        #expect(told["ada"] == nil)
        for name in ["ben", "kit", "eve"] { #expect(told[name]?.map { $0["kind"] } == ["announcement"]) }
    }

    @Test func `sharing that ends by itself, and a phone that is silent, are told to the member`() throws {
        try box.call(ben, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        // One's own switch is no news.
        try check([:]) {
            let until = JSON.time(box.clock.adding(seconds: 12 * 3600))
            try box.call(ben, "sharing.set", ["state": "on", "until": until])
        }
        let said = try told { try box.wait(seconds: 7 * 3600) }
        #expect(said.keys.sorted() == ["ben"] && said["ben"]?.map { $0["kind"] } == ["phoneSilent"], "\(said)")
        try check(["ben": [line("sharingChanged", ["state": "off", "changes": ["state"]])]]) {
            try box.wait(seconds: 6 * 3600)
        }
    }

    @Test func `who comes and who goes is told to those who asked, by the place's name`() throws {
        try box.call(ada, "place.add", ["name": "Mill", "lat": 52.5, "lon": 13.4])
        try box.call(ben, "sharing.set", ["state": "on"])
        try box.call(eve, "place.notify", ["who": .id(ben.id), "when": "both"])
        func stay(_ lat: Double) throws {
            let end = box.clock.adding(seconds: 240)
            box.clock = end
            let points = stride(from: Int64(-200), through: 0, by: 20).map { second -> JSON in
                ["lat": .double(lat), "lon": 13.4, "at": .time(end.adding(seconds: second))]
            }
            try box.call(ben, "position.report", ["positions": .array(points)])
        }
        try check([:]) { try stay(52.6) }
        // When: the first point that says so.
        func since() -> JSON { .time(box.clock.adding(seconds: -200)) }
        let came = try told { try stay(52.5) }
        #expect(same(came, ["eve": [line("arrived", by: ben, ["place": "Mill", "since": since()])]]), "\(came)")
        let went = try told { try stay(52.6) }
        #expect(same(went, ["eve": [line("left", by: ben, ["place": "Mill", "since": since()])]]), "\(went)")
    }

    @Test func `what is new on the map is told to those who asked`() throws {
        try box.call(eve, "place.notify", ["when": "pinned"])
        try check(["eve": [line("pinned", by: ben, ["placeKind": "note", "place": "Slippery"])]]) {
            try box.call(ben, "place.add", ["kind": "note", "name": "Slippery", "lat": 52.5, "lon": 13.4])
        }
    }

    @Test func `what changes on a list is told to those who asked, and a burst of it once`() throws {
        let list: JSON = try box.call(ben, "list.add", ["name": "Groceries"])["list"]?["id"] ?? .null
        let item: JSON = "01980000-0000-7000-8000-00000000abcd"
        func put(_ who: FamilyBox.Person, _ text: JSON) throws {
            try box.call(who, "item.put", ["list": list, "items": [["id": item, "text": text]]])
        }
        try check([:]) { try put(ben, "Milk") }
        let asked = try box.call(eve, "list.notify", ["list": list, "on": true])
        #expect(asked["list"]?["notified"] == true)
        #expect(try box.call(kit, "list.show", ["list": list])["list"]?["notified"] == nil)
        try check(["eve": [line("listed", by: ben)]]) { try put(ben, "Oat milk") }
        #expect(try box.fresh(eve.id).inbox.entries.first?.title == "Groceries")
        try check([:]) { try put(kit, "Milk again") }
        try box.wait(seconds: Limits.listQuietSeconds)
        try check([:]) { try put(eve, "Her own") }
        try check(["eve": [line("listed", by: kit)]]) {
            try box.call(kit, "item.remove", ["list": list, "items": [item]])
        }
        // Out of sight it is out of the inbox, and is asked for anew when it comes back.
        try box.call(ben, "list.update", ["list": list, "audience": []])
        #expect(try box.fresh(eve.id).inbox.entries.isEmpty)
        try box.call(ben, "list.update", ["list": list, "audience": "everyone"])
        try box.wait(seconds: Limits.listQuietSeconds)
        let other: JSON = [["id": "01980000-0000-7000-8000-00000000abce", "text": "Bread"]]
        try check([:]) { try box.call(ben, "item.put", ["list": list, "items": other]) }
        #expect(try box.count("SELECT count(*) FROM list_asked") == 0)
    }

    @Test func `what becomes of an entry is told to who is asked to come, answers to its owner, a reminder to oneself`()
        throws
    {
        var dentist: JSON.Object = [:]
        try check(["kit": [line("entryInvited", by: ben)]]) {
            let made = try box.call(
                ben, "entry.add",
                [
                    "subject": "Dentist", "start": "2027-03-01T10:00", "zone": "UTC", "invitees": [.id(kit.id)],
                    "remind": [30],
                ])
            dentist = ["entry": made["entry"]?["id"] ?? .null]
        }
        try check(["ben": [line("entryAnswered", by: kit, ["reply": "tentative"])]]) {
            try box.call(kit, "entry.answer", dentist.with("answer", "tentative"))
        }
        // Who else is asked is no news for those who were.
        try check(["ada": [line("entryInvited", by: ben)]]) {
            try box.call(ben, "entry.update", dentist.with("invitees", [.id(kit.id), .id(ada.id)]))
        }
        try check([:]) { try box.call(ben, "entry.update", dentist.with("note", "Bring the card")) }
        try check(["ada": [line("entryChanged", by: ben)], "kit": [line("entryChanged", by: ben)]]) {
            try box.call(ben, "entry.update", dentist.with("start", "2027-03-01T11:00"))
        }
        try check(["ben": [line("reminder", ["start": "2027-03-01T11:00:00.000Z"])]]) {
            box.clock = try #require(Instant("2027-03-01T10:31:00.000Z"))
            try box.wait(seconds: 0)
        }
        try check(["ada": [line("entryCancelled", by: ben)], "kit": [line("entryCancelled", by: ben)]]) {
            try box.call(ben, "entry.remove", dentist)
        }
        let club = try box.call(ben, "calendar.add", ["name": "Club"])["calendar"]?["id"] ?? .null
        try check(["eve": [line("calendarShared", by: ben, ["right": "read"])]]) {
            try box.call(ben, "calendar.share", ["calendar": club, "with": .id(eve.id), "right": "read"])
        }
    }

    @Test func `who is asked where they are is told who asks`() throws {
        try box.call(ben, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        try box.call(ben, "sharing.set", ["state": "on"])
        try check(["ben": [line("positionAsked", by: eve)]]) {
            try box.call(eve, "position.ask", ["member": .id(ben.id)])
        }
    }

    @Test func `who asks to move, and who wants to be grown, is told to those who answer, the answer to who asked`()
        throws
    {
        let lake = try box.foundHousehold("Lake", by: ada)
        let kitty: JSON.Object = ["member": .id(kit.id), "household": .id(lake)]
        let asks = line("moveAsked", by: kit, ["household": .id(lake)])
        try check(["ada": [asks]]) { try box.call(kit, "household.move", kitty) }
        try check(["kit": [line("moveAnswered", by: ada, ["answer": "refused", "household": .id(lake)])]]) {
            try box.call(ada, "household.admit", kitty.with("admit", false))
        }
        try box.wait(seconds: Limits.moveAgainSeconds)
        try check(["ada": [asks]]) { try box.call(kit, "household.move", kitty) }
        try check([:]) {
            let home: JSON.Object = ["member": .id(kit.id), "household": .id(try box.household(of: kit))]
            try box.call(kit, "household.move", home)
        }
        // Ada brought Eve in.
        try box.call(eve, "member.update", ["member": .id(eve.id), "kind": "child"])
        let grown: JSON.Object = ["member": .id(eve.id)]
        try check(["ada": [line("grownAsked", by: eve)]]) { try box.call(eve, "member.askGrown") }
        try check(["eve": [line("grownAnswered", by: ada, ["answer": "notYet"])]]) {
            try box.call(ada, "member.answerGrown", grown.with("grown", false))
        }
        try check(["eve": [line("grownAnswered", by: ada, ["answer": "grown"])]]) {
            try box.call(ada, "member.answerGrown", grown.with("grown", true))
        }
    }

    @Test func `what somebody says is told to those who are named, else to the family`() throws {
        let line = line("said", by: ben)
        try check(["ada": [line], "kit": [line], "eve": [line]]) {
            try box.call(ben, "activity.say", ["text": "Soup"])
        }
        try check(["kit": [line]]) { try box.call(ben, "activity.say", ["text": "Soup", "to": [.id(kit.id)]]) }
        // A correction rings for nobody.
        let id = try box.call(ben, "activity.own")["sayings"]?.array?.first?["id"] ?? .null
        try check([:]) { try box.call(ben, "activity.correct", ["id": id, "text": "Stew"]) }
    }

    @Test func `who comes near the end of a quota is told, and nobody else`() throws {
        // Ten places for oneself, with names of which fifteen would be too much.
        let name = String(repeating: "x", count: 40)
        var said: [String: [JSON]] = [:]
        var count = 0
        while said.isEmpty, count < 40 {
            said = try told {
                try box.call(
                    ben, "place.add", ["name": .string(name + "\(count)"), "lat": 52.5, "lon": 13.4, "audience": []])
            }
            count += 1
        }
        #expect(same(said, ["ben": [line("quotaNear", ["what": "places"])]]), "\(said)")
    }

    @Test func `no kind is without a test, and no rule without a kind`() {
        // Those that a test above makes, a digest (what came in quiet hours is summed up when they end), and what the tests
        // of admissions, holders, posts, pictures, meals, calendars and news from outside, scripts of the house and the upgrade look for.
        let made: Set<String> = [
            "invited", "meetingChanged", "voted", "allReplied", "deadlineNear", "closed", "confirmed", "cancelled",
            "nudged",
            "goingChanged", "arrived", "left", "memberJoined", "memberLeft", "roleChanged", "permissionChanged",
            "sharingChanged", "newDevice",
            "phoneSilent", "positionAsked", "announcement", "digest", "sharingAsked", "sharingToConfirm",
            "childSharing",
            "accountChanged", "moveAsked", "moveAnswered", "grownAsked", "grownAnswered", "placeAsked", "quotaNear",
            "said", "pinned", "posted", "mentioned", "commented", "answered", "liked", "house", "alarm", "alarmOverdue",
            "alarmAnswered", "message", "addressed", "entryInvited", "entryChanged", "entryCancelled", "entryAnswered",
            "reminder", "calendarShared", "calendarStopped", "newsStopped", "pictures", "pictured", "cooks", "listed",
            "pictureLiked", "alarmOver",
        ]
        #expect(made == Set(Registry.family.inboxKinds.all.map(\.name)))
        #expect(
            Set(Registry.family.areas.flatMap(\.inbox).map(\.kind.name))
                == made.subtracting(["announcement", "digest"]))
    }
}

extension JSON.Object {
    /// The same parameters and one more.
    fileprivate func with(_ name: String, _ value: JSON) -> JSON.Object {
        var params = self
        params[name] = value
        return params
    }
}
