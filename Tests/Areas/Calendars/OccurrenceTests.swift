import KinCrypto
import KinICal
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What phones say of a single day of something that repeats, beyond when and where it is and what it is called.
@Suite struct OccurrenceTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let family: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        family = try #require(try box.call(ada, "family.show")["family"]?["id"])
    }

    private static let zone = "TZID=Europe/Berlin"

    /// Choir on four Tuesdays, with what is said of all of them, of the second and of the third.
    private static func choir(_ all: [String] = [], second: [String], third: [String] = []) -> String {
        func event(_ day: String, _ lines: [String]) -> [String] {
            ["BEGIN:VEVENT", "UID:choir", "DTSTAMP:20260101T000000Z", "DTSTART;\(zone):\(day)T193000"]
                + ["DTEND;\(zone):\(day)T203000", "SUMMARY:Choir"] + lines + ["END:VEVENT"]
        }
        let events =
            event("20260714", ["RRULE:FREQ=WEEKLY;COUNT=4"] + all)
            + event("20260721", ["RECURRENCE-ID;\(zone):20260721T193000"] + second)
            + (third.isEmpty ? [] : event("20260728", ["RECURRENCE-ID;\(zone):20260728T193000"] + third))
        return (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func put(_ text: String) throws {
        let answer = try box.call(
            ada, "calendar.putItem", ["shelf": family, "name": "choir.ics", "text": .string(text)])
        #expect(answer["refused"] == nil, "\(answer.text)")
    }

    /// The lines of the event, or of one of its days, as Ada's phone reads them.
    private func lines(_ day: String? = nil) throws -> [String] {
        let items = try box.call(ada, "calendar.items", ["shelf": family, "names": ["choir.ics"], "data": true])
        let whole = try ICalComponent((items["items"]?.array?.first?["data"]?.string ?? "").utf8)
        let event = whole.components.first { one in
            one.name == "VEVENT" && one["RECURRENCE-ID"].map { $0.value } == day
        }
        return (event?.lines ?? []).map(\.description)
            + (event?.components ?? []).flatMap(\.lines).map(\.description)
    }

    private func update(_ params: JSON.Object) throws {
        var whole = params
        whole["entry"] = try box.call(ada, "entry.all")["entries"]?.array?.first?["id"]
        try box.call(ada, "entry.update", whole)
    }

    private static let own = ["STATUS:TENTATIVE", "CATEGORIES:club", "TRANSP:TRANSPARENT", "X-ROOM:B 12"]

    @Test func `what is said of a single day is given back, whatever becomes of all of it`() throws {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT5M", "END:VALARM"]
        try put(Self.choir(["CATEGORIES:music"], second: Self.own + alarm, third: ["STATUS:CANCELLED"]))
        let times = ["07-14T19:30 Choir", "07-21T19:30 Choir", "08-04T19:30 Choir"]
        #expect(try EntryTests.on(box, ben) == times)
        func expectOwn(_ day: String) throws {
            let found = try lines(day)
            for line in Self.own + ["TRIGGER:PT5M"] {
                #expect(found.count { $0 == line } == 1, "\(line) of \(found)")
            }
            #expect(found.count { $0.hasPrefix("CATEGORIES") || $0.hasPrefix("STATUS") } == 2, "\(found)")
        }
        try expectOwn("20260721T193000")
        // Another category and another state of all of it.
        try update(["category": "education", "subject": "Big choir"])
        try expectOwn("20260721T193000")
        #expect(try lines().contains("CATEGORIES:education") && lines().contains("STATUS:CONFIRMED"))
        // All of it begins earlier, and so do these days.
        try update(["start": "2026-07-14T18:30"])
        try expectOwn("20260721T183000")
        #expect(
            try EntryTests.on(box, ben)
                == ["07-14T18:30 Big choir", "07-21T18:30 Big choir", "08-04T18:30 Big choir"])
        // From the second day on it is something of its own.
        try update(["scope": "this", "occurrence": "2026-07-21T18:30", "note": "Bring water"])
        try expectOwn("20260721T183000")
        // What is called off is called off on each day.
        try update(["status": "cancelled"])
        let last = try lines("20260721T183000")
        #expect(last.contains("STATUS:CANCELLED") && !last.contains("STATUS:TENTATIVE"), "\(last)")
    }

    /// What Ben's list says of each day: `07-21 tentative club`.
    private func kinds(_ more: JSON.Object = [:]) throws -> [String] {
        var params: JSON.Object = ["from": "2026-07-01", "to": "2026-08-31", "zone": "Europe/Berlin"]
        for member in more.members { params[member.name] = member.value }
        return (try box.call(ben, "entry.list", params)["occurrences"]?.array ?? []).compactMap(EntryOccurrence.init)
            .map { "\($0.starts.dropFirst(5).prefix(5)) \($0.status.rawValue) \($0.category ?? "-")" }
    }

    @Test func `whoever sees a single day is told its state and its kind, finds it by that, and is busy by that`()
        throws
    {
        let all = ["07-14 confirmed music", "07-21 tentative club", "07-28 confirmed music", "08-04 confirmed music"]
        try put(Self.choir(["CATEGORIES:music"], second: ["CATEGORIES:music"]))
        #expect(try kinds() == all.map { $0.hasPrefix("07-21") ? "07-21 confirmed music" : $0 })
        _ = box.heard(ben)
        try put(Self.choir(["CATEGORIES:music"], second: ["STATUS:TENTATIVE", "CATEGORIES:club"]))
        #expect(try kinds() == all)
        // The event has it too, and no more than that is otherwise.
        let told = box.heard(ben).last { $0.type == "entry.updated" }?.data
        #expect(told?["changes"] == ["exceptions"])
        #expect(
            told?["entry"]?["exceptions"]?.array?.compactMap(EntryException.init)
                == [EntryException(occurrence: "2026-07-21T19:30", category: "club", status: .tentative)])
        #expect(try kinds(["categories": ["club"]]) == [all[1]])
        #expect(try kinds(["categories": ["music"]]) == [all[0], all[2], all[3]])
        let days = try box.call(ben, "entry.days", ["from": "2026-07-14", "to": "2026-07-31", "zone": "Europe/Berlin"])
        #expect(days["days"]?.array?.map { $0["categories"] } == [["music"], ["club"], ["music"]])
        let busy = try box.call(
            ben, "calendar.busyTimes",
            ["shelf": family, "from": "2026-07-14T00:00:00Z", "to": "2026-07-29T00:00:00Z"])
        #expect(busy["busy"]?.array?.map { $0["tentative"] == true } == [false, true, false])
        // It moves along with all of it.
        try update(["start": "2026-07-14T18:30"])
        #expect(try kinds() == all)
        // What is said of more than that day, beginning with it, counts for it too, here and in files.
        try update(["scope": "following", "occurrence": "2026-07-21T18:30", "category": "education"])
        #expect(
            try kinds() == [
                "07-14 confirmed music", "07-21 tentative education", "07-28 confirmed education",
                "08-04 confirmed education",
            ])
    }

    @Test func `a single day is of a kind of the family's own, or of none that the family has`() throws {
        try box.call(ada, "category.set", ["category": "Scouts", "color": "#00aa00", "icon": "⛺"])
        try put(Self.choir(["CATEGORIES:music"], second: ["CATEGORIES:Scouts"], third: ["CATEGORIES:Elsewhere"]))
        let wanted = [
            "07-14 confirmed music", "07-21 confirmed Scouts", "07-28 confirmed none", "08-04 confirmed music",
        ]
        #expect(try kinds() == wanted)
        try put(Self.choir(["CATEGORIES:Scouts"], second: ["CATEGORIES:club"], third: ["CATEGORIES:Elsewhere"]))
        let others = [
            "07-14 confirmed Scouts", "07-21 confirmed club", "07-28 confirmed none", "08-04 confirmed Scouts",
        ]
        #expect(try kinds() == others)
        #expect(try lines("20260728T193000").contains("CATEGORIES:Elsewhere"))
    }

    @Test func `what is said of each day alike is that of all, and follows it`() throws {
        try put(Self.choir(["CATEGORIES:music"], second: ["CATEGORIES:music", "X-ROOM:B 12"]))
        try update(["category": "education"])
        let found = try lines("20260721T193000")
        #expect(found.contains("CATEGORIES:education") && !found.contains("CATEGORIES:music"), "\(found)")
    }

    /// Versions before migration 99 kept what a phone said of a single day, and showed nothing of it.
    @Test func `a single day of an entry that an older version wrote shows its state and its kind after an upgrade`()
        throws
    {
        try put(Self.choir(["CATEGORIES:music"], second: ["STATUS:TENTATIVE", "CATEGORIES:club", "SUMMARY:Band"]))
        let (now, text) = (try kinds(), try lines("20260721T193000"))
        #expect(now[1] == "07-21 tentative club")
        try box.restart(after: 60) {
            try box.store.beginTurn()
            _ = try box.store.database.run(
                "UPDATE entries SET exceptions = json_remove(exceptions, '$[0].status', '$[0].category')", values: [])
            _ = try box.store.database.run(
                "INSERT INTO due (at, kind, about) VALUES (0, 'entries.readDays', 'entries')", values: [])
            try box.store.commitTurn()
            box.store.due.forget()
        }
        _ = box.heard(ben)
        for _ in 0..<3 { try box.wait(seconds: 1) }
        #expect(try kinds() == now)
        #expect(try lines("20260721T193000") == text)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'entries.readDays'") == 0)
        #expect(try kinds(["categories": ["club"]]) == [now[1]])
    }

    /// RFC 5545, 3.3.6.
    @Test(arguments: [("P1D", "21:00"), ("PT24H", "20:00"), ("P1DT2H", "23:00"), ("PT90M", "21:30")])
    func `a day that something lasts is one of the calendar, and an hour one that passes`(
        duration: String, end: String
    ) throws {
        let text = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:shift", "DTSTAMP:20260101T000000Z",
            "DTSTART;\(Self.zone):20261024T220000", "DURATION:\(duration)", "SUMMARY:Shift", "END:VEVENT",
            "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        try put(text)
        let found = try box.call(
            ben, "entry.list", ["from": "2026-10-24", "to": "2026-10-26", "zone": "Europe/Berlin"])
        let ends = found["occurrences"]?.array?.first?["end"]
        #expect(ends == .string("2026-10-\(duration == "PT90M" ? 24 : 25)T\(end):00.000Z"))
    }

    @Test func `what is called off as a whole is written again by phones and files, and no day of it is lost`() throws {
        try put(Self.choir(second: ["LOCATION:Hall"]))
        try update(["status": "cancelled"])
        let off = ["07-14", "07-21", "07-28", "08-04"].map { $0 + " cancelled -" }
        #expect(try kinds() == off)
        let items = try box.call(ada, "calendar.items", ["shelf": family, "names": ["choir.ics"], "data": true])
        let text = items["items"]?.array?.first?["data"]?.string ?? ""
        #expect(text.ranges(of: "STATUS:CANCELLED").count == 2, "\(text)")
        try put(text)
        #expect(try kinds() == off)
        // Another takes it in from a file.
        let cleo = try box.join("cleo", by: ada)
        let report = try box.call(cleo, "calendar.import", ["ics": .string(Base64.encode(Array(text.utf8)))])
        #expect(report["entries"]?.array?.map { $0["outcome"] } == ["added"])
        let taken = try box.call(cleo, "entry.all", ["calendar": .id(cleo.id)])["entries"]?.array?.first
        #expect(taken.flatMap(Entry.init)?.status == .cancelled)
        // Once it takes place again, it does on each of its days.
        try update(["status": "confirmed"])
        #expect(try kinds() == off.map { $0.replacing("cancelled", with: "confirmed") })
    }

    @Test func `a single day that a phone calls off is hidden, and comes back when the phone says so`() throws {
        try put(Self.choir(second: ["STATUS:CANCELLED", "X-WHY:Rain"]))
        let left = ["07-14T19:30 Choir", "07-28T19:30 Choir", "08-04T19:30 Choir"]
        for person in [ada, ben] { #expect(try EntryTests.on(box, person) == left) }
        let found = try lines("20260721T193000")
        #expect(found.contains("STATUS:CANCELLED") && found.contains("X-WHY:Rain"), "\(found)")
        let busy = try box.call(
            ben, "entry.days", ["from": "2026-07-21", "to": "2026-07-21", "zone": "Europe/Berlin"])
        #expect(busy["days"] == [])
        try put(Self.choir(second: ["STATUS:CONFIRMED"]))
        #expect(try EntryTests.on(box, ben).count == 4)
    }

    @Test func `where a single day is not public, nothing of it is shown to others, and the file is as it was`() throws
    {
        try put(Self.choir(second: ["CLASS:PRIVATE", "DESCRIPTION:Surprise for Ben"]))
        #expect(try EntryTests.on(box, ben) == [])
        let listed = try box.call(
            ben, "entry.list", ["from": "2026-07-01", "to": "2026-07-31", "zone": "Europe/Berlin"])
        #expect(listed["busy"]?.array?.count == 3 && !listed.text.contains("Choir"))
        #expect(try lines("20260721T193000").contains("CLASS:PRIVATE"))
        #expect(try lines().allSatisfy { !$0.hasPrefix("CLASS") })
        // A word that is not known is read as private (RFC 5545, 3.8.1.3).
        try put(Self.choir(["CLASS:X-SECRET"], second: ["CLASS:PUBLIC"]))
        #expect(try EntryTests.on(box, ben) == [])
        #expect(try lines().contains("CLASS:X-SECRET"))
        try put(Self.choir(second: ["CLASS:PUBLIC"]))
        #expect(try EntryTests.on(box, ben).count == 4)
    }

    @Test
    func `a phone that declines a single day leaves the note beside the answer to all, and another answer does not`()
        throws
    {
        let entry = try EntryTests.add(
            box, ada, ["calendar": family, "repeat": "weekly", "until": "2026-08-04", "invitees": [.id(ben.id)]])
        try box.call(ben, "entry.answer", ["entry": .id(entry.id), "answer": "accepted", "note": "By bus"])
        let item = try #require(
            try box.call(ben, "calendar.items", ["shelf": family, "data": true])["items"]?.array?.first)
        let text = item["data"]?.string ?? ""
        let who = "mailto:\(ben.id)@kinwire.invalid"
        let day = [
            "BEGIN:VEVENT", "UID:\(entry.id)@kinwire", "DTSTAMP:20260101T000000Z", "SUMMARY:Choir",
            "RECURRENCE-ID;\(Self.zone):20260721T193000", "DTSTART;\(Self.zone):20260721T193000", "DURATION:PT1H",
            "ORGANIZER:mailto:\(ada.id)@kinwire.invalid", "ATTENDEE;PARTSTAT=DECLINED:\(who)", "END:VEVENT", "",
        ].joined(separator: "\r\n")
        func put(_ text: String) throws -> EntryInvitee? {
            let answer = try box.call(
                ben, "calendar.putItem", ["shelf": family, "name": item["name"] ?? .null, "text": .string(text)])
            #expect(answer["refused"] == nil, "\(answer.text)")
            return try box.call(ben, "entry.show", ["entry": .id(entry.id)])["entry"].flatMap(Entry.init)?.invitees
                .first
        }
        let one = try put(text.replacing("END:VCALENDAR", with: day + "END:VCALENDAR"))
        #expect(one?.answer == .accepted && one?.note == "By bus")
        let said = try box.call(ben, "entry.show", ["entry": .id(entry.id)])["entry"].flatMap(Entry.init)?.answers
        #expect(said?.map(\.answer) == [.declined])
        let other = try put(text.replacing("PARTSTAT=ACCEPTED", with: "PARTSTAT=TENTATIVE"))
        #expect(other?.answer == .tentative && other?.note == nil)
    }
}
