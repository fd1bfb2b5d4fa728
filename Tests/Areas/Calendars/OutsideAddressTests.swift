import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// Addresses outside: which are taken, what happens when one answers nothing good, and what is left when it goes.
extension OutsideTests {
    @Test(arguments: [
        "ftp://example.org/x.ics", "example.org/x.ics", "webcal:/example.org", "https://",
        "https://ada:pw@example.org/x",
        "http://feeds.example.org/x.ics", "https://example.org/a b", "https://exa\\mple.org/", "javascript:alert(1)",
    ])
    func `what is no address is refused`(text: String) throws {
        #expect(try box.refusal(ada, "calendar.subscribe", ["address": .string(text)])?.field == "address")
    }

    @Test func `a machine of the house is read by http where an admin allowed that`() throws {
        let plain = JSON.string("http://NAS.local/x.ics"), other = JSON.string("http://nas.local:8080/x.ics")
        try box.call(ada, "outside.allow", ["place": "nas.local"])
        let refused = try box.refusal(ada, "calendar.subscribe", ["address": plain])
        #expect(refused?.field == "address" && refused?.message.contains("kin outside allow") == true)
        try box.call(ada, "outside.allow", ["place": "nas.local", "plain": true])
        #expect(try box.refusal(ada, "calendar.subscribe", ["address": other])?.field == "address")
        let calendar = try box.call(ada, "calendar.subscribe", ["address": plain])["calendar"]?["id"] ?? .null
        #expect(try box.refusal(ada, "calendar.update", ["calendar": calendar, "address": other])?.field == "address")
        try box.call(ada, "outside.allow", ["place": "nas.local:8080", "plain": true])
        try box.call(ada, "calendar.update", ["calendar": calendar, "address": other])
        #expect(try state()["address"] == other)
    }

    @Test func `a guest has nothing read outside any more`() throws {
        feeds.shows(Self.two)
        let calendar = try subscribe(ben)
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        box.clock = box.clock.adding(seconds: 31)
        for (method, params) in [
            ("calendar.refresh", ["calendar": calendar]),
            ("calendar.update", ["calendar": calendar, "address": "webcal://other.example/c.ics"]),
        ] as [(String, JSON.Object)] {
            #expect(try box.refusal(ben, method, params)?.kind == .forbidden, "\(method)")
        }
        try box.call(ben, "calendar.update", ["calendar": calendar, "name": "Old school"])
        try box.call(ben, "calendar.remove", ["calendar": calendar, "keep": false])
    }

    // MARK: Bad days

    @Test(arguments: [
        (OutsideSight.shown(OutsidePage(status: 404, content: [])), "gone"),
        (.shown(OutsidePage(status: 403, content: Array(OutsideTests.two.utf8))), "closed"),
        (.shown(OutsidePage(status: 500, content: [])), "failing"),
        (.shown(OutsidePage(status: 200, content: Array("<!DOCTYPE html><p>BEGIN:VCALENDAR".utf8))), "notCalendar"),
        (.shown(OutsidePage(status: 200, content: [])), "notCalendar"),
        (.shown(OutsidePage(status: 200, content: Array(OutsideTests.two.utf8.dropLast(40)))), "broken"),
        (.failed(OutsideFailure(.tooLarge, "x")), "tooLarge"), (.failed(OutsideFailure(.untrusted, "x")), "untrusted"),
        (.failed(OutsideFailure(.unreachable, "x")), "unreachable"), (.failed(OutsideFailure(.slow, "x")), "slow"),
        (.failed(OutsideFailure(.refused, "x")), "refused"), (.failed(OutsideFailure(.redirected, "x")), "redirected"),
        (.failed(OutsideFailure(.notUnderstood, "x")), "failing"),
    ])
    func `what fails is said, and nothing that was read is lost`(sight: OutsideSight, trouble: String) throws {
        feeds.shows(Self.two)
        let calendar = try subscribe()
        try box.call(ada, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        let before = try entries()
        _ = (box.heard(ada), box.heard(ben))
        feeds.shows(sight)
        try wait(seconds: 21_600)
        let failing = box.clock
        for person in [ada, ben] {
            let state = try state(person)
            #expect(state["trouble"] == .string(trouble) && state["since"] == .time(failing), "\(state)")
        }
        #expect(try entries() == before && on(ben).count > 0)
        #expect(box.types(ben) == ["calendar.updated"], "so that the list is asked for again")
        // It is well again.
        feeds.shows(.unchanged)
        try wait(seconds: 900)
        #expect(try state()["trouble"] == nil && state()["since"] == nil && entries() == before)
        #expect(try inbox(ada).isEmpty)
    }

    @Test func `it is tried again ever more seldom, and after a day who added it is told, once`() throws {
        feeds.shows(Self.two)
        let calendar = try subscribe()
        try box.call(ada, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        _ = feeds.looked()
        feeds.shows(.shown(OutsidePage(status: 404, content: [])))
        try wait(seconds: 21_600)
        let since = box.clock
        #expect(feeds.looked().count == 1)
        var passed: Int64 = 0
        for seconds in [900, 1800, 3600, 7200, 14_400, 28_800] as [Int64] {
            try wait(seconds: seconds - 1)
            #expect(feeds.looked().isEmpty)
            try wait(seconds: 1)
            passed += seconds
            #expect(feeds.looked().count == 1, "after \(passed) s")
        }
        #expect(try inbox(ada).isEmpty, "nothing before a day is over")
        // The try of the day.
        try wait(seconds: 86_400 - passed)
        #expect(feeds.looked().count == 1 && box.clock == since.adding(days: 1))
        #expect(try inbox(ada).map { $0["trouble"] } == ["gone"] && inbox(ben).isEmpty)
        for _ in 0..<5 { try wait(seconds: 86_400) }
        #expect(try feeds.looked().count == 5 && inbox(ada).count == 1)
        // When it is well again, nothing asks for anything any more.
        feeds.shows(Self.two)
        try wait(seconds: 86_400)
        #expect(try inbox(ada).isEmpty && state()["trouble"] == nil)
    }

    @Test func `a server says when to come again, and what is busy here is nobody's fault`() throws {
        feeds.shows(.shown(OutsidePage(status: 503, content: [], retryAfterSeconds: 7200)))
        _ = try subscribe()
        _ = feeds.looked()
        try wait(seconds: 7199)
        #expect(feeds.looked().isEmpty)
        feeds.shows(
            .failed(OutsideFailure(.later, "Too much is asked.")),
            .shown(OutsidePage(status: 200, content: Array(Self.two.utf8))))
        try wait(seconds: 1)
        #expect(try feeds.looked().count == 1 && state()["trouble"] == "failing")
        try wait(seconds: 10)
        #expect(try feeds.looked().count == 1 && state()["trouble"] == nil && on().count == 2)
    }

    @Test func `what was too busy for whom asked is read soon all the same`() throws {
        feeds.shows(Self.two)
        let calendar = try subscribe()
        feeds.shows(.failed(OutsideFailure(.later, "Too much is asked.")))
        box.clock = box.clock.adding(seconds: 31)
        #expect(try box.refusal(ada, "calendar.refresh", ["calendar": calendar])?.kind == .unavailable)
        #expect(try state()["next"] == .time(box.clock.adding(seconds: 120)))
        feeds.shows(Self.file(Self.event("3@school", "20270201", "Winter break")))
        try wait(seconds: 120)
        #expect(try entries().map(\.subject) == ["Winter break"])
    }

    @Test func `what was under way when the daemon ended is read again`() throws {
        feeds.shows(Self.two)
        try box.call(ada, "calendar.subscribe", ["address": .string(Self.address)])
        try box.wait(seconds: 15)
        let request = box.request(.machine, "calendar.readOutside")
        guard case .later? = try box.turn(request).replies.first?.effect else {
            Issue.record("nothing was to be read")
            return
        }
        try box.restart(after: 60)
        try box.callOwn()
        #expect(feeds.looked().isEmpty)
        try wait(seconds: 900)
        #expect(try feeds.looked().count == 1 && on().count == 2)
    }

    @Test func `what an address answers that is no longer its own changes nothing`() throws {
        feeds.shows(Self.two)
        let made = try box.call(ada, "calendar.subscribe", ["address": .string(Self.address)])
        let calendar = try #require(made["calendar"]?["id"])
        try box.wait(seconds: 15)
        var request = box.request(.machine, "calendar.readOutside")
        guard case .later(let work)? = try box.turn(request).replies.first?.effect else {
            Issue.record("nothing was to be read")
            return
        }
        try box.call(ada, "calendar.update", ["calendar": calendar, "address": "https://feeds.example.org/new.ics"])
        request = box.request(.machine, "calendar.readOutside")
        request.work = work.run(at: Workplace(store: nil, outside: feeds))
        _ = feeds.looked()
        try box.turn(request)
        #expect(try on().isEmpty)
        try box.callOwn()
    }

    @Test func `it is read when its owner wants, not again and again, and at another address`() throws {
        feeds.shows(.shown(OutsidePage(status: 404, content: [])))
        let calendar = try subscribe()
        let soon = try box.refusal(ada, "calendar.refresh", ["calendar": calendar])
        #expect(soon?.kind == .slowDown && soon?.retryAfter == 10)
        feeds.shows(Self.two)
        box.clock = box.clock.adding(seconds: 31)
        let read = try box.call(ada, "calendar.refresh", ["calendar": calendar])
        #expect(read["subscription"]?["trouble"] == nil && read["calendar"]?["name"] == "School")
        _ = feeds.looked()
        // Another address does not make it be read more often.
        try box.call(ada, "calendar.update", ["calendar": calendar, "address": "webcal://third.example/c.ics"])
        #expect(try box.refusal(ada, "calendar.refresh", ["calendar": calendar])?.kind == .slowDown)
        // Another address is read at once; until it answered, what was read stays.
        feeds.shows(.failed(OutsideFailure(.unreachable, "x")))
        try box.call(ada, "calendar.update", ["calendar": calendar, "address": "webcal://other.example/c.ics"])
        try wait(seconds: 15)
        #expect(try feeds.looked().map(\.address) == ["https://other.example/c.ics"] && on().count == 2)
        #expect(try state()["trouble"] == "unreachable")
        let own = try box.call(ada, "calendar.add", ["name": "Club"])["calendar"]?["id"] ?? .null
        #expect(
            try box.refusal(ada, "calendar.update", ["calendar": own, "address": .string(Self.address)])?.field
                == "address")
        #expect(try box.refusal(ada, "calendar.refresh", ["calendar": own])?.kind == .notFound)
    }

    // MARK: What goes

    @Test func `a calendar that is removed leaves nothing in the files, not even its address`() throws {
        feeds.shows(Self.file(Self.event("1@school", "20261207T180000Z", "Zwetschgenfest")))
        let calendar = try subscribe()
        #expect(try box.holds("s3cret-of-ada") && box.holds("Zwetschgenfest"))
        try box.call(ada, "calendar.update", ["calendar": calendar, "address": "webcal://other.example/an0ther"])
        #expect(try !box.holds("s3cret-of-ada"))
        try box.call(ada, "calendar.remove", ["calendar": calendar, "keep": false])
        try box.callOwn()
        #expect(try entries().isEmpty && box.count("SELECT count(*) FROM calendar_subscriptions") == 0)
        #expect(try !box.holds("an0ther"))
        _ = feeds.looked()
        try wait(seconds: 604_800)
        #expect(feeds.looked().isEmpty)
    }

    @Test func `a leaving member takes it along, for its address may be a secret`() throws {
        feeds.shows(Self.two)
        let calendar = try subscribe(ben)
        try box.call(ben, "calendar.share", ["calendar": calendar, "with": "everyone", "right": "read"])
        #expect(try on().isEmpty == false)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try on().isEmpty && box.count("SELECT count(*) FROM calendar_subscriptions") == 0)
        #expect(try box.call(ada, "calendar.list")["subscribed"] == [])
    }
}
