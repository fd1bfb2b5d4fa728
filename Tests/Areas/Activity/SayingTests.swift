import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// What members say: who is told, who is not, and that it can be taken back. The box compares every follower with a fresh
/// snapshot after each turn.
@Suite struct SayingTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let kit: FamilyBox.Person
    let gus: FamilyBox.Person

    /// Ada leads, Ben and Kit are members, Gus is a guest of their household; all have read what came before.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
        gus = try box.join("gus", role: .guest, by: ada)
        try box.readAll(ada, ben, kit, gus)
    }

    @discardableResult
    private func say(
        _ text: String, by who: FamilyBox.Person, to: [Identifier]? = nil
    ) throws -> (id: JSON, saying: JSON) {
        var params: JSON.Object = ["text": .string(text)]
        if let to { params["to"] = .array(to.map { .id($0) }) }
        let saying = try #require(try box.call(who, "activity.say", params)["saying"])
        return (try #require(saying["id"]), saying)
    }

    private func titles(_ who: FamilyBox.Person) throws -> [String?] {
        try box.fresh(who.id).inbox.entries.map(\.title)
    }

    @Test func `a member speaks to the family, and whoever joins later was not told`() throws {
        let (id, saying) = try say("Soup\nis ready", by: ben)
        #expect(saying["told"] == 2 && saying["official"] == false && saying["to"] == nil)
        for hearer in [ada, kit] {
            let entry = try #require(try box.fresh(hearer.id).inbox.entries.first)
            #expect(entry.title == "Soup is ready" && !entry.isOfficial && entry.lines.last?["kind"] == "said")
            #expect(entry.lines.last?["by"] == .id(ben.id))
            #expect(try box.call(hearer, "activity.show", ["id": id])["saying"]?["text"] == "Soup\nis ready")
        }
        #expect(try titles(ben).isEmpty && titles(gus).isEmpty)
        #expect(box.types(ben).contains("activity.said") && !box.types(gus).contains("activity.said"))
        #expect(try box.refusal(gus, "activity.show", ["id": id])?.kind == .notFound)
        let dora = try box.join("dora", by: ada)
        #expect(try titles(dora).isEmpty)
        #expect(try box.refusal(dora, "activity.show", ["id": id])?.kind == .notFound)
    }

    @Test func `whoever is named is told and nobody else, guests where they are named`() throws {
        let (id, saying) = try say("Only you", by: ben, to: [kit.id])
        #expect(saying["told"] == 1 && saying["to"] == [.id(kit.id)])
        #expect(try titles(kit) == ["Only you"] && titles(ada).isEmpty && titles(gus).isEmpty)
        #expect(try box.refusal(ada, "activity.show", ["id": id])?.kind == .notFound)
        // Whom it was said to is the author's to know.
        #expect(try box.call(kit, "activity.show", ["id": id])["saying"]?["to"] == nil)
        #expect(try say("All in the house", by: ben, to: [try box.household(of: ben)]).saying["told"] == 3)
        #expect(try titles(gus) == ["All in the house"])
        #expect(try box.refusal(ben, "activity.say", ["text": "x", "to": []])?.kind == .invalid)
        let nobody: JSON = [.id(try box.household(of: ben)), id]
        #expect(try box.refusal(ben, "activity.say", ["text": "x", "to": nobody])?.kind == .notFound)
        #expect(try box.refusal(ben, "activity.say", ["text": " \n"])?.kind == .invalid)
    }

    @Test func `a guest speaks to the household, and to nobody beyond it`() throws {
        let lake = try box.foundHousehold("Lake", by: ada)
        try box.move(kit, to: lake)
        try box.readAll(ada, ben, kit, gus)
        #expect(try say("Thanks", by: gus).saying["told"] == 2)
        #expect(try titles(ada) == ["Thanks"] && titles(ben) == ["Thanks"] && titles(kit).isEmpty)
        // A member, a household and what is nobody's are refused in the same words.
        let nobodys = Identifier(high: 1, low: 1)
        for hidden in [kit.id, lake, nobodys] {
            let refused = try #require(try box.refusal(gus, "activity.say", ["text": "x", "to": [.id(hidden)]]))
            #expect(refused.kind == .notFound && refused.field == "to")
            #expect(refused.message == "There is no member or household \(hidden).")
        }
    }

    @Test func `a guest loses what was said by one who moved away, and a member who becomes a guest what others said`()
        throws
    {
        let (house, lake) = (try box.household(of: ada), try box.foundHousehold("Lake", by: ada))
        try box.move(kit, to: lake)
        let near = try say("To the house", by: ben, to: [house]).id
        let far = try say("From the lake", by: kit, to: [ben.id, ada.id]).id
        try box.move(ben, to: lake)
        #expect(try box.refusal(gus, "activity.show", ["id": near])?.kind == .notFound)
        #expect(try titles(gus).isEmpty)
        try box.move(ben, to: house)
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try box.refusal(ben, "activity.show", ["id": far])?.kind == .notFound)
        #expect(try box.call(ada, "activity.show", ["id": far])["saying"]?["text"] == "From the lake")
    }

    @Test func `a correction is in every inbox, and is marked`() throws {
        let (id, _) = try say("Soup at six", by: ben)
        #expect(try box.refusal(kit, "activity.correct", ["id": id, "text": "x"])?.kind == .forbidden)
        let corrected = try box.call(ben, "activity.correct", ["id": id, "text": "Soup at seven"])["saying"]
        #expect(corrected?["text"] == "Soup at seven" && corrected?["corrected"]?.instant != nil)
        #expect(try titles(kit) == ["Soup at seven"] && titles(ada) == ["Soup at seven"])
        #expect(box.types(kit).last == "activity.corrected" && !box.types(gus).contains("activity.corrected"))
        // An announcement as well, and not for whoever came after it.
        let told = try #require(
            try box.call(ada, "activity.announce", ["text": "Dinner"])["announcement"]?["id"])
        let dora = try box.join("dora", by: ada)
        #expect(try box.refusal(ben, "activity.correct", ["id": told, "text": "x"])?.kind == .forbidden)
        try box.call(ada, "activity.correct", ["id": told, "text": "Supper"])
        #expect(try titles(kit).contains("Supper") && !titles(dora).contains("Supper"))
        #expect(!box.types(dora).contains("activity.corrected"))
    }

    @Test func `what is taken back leaves inboxes, the database and the log`() throws {
        let (id, _) = try say("Soup with nettles", by: ben)
        try box.call(ben, "activity.correct", ["id": id, "text": "Soup with sorrel"])
        #expect(try box.refusal(kit, "activity.withdraw", ["id": id])?.kind == .forbidden)
        try box.call(ben, "activity.withdraw", ["id": id])
        #expect(try titles(kit).isEmpty && titles(ada).isEmpty)
        #expect(try box.refusal(ben, "activity.show", ["id": id])?.kind == .notFound)
        let heard = box.allHeard(kit).map(\.type)
        #expect(heard.contains("activity.deleted") && heard.contains("activity.removed"))
        let told = try #require(
            try box.call(ada, "activity.announce", ["text": "Dinner with dill"])["announcement"]?["id"])
        try box.call(ada, "activity.withdraw", ["id": told])
        #expect(try titles(kit).isEmpty)
        // The index of words lets go of them a moment later.
        for _ in 0..<6 { try box.wait(seconds: 2) }
        try box.wait(seconds: 3600)
        for text in ["nettles", "sorrel", "with dill"] { #expect(try !box.holds(text), "\(text)") }
    }

    @Test func `authors see what they said, newest first, page by page`() throws {
        var ids: [JSON] = []
        for number in 1...3 {
            box.clock = box.clock.adding(seconds: 1)
            ids.append(try say("\(number)", by: ada).id)
        }
        box.clock = box.clock.adding(seconds: 1)
        try box.call(ada, "activity.announce", ["text": "4"])
        let first = try box.call(ada, "activity.own", ["limit": 3])
        #expect(first["sayings"]?.array?.compactMap { $0["text"]?.string } == ["4", "3", "2"])
        #expect(first["sayings"]?.array?.compactMap { $0["official"]?.bool } == [true, false, false])
        let rest = try box.call(ada, "activity.own", ["before": try #require(first["next"])])
        #expect(rest["sayings"]?.array?.compactMap { $0["text"]?.string } == ["1"] && rest["next"] == nil)
        #expect(try box.call(kit, "activity.own")["sayings"] == [])
        // Of what is another's it is not said that it is there.
        for before in [ids[0], .id(Identifier(high: 1, low: 1))] {
            let refused = try #require(try box.refusal(kit, "activity.own", ["before": before]))
            #expect(refused.kind == .notFound && refused.message == "There is no message \(before.string ?? "").")
        }
    }

    @Test func `what somebody said goes with them, or stays with those who were told`() throws {
        try say("Goodbye to all of you", by: kit, to: [ben.id])
        let (kept, _) = try say("Remember the milk", by: ben, to: [ada.id])
        try box.call(ada, "member.remove", ["member": .id(kit.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM sayings") == 1)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        let saying = try box.call(ada, "activity.show", ["id": kept])["saying"]
        #expect(saying?["text"] == "Remember the milk" && saying?["by"] == nil && saying?["told"] == nil)
        #expect(try box.refusal(ada, "activity.withdraw", ["id": kept])?.kind == .forbidden)
    }

    @Test func `a day has an end of what one says, and old sayings go`() throws {
        for _ in 0..<Limits.sayingsPerDayMax { try say("Are we there?", by: ben, to: [kit.id]) }
        #expect(try box.refusal(ben, "activity.say", ["text": "Are we there?"])?.kind == .slowDown)
        #expect(try say("No", by: kit).saying["told"] == 2)
        try box.wait(seconds: 91 * 86_400)
        #expect(try box.count("SELECT (SELECT count(*) FROM sayings) + (SELECT count(*) FROM said_to)") == 0)
    }

    @Test func `all up to a moment is dismissed at once`() throws {
        try say("One", by: ben)
        try box.call(ada, "activity.announce", ["text": "Two"])
        let moment = box.clock
        box.clock = box.clock.adding(seconds: 1)
        try say("Three", by: ben)
        #expect(try box.call(kit, "activity.dismiss", ["upTo": .time(moment)])["unread"] == 1)
        #expect(try titles(kit) == ["Three"])
        #expect(try box.call(kit, "activity.list")["entries"]?.array?.count == 1)
        #expect(box.toldByInbox(kit).last?.type == "activity.removed")
        #expect(try box.refusal(kit, "activity.dismiss", [:])?.kind == .invalid)
        #expect(try box.call(ada, "activity.list")["entries"]?.array?.contains { $0["title"] == "One" } == true)
    }
}
