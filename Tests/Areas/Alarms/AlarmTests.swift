import KinActivity
import KinModel
import KinNotices
import KinStore
import Testing

@testable import KinAlarms
@testable import KinFamilyBox
@testable import KinKeeper

/// Who is called, what each sees, when it rings again, and that nothing stays of what is over.
@Suite struct AlarmTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        cleo = try box.join("cleo", into: try box.foundHousehold("Mill", by: ada), by: ada)
    }

    private func raise(_ who: FamilyBox.Person, _ kind: String, _ more: JSON.Object = [:]) throws -> Alarm {
        var params: JSON.Object = ["kind": .string(kind)]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(who, "alarm.raise", params)["alarm"].flatMap(Alarm.init))
    }

    private func seen(_ who: FamilyBox.Person) throws -> [Alarm] { Array(try box.fresh(who.id).alarms.values) }

    private func topic(_ who: FamilyBox.Person) throws -> String {
        try #require(try box.call(who, "notice.add", ["name": "Phone"])["topic"]?.string)
    }

    /// How often a phone rang since somebody asked.
    private func rang(_ who: FamilyBox.Person) -> [Notice] {
        box.allHeard(who).compactMap { $0[NoticeDevice.rang]?.notice }
    }

    @Test func `a call for help shows the household where one is, whatever one shares, and nobody else`() throws {
        try box.call(ben, "position.report", ["lat": 52.5, "lon": 13.4, "accuracy": 12, "at": .time(box.clock)])
        #expect(try box.fresh(ada.id).positions[ben.id] == nil)
        let alarm = try raise(ben, "sos", ["text": "Flat tyre"])
        #expect(alarm.position?.lat == 52.5 && alarm.position?.accuracy == 12)
        #expect(try seen(ada) == [alarm] && (try seen(ben)) == [alarm] && (try seen(cleo)).isEmpty)
        #expect(alarm.called.map(\.member) == [ada.id])
        box.clock = box.clock.adding(seconds: 20)
        try box.call(ben, "position.report", ["lat": 52.6, "lon": 13.5, "at": .time(box.clock)])
        #expect(try seen(ada).first?.position?.lat == 52.6)
        // The map itself shows no more than before.
        #expect(try box.fresh(ada.id).positions[ben.id] == nil)
        try box.call(ben, "alarm.end", ["alarm": .id(alarm.id)])
        #expect(try seen(ada).isEmpty && (try seen(ben)).isEmpty)
        #expect(try box.count("SELECT count(*) FROM log WHERE payload LIKE '%52.6%' AND about LIKE 'alarm/%'") == 0)
        #expect(try box.count("SELECT count(*) FROM alarms") == 0)
    }

    @Test func `nobody in the household answers, and the family is called; somebody comes, and nothing rings`() throws {
        _ = try topic(ada)
        _ = try topic(cleo)
        for person in [ada, ben, cleo] { _ = box.allHeard(person) }
        let alarm = try raise(ben, "sos")
        let first = rang(ada)
        #expect(first.map(\.act) == [.ring] && first.first?.priority == 5)
        #expect(first.first?.answers?.map(\.label) == ["I'm coming", "I can't"])
        #expect(first.first?.text == "Ben needs help")
        try box.wait(seconds: 61)
        #expect(rang(ada).count == 1 && rang(cleo).isEmpty)
        try box.wait(seconds: 60)
        #expect(rang(ada).count == 1)
        let called = rang(cleo)
        #expect(called.map(\.text) == ["Ben needs help"])
        #expect(try seen(cleo).first?.called.map(\.member).sorted() == [ada.id, cleo.id].sorted())
        #expect(try seen(ada) == (try seen(cleo)))
        try box.call(cleo, "alarm.answer", ["alarm": .id(alarm.id), "answer": "coming", "text": "Ten minutes"])
        #expect(try seen(ben).first?.called.first { $0.member == cleo.id }?.answer == .coming)
        for person in [ada, cleo] { _ = rang(person) }
        try box.wait(seconds: 3600)
        #expect(rang(ada).isEmpty && rang(cleo).isEmpty)
    }

    @Test func `where all who were called cannot come, the family is called at once`() throws {
        let alarm = try raise(ben, "sos")
        #expect(try seen(cleo).isEmpty)
        try box.call(ada, "alarm.answer", ["alarm": .id(alarm.id), "answer": "cannot"])
        #expect(try seen(cleo).count == 1)
    }

    @Test func `who called sees whom it reached, once: by a phone that took it or listened, a page, an answer`() throws
    {
        let topic = try topic(ada)
        _ = try self.topic(cleo)
        let dan = try box.join("dan", by: ada)
        let alarm = try raise(ben, "sos", ["to": [.id(ada.id), .id(cleo.id), .id(dan.id)]])
        func reached(_ who: FamilyBox.Person) throws -> Instant? {
            try seen(ben).first?.called.first { $0.member == who.id }?.reached
        }
        #expect(try reached(ada) == nil)
        _ = box.allHeard(ben)
        box.clock = box.clock.adding(seconds: 5)
        for _ in 0..<3 {
            try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": "all"])
            try box.turn()
        }
        #expect(try reached(ada) == box.clock)
        #expect(box.allHeard(ben).count { $0.type == Alarm.reached.name } == 1)
        // The loop says whose devices listened as it rang.
        let entry = try #require(try box.fresh(cleo.id).inbox.entries.first { $0.about == "alarm/\(alarm.id)" })
        let device = try #require(try box.fresh(cleo.id).noticeDevices.first)
        box.clock = box.clock.adding(seconds: 5)
        try box.call(.machine, "notice.taken", ["entry": .id(entry.id), "devices": [.id(device.id), .id(ben.id)]])
        try box.turn()
        #expect(try reached(cleo) == box.clock && reached(dan) == nil)
        // A page says so itself; not whoever called, nor who is not called.
        try box.call(dan, "alarm.take", ["alarm": .id(alarm.id)])
        let at = try reached(dan)
        #expect(at == box.clock)
        box.clock = box.clock.adding(seconds: 5)
        try box.call(dan, "alarm.answer", ["alarm": .id(alarm.id), "answer": "cannot"])
        #expect(try reached(dan) == at)
        #expect(try box.refusal(ben, "alarm.take", ["alarm": .id(alarm.id)])?.kind == .conflict)
        let eve = try box.join("eve", by: ada)
        #expect(try box.refusal(eve, "alarm.take", ["alarm": .id(alarm.id)])?.kind == .notFound)
        #expect(try seen(cleo) == (try seen(ben)))
        // Who answers was reached, whatever the phone did.
        let check = try raise(ada, "check", ["to": [.id(dan.id)]])
        try box.call(dan, "alarm.answer", ["alarm": .id(check.id), "answer": "allWell"])
        #expect(try seen(ada).first { $0.id == check.id }?.called.first?.reached == box.clock)
        try box.call(ben, "alarm.end", ["alarm": .id(alarm.id)])
        #expect(try box.count("SELECT count(*) FROM due WHERE about LIKE 'took/%'") == 0)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'alarm.reached'") == 0)
    }

    @Test func `who answered on one device is not rung by another, asleep or awake; others are`() throws {
        let phone = try topic(ada)
        let other = try topic(cleo)
        let come = try raise(ben, "come", ["to": [.id(ada.id), .id(cleo.id)]])
        _ = box.allHeard(ada)
        try box.call(ada, "alarm.answer", ["alarm": .id(come.id), "answer": "coming"])
        #expect(rang(ada).map(\.act) == [.clear])
        func take(_ topic: String) throws -> [Notice] {
            try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": "all"])["notices"]?.array?
                .compactMap { $0["notice"].flatMap(Notice.init) } ?? []
        }
        #expect(try take(phone).isEmpty)
        #expect(try take(other).map(\.act) == [.ring])
        // It is in the inbox as before.
        #expect(try box.fresh(ada.id).inbox.entries.contains { $0.about == "alarm/\(come.id)" })
    }

    @Test func `who said that they come and cannot after all leaves it ringing`() throws {
        _ = try topic(ada)
        let alarm = try raise(ben, "sos")
        for answer in ["coming", "cannot"] as [JSON] {
            try box.call(ada, "alarm.answer", ["alarm": .id(alarm.id), "answer": answer])
        }
        #expect(try seen(cleo).count == 1)
        _ = try topic(cleo)
        _ = box.allHeard(cleo)
        try box.call(cleo, "alarm.answer", ["alarm": .id(alarm.id), "answer": "coming"])
        try box.call(cleo, "alarm.answer", ["alarm": .id(alarm.id), "answer": "cannot"])
        let dan = try box.join("dan", by: ada)
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'alarm.rings'") == 1)
        #expect(try seen(dan).isEmpty)
    }

    @Test(arguments: [true, false])
    func `the clock is set back: a call for help rings on, and ends when it was to`(isSynchronised: Bool) throws {
        if isSynchronised { box.machine.ahead = 5 * 3_600_000 }
        _ = try topic(ada)
        _ = box.allHeard(ada)
        let alarm = try raise(ben, "sos", ["to": [.id(ada.id)]])
        #expect(rang(ada).count == 1)
        box.machine.isSynchronised = isSynchronised
        box.machine.ahead = isSynchronised ? 0 : -5 * 3_600_000
        try box.turn()
        _ = rang(ada)
        var rings = 0
        for _ in 0..<10 {
            try box.wait(seconds: 61)
            rings += rang(ada).count
        }
        #expect(rings >= 5, "\(rings)")
        try box.call(ada, "alarm.answer", ["alarm": .id(alarm.id), "answer": "coming"])
        _ = rang(ada)
        try box.wait(seconds: 3600)
        #expect(rang(ada).isEmpty)
        try box.wait(seconds: 11 * 3600)
        // While the clock is doubted nothing ends by itself.
        #expect(try seen(ada).isEmpty == isSynchronised)
    }

    @Test func `a check that all have answered is not overdue`() throws {
        let check = try raise(ada, "check", ["to": [.id(ben.id)]])
        _ = try topic(ada)
        try box.call(ben, "alarm.answer", ["alarm": .id(check.id), "answer": "allWell"])
        _ = rang(ada)
        try box.wait(seconds: 1801)
        #expect(rang(ada).isEmpty)
        #expect(try seen(ada).first?.isOverdue == false)
    }

    @Test func `alarms pass what is muted and quiet hours`() throws {
        _ = try topic(ada)
        try box.call(
            ada, "activity.setRules", ["quiet": ["from": "00:00", "to": "23:59", "zone": "UTC"]])
        _ = box.allHeard(ada)
        _ = try raise(ben, "come", ["text": "Supper"])
        #expect(rang(ada).map(\.text) == ["Ben asks you to come"])
        #expect(try box.refusal(ada, "activity.setRules", ["mute": ["alarm"]]) != nil)
    }

    @Test func `a call for help is not silenced, another is, for oneself alone`() throws {
        let sos = try raise(ben, "sos")
        #expect(try box.refusal(ada, "alarm.answer", ["alarm": .id(sos.id), "answer": "seen"])?.kind == .conflict)
        try box.call(ben, "alarm.end", ["alarm": .id(sos.id)])
        _ = try topic(ada)
        let come = try raise(ben, "come")
        _ = rang(ada)
        try box.call(ada, "alarm.answer", ["alarm": .id(come.id), "answer": "seen"])
        try box.wait(seconds: 1000)
        #expect(rang(ada).map(\.act) == [.clear])
        #expect(try seen(ben).first?.called.first?.answer == .seen)
    }

    @Test func `a call to come rings ten times, then seldom until one answers, and calls the family where nobody does`()
        throws
    {
        let eve = try box.join("eve", by: ada)
        for person in [ada, eve, cleo] { _ = try topic(person) }
        let come = try raise(ben, "come")
        for person in [ada, eve, cleo] { _ = rang(person) }
        for _ in 0..<9 {
            try box.wait(seconds: 121)
            #expect(rang(ada).count == 1 && rang(cleo).isEmpty)
        }
        try box.wait(seconds: 121)
        #expect(rang(ada).count == 1 && rang(cleo).map(\.text) == ["Ben asks you to come"])
        try box.wait(seconds: 121)
        #expect(rang(ada).isEmpty)
        try box.wait(seconds: 900)
        #expect(rang(ada).count == 1 && rang(eve).count > 0)
        try box.call(eve, "alarm.answer", ["alarm": .id(come.id), "answer": "cannot"])
        _ = rang(ada)
        try box.wait(seconds: 7200)
        #expect(rang(ada).isEmpty)
    }

    @Test func `one that was addressed stays with whom it was addressed to`() throws {
        _ = try topic(cleo)
        for kind in ["sos", "come"] { _ = try raise(ben, kind, ["to": [.id(ada.id)]]) }
        for _ in 0..<20 { try box.wait(seconds: 121) }
        #expect(try seen(cleo).isEmpty && rang(cleo).isEmpty)
        #expect(try seen(ada).allSatisfy { $0.called.map(\.member) == [ada.id] })
    }

    @Test(arguments: ["sos", "come", "check"])
    func `reading, removing and putting off do not silence what waits for an answer`(kind: String) throws {
        let phone = try topic(ada)
        let alarm = try raise(ben, kind)
        let entry = try #require(try box.fresh(ada.id).inbox.entries.first { $0.about == "alarm/\(alarm.id)" })
        _ = rang(ada)
        try box.call(ada, "activity.read", ["upTo": .time(box.clock)])
        #expect(rang(ada).isEmpty)
        func shown() throws -> [Notice] {
            try box.call(.none, "notice.take", ["topics": [.string(phone)], "since": "all"])["notices"]?.array?
                .compactMap { $0["notice"].flatMap(Notice.init) } ?? []
        }
        #expect(try shown().map(\.act) == [.ring])
        try box.turn()
        #expect(try box.refusal(ada, "activity.dismiss", ["id": .id(entry.id)])?.kind == .conflict)
        #expect(try box.refusal(ada, "notice.snooze", ["entry": .id(entry.id), "minutes": 600]) != nil)
        try box.call(ada, "activity.dismiss", ["upTo": .time(box.clock)])
        #expect(rang(ada).isEmpty)
        try box.wait(seconds: 301)
        #expect(rang(ada).contains { $0.entry == entry.id && $0.act == .ring && $0.priority ?? 0 >= 4 })
        // Answered, it is like any other entry.
        try box.call(ada, "alarm.answer", ["alarm": .id(alarm.id), "answer": kind == "check" ? "allWell" : "coming"])
        #expect(rang(ada).last?.act == .clear)
        #expect(try shown().isEmpty)
        try box.call(ada, "activity.dismiss", ["id": .id(entry.id)])
        try box.wait(seconds: 1000)
        #expect(rang(ada).allSatisfy { $0.entry != entry.id })
    }

    @Test(arguments: [true, false])
    func `a call that was read or put off while somebody was coming rings again soon when nobody is`(isRead: Bool)
        throws
    {
        _ = try topic(ada)
        let dan = try box.join("dan", by: ada)
        let sos = try raise(ben, "sos", ["to": [.id(ada.id), .id(dan.id)]])
        let entry = try #require(try box.fresh(ada.id).inbox.entries.first { $0.about == "alarm/\(sos.id)" })
        // By now it rings seldom.
        for _ in 0..<10 { try box.wait(seconds: 61) }
        try box.call(dan, "alarm.answer", ["alarm": .id(sos.id), "answer": "coming"])
        _ = rang(ada)
        if isRead {
            try box.call(ada, "activity.read", ["upTo": .time(box.clock)])
        } else {
            try box.call(ada, "notice.snooze", ["entry": .id(entry.id), "minutes": 600])
        }
        #expect(rang(ada).contains { $0.act == .clear && $0.entry == entry.id })
        try box.call(dan, "alarm.answer", ["alarm": .id(sos.id), "answer": "cannot"])
        _ = rang(ada)
        try box.wait(seconds: 61)
        #expect(rang(ada).contains { $0.act == .ring && $0.priority == 5 && $0.entry == entry.id })
    }

    @Test func `that one is on the way is read like anything else, and may be silenced as a check may`() throws {
        _ = try topic(ada)
        let way = try raise(ben, "onTheWay")
        _ = rang(ada)
        try box.call(ada, "activity.read", ["upTo": .time(box.clock)])
        #expect(rang(ada).map(\.act) == [.clear])
        try box.call(ada, "alarm.answer", ["alarm": .id(way.id), "answer": "seen"])
        let check = try raise(ben, "check")
        _ = rang(ada)
        try box.call(ada, "alarm.answer", ["alarm": .id(check.id), "answer": "seen"])
        try box.wait(seconds: 1000)
        #expect(rang(ada).map(\.act) == [.clear])
    }

    @Test func `who asks another to come is not shown where the other is`() throws {
        try box.call(ada, "position.report", ["lat": 48.2, "lon": 16.4, "at": .time(box.clock)])
        _ = try raise(ben, "come")
        box.clock = box.clock.adding(seconds: 20)
        try box.call(ada, "position.report", ["lat": 48.3, "lon": 16.4, "at": .time(box.clock)])
        #expect(try seen(ben).first?.position == nil)
        #expect(try box.fresh(ben.id).positions[ada.id] == nil)
        #expect(try box.count("SELECT count(*) FROM log WHERE about LIKE 'alarm/%' AND payload LIKE '%48.%'") == 0)
    }

    @Test func `who is on the way is there, or is overdue`() throws {
        _ = try topic(ada)
        let home: JSON = ["name": "Home", "lat": 52.5, "lon": 13.4, "radius": 150]
        let way = try raise(ben, "onTheWay", ["place": home, "expected": .time(box.clock.adding(seconds: 600))])
        #expect(way.place?.name == "Home")
        _ = rang(ada)
        try box.wait(seconds: 300)
        #expect(rang(ada).isEmpty)
        try box.wait(seconds: 301)
        #expect(rang(ada).count == 1)
        #expect(try seen(ada).first?.isOverdue == true)
        try box.call(ben, "position.report", ["lat": 52.52, "lon": 13.4, "accuracy": 10, "at": .time(box.clock)])
        #expect(try seen(ada).count == 1)
        box.clock = box.clock.adding(seconds: 60)
        _ = box.allHeard(ada)
        try box.call(ben, "position.report", ["lat": 52.5001, "lon": 13.4, "accuracy": 10, "at": .time(box.clock)])
        let ended = box.allHeard(ada).compactMap { $0[Alarm.ended] }
        #expect(ended.map(\.cause) == [.arrived])
        #expect(try seen(ada).isEmpty)
    }

    @Test func `a check shows nobody, and tells when nobody answered`() throws {
        try box.call(ben, "position.report", ["lat": 52.5, "lon": 13.4, "at": .time(box.clock)])
        let check = try raise(ada, "check", ["to": [.id(ben.id)]])
        #expect(check.position == nil && check.expected == box.clock.adding(seconds: 1800))
        #expect(try seen(ben).first?.position == nil)
        _ = try topic(ada)
        _ = rang(ada)
        try box.wait(seconds: 1801)
        #expect(rang(ada).map(\.text) == ["Somebody has not answered"])
        try box.call(ben, "alarm.answer", ["alarm": .id(check.id), "answer": "allWell"])
        #expect(rang(ada).last?.text == "Ben says that all is well")
    }

    @Test func `it ends by who raised it or leads the household, after twelve hours, and with whoever leaves`() throws {
        let alarm = try raise(ben, "sos")
        try box.wait(seconds: 130)
        #expect(try box.refusal(cleo, "alarm.end", ["alarm": .id(alarm.id)])?.kind == .forbidden)
        try box.call(ada, "alarm.end", ["alarm": .id(alarm.id)])
        _ = try raise(ben, "onTheWay")
        try box.wait(seconds: 12 * 3600 + 1)
        #expect(try seen(ada).isEmpty)
        _ = try raise(ben, "come")
        _ = try raise(ada, "check", ["to": [.id(ben.id)]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try seen(ada).isEmpty && box.count("SELECT count(*) FROM alarm_called") == 0)
        #expect(try box.count("SELECT count(*) FROM due WHERE about LIKE 'alarm/%'") == 0)
    }

    @Test func `a call for help that is called off leaves a calm line with those who were called, and no others`()
        throws
    {
        for person in [ada, cleo] { _ = try topic(person) }
        let dan = try box.join("dan", by: ada)
        // Quiet hours do not keep it from whoever is on the way.
        try box.call(ada, "activity.setRules", ["quiet": ["from": "00:00", "to": "23:59", "zone": "UTC"]])
        let alarm = try raise(ben, "sos", ["to": [.id(ada.id)]])
        try box.call(ada, "alarm.answer", ["alarm": .id(alarm.id), "answer": "coming"])
        for person in [ada, cleo] { _ = rang(person) }
        try box.call(ben, "alarm.end", ["alarm": .id(alarm.id)])
        let rings = rang(ada).filter { $0.act == .ring }
        #expect(rings.map(\.text) == ["Ben: it is over"] && rings.first?.priority == 3)
        #expect(rings.first?.answers == nil)
        func lines(_ who: FamilyBox.Person) throws -> [JSON] {
            try box.fresh(who.id).inbox.entries.filter { $0.about == "alarm/\(alarm.id)" }.flatMap(\.lines)
        }
        #expect(try lines(ada).map { $0["kind"] } == ["alarmOver"])
        #expect(try lines(ada).first?["by"] == .id(ben.id))
        #expect(try lines(ben).isEmpty && lines(dan).isEmpty && lines(cleo).isEmpty)
        #expect(rang(cleo).isEmpty)
        // Whoever called for help is told where another member says that it is over.
        let come = try raise(dan, "come", ["to": [.id(ada.id)]])
        try box.call(ada, "alarm.end", ["alarm": .id(come.id)])
        let own = try box.fresh(dan.id).inbox.entries.filter { $0.about == "alarm/\(come.id)" }.flatMap(\.lines)
        #expect(own.map { $0["kind"] } == ["alarmOver"] && own.first?["of"] == .id(dan.id))
    }

    @Test func `a call for help pressed twice is one, others are refused, and an hour has an end of them`() throws {
        let alarm = try raise(ben, "sos")
        #expect(try raise(ben, "sos") == alarm)
        _ = try raise(ben, "come")
        #expect(try box.refusal(ben, "alarm.raise", ["kind": "come"])?.kind == .conflict)
        for _ in 0..<10 {
            let check = try raise(ben, "check")
            try box.call(ben, "alarm.end", ["alarm": .id(check.id)])
        }
        #expect(try box.refusal(ben, "alarm.raise", ["kind": "check"])?.kind == .slowDown)
        try box.wait(seconds: 3601)
        _ = try raise(ben, "check")
    }

    @Test func `a phone's shortcut raises one alarm by its address, and is good for nothing else`() throws {
        let made = try box.call(
            ben, "alarm.addShortcut",
            ["name": "Watch", "kind": "come", "text": "Fetch me", "to": [.id(ada.id)]])
        let secret = try #require(made["secret"]?.string)
        #expect(try !box.holds(secret))
        let found = try box.call(.none, "alarm.shortcut", ["secret": .string(secret)])
        #expect(found == ["kind": "come", "text": "Fetch me", "to": [.id(ada.id)]])
        try box.call(.answer(secret), "alarm.raise", try #require(found.object))
        #expect(try seen(ada).map(\.text) == ["Fetch me"] && seen(ada).map(\.by) == [ben.id])
        #expect(try box.call(ben, "alarm.shortcuts")["shortcuts"]?.array?.first?["used"] == .time(box.clock))
        #expect(try box.call(ada, "alarm.shortcuts")["shortcuts"] == [])
        for method in ["alarm.list", "alarm.end", "activity.list", "alarm.addShortcut"] {
            #expect(try box.refusal(.answer(secret), method)?.kind == .notSignedIn, "\(method)")
        }
        #expect(
            try box.refusal(ada, "alarm.removeShortcut", ["shortcut": made["shortcut"]?["id"] ?? .null])?.kind
                == .notFound)
        try box.call(ben, "alarm.removeShortcut", ["shortcut": made["shortcut"]?["id"] ?? .null])
        #expect(try box.refusal(.none, "alarm.shortcut", ["secret": .string(secret)])?.kind == .forbidden)
        #expect(try box.refusal(.answer(secret), "alarm.raise", ["kind": "come"])?.kind == .notSignedIn)
        // It goes with its member, and guessing is slowed.
        try box.call(ben, "alarm.addShortcut", ["name": "Watch", "kind": "sos"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM alarm_shortcuts") == 0)
        let kinds = try (0..<14).map { number in
            try box.refusal(.none, "alarm.shortcut", ["secret": .string("alarm-\(number)")], from: "1.2.3.4")?.kind
        }
        #expect(kinds.first == .forbidden && kinds.last == .slowDown)
    }

    @Test func `what rings in one turn with the hour's upkeep, as after a sleep of the machine, is heard`() throws {
        _ = try topic(ada)
        let alarm = try raise(ben, "sos")
        #expect(rang(ada).count == 1)
        try box.wait(seconds: 7200)
        #expect(rang(ada).last?.act == .ring, "\(alarm.id)")
    }

    @Test func `a guest calls the household, and nobody beyond it calls the guest`() throws {
        let gus = try box.join("gus", role: .guest, by: ada)
        let alarm = try raise(gus, "sos")
        #expect(alarm.called.map(\.member).sorted() == [ada.id, ben.id].sorted())
        #expect(try box.refusal(cleo, "alarm.raise", ["kind": "come", "to": [.id(gus.id)]])?.kind == .forbidden)
        #expect(try raise(ada, "come").called.map(\.member) == [ben.id])
    }

    @Test func `who may not see an alarm is told as if there were none`() throws {
        let alarm = try raise(ben, "come")
        for method in ["alarm.end", "alarm.answer"] {
            var params: JSON.Object = ["alarm": .id(alarm.id)]
            if method == "alarm.answer" { params["answer"] = "coming" }
            #expect(try box.refusal(cleo, method, params)?.kind == .notFound)
        }
        #expect(try box.call(cleo, "alarm.list")["alarms"] == [])
    }
}
