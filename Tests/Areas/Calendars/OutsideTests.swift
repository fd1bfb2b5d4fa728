import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// A server of calendars, as far as the daemon sees one: it shows what a test says.
final class Feeds: OutsideDesk, Sendable {
    let looks = Mutex<[OutsideLook]>([])
    let answers = Mutex<[OutsideSight]>([])

    /// What was looked at since somebody asked.
    func looked() -> [OutsideLook] {
        looks.withLock { looks in
            defer { looks = [] }
            return looks
        }
    }
    /// What is shown from now on, one after the other; the last one stays.
    func shows(_ sights: OutsideSight...) { answers.withLock { $0 = sights } }
    func shows(_ text: String, validators: String? = nil) {
        shows(.shown(OutsidePage(status: 200, content: Array(text.utf8), validators: validators)))
    }

    func send(_ letter: OutsideLetter) -> OutsideAnswer { .failed("no letters") }
    func look(_ look: OutsideLook) -> OutsideSight {
        looks.withLock { $0.append(look) }
        return answers.withLock { answers in
            answers.count > 1
                ? answers.removeFirst() : answers.first ?? .failed(OutsideFailure(.unreachable, "nothing"))
        }
    }
}

/// Calendars that are read outside.
@Suite struct OutsideTests {
    static let address = "webcal://feeds.example.org/school.ics?key=s3cret-of-ada"
    static let asked = "https://feeds.example.org/school.ics?key=s3cret-of-ada"

    let box: FamilyBox
    let ada, ben: FamilyBox.Person
    let feeds = Feeds()

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let feeds = feeds
        box.substitute = { work in (work as? SubscriptionWork)?.run(at: Workplace(store: nil, outside: feeds)) }
        try box.call(ada, "calendar.allowOutside", ["on": true])
    }

    static func event(_ uid: String?, _ start: String, _ subject: String, _ more: String...) -> String {
        let lines =
            ["BEGIN:VEVENT"] + (uid.map { ["UID:\($0)"] } ?? []) + ["DTSTAMP:20261101T000000Z", "DTSTART:\(start)"]
            + ["SUMMARY:\(subject)"] + more + ["END:VEVENT"]
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    static func file(_ events: String..., head: String = "") -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nX-WR-CALNAME:School\r\n\(head)"
            + events.joined() + "END:VCALENDAR\r\n"
    }

    static let two = file(
        event("1@school", "20261207T180000Z", "Parents’ evening"),
        event("2@school", "20261221", "Holidays", "DTEND;VALUE=DATE:20270104"))

    /// Subscribes, and has the daemon read it.
    func subscribe(_ person: FamilyBox.Person? = nil, _ more: JSON.Object = [:]) throws -> JSON {
        var params: JSON.Object = ["address": .string(Self.address)]
        for (name, value) in more.members { params[name] = value }
        let made = try box.call(person ?? ada, "calendar.subscribe", params)
        try wait(seconds: 15)
        return try #require(made["calendar"]?["id"])
    }

    /// What the list says of one.
    func state(_ person: FamilyBox.Person? = nil) throws -> JSON {
        try box.call(person ?? ada, "calendar.list")["subscribed"]?.array?.first ?? .null
    }

    func wait(seconds: Int64) throws {
        box.clock = box.clock.adding(seconds: seconds)
        try box.callOwn()
    }

    func on(_ person: FamilyBox.Person? = nil) throws -> [String] {
        try EntryTests.on(box, person ?? ada, from: "2026-12-01", to: "2027-02-28")
    }

    func entries(_ person: FamilyBox.Person? = nil) throws -> [Entry] {
        (try box.call(person ?? ada, "entry.all", [:])["entries"]?.array ?? []).compactMap(Entry.init)
    }

    func inbox(_ person: FamilyBox.Person) throws -> [JSON] {
        try box.fresh(person.id).inbox.entries.flatMap(\.lines).filter { $0["kind"] == "calendarStopped" }
    }

    // MARK: Reading

    @Test func `nothing is read until an admin allows it`() throws {
        try box.call(ada, "calendar.allowOutside", ["on": false])
        #expect(try box.refusal(ben, "calendar.allowOutside", ["on": true])?.kind == .forbidden)
        let refused = try box.refusal(ben, "calendar.subscribe", ["address": .string(Self.address)])
        #expect(refused?.kind == .forbidden && refused?.message.contains("an admin can allow it") == true)
        try box.call(ada, "calendar.allowOutside", ["on": true])
        feeds.shows(Self.two)
        let calendar = try subscribe()
        #expect(feeds.looked().count == 1)
        // What was read stays when it is forbidden again, and nothing is asked any more.
        try box.call(ada, "calendar.allowOutside", ["on": false])
        try wait(seconds: 86_400)
        #expect(try box.refusal(ada, "calendar.refresh", ["calendar": calendar])?.kind == .forbidden)
        #expect(try feeds.looked().isEmpty && on().count == 2)
        try box.call(ada, "calendar.allowOutside", ["on": true])
        try box.callOwn()
        #expect(feeds.looked().count == 1)
    }

    @Test func `a calendar is read by its address, with what it says of itself, and shown to whom it is shared with`()
        throws
    {
        feeds.shows(
            Self.file(
                Self.event("1@school", "20261207T180000Z", "Parents’ evening"),
                head: "X-APPLE-CALENDAR-COLOR:#FF2968FF\r\nREFRESH-INTERVAL;VALUE=DURATION:PT2H\r\n"), validators: "m1")
        let calendar = try subscribe()
        let looked = feeds.looked()
        #expect(looked.map(\.address) == [Self.asked] && looked[0].isPrivate && looked[0].hosts == nil)
        #expect(looked[0].validators == nil)
        let shown = try box.call(ada, "calendar.show", ["calendar": calendar])["calendar"].flatMap(FamilyCalendar.init)
        #expect(
            shown?.kind == .subscribed && shown?.name == "School" && shown?.color == "#ff2968" && shown?.right == .own)
        #expect(try on() == ["12-07T18:00 Parents’ evening"])
        #expect(try on(ben) == [] && state(ben) == .null)
        try box.call(ada, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        #expect(try on(ben) == ["12-07T18:00 Parents’ evening"])
        let (own, others) = (try state(), try state(ben))
        #expect(own["address"] == .string(Self.asked) && own["every"] == 7200 && own["trouble"] == nil)
        #expect(others["address"] == nil && others["refreshed"] == own["refreshed"])
        // Nobody else is told where it is, nor is any log.
        try wait(seconds: 7199)
        #expect(feeds.looked().isEmpty)
        feeds.shows(.unchanged)
        try wait(seconds: 1)
        #expect(feeds.looked().map(\.validators) == ["m1"])
        for person in [ada, ben] {
            let told = box.allHeard(person).map { String(decoding: $0.data.bytes, as: UTF8.self) }.joined()
            #expect(!told.contains("s3cret"))
        }
        #expect(!box.notes.joined().contains("s3cret"))
    }

    @Test(arguments: [
        ("PT1M", 3600), ("P1D", 86_400), ("P4W", 604_800), ("soon", 21_600), ("-PT5H", 3600),
    ])
    func `how often it wants to be read counts within an hour and a week`(text: String, seconds: Int64) throws {
        feeds.shows(Self.file(head: "X-PUBLISHED-TTL:\(text)\r\n"))
        _ = try subscribe()
        #expect(try state()["every"] == .int(seconds))
    }

    @Test func `an unchanged entry is told to nobody and no client reads it anew; what changed keeps its identifier`()
        throws
    {
        feeds.shows(Self.two)
        let calendar = try subscribe()
        try box.call(ada, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        _ = feeds.looked()
        let before = try entries()
        func token() throws -> JSON {
            try box.call(ben, "calendar.shelves", ["shelf": calendar, "sync": true])["shelves"]?.array?.first?["sync"]
                ?? .null
        }
        let stood = try token()
        _ = box.heard(ada)
        _ = box.heard(ben)
        // The same in another order, with another stamp.
        feeds.shows(
            Self.file(
                Self.event("2@school", "20261221", "Holidays", "DTEND;VALUE=DATE:20270104", "X-OLD:1").replacing(
                    "X-OLD:1\r\n", with: ""),
                Self.event("1@school", "20261207T180000Z", "Parents’ evening")
            ).replacing("20261101T000000Z", with: "20261122T000000Z"))
        try wait(seconds: 21_600)
        #expect(try feeds.looked().count == 1 && entries() == before && token() == stood)
        #expect(box.types(ada).isEmpty && box.types(ben).isEmpty)
        // One is another, one is gone, one is new.
        feeds.shows(
            Self.file(
                Self.event("1@school", "20261207T190000Z", "Parents’ evening"),
                Self.event("3@school", "20270201", "Winter break")))
        try wait(seconds: 21_600)
        let after = try entries()
        #expect(Set(after.map(\.subject)) == ["Parents’ evening", "Winter break"])
        let evening = try #require(after.first { $0.subject == "Parents’ evening" })
        #expect(before.contains { $0.id == evening.id } && evening.times.start == "2026-12-07T19:00")
        #expect(box.types(ben).sorted() == ["entry.added", "entry.removed", "entry.updated"])
        #expect(try token() != stood)
    }

    @Test func `an event whose server names it anew each time is the same entry still`() throws {
        for (first, second) in [("a1", "b1"), (nil, nil)] as [(String?, String?)] {
            feeds.shows(Self.file(Self.event(first, "20261207T180000Z", "Tea"), Self.event("x", "20261208", "Cake")))
            let calendar = try subscribe()
            let before = try entries()
            feeds.shows(
                Self.file(Self.event("x", "20261208", "Cake"), Self.event(second, "20261207T180000Z", "Tea"), "\r\n"))
            try wait(seconds: 21_600)
            #expect(try entries() == before && before.count == 2)
            try box.call(ada, "calendar.remove", ["calendar": calendar, "keep": false])
        }
    }

    @Test func `many entries at once are told as one new view`() throws {
        var text = ""
        for number in 0..<2300 {
            text += Self.event("\(number)@town", "2026120\(number % 9 + 1)T\(10 + number % 10)0000Z", "Bin \(number)")
        }
        feeds.shows(Self.file(text))
        let clock = ContinuousClock()
        let took = try clock.measure { _ = try subscribe() }
        #expect(took < .seconds(30), "\(took)")
        #expect(try box.count("SELECT count(*) FROM entries") == 2000 && state()["leftOut"] == 300)
        let types = box.types(ada)
        #expect(!types.contains("entry.added") && types.contains("reset"), "\(types)")
        #expect(try box.count("SELECT count(*) FROM log") < 100)
    }

    static func many(_ numbers: Range<Int>, _ name: String) -> String {
        numbers.map { event("\(name)\($0)", "2026120\($0 % 9 + 1)T\(10 + $0 % 10)0000Z", "\(name) \($0)") }.joined()
    }

    var turns: Int { box.works.count { $0 is NextTurn } }

    @Test func `a long file is written in turns, and what goes leaves no rows`() throws {
        feeds.shows(Self.file(Self.many(0..<500, "a")))
        let calendar = try subscribe()
        #expect(turns == 2, "500 entries, 200 a turn")
        try box.call(ada, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        let token = try box.call(ben, "calendar.shelves", ["shelf": calendar, "sync": true])["shelves"]?.array?.first?[
            "sync"]
        _ = (box.heard(ada), box.heard(ben))
        feeds.shows(Self.file(Self.many(0..<450, "b")))
        try wait(seconds: 21_600)
        #expect(turns == 2 + 4, "950 are others")
        #expect(try box.count("SELECT count(*) FROM entries WHERE subject LIKE 'b %'") == 450)
        #expect(try box.count("SELECT count(*) FROM entries") == 450)
        #expect(try box.count("SELECT count(*) FROM entries_gone") == 0)
        #expect(try box.count("SELECT count(*) FROM shelf_traces WHERE entry IS NOT NULL") == 0)
        let types = box.types(ben)
        #expect(types.contains("reset") && !types.contains { $0.hasPrefix("entry.") }, "\(types)")
        // A calendar app whose state is older begins anew.
        let items = try box.call(
            ben, "calendar.items", ["shelf": calendar, "since": try #require(token)])
        #expect(items["unknown"] == true, "\(items)")
        #expect(try state()["trouble"] == nil && feeds.looked().count == 2)
    }

    @Test func `many that are removed are told as one new view, few are told each`() throws {
        feeds.shows(Self.file(Self.many(0..<150, "a")))
        _ = try subscribe()
        _ = box.heard(ada)
        feeds.shows(Self.file(Self.many(0..<49, "a")))
        try wait(seconds: 21_600)
        var types = box.types(ada)
        #expect(types.contains("reset") && !types.contains("entry.removed"), "\(types)")
        feeds.shows(Self.file(Self.many(0..<47, "a")))
        try wait(seconds: 21_600)
        types = box.types(ada)
        #expect(types == ["entry.removed", "entry.removed"] && turns == 0, "\(types)")
        #expect(try entries().count == 47)
    }

    @Test func `a daemon that ends between two turns writes the rest when the file is read next`() throws {
        feeds.shows(Self.file(Self.many(0..<230, "a")), validators: "m1")
        try box.call(ada, "calendar.subscribe", ["address": .string(Self.address)])
        try box.wait(seconds: 15)
        var request = box.request(.machine, "calendar.readOutside")
        guard case .later(let work)? = try box.turn(request).replies.first?.effect else {
            Issue.record("nothing was to be read")
            return
        }
        request = box.request(.machine, "calendar.readOutside")
        request.work = work.run(at: Workplace(store: nil, outside: feeds))
        guard case .later? = try box.turn(request).replies.first?.effect else {
            Issue.record("all was written in one turn")
            return
        }
        #expect(try box.count("SELECT count(*) FROM entries") == 200)
        try box.restart(after: 60)
        _ = (feeds.looked(), box.heard(ada))
        try wait(seconds: 900)
        #expect(feeds.looked().map(\.validators) == [nil])
        #expect(try box.count("SELECT count(*) FROM entries") == 230)
        // The rest would be few enough, but of the first part nobody was told.
        let types = box.types(ada)
        #expect(types.contains("reset") && !types.contains("entry.added"), "\(types)")
    }

    @Test func `more than so many changes in a day wait until tomorrow, and who added it is told why`() throws {
        feeds.shows(Self.two)
        let calendar = try subscribe()
        try box.store.database.run(
            "UPDATE used_today SET used = ? WHERE what = 'outsideEntries'",
            .int(Limits.subscriptionEntriesPerDayMax - 1))
        feeds.shows(Self.file(Self.event("8@school", "20261209", "Fair"), Self.event("9@school", "20261210", "Trip")))
        box.clock = box.clock.adding(seconds: 31)
        let read = try box.call(ada, "calendar.refresh", ["calendar": calendar])
        #expect(read["subscription"]?["trouble"] == "changing", "\(read)")
        #expect(try Set(entries().map(\.subject)) == ["Parents’ evening", "Holidays"])
        let next = try #require(state()["next"]?.instant)
        #expect(next.milliseconds % 86_400_000 < 1000 && next > box.clock)
        try wait(seconds: (next.milliseconds(since: box.clock) + 999) / 1000)
        #expect(try Set(entries().map(\.subject)) == ["Fair", "Trip"] && state()["trouble"] == nil)
    }

    @Test func `two events of one name in a file stay two`() throws {
        feeds.shows(
            Self.file(Self.event("x", "20261207T180000Z", "Tea"), Self.event("x", "20261208T180000Z", "Cake")))
        _ = try subscribe()
        let before = try entries()
        feeds.shows(
            Self.file(Self.event("x", "20261207T180000Z", "Tea"), Self.event("x", "20261208T180000Z", "Cake"), "\r\n"))
        try wait(seconds: 21_600)
        #expect(try entries() == before)
    }

    @Test func `a file of which something was left out is read whole each time`() throws {
        feeds.shows(
            Self.file(
                Self.event("old", "20241207T180000Z", "Old"), Self.event("new", "20261207T180000Z", "New")),
            validators: "m1")
        _ = try subscribe()
        #expect(try state()["leftOut"] == 1)
        // What is another here is put right, though the file is as it was.
        try box.store.database.run("UPDATE entries SET subject = 'Lost'")
        try wait(seconds: 21_600)
        #expect(try feeds.looked().map(\.validators) == [nil, nil] && entries().map(\.subject) == ["New"])
    }

    @Test func `times without a zone follow their owner's, though the file is as it was`() throws {
        feeds.shows(Self.file(Self.event("1", "20261207T180000", "Tea")), validators: "m1")
        _ = try subscribe()
        #expect(try entries().count == 1)
        try box.call(ada, "settings.set", ["zone": "Asia/Tokyo"])
        try wait(seconds: 21_600)
        #expect(try feeds.looked().map(\.validators) == [nil, nil] && entries().map(\.times.zone) == ["Asia/Tokyo"])
        try wait(seconds: 21_600)
        #expect(feeds.looked().map(\.validators) == ["m1"])
    }

    @Test func `what is over for a year and what rings or names people outside is not taken`() throws {
        feeds.shows(
            Self.file(
                Self.event("old", "20241207T180000Z", "Old"),
                Self.event(
                    "new", "20261207T180000Z", "New", "ATTENDEE:mailto:cleo@example.org", "X-KEPT:yes",
                    "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM"),
                "BEGIN:VTODO\r\nUID:t\r\nSUMMARY:Task\r\nEND:VTODO\r\n"))
        _ = try subscribe()
        #expect(try entries().map(\.subject) == ["New"] && state()["leftOut"] == 1)
        let raw = try box.store.database.first("SELECT raw FROM entries") { row in row.optionalText(0) } ?? nil
        #expect(
            raw?.contains("X-KEPT:yes") == true && raw?.contains("cleo") == false && raw?.contains("VALARM") == false)
    }

    /// As where somebody asks when its reader is free.
    @Test func `days without school make nobody busy, and an evening there does`() throws {
        feeds.shows(
            Self.file(
                Self.event("1@school", "20261207T180000Z", "Parents’ evening", "DTEND:20261207T200000Z"),
                Self.event("2@school", "20261221", "Holidays", "DTEND;VALUE=DATE:20270104")))
        let calendar = try subscribe()
        let span: JSON.Object = [
            "shelf": calendar, "from": .time(try #require(Instant("2026-12-01T00:00:00Z"))),
            "to": .time(try #require(Instant("2027-01-15T00:00:00Z"))),
        ]
        let busy = try box.call(ada, "calendar.busyTimes", span)["busy"]?.array ?? []
        #expect(busy.map { $0["start"]?.instant } == [Instant("2026-12-07T18:00:00Z")])
    }

    // MARK: Only read

    @Test func `nobody writes into it, not even an admin or who added it`() throws {
        let cleo = try box.join("cleo", by: ada)
        feeds.shows(Self.two)
        let calendar = try subscribe(ben)
        #expect(
            try box.refusal(ben, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "write"])?.field
                == "right")
        try box.call(ben, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        let entry = JSON.id(try #require(try entries(ben).first).id)
        for person in [ada, ben, cleo] {
            #expect(try box.call(person, "entry.show", ["entry": entry])["mayChange"] == false)
            for (method, params) in [
                ("entry.update", ["entry": entry, "subject": "Mine"]), ("entry.remove", ["entry": entry]),
                ("entry.add", ["subject": "x", "start": "2026-12-24", "calendar": calendar]),
            ] as [(String, JSON.Object)] {
                #expect(try box.refusal(person, method, params)?.kind == .forbidden, "\(method)")
            }
            // In calendar apps too.
            let shelf = try box.call(person, "calendar.shelves", ["shelf": calendar])["shelves"]?.array?.first
            #expect(shelf?["right"] == "read" && shelf?["name"] == "School")
            let items = try box.call(person, "calendar.items", ["shelf": calendar, "data": true])
            #expect(items["items"]?.array?.count == 2, "\(items)")
            let text = Self.file(Self.event("9@x", "20261224", "Mine"))
            #expect(
                try box.refusal(
                    person, "calendar.putItem", ["shelf": calendar, "name": "9.ics", "text": .string(text)])?.kind
                    == .forbidden)
            #expect(
                try box.refusal(
                    person, "calendar.dropItem", ["shelf": calendar, "name": .string("\(entry.string ?? "").ics")])?
                    .kind == .forbidden)
            #expect(try box.refusal(person, "calendar.dropShelf", ["shelf": calendar])?.kind == .forbidden)
        }
        // A reminder of one's own may be wanted of it.
        try box.call(cleo, "entry.remind", ["entry": entry, "minutes": [60]])
        // Only who added it sees where it is, has it read and changes it.
        for person in [ada, cleo] {
            #expect(try box.refusal(person, "calendar.refresh", ["calendar": calendar])?.kind == .notFound)
            #expect(
                try box.refusal(person, "calendar.update", ["calendar": calendar, "address": "webcal://a.example/"])?
                    .kind == .forbidden)
            #expect(
                try box.refusal(person, "calendar.remove", ["calendar": calendar, "keep": false])?.kind == .forbidden)
        }
    }

    @Test func `whole days and what is transparent there make nobody busy`() throws {
        feeds.shows(
            Self.file(
                Self.event("1", "20261207T100000Z", "Lesson", "DTEND:20261207T110000Z"),
                Self.event("2", "20261207T140000Z", "Open doors", "DTEND:20261207T150000Z", "TRANSP:TRANSPARENT"),
                Self.event("3", "20261208", "Holiday")))
        _ = try subscribe()
        try EntryTests.add(box, ada, "Walk", start: "2026-12-09T10:00")
        let free = try box.call(
            ada, "entry.free", ["from": "2026-12-07", "to": "2026-12-09", "zone": "UTC", "members": [.id(ada.id)]])
        #expect(free["members"]?.array?.first?["busy"]?.array?.count == 2, "\(free)")
    }
}
