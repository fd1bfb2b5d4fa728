import KinCodec
import KinCrypto
import KinModel
import KinStore
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// Calendars as files: taken in, given out, and the same again.
@Suite struct CalendarFileTests {
    private static let school = """
        BEGIN:VCALENDAR
        VERSION:2.0
        X-WR-CALNAME:School
        BEGIN:VTIMEZONE
        TZID:W. Europe Standard Time
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:choir@school
        DTSTART;TZID=W. Europe Standard Time:20260714T193000
        DTEND;TZID=W. Europe Standard Time:20260714T210000
        RRULE:FREQ=WEEKLY;COUNT=4
        EXDATE;TZID=Europe/Berlin:20260721T193000
        SUMMARY:Choir\\, big
        LOCATION:Hall
        CATEGORIES:Music
        X-SCHOOL-ROOM;FLOOR=2:B 12
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT10M
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:choir@school
        RECURRENCE-ID;TZID=Europe/Berlin:20260728T193000
        DTSTART;TZID=Europe/Berlin:20260729T200000
        DURATION:PT90M
        SUMMARY:Choir\\, big
        END:VEVENT
        BEGIN:VEVENT
        UID:trip@school
        DTSTART;VALUE=DATE:20260803
        DTEND;VALUE=DATE:20260806
        SUMMARY:Trip
        CLASS:PRIVATE
        END:VEVENT
        BEGIN:VTODO
        UID:todo@school
        SUMMARY:Pay
        END:VTODO
        BEGIN:VEVENT
        UID:never@school
        DTSTART:20260803T100000Z
        RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30
        SUMMARY:Never
        END:VEVENT
        BEGIN:VEVENT
        UID:hourly@school
        DTSTART:20260804T100000Z
        RRULE:FREQ=HOURLY
        SUMMARY:Bell
        END:VEVENT
        END:VCALENDAR
        """

    private func take(
        _ text: String, _ box: FamilyBox, _ person: FamilyBox.Person, _ more: JSON.Object = [:]
    ) throws -> [JSON] {
        var params = more
        params["ics"] = .string(Base64.encode(Array(text.utf8)))
        return try box.call(person, "calendar.import", params)["entries"]?.array ?? []
    }

    private func file(_ box: FamilyBox, _ person: FamilyBox.Person, _ calendar: JSON? = nil) throws -> String {
        var params: JSON.Object = [:]
        params["calendar"] = calendar
        var text = ""
        while true {
            try box.call(person, "calendar.export", params)
            guard case .piece(let piece) = box.effect else { return text }
            text += String(decoding: piece.bytes, as: UTF8.self)
            guard let next = piece.next else { return text }
            params["after"] = .string(next)
        }
    }

    @Test func `each event of a file is taken or not by itself, and what nothing here says comes back as it was`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let report = try take(Self.school, box, ada)
        #expect(report.map { $0["outcome"]?.string } == ["added", "added", "refused", "refused", "added"])
        #expect(report[2]["remarks"]?.array?.count == 1 && report[4]["remarks"]?.array?.count == 1)
        #expect(
            try EntryTests.on(box, ada) == [
                "07-14T19:30 Choir, big", "07-29T20:00 Choir, big", "08-03 Trip", "08-04T10:00 Bell",
                "08-04T19:30 Choir, big",
            ])
        let text = try file(box, ada, .id(ada.id))
        for line in [
            "UID:choir@school", "X-SCHOOL-ROOM;FLOOR=2:B 12", "TRIGGER:-PT10M", "RRULE:FREQ=HOURLY", "CATEGORIES:Music",
            "DTSTART;TZID=Europe/Berlin:20260714T193000", "EXDATE;TZID=Europe/Berlin:20260721T193000",
            "RECURRENCE-ID;TZID=Europe/Berlin:20260728T193000", "DTEND;VALUE=DATE:20260806", "TZID:Europe/Berlin",
        ] {
            #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
        }
        // The same again is the same, whether it is the file or what was given out.
        for again in [Self.school, text] {
            #expect(
                try take(again, box, ada).filter { $0["outcome"] != "refused" }.allSatisfy { $0["outcome"] == "same" })
        }
        let moved = Self.school.replacing("SUMMARY:Trip", with: "SUMMARY:Journey")
        #expect(try take(moved, box, ada).map { $0["outcome"]?.string }[1] == "changed")
    }

    @Test func `an event of one file in two calendars is moved and brought back beside itself`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        let mine = try take(Self.school, box, ada)[1]["entry"]
        let other = try take(Self.school, box, ada, ["calendar": club])[1]["entry"]
        let (first, second) = (try #require(mine), try #require(other))
        let moved = try box.call(ada, "entry.update", ["entry": first, "calendar": club])["entry"]
        #expect(moved?["calendar"] == club)
        #expect(try file(box, ada, club).split(separator: "SUMMARY:Trip").count == 3)
        // What is in the bin had the UID of what came into its calendar meanwhile.
        try box.call(ada, "entry.remove", ["entry": second])
        _ = try take(Self.school, box, ada, ["calendar": club])
        try box.call(ada, "entry.restore", ["entry": second])
        #expect(try file(box, ada, club).split(separator: "SUMMARY:Trip").count == 4)
    }

    @Test func `what two took in from one file stands beside itself once it comes into one calendar`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let club = try #require(try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"])
        _ = try take(Self.school, box, ada)
        _ = try take(Self.school, box, ada, ["calendar": club])
        _ = try take(Self.school, box, ben)
        /// The UIDs of the trips in Ada's own calendar.
        func trips() throws -> [String] {
            try file(box, ada, .id(ada.id)).split(separator: "BEGIN:VEVENT\r\n").filter { $0.contains("SUMMARY:Trip") }
                .compactMap { event in
                    event.split(separator: "\r\n").first { $0.hasPrefix("UID:") }.map { String($0) }
                }
        }
        #expect(try trips() == ["UID:trip@school"])
        try box.call(ada, "calendar.remove", ["calendar": club, "keep": true])
        #expect(try Set(trips()).count == 2 && trips().count == 2)
        // Both parents have the school's calendar, and one of them leaves.
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(ada.id)])
        #expect(try Set(trips()).count == 3 && trips().count == 3)
    }

    @Test func `a file goes into a calendar that one writes into, and what one may not see has no UID`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let family = try #require(try box.call(ben, "family.show")["family"]?["id"])
        #expect(
            try box.refusal(ben, "calendar.import", ["ics": "QUJD", "calendar": .id(ada.id)])?.kind == .notFound)
        _ = try take(Self.school, box, ada, ["calendar": family])
        // The trip is private: to Ben it is as if it were not there.
        let report = try take(Self.school, box, ben, ["calendar": family])
        #expect(report.map { $0["outcome"]?.string } == ["same", "added", "refused", "refused", "same"])
        #expect(try EntryTests.on(box, ben, ["words": "trip"]).count == 1)
        #expect(try box.refusal(ada, "calendar.import", ["ics": "QUJD"])?.kind == .invalid)
        try EntryTests.add(
            box, ada, "Surprise", start: "2026-12-01T10:00", ["calendar": family, "privacy": "private"])
        let seen = try file(box, ben, family)
        #expect(seen.contains("DTSTART:20261201T090000Z\r\n") && seen.contains("SUMMARY:Busy"))
        #expect(!seen.contains("Surprise") && seen.matches(of: /SUMMARY:Trip/).count == 1)
    }

    private static func many(_ count: Int, named: Bool = true) -> String {
        let events = (0..<count).map { index in
            "BEGIN:VEVENT\n" + (named ? "UID:e\(index)\n" : "")
                + "DTSTART:20260803T1\(index % 10)0000Z\nSUMMARY:E\(index)\nEND:VEVENT\n"
        }
        return "BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n"
    }

    @Test func `ten years of a calendar come in and go out as they were, and elsewhere too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let lessons = (0..<520).map { index in
            let (year, week) = (2016 + index / 52, index % 52)
            let (month, day) = (String(101 + week * 12 / 52).suffix(2), String(101 + week % 28).suffix(2))
            return """
                BEGIN:VEVENT\r
                UID:lesson-\(index)@school\r
                DTSTART:\(year)\(month)\(day)T100000Z\r
                SUMMARY:Lesson\r
                X-TEACHER;ROOM=\(index):Ms Byron\r
                END:VEVENT\r

                """
        }
        let given = "BEGIN:VCALENDAR\r\n" + lessons.joined() + "END:VCALENDAR\r\n"
        func kept(_ text: String) -> [String] {
            text.split(separator: "\r\n").map { String($0) }.filter { line in
                ["UID:", "DTSTART", "X-TEACHER"].contains { line.hasPrefix($0) }
            }.sorted()
        }
        func added(_ text: String, _ person: FamilyBox.Person) throws -> Int {
            try take(text, box, person).count { $0["outcome"] == "added" }
        }
        #expect(try added(given, ada) == 520)
        let text = try file(box, ada, .id(ada.id))
        #expect(kept(text) == kept(given))
        #expect(try added(text, ben) == 520)
        #expect(try kept(file(box, ben, .id(ben.id))) == kept(given))
    }

    @Test func `an import that is cut off is finished when the daemon is back, or nothing of it is there`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        // So many turns: the first asks for a worker, the second keeps the file.
        for turns in 1...5 {
            let params: JSON.Object = ["ics": .string(Base64.encode(Array(Self.many(60).utf8)))]
            var request = box.request(ada.credential, "calendar.import", params)
            for _ in 0..<turns {
                guard case .later(let work)? = try box.turn(request).replies.first?.effect else {
                    Issue.record("all was taken in one turn")
                    return
                }
                request.work = work.run()
            }
            let taken = try box.count("SELECT count(*) FROM entries")
            #expect(taken == 16 * max(0, turns - 2))
            try box.restart(after: 1)
            try box.callOwn()
            #expect(try box.count("SELECT count(*) FROM entries") == (turns == 1 ? 0 : 60))
            #expect(try box.count("SELECT (SELECT count(*) FROM imports) + (SELECT count(*) FROM import_parts)") == 0)
            let again = try take(Self.many(60), box, ada)
            #expect(again.allSatisfy { $0["outcome"] == (turns == 1 ? "added" : "same") })
            for id in again.compactMap({ $0["entry"] }) { try box.call(ada, "entry.remove", ["entry": id]) }
        }
    }

    @Test func `a file of which only a part is kept is forgotten, and who may not write any more has nothing taken`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for (member, isWhole) in [(ben.id, false), (ben.id, true)] {
            try box.store.database.run(
                "INSERT INTO imports (member, calendar, is_whole) VALUES (?, ?, ?)", .id(member), .id(ada.id),
                .bool(isWhole))
            try box.store.database.run(
                "INSERT INTO import_parts VALUES ((SELECT max(number) FROM imports), 0, ?)",
                .blob(Array(Self.many(20).utf8)))
        }
        try box.restart(after: 1)
        try box.callOwn()
        #expect(try box.count("SELECT count(*) FROM imports") == 0)
        #expect(try box.count("SELECT count(*) FROM entries") == 0)
    }

    @Test func `what lies in the bin counts for a file as for a single entry, to the last one that there is room for`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try EntryTests.add(box, ada)
        // Erased ones do not count.
        try box.store.database.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO entries_gone (id, calendar, owner, uid, at, position, body)
            SELECT randomblob(16), (SELECT number FROM calendars), ?2, 'u' || i, ?3, 1, iif(i < ?1, '{}', NULL) FROM n
            """, .int(Limits.entriesMax - 20), .id(ada.id), .time(box.clock))
        let all = try take(Self.many(24), box, ada)
        let outcomes = all.compactMap { $0["outcome"]?.string }
        #expect(outcomes.count { $0 == "added" } == 20 && outcomes.suffix(4).allSatisfy { $0 == "refused" })
        let new: JSON.Object = ["subject": "One more", "start": "2026-08-01"]
        #expect(try box.refusal(ada, "entry.add", new)?.kind == .tooLarge)
        // What is there already is no more by being taken in again, and what is erased leaves room.
        #expect(try take(Self.many(20), box, ada).allSatisfy { $0["outcome"] == "same" })
        try box.call(ada, "entry.remove", ["entry": try #require(all.first?["entry"]), "erase": true])
        #expect(try take(Self.many(24), box, ada).count { $0["outcome"] == "added" } == 1)
    }

    @Test func `events without a UID are known again by what they say`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        #expect(try take(Self.many(3, named: false), box, ada).allSatisfy { $0["outcome"] == "added" })
        #expect(
            try take(Self.many(4, named: false), box, ada).map { $0["outcome"] } == ["same", "same", "same", "added"])
    }

    @Test func `an address shows what its member sees, and ends with the member`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try EntryTests.add(box, ben, "Dentist")
        let made = try box.call(ben, "calendar.addFeed", ["name": "Phone"])
        let secret = try #require(made["secret"])
        let first = try box.call(Credential.none, "calendar.feed", ["secret": secret])
        #expect(first["text"]?.string?.contains("SUMMARY:Dentist") == true)
        let tag = try #require(first["tag"])
        #expect(try box.call(Credential.none, "calendar.feed", ["secret": secret, "tag": tag])["text"] == nil)
        #expect(try box.call(ben, "calendar.feeds")["feeds"]?.array?.first?["used"] != nil)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM calendar_feeds") == 0)
    }
}
