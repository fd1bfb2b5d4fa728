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

    @Test func `a phone that was away for a month is told in three notices what is unread, once, and nothing read`()
        throws
    {
        try say("before")
        let had = try #require(try take().last)
        for day in 0..<40 {
            for _ in 0..<4 { try box.wait(seconds: 6 * 3600) }
            try box.call(ada, "activity.announce", ["text": .string("day \(day)")])
            try say("word \(day)")
            // On another device half of it is read.
            if day == 19 { try box.call(ben, "activity.read", ["upTo": .time(box.clock)]) }
        }
        for since in [had.id, "all", "720h"] {
            let told = try take(since: since)
            let shown = told.filter { $0.act == .ring }
            #expect(shown.count == 3, "\(since): \(shown.count)")
            #expect(told.count <= Limits.noticesPerAnswerMax)
            let unread = Set(try box.fresh(ben.id).inbox.entries.map(\.id) + [ben.id])
            #expect(shown.allSatisfy { unread.contains($0.entry) }, "\(since)")
            #expect(!told.contains { $0.text?.contains("day 3,") ?? false })
        }
        let newest = try #require(try take().last)
        #expect(try take(since: newest.id).isEmpty)
        let old = box.clock.adding(days: -31).milliseconds
        #expect(try box.count("SELECT count(*) FROM notice_rings WHERE act != 'ring' AND at < \(old)") == 0)
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
