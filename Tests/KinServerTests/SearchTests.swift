import KinFamily
import KinKeeper
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A search is a long read: a worker finds, others do not wait, and what is answered is true at the answer's cursor.
@Suite struct SearchTests {
    private let box: Box

    init() throws { box = try Box.family() }

    /// Something that can be searched: what is made, how its words are changed, and the question.
    private enum Thing: CaseIterable {
        case meeting, contact

        func make(_ box: Box, _ ada: BoxClient) throws -> JSON {
            switch self {
            case .meeting:
                let start = Instant(milliseconds: box.time.wallMilliseconds()).adding(days: 30)
                return try #require(
                    try ada.result(
                        "meeting.propose",
                        [
                            "title": "Soup", "kind": "public", "zone": "Europe/Berlin",
                            "slots": [["start": .time(start), "end": .time(start.adding(seconds: 3600))]],
                        ])["meeting"]?["id"])
            case .contact:
                return try #require(try ada.result("contact.add", ["lastName": "Soup"])["contact"]?["id"])
            }
        }

        func change(_ id: JSON, to word: String) -> (String, JSON) {
            switch self {
            case .meeting: ("meeting.update", ["meeting": id, "title": .string(word)])
            case .contact: ("contact.update", ["contact": id, "lastName": .string(word)])
            }
        }

        func question(_ words: String) -> (String, JSON) {
            switch self {
            case .meeting: ("meeting.list", ["view": "invitations", "words": .string(words)])
            case .contact: ("contact.list", ["words": .string(words)])
            }
        }

        func count(_ result: JSON?) -> Int? { result?[self == .meeting ? "meetings" : "contacts"]?.array?.count }
    }

    @Test(arguments: Thing.allCases)
    private func `while a search is read, nobody else waits, and later requests of its connection do`(
        thing: Thing
    ) throws {
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        _ = try thing.make(box, ada)
        let (method, params) = thing.question("sou")
        box.isReaderBusy = true
        let ids = [ben.postCall(method, params), ben.postCall("session.list")]
        try box.settle()
        #expect(try ben.messages().isEmpty)
        _ = try ada.result("activity.announce", ["text": "Supper"])
        box.isReaderBusy = false
        try box.settle()
        let answers = try ben.messages()
        #expect(answers.compactMap { $0["id"]?.int } == ids)
        let found = try #require(answers.first?["result"])
        #expect(thing.count(found) == 1)
        #expect(try box.line("ben").result("live.follow", ["since": try #require(found["cursor"])])["mode"] == "live")
    }

    @Test(arguments: Thing.allCases)
    private func `what changed its words since it was read is found as it is when the answer leaves`(
        thing: Thing
    ) throws {
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        let id = try thing.make(box, ada)
        let (method, params) = thing.question("soup")
        box.isReaderBusy = true
        ben.postCall(method, params)
        try box.settle()
        // The reader reads before, and the keeper hears of that after.
        box.isKeeperBusy = true
        let change = thing.change(id, to: "Bread")
        ada.postCall(change.0, change.1)
        try box.settle()
        box.isReaderBusy = false
        try box.settle()
        box.isKeeperBusy = false
        try box.settle()
        let answer = try #require(try ben.messages().first { $0["result"] != nil }?["result"])
        #expect(thing.count(answer) == 0)
        #expect(thing.count(try ben.result(thing.question("bread").0, thing.question("bread").1)) == 1)
    }

    @Test(arguments: Thing.allCases) private func `a list without words is no long read`(thing: Thing) throws {
        let ada = try box.line("ada")
        _ = try thing.make(box, ada)
        let (method, params) = thing.question("soup")
        box.isReaderBusy = true
        var without = params
        without["words"] = nil
        #expect(thing.count(try ada.result(method, without)) ?? 0 <= 1)
        box.isReaderBusy = false
        // Words without a letter find nothing.
        var empty = params
        empty["words"] = "-"
        #expect(thing.count(try ada.result(method, empty)) == 0)
    }
}
