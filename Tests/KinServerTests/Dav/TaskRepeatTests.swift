import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What repeats on a list, over CalDAV: each task program says in its own way that a day of it is done.
@Suite struct TaskRepeatTests {
    private static let bins = "01980000-0000-7000-8000-00000000abcd"
    private let dav: DavBox
    private let ada: String
    private let list: JSON
    private let place: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        list = try #require(try dav.call("ada", "list.add", ["name": "Chores", "kind": "tasks"])["list"]?["id"])
        place = "/dav/calendars/\(try dav.box.person("ada").id)/list-\(list.string ?? "")/"
        let turns: JSON = [.id(try dav.box.person("ada").id), .id(try dav.box.person("ben").id)]
        _ = try dav.call(
            "ada", "item.put",
            [
                "list": list,
                "items": [
                    [
                        "id": .string(Self.bins), "text": "Bins", "due": "2027-03-04", "repeat": "weekly",
                        "turns": turns,
                    ]
                ],
            ])
        dav.box.time.advance(milliseconds: 60_000)
    }

    private func items() throws -> [ListItem] {
        (try dav.call("ada", "list.show", ["list": list])["items"]?.array ?? []).compactMap(ListItem.init)
    }

    private func bins() throws -> ListItem { try #require(try items().first { $0.id.description == Self.bins }) }

    private func get() throws -> (text: String, tag: String) {
        let answer = try dav.ask("GET \(place)\(Self.bins).ics", ada)
        return (answer.text, try #require(answer["ETag"]))
    }

    /// The client knows what is there.
    private func ifMatch() throws -> [String] { ["If-Match: \(try get().tag)"] }

    /// An object with tasks, as a client writes them.
    private func object(_ tasks: [String]...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Somebody//Tasks//EN"]
            + tasks.flatMap { ["BEGIN:VTODO", "DTSTAMP:20261101T000000Z"] + $0 + ["END:VTODO"] }
            + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func put(_ name: String, _ text: String, _ headers: [String] = []) throws -> Int {
        let answer = try dav.ask(
            "PUT \(place)\(name).ics", ada, ["Content-Type: text/calendar; charset=utf-8"] + headers, text)
        dav.box.time.advance(milliseconds: 60_000)
        return answer.status
    }

    private static let task = ["UID:\(bins)", "SUMMARY:Bins", "RRULE:FREQ=WEEKLY"]

    @Test func `a task has its rule and the day that is due, and a program's rule is the item's`() throws {
        let text = try get().text
        #expect(text.contains("RRULE:FREQ=WEEKLY\r\n") && text.contains("DUE;VALUE=DATE:20270304"))
        // Written back as it came it is no edit.
        #expect(try put(Self.bins, text) == 204)
        let (tag, before) = (try get().tag, try bins())
        #expect(before.due == "2027-03-04" && before.repeats == "FREQ=WEEKLY" && before.turns.count == 2)
        #expect(try put(Self.bins, text) == 204)
        #expect(try get().tag == tag && bins() == before)
        let made = object(["UID:dust", "SUMMARY:Dust", "DUE;VALUE=DATE:20270301", "RRULE:FREQ=DAILY;INTERVAL=2"])
        #expect(try put("dust", made) == 201)
        let dust = try #require(try items().first { $0.text == "Dust" })
        #expect(dust.repeats == "FREQ=DAILY;INTERVAL=2" && dust.due == "2027-03-01")
        // A rule that lists cannot go by stays with the program.
        let odd = object(["UID:odd", "SUMMARY:Odd", "DUE:20270301T100000Z", "RRULE:FREQ=HOURLY"])
        #expect(try put("odd", odd) == 201)
        #expect(try items().first { $0.text == "Odd" }?.repeats == nil)
        #expect(try dav.ask("GET \(place)odd.ics", ada).text.contains("RRULE:FREQ=HOURLY"))
    }

    @Test func `a task that is written as completed is due on its next day, however often that is sent`() throws {
        let done = object(
            Self.task + ["DUE;VALUE=DATE:20270304", "STATUS:COMPLETED", "COMPLETED:20260922T080000Z"])
        #expect(try put(Self.bins, done, ifMatch()) == 204)
        let ben = try dav.box.person("ben").id
        #expect(try bins().due == "2027-03-11" && bins().member == ben && !bins().isTicked)
        let text = try get().text
        #expect(text.contains("DUE;VALUE=DATE:20270311") && text.contains("STATUS:NEEDS-ACTION"))
        // The client heard no answer, and sends it again.
        #expect(try put(Self.bins, done) == 204)
        #expect(try bins().due == "2027-03-11" && bins().member == ben)
    }

    @Test func `tasks-org puts the day further, and that is a tick; another day is another day`() throws {
        let next = object(Self.task + ["DUE;VALUE=DATE:20270311", "STATUS:NEEDS-ACTION"])
        #expect(try put(Self.bins, next, ifMatch()) == 204)
        let ben = try dav.box.person("ben").id
        #expect(try bins().due == "2027-03-11" && bins().done == "2027-03-04" && bins().member == ben)
        let later = object(Self.task + ["DUE;VALUE=DATE:20270313", "STATUS:NEEDS-ACTION"])
        #expect(try put(Self.bins, later, ifMatch()) == 204)
        #expect(try bins().due == "2027-03-13" && bins().member == ben)
    }

    @Test func `a day that is completed beside the task is done`() throws {
        let text = object(
            Self.task + ["DUE;VALUE=DATE:20270304"],
            [
                "UID:\(Self.bins)", "SUMMARY:Bins", "RECURRENCE-ID;VALUE=DATE:20270304", "STATUS:COMPLETED",
                "COMPLETED:20260922T080000Z",
            ])
        #expect(try put(Self.bins, text, ifMatch()) == 204)
        #expect(try bins().due == "2027-03-11" && bins().done == "2027-03-04" && items().count == 1)
    }

    @Test func `todoman ends the task and goes on with a copy, which is the next one's turn`() throws {
        let done = object([
            "UID:\(Self.bins)", "SUMMARY:Bins", "DUE;VALUE=DATE:20270304", "STATUS:COMPLETED", "PERCENT-COMPLETE:100",
            "COMPLETED:20260922T080000Z",
        ])
        #expect(try put(Self.bins, done, ifMatch()) == 204)
        #expect(try bins().isTicked && bins().repeats == nil && bins().due == "2027-03-04")
        let copy = object(["UID:copy", "SUMMARY:Bins", "DUE;VALUE=DATE:20270311", "RRULE:FREQ=WEEKLY"])
        #expect(try put("copy", copy, ["If-None-Match: *"]) == 201)
        let next = try #require(try items().first { !$0.isTicked })
        let (adaID, ben) = (try dav.box.person("ada").id, try dav.box.person("ben").id)
        #expect(next.due == "2027-03-11" && next.turns == [ben, adaID] && next.member == ben)
    }

    @Test func `a number of times is counted from the day that is due, and the time of day goes along`() throws {
        let task = ["UID:t", "SUMMARY:Tea", "DUE;TZID=Europe/Berlin:20270304T160000", "RRULE:FREQ=DAILY;COUNT=3"]
        #expect(try put("t", object(task)) == 201)
        let done = object(task + ["STATUS:COMPLETED"])
        #expect(try put("t", done) == 204)
        let text = try dav.ask("GET \(place)t.ics", ada).text
        #expect(text.contains("DUE;TZID=Europe/Berlin:20270305T160000") && text.contains("COUNT=2"))
        #expect(try put("t", text) == 204)
        #expect(try items().first { $0.text == "Tea" }?.repeats == "FREQ=DAILY;COUNT=3")
    }
}
