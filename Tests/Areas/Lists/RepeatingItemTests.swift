import KinLists
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What is due again once it is ticked, and whose turn it is.
@Suite struct RepeatingItemTests {
    private static let bins: JSON = "01980000-0000-7000-8000-000000000001"
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person
    private let list: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        list = try #require(try box.call(ada, "list.add", ["name": "Chores", "kind": "tasks"])["list"]?["id"])
    }

    @discardableResult
    private func say(_ who: FamilyBox.Person, _ more: JSON.Object) throws -> ListItem {
        var item: JSON.Object = ["id": Self.bins]
        for member in more.members { item[member.name] = member.value }
        let answer = try box.call(who, "item.put", ["list": list, "items": [.object(item)]])
        try box.wait(seconds: 2)
        return try #require(answer["items"]?.array?.first.flatMap(ListItem.init))
    }

    private func make(_ more: JSON.Object = [:]) throws {
        var item: JSON.Object = [
            "text": "Bins", "due": "2027-03-04", "repeat": "weekly",
            "turns": [.id(ada.id), .id(ben.id), .id(cleo.id)],
        ]
        for member in more.members { item[member.name] = member.value }
        try say(ada, item)
    }

    private func refusal(_ more: JSON.Object) throws -> Rejection? {
        var item: JSON.Object = ["id": Self.bins, "text": "Bins"]
        for member in more.members { item[member.name] = member.value }
        return try box.refusal(ada, "item.put", ["list": list, "items": [.object(item)]])
    }

    /// As everybody is told it, and as the snapshot has it.
    private func bins() throws -> ListItem {
        let shown = try box.call(ada, "list.show", ["list": list])["items"]?.array?.first.flatMap(ListItem.init)
        let item = try #require(shown)
        #expect(try box.fresh(ben.id).listItems.values.first { $0.id == item.id } == item)
        return item
    }

    @Test func `what is ticked is due on the next day of its rule, and is the next one's turn`() throws {
        try make()
        #expect(try bins().member == ada.id && bins().due == "2027-03-04")
        for (who, day, next) in [(ada, "2027-03-11", ben), (cleo, "2027-03-18", cleo), (ada, "2027-03-25", ada)] {
            let item = try say(who, ["ticked": true])
            #expect(item.due == day && item.member == next.id && !item.isTicked && item.tickedBy == who.id)
        }
        #expect(try bins().done == "2027-03-18")
    }

    @Test func `two phones that tick the same day move it on once, and a tick can be taken back`() throws {
        try make()
        try say(ada, ["ticked": true, "occurrence": "2027-03-04"])
        let twice = try say(ben, ["ticked": true, "occurrence": "2027-03-04"])
        #expect(twice.due == "2027-03-11" && twice.member == ben.id)
        let back = try say(cleo, ["ticked": false, "occurrence": "2027-03-04"])
        #expect(back.due == "2027-03-04" && back.member == ada.id && back.done == nil && back.tickedBy == nil)
        // Said without its day, the one ticked last is meant.
        try say(ada, ["ticked": true])
        #expect(try say(ada, ["ticked": false]).due == "2027-03-04")
    }

    @Test func `a tick from before somebody took it back does not tick again`() throws {
        try make()
        let early = box.clock
        try box.wait(seconds: 60)
        try say(ada, ["ticked": true, "occurrence": "2027-03-04"])
        try say(ada, ["ticked": false, "occurrence": "2027-03-04"])
        let late = try say(ben, ["ticked": true, "occurrence": "2027-03-04", "at": .time(early.adding(seconds: 5))])
        #expect(late.due == "2027-03-04" && late.member == ada.id)
    }

    @Test func `days that were missed are left out`() throws {
        try make(["due": "2026-01-05", "repeat": "daily"])
        #expect(try bins().due == "2026-01-05")
        let item = try say(ben, ["ticked": true])
        let today = String(box.clock.description.prefix(10))
        #expect(item.due ?? "" >= today && item.member == ben.id)
    }

    @Test func `whoever is named does it this once, and turns that are said anew begin there`() throws {
        try make()
        #expect(try say(ada, ["member": .id(cleo.id)]).member == cleo.id)
        #expect(try say(cleo, ["ticked": true]).member == ben.id)
        // Passed on to the next.
        #expect(try say(ben, ["turns": [.id(cleo.id), .id(ada.id), .id(ben.id)]]).member == cleo.id)
        #expect(try say(cleo, ["ticked": true]).member == ada.id)
    }

    @Test func `who leaves the family or sees the list no longer takes no turn any more`() throws {
        try make()
        try say(ada, ["ticked": true])
        #expect(try bins().member == ben.id)
        _ = box.heard(cleo)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        let left = try #require(try box.fresh(cleo.id).listItems.values.first)
        #expect(left.turns == [cleo.id, ada.id] && left.member == cleo.id && left.due == "2027-03-11")
        #expect(box.types(cleo).contains("item.put"))
        try box.wait(seconds: 2)
        try box.call(ada, "list.update", ["list": list, "audience": []])
        let own = try #require(try box.fresh(ada.id).listItems.values.first)
        #expect(own.turns == [ada.id] && own.member == ada.id)
    }

    @Test func `whoever does it this once still does when somebody else takes no turn any more`() throws {
        let dan = try box.join("dan", by: ada)
        try make(["turns": [.id(ada.id), .id(ben.id), .id(cleo.id), .id(dan.id)]])
        #expect(try say(ada, ["member": .id(cleo.id)]).member == cleo.id)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        let seen = try #require(try box.fresh(cleo.id).listItems.values.first)
        #expect(seen.turns == [ada.id, cleo.id, dan.id] && seen.member == cleo.id)
        // A list that others see no longer, too.
        try box.call(ada, "list.update", ["list": list, "audience": [.id(cleo.id)]])
        let left = try #require(try box.fresh(cleo.id).listItems.values.first)
        #expect(left.turns == [ada.id, cleo.id] && left.member == cleo.id)
        // Once it is done, the turns go on as if nobody had stood in.
        try box.wait(seconds: 2)
        #expect(try say(cleo, ["ticked": true]).member == cleo.id)
        #expect(try say(cleo, ["ticked": true]).member == ada.id)
        // A stand-in who is gone stands in for nobody.
        #expect(try say(ada, ["member": .id(cleo.id)]).member == cleo.id)
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        let own = try box.call(ada, "list.show", ["list": list])["items"]?.array?.first.flatMap(ListItem.init)
        #expect(own?.turns == [ada.id] && own?.member == ada.id)
    }

    @Test func `what comes to its end is done, and what repeats no more stays due`() throws {
        try make(["repeat": "FREQ=WEEKLY;COUNT=2"])
        #expect(try say(ada, ["ticked": true]).due == "2027-03-11")
        let ended = try say(ben, ["ticked": true])
        #expect(ended.isTicked && ended.due == "2027-03-11" && ended.tickedBy == ben.id)
        #expect(try !say(ben, ["ticked": false]).isTicked)
        let once = try say(ada, ["repeat": .null])
        #expect(once.repeats == nil && once.due == "2027-03-11" && !once.isTicked)
        #expect(try say(ada, ["ticked": true]).isTicked)
    }

    @Test func `words are rules, of the day that it begins with`() throws {
        for (word, next) in [
            ("daily", "2027-02-01"), ("weekdays", "2027-02-01"), ("biweekly", "2027-02-14"), ("monthly", "2027-02-28"),
            ("FREQ=DAILY;INTERVAL=3", "2027-02-03"),
        ] {
            try say(
                ada,
                ["text": "Bins", "due": "2027-01-31", "repeat": .string(word), "turns": .null, "ticked": .bool(false)])
            #expect(try say(ada, ["ticked": true]).due == next, "\(word)")
        }
        for rule in ["sometimes", "FREQ=HOURLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"] {
            #expect(try refusal(["due": "2027-01-31", "repeat": .string(rule)])?.field == "repeat", "\(rule)")
        }
        #expect(try refusal(["due": "2027-01-31", "ticked": true, "occurrence": "soon"])?.field == "occurrence")
        #expect(try refusal(["turns": [.id(ada.id), .id(ben.id), .id(ada.id)]])?.field == "turns")
        let gil = try box.join("gil", role: .guest, by: ada)
        #expect(try refusal(["turns": [.id(ada.id), .id(gil.id)]])?.kind == .notFound)
        // Whom one sees is named; who is not there stays what was asked for.
        #expect(try refusal(["member": .id(gil.id)])?.message == "Gil does not see this list.")
        let nobody: JSON = "01980000-0000-7000-8000-0000000000ff"
        #expect(
            try refusal(["member": nobody])?.message == "There is no member 01980000-0000-7000-8000-0000000000ff.")
    }
}
