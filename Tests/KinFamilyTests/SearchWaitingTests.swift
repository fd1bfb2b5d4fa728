import KinFamily
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Messages and announcements are put into the index of words together, a little later: nobody who searches notices.
@Suite struct SearchWaitingTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let gus: FamilyBox.Person
    private let room: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        gus = try box.join("gus", role: .guest, by: ada)
        room = .id(try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id)
    }

    private func kinds(_ person: FamilyBox.Person, _ words: String) throws -> [String] {
        let answer = try box.call(person, "search.find", ["words": .string(words), "limit": 50])
        return (answer["hits"]?.array ?? []).compactMap { $0["kind"]?.string }
    }

    @discardableResult
    private func say(_ text: String, in room: JSON? = nil) throws -> JSON {
        let params: JSON.Object = ["room": room ?? self.room, "text": .string(text)]
        return try #require(try box.call(ada, "message.send", params)["message"]?["id"])
    }

    @discardableResult
    private func announce(_ text: String) throws -> JSON {
        try #require(try box.call(ada, "activity.announce", ["text": .string(text)])["announcement"]?["id"])
    }

    /// How many messages and announcements the index has.
    private func indexed() throws -> Int64 {
        try box.count("SELECT count(*) FROM searched WHERE kind IN ('message', 'announcement')")
    }

    // MARK: Together

    @Test func `what was just said is found at once, by each search, and its command writes no word`() throws {
        let segments = "SELECT count(*) + sum(length(block)) FROM search_words_data"
        let before = try box.count(segments)
        try say("Quinces are ripe")
        try announce("Quinces for all")
        #expect(try indexed() == 0 && box.count(segments) == before)
        #expect(try kinds(ben, "quinces") == ["announcement", "message"])
        #expect(try indexed() == 2)
        try say("Quinces again")
        #expect(try indexed() == 2)
        let found = try box.call(ben, "message.search", ["words": "quin"])["messages"]?.array ?? []
        #expect(found.compactMap { $0["text"]?.string } == ["Quinces again", "Quinces are ripe"])
        #expect(try indexed() == 3)
    }

    @Test func `as many as may wait are taken in at once, and fewer after a while`() throws {
        let most = Limits.searchWaitingMax
        for number in 1..<most { try say("Word \(number)") }
        #expect(try indexed() == 0)
        try say("Word \(most)")
        #expect(try indexed() == Int64(most))
        try say("One more")
        try box.wait(seconds: Limits.searchWaitingSeconds - 1)
        #expect(try indexed() == Int64(most))
        let due = try #require(box.keeper.turn([], clock: box.reading).nextDue)
        #expect(due <= box.clock.adding(seconds: 1))
        try box.wait(seconds: 1)
        #expect(try indexed() == Int64(most) + 1)
        #expect(try kinds(ben, "word").count == 50 && kinds(ben, "more") == ["message"])
    }

    @Test func `hits of one moment come in their order, whoever else says something in between`() throws {
        func said(hidden: Bool) throws -> [String] {
            try box.wait(seconds: 100)
            let word = hidden ? "plums" : "pears"
            func between() throws {
                guard hidden else { return }
                try box.call(ben, "post.add", ["text": "mine", "audience": []])
                #expect(try box.refusal(ben, "activity.withdraw", ["id": room]) != nil)
            }
            try say(word)
            try between()
            try announce(word)
            try between()
            try box.call(ada, "post.add", ["text": .string(word), "audience": "everyone"])
            try say(word)
            try between()
            return try kinds(ada, word)
        }
        #expect(try said(hidden: false) == ["message", "post", "announcement", "message"])
        #expect(try said(hidden: true) == ["message", "post", "announcement", "message"])
    }

    // MARK: Not lost

    @Test func `what waited when the daemon was killed is taken in at the next start`() throws {
        try say("Quinces are ripe")
        try announce("Quinces for all")
        // Without words it is never in the index, and is looked at once more.
        try box.call(ada, "message.send", ["room": room, "spot": ["lat": 48.1, "lon": 11.5]])
        #expect(try indexed() == 0)
        try box.restart()
        #expect(try indexed() == 2)
        try say("Quinces again")
        #expect(try Set(kinds(ben, "quinces")) == ["message", "announcement"] && kinds(ben, "quinces").count == 3)
    }

    @Test func `a refused command and a turn that the disk refuses lose none`() throws {
        let disk = FaultVFS.register(name: "search-waiting")
        let box = try FamilyBox(files: .memory(disk))
        let ada = try box.found()
        func count(_ words: String) throws -> Int? {
            try box.call(ada, "search.find", ["words": .string(words)])["hits"]?.array?.count
        }
        try box.call(ada, "activity.announce", ["text": "quinces"])
        #expect(try box.refusal(ada, "activity.announce", ["text": ""]) != nil)
        try box.call(ada, "activity.announce", ["text": "more quinces"])
        #expect(try count("quinces") == 2)
        try box.call(ada, "activity.announce", ["text": "medlars"])
        box.clock = box.clock.adding(seconds: Limits.searchWaitingSeconds)
        disk.failAt(1, .write, .full, lasting: true)
        #expect(box.keeper.turn([], clock: box.reading).fate == .refused(.full))
        disk.heal()
        try box.wait(seconds: 60)
        #expect(try count("medlars") == 1)
        try box.call(ada, "activity.announce", ["text": "medlars for all"])
        #expect(try count("medlars") == 2)
    }

    // MARK: Changed in the meantime

    @Test func `what is changed before it is in the index is found as it is`() throws {
        let (message, announced) = (try say("Quinces"), try announce("Quinces"))
        try box.call(ada, "message.update", ["room": room, "message": message, "text": "Medlars"])
        try box.call(ada, "activity.correct", ["id": announced, "text": "Medlars"])
        #expect(try kinds(ben, "quinces") == [] && kinds(ben, "medlars") == ["announcement", "message"])
        // And so is what is changed when it is there, at once.
        try say("Waiting")
        try box.call(ada, "message.update", ["room": room, "message": message, "text": "Sloes"])
        let words = "SELECT count(*) FROM search_words WHERE search_words MATCH"
        #expect(try box.count("\(words) 'sloes'") == 1 && box.count("\(words) 'waiting'") == 0)
        #expect(try kinds(ben, "sloes") == ["message"] && kinds(ben, "medlars") == ["announcement"])
    }

    @Test func `what is removed before it is in the index is never in it, and nowhere in the files soon`() throws {
        let (message, announced) = (try say("stachelbeermarmelade"), try announce("rhabarberkompott"))
        #expect(try box.holds("stachelbeermarmelade") && box.holds("rhabarberkompott"))
        try box.call(ada, "message.remove", ["room": room, "message": message])
        try box.call(ada, "activity.withdraw", ["id": announced])
        for word in ["stachelbeer", "rhabarber"] { #expect(try kinds(ada, word) == []) }
        #expect(try indexed() == 0)
        for _ in 0..<6 { try box.wait(seconds: 12) }
        #expect(try indexed() == 0)
        for word in ["stachelbeer", "rhabarber"] { #expect(try !box.holds(word), "\(word)") }
    }

    @Test func `a number that is given again is of the new row`() throws {
        // Removed when it is in the index, and while it waits.
        for isIndexed in [true, false] {
            let old = try say("Quinces")
            if isIndexed { #expect(try kinds(ben, "quinces") == ["message"]) }
            try box.call(ada, "message.remove", ["room": room, "message": old])
            try say("Medlars")
            #expect(try kinds(ben, "quinces") == [])
        }
        #expect(try kinds(ben, "medlars") == ["message", "message"])
        #expect(try indexed() == 2)
    }

    // MARK: Who finds it

    @Test func `what was just said is found by nobody who does not see it, whoever has it taken in`() throws {
        let cleo = try box.join("cleo", by: ada)
        let opened = try box.call(ada, "room.open", ["with": [.id(ben.id)], "name": "Surprise"])
        let two = try #require(opened["room"]?["room"]?["id"])
        try say("A kite for Cleo", in: two)
        try announce("A kite festival")
        // The first who searches sees none of it, or a part.
        #expect(try kinds(gus, "kite") == [])
        #expect(try kinds(cleo, "kite") == ["announcement"] && kinds(ben, "kite") == ["announcement", "message"])
        #expect(try box.call(cleo, "message.search", ["words": "kite"])["messages"] == [])
        // Who leaves before it is taken in finds it no more.
        try say("The kite is red", in: two)
        try box.call(ada, "room.update", ["room": two, "remove": [.id(ben.id)]])
        #expect(try kinds(ben, "red") == [] && kinds(ada, "red") == ["message"])
    }
}
