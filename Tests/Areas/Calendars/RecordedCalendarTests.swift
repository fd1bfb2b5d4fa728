import Glibc
import KinCodec
import KinCrypto
import KinICal
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// Calendars that other programs wrote, and what files say that nothing here says: taken in and given out again, nothing of
/// it is lost.
@Suite struct RecordedCalendarTests {
    let box: FamilyBox
    let ada: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
    }

    private static func recorded(_ name: String) throws -> String {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(fopen("/\(path)/EndToEndTests/Fixtures/\(name).ics", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func file(_ person: FamilyBox.Person? = nil) throws -> String {
        var params: JSON.Object = [:]
        var text = ""
        while true {
            try box.call(person ?? ada, "calendar.export", params)
            guard case .piece(let piece) = box.effect else { return text }
            text += String(decoding: piece.bytes, as: UTF8.self)
            guard let next = piece.next else { return text }
            params["after"] = .string(next)
        }
    }

    private func take(_ text: String) throws -> JSON {
        try box.call(ada, "calendar.import", ["ics": .string(Base64.encode(Array(text.utf8)))])
    }

    /// The lines of all of a file's events and of what stands in them, by what names each event.
    private static func events(_ text: String) throws -> [String: [String]] {
        var events: [String: [String]] = [:]
        var stream = ICalStream()
        var found: [[UInt8]] = []
        stream.take(Array(text.utf8), isEnd: true) { if case .component(let bytes) = $0 { found.append(bytes) } }
        func lines(_ component: ICalComponent, _ within: String = "") -> [String] {
            component.lines.map { within + $0.description }
                + component.components.flatMap { lines($0, within + $0.name + "/") }
        }
        for bytes in found {
            let component = try ICalComponent(bytes)
            guard component.name == "VEVENT" else { continue }
            let key = (component["UID"]?.value ?? "") + " " + (component["RECURRENCE-ID"]?.value ?? "")
            #expect(events[key] == nil, "\(key) is there twice")
            events[key] = lines(component).sorted()
        }
        return events
    }

    /// What is made here where a file has none of it, and says nothing else.
    private static let added = ["CREATED", "LAST-MODIFIED", "SEQUENCE", "DTSTAMP", "STATUS"]

    /// Expects that all of one file's events is in another, to the letter, and nothing else.
    private func expectWhole(_ given: String, in text: String) throws {
        let (before, after) = (try Self.events(given), try Self.events(text))
        #expect(before.keys.sorted() == after.keys.sorted())
        for (name, lines) in before {
            let now = after[name] ?? []
            var left = now
            var lost: [String] = []
            for line in lines {
                if let place = left.firstIndex(of: line) { left.remove(at: place) } else { lost.append(line) }
            }
            left.removeAll { line in
                Self.added.contains { name in
                    line.hasPrefix(name) && !lines.contains { $0.hasPrefix(name + ":") || $0.hasPrefix(name + ";") }
                }
            }
            #expect(lost == [] && left == [], "\(name): lost \(lost), made \(left)")
        }
    }

    @Test(arguments: ["Germany", "fablab_cottbus", "machbar_16_feb_2019"])
    func `a recorded calendar is given back to the letter`(_ name: String) throws {
        let given = try Self.recorded(name)
        let report = try take(given)
        let outcomes = (report["entries"]?.array ?? []).map { $0["outcome"]?.string }
        #expect(outcomes.count > 20 && outcomes.allSatisfy { $0 == "added" })
        let said = report["remarks"]?.array?.first?.string ?? ""
        #expect(said.contains("METHOD") && said.hasSuffix("was not taken."))
        let text = try file()
        try expectWhole(given, in: text)
        for again in [given, text] {
            let others = (try take(again)["entries"]?.array ?? []).filter { $0["outcome"] != "same" }
            #expect(others == [])
        }
    }

    private static func calendar(_ events: String, zones: String = "") -> String {
        "BEGIN:VCALENDAR\nVERSION:2.0\n\(zones)\(events)\nEND:VCALENDAR\n"
    }

    private static func remarks(_ report: JSON, _ index: Int = 0) -> [String] {
        (report["entries"]?.array?[index]["remarks"]?.array ?? []).compactMap(\.string)
    }

    private static let odd = calendar(
        """
        BEGIN:VEVENT
        UID:odd
        DTSTAMP:20260101T000000Z
        CREATED:20200101T000000Z
        LAST-MODIFIED:20250101T000000Z
        SEQUENCE:7
        DTSTART;TZID=Europe/Berlin:20260714T193000
        DTEND;TZID=Europe/Berlin:20260714T210042
        RRULE:COUNT=4;FREQ=WEEKLY
        EXDATE;TZID=Europe/Berlin:20260721T193000,20260722T193000
        SUMMARY;LANGUAGE=de;X-FONT="a;b":\(String(repeating: "lang ", count: 60))
        DESCRIPTION;ALTREP="cid:1":\(String(repeating: "Wort ", count: 1000))
        LOCATION;LANGUAGE=de:
        STATUS:CONFIRMED
        CLASS:X-SECRET
        CATEGORIES;LANGUAGE=de:Music,Chor
        END:VEVENT
        BEGIN:VEVENT
        UID:odd
        RECURRENCE-ID;TZID=Europe/Berlin:20260728T193000
        DTSTART;TZID=Europe/Berlin:20260728T200000
        DURATION:PT1H
        SUMMARY:Late
        STATUS:TENTATIVE
        CLASS:CONFIDENTIAL
        CATEGORIES:sport
        SEQUENCE:9
        END:VEVENT
        BEGIN:VEVENT
        UID:odd
        RECURRENCE-ID;TZID=Europe/Berlin:20260804T193000
        DTSTART;TZID=Europe/Berlin:20260804T193000
        DTEND;TZID=Europe/Berlin:20260804T210000
        STATUS:CANCELLED
        SUMMARY:Not
        END:VEVENT
        BEGIN:VEVENT
        UID:odd
        RECURRENCE-ID;TZID=Europe/Berlin:20261224T193000
        DTSTART;TZID=Europe/Berlin:20261224T193000
        SUMMARY:Stray
        END:VEVENT
        """)

    @Test func `what is written otherwise here comes back as it was until it is changed`() throws {
        let report = try take(Self.odd)
        let remarks = Self.remarks(report)
        for part in [
            "SUMMARY is longer than 200 characters; it is shown cut, and given back whole.",
            "DESCRIPTION is longer than 4000 characters; it is shown cut, and given back whole.",
            "2026-07-22T19:30 is left out and is none of its times; that is kept, and changes nothing.",
            "2026-12-24T19:30 is otherwise and is none of its times; that is kept, and not shown.",
        ] { #expect(remarks.contains(part), "\(remarks)") }
        try expectWhole(Self.odd, in: try file())
        #expect(try EntryTests.on(box, ada).map { $0.prefix(11) } == ["07-14T19:30", "07-28T20:00"])
        // What is changed is written as it is now, and all else as it came.
        let entry = try #require(report["entries"]?.array?.first?["entry"])
        try box.call(ada, "entry.update", ["entry": entry, "subject": "Short", "place": "Hall"])
        let text = try #require(try Self.events(try file())["odd "])
        #expect(text.contains("SUMMARY:Short") && text.contains("LOCATION:Hall") && text.contains("SEQUENCE:8"))
        #expect(text.contains("DTEND;TZID=Europe/Berlin:20260714T210042") && text.contains("CREATED:20200101T000000Z"))
        #expect(text.contains { $0.hasPrefix("DESCRIPTION;ALTREP=\"cid:1\":Wort") && $0.utf8.count > 5000 })
        #expect(!text.contains("DTSTAMP:20260101T000000Z"))
        try box.call(ada, "entry.update", ["entry": entry, "start": "2026-07-14T18:30"])
        let moved = try Self.events(try file())
        #expect(moved["odd "]?.contains("DTSTART;TZID=Europe/Berlin:20260714T183000") == true)
        #expect(moved["odd "]?.contains("DTEND;TZID=Europe/Berlin:20260714T200000") == true)
        #expect(moved["odd 20261224T193000"] == nil)
    }

    private static let zoned = calendar(
        """
        BEGIN:VEVENT
        UID:alike
        DTSTART;TZID="Home (+01:00)":20260714T193000
        DTEND;TZID="Home (+01:00)":20260714T210000
        RRULE:FREQ=WEEKLY
        SUMMARY:Alike
        END:VEVENT
        BEGIN:VEVENT
        UID:placed
        DTSTART;TZID=Ship:20260714T193000
        SUMMARY:Placed
        END:VEVENT
        BEGIN:VEVENT
        UID:unknown
        DTSTART;TZID=Mars/Olympus:20260714T193000
        SUMMARY:Unknown
        END:VEVENT
        BEGIN:VEVENT
        UID:windows
        DTSTART;TZID=Tokyo Standard Time:20260714T193000
        SUMMARY:Windows
        END:VEVENT
        """,
        zones: """
            BEGIN:VTIMEZONE
            TZID:Home (+01:00)
            X-MAKER:1
            BEGIN:STANDARD
            DTSTART:16010101T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:16010101T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
            END:DAYLIGHT
            END:VTIMEZONE
            BEGIN:VTIMEZONE
            TZID:Ship
            BEGIN:STANDARD
            DTSTART:20000101T000000
            TZOFFSETFROM:+0017
            TZOFFSETTO:+0017
            END:STANDARD
            END:VTIMEZONE

            """)

    @Test func `a zone that is not known is kept, and its times are placed by the file's own rules`() throws {
        try box.call(ada, "settings.set", ["zone": "Europe/Berlin"])
        let report = try take(Self.zoned)
        #expect(
            Self.remarks(report, 0) == [
                "The time zone Home (+01:00) is not known; by the file's own rules its times are those of Europe/Berlin."
            ])
        #expect(
            Self.remarks(report, 1) == [
                "The time zone Ship is not known; its times are placed by the file's own rules."
            ])
        #expect(
            Self.remarks(report, 2) == [
                "The time zone Mars/Olympus is not known; its times are read in Europe/Berlin."
            ])
        #expect(Self.remarks(report, 3) == [])
        #expect(
            try EntryTests.on(box, ada, to: "2026-07-18") == [
                "07-14T19:30 Windows", "07-14T19:30 Alike", "07-14T19:30 Unknown", "07-14T21:13 Placed",
            ])
        let text = try file()
        let events = try Self.events(text)
        #expect(events["alike "]?.contains("DTSTART;TZID=\"Home (+01:00)\":20260714T193000") == true)
        #expect(events["placed "]?.contains("DTSTART;TZID=Ship:20260714T193000") == true)
        #expect(events["unknown "]?.contains("DTSTART;TZID=Mars/Olympus:20260714T193000") == true)
        #expect(events["windows "]?.contains("DTSTART;TZID=Asia/Tokyo:20260714T193000") == true)
        for line in ["TZID:Home (+01:00)", "X-MAKER:1", "TZID:Ship", "TZOFFSETTO:+0017", "TZID:Mars/Olympus"] {
            #expect(text.components(line) == 1, "\(line)")
        }
        // What is moved is in the zone in which it was read.
        let entry = try #require(report["entries"]?.array?[1]["entry"])
        try box.call(ada, "entry.update", ["entry": entry, "start": "2026-07-15T10:00"])
        #expect(
            try Self.events(try file())["placed "]?.contains("DTSTART;TZID=Europe/Berlin:20260715T100000") == true)
    }

    private static let dated = calendar(
        """
        BEGIN:VEVENT
        UID:dated
        DTSTART;TZID=Europe/Berlin:20260714T193000
        DTEND;TZID=Europe/Berlin:20260714T203000
        RDATE;TZID=Europe/Berlin:20260716T193000,20260722T180000
        RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260730T193000/PT3H
        SUMMARY:Dated
        END:VEVENT
        BEGIN:VEVENT
        UID:ranged
        DTSTART;VALUE=DATE:20260801
        RRULE:FREQ=DAILY;COUNT=3
        SUMMARY:Ranged
        END:VEVENT
        BEGIN:VEVENT
        UID:ranged
        RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260802
        DTSTART;VALUE=DATE:20260802
        SUMMARY:Other
        END:VEVENT
        """)

    @Test func `dates beside a rule are followed, and what is not followed is said and kept`() throws {
        let report = try take(Self.dated)
        #expect(
            Self.remarks(report, 0) == ["Times beside the rule that are periods are kept, and not followed."])
        #expect(
            Self.remarks(report, 1) == [
                "From 2026-08-02 on all of it is otherwise; that is kept, and here only that one time is otherwise."
            ])
        try expectWhole(Self.dated, in: try file())
        #expect(
            try EntryTests.on(box, ada) == [
                "07-14T19:30 Dated", "07-16T19:30 Dated", "07-22T18:00 Dated", "08-01 Ranged", "08-02 Other",
                "08-03 Ranged",
            ])
        let entry = try #require(report["entries"]?.array?.first?["entry"])
        try box.call(
            ada, "entry.update",
            ["entry": entry, "occurrence": "2026-07-16T19:30", "scope": "following", "subject": "Behind"])
        #expect(
            try EntryTests.on(box, ada, to: "2026-07-31") == [
                "07-14T19:30 Dated", "07-16T19:30 Behind", "07-22T18:00 Behind",
            ])
        let events = try Self.events(try file())
        #expect(events["dated "]?.filter { $0.hasPrefix("RDATE") && !$0.contains("PERIOD") } == [])
        let behind = try #require(events.values.first { $0.contains("SUMMARY:Behind") })
        #expect(behind.contains("RDATE;TZID=Europe/Berlin:20260722T180000"))
        #expect(behind.filter { $0.hasPrefix("RDATE") && !$0.contains("PERIOD") }.count == 1)
    }

    @Test func `dates beside a rule that a phone puts are followed and given back`() throws {
        let text = Self.dated.replacing("DTEND;", with: "DTEND;X-A=1;")
        let first = try #require(text.split(separator: "BEGIN:VEVENT\nUID:ranged").first)
        let one = String(first) + "END:VCALENDAR\n"
        try box.call(
            ada, "calendar.putItem", ["shelf": .string(ada.id.description), "name": "d.ics", "text": .string(one)])
        #expect(
            try EntryTests.on(box, ada) == ["07-14T19:30 Dated", "07-16T19:30 Dated", "07-22T18:00 Dated"])
        let items = try box.call(
            ada, "calendar.items",
            ["shelf": .string(ada.id.description), "names": ["d.ics"], "data": true])["items"]
        try expectWhole(one, in: items?.array?.first?["data"]?.string ?? "")
    }
}

extension String {
    /// How many of its lines are this.
    fileprivate func components(_ line: String) -> Int {
        split(whereSeparator: \.isNewline).count { $0 == line }
    }
}
