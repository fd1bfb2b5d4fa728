import Glibc
import KinModel
import Testing

/// Calendars by `kin` alone, against the real daemon; and what others read of the files that come of it.
@Suite struct CalendarCommandTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    @discardableResult
    private func kin(_ words: String..., as who: String = "ada", fails: Bool = false) throws -> [String] {
        try run(["kin"] + words + ["--as", who], fails: fails)
    }

    private func run(_ words: [String], fails: Bool = false) throws -> [String] {
        let program = stage.start(words)
        program.closeInput()
        try stage.wait("\(words[0]) to end") { program.status != nil }
        program.take()
        #expect((program.status == 0) != fails, "\(words): \(program.said)")
        return program.lines
    }

    @Test func `an entry is put down, shown, changed, left out for a day, answered and removed`() throws {
        let added = try kin(
            "calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly", "--with", "bob")
        #expect(added.joined().contains("Choir is in your own calendar"))
        let shared = try kin("calendar", "add", "Fair", "--day", "2028-03-04", "--in", "family")
        #expect(shared.joined().hasPrefix("Fair is in the calendar Family, "))
        #expect(try kin("calendar", "add", "Trip", "--day", "2027-03-04", "--days", "2", "--place", "Lake").count == 1)
        let agenda = try kin("agenda", "2027-03-01", "--days", "14")
        #expect(agenda.contains { $0.hasPrefix("1") && $0.contains("19:30–21:00") && $0.contains("Choir") })
        #expect(agenda.contains { $0.contains("Trip · Lake") })
        #expect(agenda.filter { $0.contains("Choir") }.count == 2)
        let month = try kin("calendar", "2027-03")
        #expect(
            month[0] == "March 2027" && month.contains { $0.contains("2•") } && month.contains { $0.contains("30•") })
        #expect(try kin("calendar", "show", "1").contains("It repeats every week."))
        _ = try kin("agenda", "2027-03-01", "--days", "14", as: "bob")
        #expect(try kin("calendar", "answer", "1", "yes", "--note", "A bit later", as: "bob") == ["You come."])
        // Numbers are those of the list as one saw it oneself.
        try kin("calendar", "show", "1", fails: true)
        try kin("agenda", "2027-03-01", "--days", "14")
        #expect(try kin("calendar", "show", "1").contains { $0.lowercased() == "bob comes. a bit later" })
        #expect(try kin("calendar", "edit", "1", "--subject", "Big choir", "--all") == ["It is changed."])
        try kin("calendar", "rm", "1", "--on", "2027-03-09", "--yes")
        let left = try kin("agenda", "2027-03-01", "--days", "14")
        #expect(left.filter { $0.contains("Big choir") }.count == 1)
        try kin("calendar", "rm", "1", "--all", "--yes")
        #expect(try kin("calendar", "bin").contains { $0.contains("Big choir") })
        #expect(try kin("calendar", "restore", "1") == ["It is in the calendar again."])
        #expect(try kin("agenda", "2027-03-01").contains { $0.contains("Big choir") })
        #expect(try kin("calendar", "share", "ada", "everyone", "busy") == ["The calendar is shared so now."])
        let busy = try kin("agenda", "2027-03-01", as: "bob")
        #expect(busy.contains { $0.hasSuffix(": busy") }, "\(busy)")
        #expect(try kin("free", "ada", "2027-03-03", as: "bob").first?.hasSuffix(": free (Wed 3 Mar 2027)") == true)
        // One day alone: by its day, in the zone of all of it, whatever else is typed.
        try kin("calendar", "add", "Course", "--at", "2027-04-06 18:00-19:00", "--repeat", "weekly")
        try kin("agenda", "2027-04-06")
        #expect(
            try kin("calendar", "edit", "1", "--on", "2027-04-13", "--at", "2027-04-13 17:00-18:00") == [
                "It is changed."
            ])
        #expect(try kin("agenda", "2027-04-13").contains { $0.contains("17:00–18:00") && $0.contains("Course") })
        #expect(try kin("agenda", "2027-04-20").contains { $0.contains("18:00–19:00") && $0.contains("Course") })
        #expect(try kin("free", "ada", "2027-03-02", as: "bob").first?.hasSuffix(" is busy:") == true)
        try kin("calendar", "show", "99", fails: true)
    }

    /// When something is in March 2027, as the daemon has it.
    private func march(_ subject: String) throws -> [String] {
        let found = try house.door(as: "ada").call(
            "entry.list", ["from": "2027-03-01", "to": "2027-03-31", "zone": "UTC"])
        return (found["occurrences"]?.array ?? []).filter { $0["subject"]?.string == subject }
            .compactMap { $0["starts"]?.string.map { String($0.dropFirst(8)) } }
    }

    @Test func `it is put down on days beside its rule, and for some alone`() throws {
        try kin(
            "calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly", "--until", "2027-03-09",
            "--dates", "2027-03-11,2027-03-18", "--for", "bob")
        #expect(try march("Choir").map { $0.prefix(2) } == ["02", "09", "11", "18"])
        try kin("agenda", "2027-03-01", "--days", "14")
        let shown = try kin("calendar", "show", "1")
        #expect(shown.contains { $0.hasPrefix("Also on ") }, "\(shown)")
        #expect(shown.contains { $0.lowercased() == "for bob" }, "\(shown)")
        try kin("calendar", "edit", "1", "--dates", "none", "--for", "calendar", "--all")
        #expect(try march("Choir").map { $0.prefix(2) } == ["02", "09"])
        #expect(try !kin("calendar", "show", "1").contains { $0.lowercased() == "for bob" })
    }

    @Test func `what is private or confidential is a time and no more to others who see the calendar`() throws {
        let family = try #require(
            try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array?.first?["id"]?.string)
        try kin(
            "calendar", "add", "Surprise", "--at", "2027-03-02 19:30-21:00", "--in", family, "--privacy", "private")
        func shown() throws -> [String] {
            try kin("agenda", "2027-03-02", "--days", "1")
            return try kin("calendar", "show", "1")
        }
        func bobs() throws -> String { try kin("agenda", "2027-03-02", "--days", "1", as: "bob").joined() }
        #expect(try shown().contains { $0.hasPrefix("Private: ") })
        #expect(try bobs().contains(": busy") && !bobs().contains("Surprise"))
        try kin("calendar", "edit", "1", "--privacy", "confidential")
        #expect(try shown().contains { $0.hasPrefix("Confidential: ") } && !bobs().contains("Surprise"))
        try kin("calendar", "edit", "1", "--privacy", "secret", fails: true)
        try kin("calendar", "edit", "1", "--privacy", "public")
        #expect(try bobs().contains("Surprise") && !shown().joined().contains("see only when it is"))
        // Of a calendar that shows nothing, nobody is told that its owner is free.
        #expect(try kin("free", "ada", "2027-03-02", as: "bob").first?.contains(": unknown") == true)
    }

    /// Where ada's one entry is, as the daemon has it.
    private func place() throws -> JSON? {
        try house.door(as: "ada").call("entry.all", [:])["entries"]?.array?.first?["place"]
    }

    @Test func `an entry is at a place of the map, to degrees, and taken off the map`() throws {
        try kin("place", "add", "Hall", "--at", "52.5,13.4", "--for", "everyone")
        let hall = try #require(
            try house.door(as: "ada").call("place.list", [:])["places"]?.array?.first?["id"])
        try kin("calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--map-place", "hall")
        #expect(try place() == ["mapPlace": hall])
        #expect(try kin("agenda", "2027-03-02", "--days", "1").contains { $0.contains("Choir · Hall") })
        try kin("calendar", "edit", "1", "--place", "Upstairs")
        #expect(try kin("calendar", "show", "1").contains("Upstairs · Hall"))
        try kin("calendar", "edit", "1", "--map-place", "52.25,13.125")
        #expect(try place() == ["text": "Upstairs", "lat": 52.25, "lon": 13.125])
        #expect(try kin("calendar", "show", "1").contains("Upstairs · 52.2500, 13.1250"))
        // A place that is not on the map changes nothing.
        try kin("calendar", "edit", "1", "--map-place", "Moon", fails: true)
        #expect(try place()?["lat"] == 52.25)
        try kin("calendar", "edit", "1", "--map-place", "none")
        #expect(try place() == ["text": "Upstairs"])
    }

    @Test func `without a terminal, what repeats is changed only where it is said how much of it`() throws {
        try kin(
            "calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly", "--until", "2027-03-31")
        try kin("calendar", "add", "Once", "--at", "2027-03-02 08:00")
        try kin("agenda", "2027-03-01", "--days", "14")
        let edit = try stage.run("kin", "calendar", "edit", "2", "--subject", "Big", "--as", "ada", exits: 2)
        let remove = try stage.run("kin", "calendar", "rm", "2", "--yes", "--as", "ada", exits: 2)
        for way in ["--on", "--from", "--all", "Choir"] {
            #expect(edit.said.contains(way) && remove.said.contains(way), "\(edit.said) \(remove.said)")
        }
        try stage.run(
            "kin", "calendar", "rm", "2", "--on", "2027-03-09", "--all", "--yes", "--as", "ada", exits: 2)
        #expect(try march("Choir").count == 5)
        // What is once needs no word.
        try kin("calendar", "edit", "1", "--at", "2027-03-02 09:00-10:00")
        #expect(try march("Once") == ["02T09:00"])
        // From one day on: a time alone is on that day, and what was before stays.
        try kin("calendar", "edit", "2", "--from", "2027-03-16", "--at", "20:00-21:00", "--place", "Hall")
        #expect(try march("Choir") == ["02T19:30", "09T19:30", "16T20:00", "23T20:00", "30T20:00"])
        let agenda = try kin("agenda", "2027-03-15", "--days", "10")
        #expect(agenda.count { $0.contains("20:00–21:00") && $0.contains("Hall") } == 2, "\(agenda)")
        try kin("calendar", "rm", "1", "--from", "2027-03-23", "--yes")
        #expect(try march("Choir") == ["02T19:30", "09T19:30", "16T20:00"])
        // All of it moves with the day that the number stands for.
        try kin("agenda", "2027-03-09")
        try kin("calendar", "edit", "1", "--all", "--at", "18:00-19:00")
        #expect(try march("Choir") == ["02T18:00", "09T18:00", "16T20:00"])
        try kin("calendar", "edit", "1", "--on", "2027-03-02", "--at", "17:00-18:00")
        #expect(try march("Choir") == ["02T17:00", "09T18:00", "16T20:00"])
    }

    @Test func `times are typed as people say them, and what is put down is found by its words`() throws {
        try kin("calendar", "add", "Vet", "--at", "tomorrow 18:00", "--place", "Harbour Lane")
        #expect(
            try kin("agenda", "tomorrow", "--days", "1").contains { $0.contains("18:00–19:00") && $0.contains("Vet") })
        // Days that are not today: their hours are still to come.
        let today = time(nil) / 86_400
        let weekdays = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
        let (short, long) = (String(weekdays[(today + 2) % 7].prefix(3)), weekdays[(today + 3) % 7])
        for (text, when) in [("\(short) 18:00-20:00", "18:00–20:00"), ("\(long) 9:15", "09:15–10:15")] {
            let day = String(text.prefix { $0 != " " })
            try kin("calendar", "add", "Visit on \(day)", "--at", text)
            let found = try kin("agenda", day, "--days", "1")
            #expect(found.contains { $0.contains(when) && $0.contains("Visit on \(day)") }, "\(found)")
        }
        // A search goes by words of the subject, the note and the place; its numbers are those of a list.
        let found = try kin("calendar", "search", "harb")
        #expect(found.contains { $0.hasPrefix("1 ") && $0.contains("Vet · Harbour Lane") }, "\(found)")
        #expect(try kin("calendar", "search", "visit", short).count { $0.contains("Visit") } == 1)
        #expect(try kin("calendar", "search", "harbour", "visit").joined().contains("Nothing is like that"))
        try kin("calendar", "search", "vet")
        try kin("calendar", "edit", "1", "--at", "tomorrow 19:00-19:30")
        #expect(
            try kin("agenda", "tomorrow", "--days", "1").contains { $0.contains("19:00–19:30") && $0.contains("Vet") })
    }

    @Test func `many entries are listed whole, and a search joins words, members, kinds and days`() throws {
        let door = try house.door(as: "ada")
        // More than one page of an answer has.
        _ = try door.call(
            "entry.add", ["subject": "Pills", "start": "2027-03-01", "days": 1, "repeat": "FREQ=DAILY;COUNT=230"])
        _ = try door.call(
            "entry.add", ["subject": "Checkup", "start": "2027-10-15T08:00", "zone": "UTC", "category": "medical"])
        let agenda = try kin("agenda", "2027-03-01", "--days", "240")
        #expect(agenda.count { $0.contains("Pills") } == 230)
        #expect(agenda.contains { $0.hasPrefix("2 ") && $0.contains("Checkup") }, "\(agenda.suffix(4))")
        #expect(try kin("calendar", "search", "pills", "--from", "2027-03-01").count { $0.contains("Pills") } == 230)

        try kin("calendar", "add", "Match", "--at", "2027-04-03 15:00", "--with", "bob", "--category", "sport")
        try kin("calendar", "add", "Match", "--at", "2027-05-03 15:00", "--category", "sport")
        func found(_ words: String...) throws -> Int {
            try run(["kin", "calendar", "search"] + words + ["--as", "ada"]).count { $0.contains("Match") }
        }
        #expect(try found("match", "--from", "2027-04-01") == 2)
        #expect(try found("--with", "bob", "--from", "2027-04-01") == 1)
        #expect(try found("match", "--category", "medical,sport", "--from", "2027-04-01", "--until", "2027-04-30") == 1)
        #expect(try found("match", "--category", "music", "--from", "2027-04-01") == 0)
        let none = try kin("calendar", "search", "match", "--from", "2027-06-01", "--until", "2027-06-30")
        #expect(none == ["Nothing is like that from 2027-06-01 to 2027-06-30."])
        try kin("calendar", "search", "match", "--from", "2027-06-02", "--until", "2027-06-01", fails: true)
        try kin("calendar", "search", fails: true)
        // What was found is changed by its number.
        try kin("calendar", "search", "match", "--category", "sport", "--from", "2027-05-01")
        try kin("calendar", "edit", "1", "--subject", "Final", "--remind", "10,60")
        #expect(try kin("calendar", "show", "1").filter { $0.hasPrefix("You are reminded ") }.count == 2)
        try kin("calendar", "edit", "1", "--remind", "0")
        #expect(try kin("calendar", "show", "1").contains("You are reminded at the start."))
        try kin("calendar", "edit", "1", "--remind", "none")
        let shown = try kin("calendar", "show", "1")
        #expect(shown.first == "Final" && !shown.joined().contains("You are reminded"))
    }

    @Test func `what was removed is erased at once by who asks for that`() throws {
        try kin("calendar", "add", "Secret", "--at", "2027-03-02 19:30")
        try kin("agenda", "2027-03-02", "--days", "1")
        try kin("calendar", "rm", "1", "--yes")
        #expect(try kin("calendar", "bin").contains { $0.contains("Secret") })
        // Nobody is at the terminal who could be asked.
        try kin("calendar", "erase", "1", fails: true)
        #expect(try kin("calendar", "erase", "1", "--yes") == ["It is erased for good."])
        #expect(try kin("calendar", "bin") == ["Nothing was removed that can be brought back."])
        try kin("calendar", "restore", "1", fails: true)
    }

    @Test func `the family's own categories are made and used, and interest is shown and taken back`() throws {
        #expect(try kin("calendar", "category").joined().contains("no categories of its own"))
        try kin("calendar", "category", "Scouts", "--color", "#00aa00", as: "bob", fails: true)
        try kin("calendar", "category", "Scouts", fails: true)
        try kin("calendar", "category", "Scouts", "--color", "#00aa00")
        // What is not said stays.
        try kin("calendar", "category", "Scouts", "--icon", "⛺")
        #expect(try kin("calendar", "category", as: "bob") == ["⛺ Scouts #00aa00"])
        let family = try #require(
            try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array?.first?["id"]?.string)
        try kin("calendar", "add", "Camp", "--at", "2027-03-06 10:00", "--category", "Scouts", "--in", family)
        try kin("calendar", "category", "Scouts", "--remove")
        #expect(try kin("calendar", "category").joined().contains("no categories of its own"))
        try kin("agenda", "2027-03-06", as: "bob")
        try kin("calendar", "star", "1", as: "bob")
        #expect(try kin("agenda", "2027-03-06", as: "bob").contains { $0.hasSuffix("Camp · you are interested") })
        try kin("agenda", "2027-03-06")
        let shown = try kin("calendar", "show", "1")
        #expect(shown.contains { $0.lowercased() == "interested: bob" })
        #expect(shown.contains("Category: Scouts") && shown.contains { $0.hasPrefix("Calendar: ") }, "\(shown)")
        try kin("agenda", "2027-03-06", as: "bob")
        try kin("calendar", "unstar", "1", as: "bob")
        try kin("agenda", "2027-03-06")
        #expect(try !kin("calendar", "show", "1").joined().contains("nterested"))
    }

    @Test func `what a calendar program says of a single day is shown with that day`() throws {
        let path = stage.folder + "/choir.ics"
        func event(_ day: String, _ lines: [String]) -> [String] {
            ["BEGIN:VEVENT", "UID:choir", "DTSTART:\(day)T120000Z", "DURATION:PT1H", "SUMMARY:Choir"] + lines
                + ["END:VEVENT"]
        }
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0"] + event("20370302", ["RRULE:FREQ=WEEKLY;COUNT=3", "CATEGORIES:music"])
            + event("20370309", ["RECURRENCE-ID:20370309T120000Z", "STATUS:TENTATIVE", "CATEGORIES:club"])
            + ["END:VCALENDAR", ""]
        try Array(lines.joined(separator: "\r\n").utf8).write(file: path)
        try kin("calendar", "import", path)
        let agenda = try kin("agenda", "2037-03-01", "--days", "14").filter { $0.contains("Choir") }
        #expect(agenda.map { $0.hasSuffix("Choir · not decided") } == [false, true], "\(agenda)")
        let shown = try kin("calendar", "show", "1")
        #expect(shown.contains("Category: music"), "\(shown)")
        #expect(shown.contains { $0.contains("9 Mar") && $0.hasSuffix(": not decided, club") }, "\(shown)")
    }

    @Test func `calendars of one's own are made, renamed, coloured and removed, with what stands in them or without`()
        throws
    {
        func own() throws -> [JSON] {
            let all = try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array ?? []
            return all.filter { $0["kind"] == "added" }
        }
        try kin("calendar", "new", "Club", "--color", "#3366CC")
        #expect(try own().map { $0["color"] } == ["#3366cc"])
        try kin("calendar", "change", "Club", fails: true)
        try kin("calendar", "change", "Club", "--name", "Band", "--color", "none")
        #expect(try own().map { $0["name"] } == ["Band"])
        #expect(try own().first?["color"] == nil)
        #expect(
            try kin("calendar", "change", "Band", "--remind", "60,1440") == ["The calendar is changed."])
        #expect(try own().first?["remind"] == [1440, 60])
        #expect(
            try kin("calendar", "remind", "Band", "10") == ["You are reminded of what is new 10 min before it."])
        #expect(try kin("calendar", "list").contains("  You are reminded of what is new 10 min before it."))
        try kin("calendar", "remind", "Band", "soon", fails: true)
        try kin("calendar", "remind", "Band", "default")
        #expect(
            try kin("calendar", "remind", "Band", "none") == ["You are not reminded of what is new in it."])
        try kin("calendar", "add", "Rehearsal", "--at", "2027-03-02 19:30", "--in", "Band")
        // Nobody is at the terminal who could be asked.
        try kin("calendar", "drop", "Band", fails: true)
        #expect(try own().count == 1)
        let kept = try kin("calendar", "drop", "Band", "--keep", "--yes")
        #expect(kept == ["The calendar is removed. What stood in it is in your own."])
        #expect(try own().isEmpty)
        #expect(try march("Rehearsal") == ["02T19:30"])
        try kin("calendar", "new", "Club")
        try kin("calendar", "add", "Match", "--at", "2027-03-03 15:00", "--in", "Club")
        let dropped = try kin("calendar", "drop", "Club", "--yes")
        #expect(dropped == ["The calendar is removed, and what stood in it is erased."])
        #expect(try march("Match") == [])
        // The family's is there as long as the family.
        try kin("calendar", "drop", "family", "--yes", fails: true)
    }

    @Test func `a month is drawn by the day on which one's weeks begin`() throws {
        #expect(try kin("calendar", "2027-03")[1].hasPrefix("Mon"))
        try kin("settings", "set", "week-start", "sunday")
        let month = try kin("calendar", "2027-03")
        #expect(month[1].hasPrefix("Sun") && month[1].hasSuffix("Sat"))
        // 1 March 2027 is a Monday.
        #expect(month[2] == "       1      2      3      4      5      6", "\(month)")
        #expect(month[6].hasPrefix("28") && month[6].hasSuffix("31"), "\(month)")
        try kin("settings", "set", "week-start", "saturday")
        #expect(try kin("calendar", "2027-03")[2] == "              1      2      3      4      5")
    }

    @Test func `free times are found for those who show when they are busy, and proposed`() throws {
        try kin("calendar", "share", "ada", "everyone", "busy")
        try kin("calendar", "share", "bob", "everyone", "busy", as: "bob")
        for day in ["tomorrow", "today"] { try kin("calendar", "add", "Busy", "--day", day, as: "bob") }
        let proposed = try kin(
            "meet", "propose", "Supper", "--find", "3", "--between", "18:00-21:00", "--for", "2h", "--with", "bob")
        #expect(proposed.contains { $0.contains("Supper") }, "\(proposed)")
        let list = try house.door(as: "bob").call("meeting.list", ["view": "invitations"])
        let slots = list["meetings"]?.array?.first?["meeting"]?["slots"]?.array ?? []
        #expect(!slots.isEmpty, "\(list.text)")
        let busy = try house.door(as: "bob").call("entry.all", [:])["entries"]?.array ?? []
        let days = busy.filter { $0["subject"] == "Busy" }.compactMap { $0["times"]?["start"]?.string }
        #expect(days.count == 2)
        for slot in slots {
            let start = try #require(slot["start"]?.string)
            #expect(!days.contains(String(start.prefix(10))), "\(start)")
            #expect(["18", "19"].contains(start.dropFirst(11).prefix(2)), "\(start)")
        }
    }

    private static let python = Stage.root + "/.build/python/bin/python"
    private static let hasICalendar = access(Stage.root + "/.build/python/has-icalendar", F_OK) == 0
    private static let hasKhal = access("/usr/bin/khal", X_OK) == 0

    @Test func `a calendar is given out as a file, taken in elsewhere, and read at an address`() throws {
        _ = try house.door(as: "ada").call(
            "entry.add",
            [
                "subject": "Choir; and \"tea\", ä", "start": "2027-03-02T19:30", "minutes": 90, "repeat": "weekly",
                "zone": "Europe/Berlin",
            ])
        try kin("calendar", "add", "Trip", "--day", "2027-03-04", "--days", "2", "--place", "Lake")
        let path = stage.folder + "/ada.ics"
        #expect(try kin("calendar", "export", path, "--in", "ada") == ["2 entries are in the file."])
        // A file that is there is not written over.
        try kin("calendar", "export", path, fails: true)
        let taken = try kin("calendar", "import", path, as: "bob")
        #expect(taken.contains("2 new, 0 changed, 0 already there, 0 not taken."), "\(taken)")
        #expect(taken.contains { $0.contains("X-WR-CALNAME") }, "what was not taken is said: \(taken)")
        let again = try kin("calendar", "import", path, as: "bob")
        #expect(again.contains("0 new, 0 changed, 2 already there, 0 not taken."), "\(again)")
        #expect(try kin("agenda", "2027-03-01", as: "bob").contains { $0.contains("Choir; and \"tea\", ä") })
        let told = try kin("calendar", "feed", "Phone", "--in", "ada")
        let address = try #require(told.first)
        #expect(address.contains("/feed/feed-") && address.hasSuffix(".ics"))
        let webcal = "webcal" + address.drop { $0 != ":" }
        #expect(told.contains(webcal), "\(told)")
        #expect(try kin("calendar", "feeds").first?.contains("Phone") == true)
        #expect(try kin("calendar", "unfeed", "1").count == 1)
        guard Self.hasICalendar else { return }
        let fixture = Stage.root + "/Tests/EndToEndTests/Fixtures/events.py"
        let read = try run([Self.python, fixture, path, "LOCATION", "STATUS"])
        #expect(
            read == [
                "2027-03-02T19:30:00+01:00 2027-03-02T21:00:00+01:00 FREQ=WEEKLY Choir; and \"tea\", ä CONFIRMED",
                "2027-03-04 2027-03-06 - Trip Lake CONFIRMED", "1 zones",
            ], "\(read)")
    }

    @Test func `a long file is taken in batches, each event once, and told as one`() throws {
        let zone = "BEGIN:VTIMEZONE\nTZID:W. Europe Standard Time\nEND:VTIMEZONE\n"
        func event(_ number: Int, _ more: String = "") -> String {
            """
            BEGIN:VEVENT
            UID:e\(number)
            DTSTART;TZID=W. Europe Standard Time:20270301T\(10 + number % 10)0000
            SUMMARY:No. \(number)
            \(more)END:VEVENT

            """
        }
        let other = """
            BEGIN:VEVENT
            UID:e2
            RECURRENCE-ID;TZID=W. Europe Standard Time:20270302T120000
            DTSTART;TZID=W. Europe Standard Time:20270302T150000
            SUMMARY:Later
            END:VEVENT

            """
        let events = (0..<300).map { $0 == 2 ? event(2, "RRULE:FREQ=DAILY;COUNT=3\n") : event($0) }
        let todo = "BEGIN:VTODO\nUID:t\nEND:VTODO\n"
        let path = stage.folder + "/long.ics"
        let text = "BEGIN:VCALENDAR\nX-WR-CALNAME:Long\n" + zone + events.joined() + todo + other + "END:VCALENDAR\n"
        try Array(text.utf8).write(file: path)
        let taken = try kin("calendar", "import", path)
        #expect(taken.last == "300 new, 0 changed, 0 already there, 1 not taken.", "\(taken.suffix(3))")
        #expect(taken.filter { $0.contains("X-WR-CALNAME") }.count == 1)
        #expect(taken.contains { $0.hasPrefix("Entry 301") && $0.contains("VTODO") }, "\(taken)")
        #expect(!taken.joined().contains("#"), "nobody looks at a pipe's progress")
        let next = try kin("agenda", "2027-03-02", "--days", "1")
        #expect(next.contains { $0.contains("Later") } && !next.contains { $0.contains("No. 2") }, "\(next)")
        #expect(try kin("calendar", "import", path).last == "0 new, 0 changed, 300 already there, 1 not taken.")
    }

    @Test(.enabled(if: Self.hasKhal, "khal is not installed"))
    func `khal reads the file`() throws {
        try kin("calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly")
        let path = stage.folder + "/ada.ics"
        try kin("calendar", "export", path, "--in", "ada")
        let config = stage.folder + "/khal"
        let text =
            "[calendars]\n[[home]]\npath = \(stage.folder)/calendar\n[locale]\ntimeformat = %H:%M\n"
            + "dateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
            + "longdatetimeformat = %Y-%m-%d %H:%M\n"
        _ = try run(["sh", "-c", "printf '%s' \"$1\" > \"$2\"", "sh", text, config])
        let shown = try run(["env", "LC_ALL=C.UTF-8", "HOME=\(stage.folder)", "khal", "-c", config, "printics", path])
        #expect(shown.contains { $0.contains("Choir") }, "\(shown)")
    }
}
