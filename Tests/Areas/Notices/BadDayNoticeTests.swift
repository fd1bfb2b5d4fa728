import KinActivity
import KinModel
import KinNotices
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// What rings on bad days: a phone that was away for long, a clock that is set back, and far too much.
@Suite struct BadDayNoticeTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let topic: String

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        topic = try #require(try box.call(ben, "notice.add", ["name": "Phone"])["topic"]?.string)
    }

    private func take(since: String = "all") throws -> [Notice] {
        try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": .string(since)])["notices"]?.array?
            .compactMap { $0["notice"].flatMap(Notice.init) } ?? []
    }

    private func say(_ text: String) throws {
        try box.call(ada, "activity.say", ["text": .string(text), "to": [.id(ben.id)]])
    }

    private func rang() -> [Notice] { box.allHeard(ben).compactMap { $0[NoticeDevice.rang]?.notice } }

    @Test func `a phone that was away for a month is told in three notices, and what is official, once, nothing read`()
        throws
    {
        try say("before")
        let had = try #require(try take().last)
        for day in 0..<40 {
            for _ in 0..<4 { try box.wait(seconds: 6 * 3600) }
            if day % 10 == 0 { try box.call(ada, "activity.announce", ["text": .string("day \(day)")]) }
            for number in 0..<2 { try say("word \(day) \(number)") }
            // On another device half of it is read.
            if day == 19 { try box.call(ben, "activity.read", ["upTo": .time(box.clock)]) }
        }
        for since in [had.id, "all", "720h"] {
            let told = try take(since: since)
            let shown = told.filter { $0.act == .ring }
            #expect(shown.count == 3 + 2, "\(since): \(shown.count)")
            #expect(shown.count { $0.isOfficial == true } == 2)
            #expect(told.count <= Limits.noticesPerAnswerMax)
            let unread = Set(try box.fresh(ben.id).inbox.entries.map(\.id) + [ben.id])
            #expect(shown.allSatisfy { unread.contains($0.entry) }, "\(since)")
            #expect(!told.contains { $0.text?.contains("day 10") ?? false })
        }
        let newest = try #require(try take().last)
        #expect(try take(since: newest.id).isEmpty)
        let old = box.clock.adding(days: -31).milliseconds
        #expect(try box.count("SELECT count(*) FROM notice_rings WHERE act != 'ring' AND at < \(old)") == 0)
    }

    /// Everybody who can say something: with what one may say in a day.
    private func crowd(_ count: Int) throws -> [FamilyBox.Person] {
        let crowd = try (0..<count).map { try box.join("m\($0)", by: ada) }
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        return crowd
    }

    /// Each says so many things to Ben, all at once, while nobody listens.
    private func burst(_ people: [FamilyBox.Person], each count: Int, _ method: String) throws {
        for person in people {
            var params: JSON.Object = ["text": "Soup is ready"]
            if method == "activity.say" { params["to"] = [.id(ben.id)] }
            let all = (0..<count).map { _ in box.request(person.credential, method, params) }
            box.clock = box.clock.adding(seconds: 1)
            box.forgetFollowers()
            let commit = try box.turn(all: all)
            #expect(commit.replies.allSatisfy { (try? $0.result.get()) != nil })
        }
        box.forgetFollowers()
    }

    @Test func `a thousand entries are three notices to a phone that sleeps`() throws {
        try burst(try crowd(10), each: 100, "activity.say")
        let told = try take()
        #expect(told.count == 3 && told.first?.text?.hasSuffix("things for you in the inbox") == true)
        #expect(told.suffix(2).allSatisfy { $0.text == "M9: Soup is ready" })
        #expect(try take(since: try #require(told.last).id).isEmpty)
    }

    @Test func `an alarm is told to a phone that comes back, however much was said meanwhile`() throws {
        let crowd = try crowd(2)
        try box.call(ada, "alarm.raise", ["kind": "check", "to": [.id(ben.id)]])
        try burst(crowd, each: Limits.noticesPerAnswerMax, "activity.say")
        let told = try take()
        #expect(told.contains { $0.priority == 5 && $0.act == .ring } && told.count <= 4, "\(told.map(\.text))")
    }

    @Test(.timeLimit(.minutes(4)))
    func `ten thousand entries while nobody listens cost the daemon little room, and the phone three notices`() throws {
        let crowd = try crowd(10)
        for _ in 0..<5 {
            try burst(crowd, each: 100, "activity.say")
            for _ in 0..<10 { try burst([ada], each: 100, "activity.announce") }
            try box.wait(seconds: 86_400)
        }
        #expect(try take().count { $0.act == .ring } == 3)
        #expect(try box.count("SELECT count(*) FROM notice_rings") <= Limits.noticesKeptMax + 1)
        #expect(try box.count("SELECT count(*) FROM inbox") <= 2 * Limits.inboxEntriesPerMemberMax)
        // What was told lately lies in the log no longer after an hour.
        try box.wait(seconds: 3601)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'notice.rang'") == 0)
        let had = try #require(try take().last)
        try box.call(ben, "activity.read", ["upTo": .time(box.clock)])
        #expect(try take(since: had.id).count <= Limits.noticesPerAnswerMax && take().isEmpty)
    }

    @Test func `the clock is set back: what comes rings at once, by itself and once`() throws {
        for text in ["one", "two", "three"] {
            box.clock = box.clock.adding(seconds: 60)
            try say(text)
        }
        let had = try #require(try take().last)
        _ = rang()
        box.clock = box.clock.adding(seconds: -7200)
        try box.turn()
        for text in ["four", "five"] {
            box.clock = box.clock.adding(seconds: 60)
            try say(text)
            let notices = rang().filter { $0.act == .ring }
            #expect(notices.count == 1 && notices[0].text?.contains(text) == true, "\(text): \(notices)")
        }
        let later = try take(since: had.id).filter { $0.act == .ring }
        #expect(later.count == 2 && Set(later.map(\.id)).count == 2)
        #expect(try take(since: try #require(later.last).id).isEmpty)
    }

    @Test func `a member whom nothing reaches is known to admins, and nothing more of anybody`() throws {
        func unreached() throws -> [Identifier] {
            try box.call(ada, "notice.unreached")["members"]?.array?.compactMap(\.identifier) ?? []
        }
        #expect(try unreached() == [ada.id, ben.id].sorted())
        _ = try take()
        #expect(try unreached() == [ada.id])
        #expect(try box.refusal(ben, "notice.unreached")?.kind == .forbidden)
        #expect(try box.call(.machine, "notice.unreached")["members"] == [.id(ada.id)])
        try box.wait(seconds: 31 * 86_400)
        #expect(try unreached() == [ada.id, ben.id].sorted())
    }
}
