import KinLists
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Lists that several edit, and who sees them.
@Suite struct ListTests {
    private static func item(_ number: Int) -> JSON {
        let digits = String(number)
        return .string("01980000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }

    private func make(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ name: String = "Groceries", _ more: JSON.Object = [:]
    ) throws -> Identifier {
        var params: JSON.Object = ["name": .string(name)]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "list.add", params)["list"]?["id"]?.identifier)
    }

    @discardableResult
    private func put(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ list: Identifier, _ items: JSON...
    ) throws -> JSON {
        try box.call(person, "item.put", ["list": .id(list), "items": .array(items)])
    }

    private func texts(_ box: FamilyBox, _ person: FamilyBox.Person, _ list: Identifier) throws -> [String] {
        let shown = (try box.call(person, "list.show", ["list": .id(list)])["items"]?.array ?? [])
            .compactMap(ListItem.init)
        let held = try box.fresh(person.id).listItems.values.filter { $0.list == list }
        #expect(held.map(\.text).sorted() == shown.map(\.text).sorted())
        return shown.map { $0.isTicked ? "(\($0.text))" : $0.text }
    }

    @Test func `whoever sees a list fills and ticks it; the list itself is its owner's and the admins'`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let gil = try box.join("gil", role: .guest, by: ada)
        let list = try make(box, ben)
        try put(box, cleo, list, ["id": Self.item(1), "text": "Milk", "amount": 2, "unit": "l"])
        try put(box, ada, list, ["id": Self.item(1), "ticked": true], ["id": Self.item(2), "text": "Bread"])
        #expect(try texts(box, ben, list) == ["(Milk)", "Bread"])
        let milk = try #require(try box.fresh(ben.id).listItems.values.first { $0.text == "Milk" })
        #expect(milk.tickedBy == ada.id && milk.amount == 2 && milk.unit == "l")
        #expect(try box.refusal(cleo, "list.update", ["list": .id(list), "name": "Mine"])?.kind == .forbidden)
        #expect(try box.refusal(cleo, "list.remove", ["list": .id(list)])?.kind == .forbidden)
        try box.call(ada, "list.update", ["list": .id(list), "name": "Market"])
        // A guest sees neither it nor whether it is there.
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        for id in [.id(list), absent] {
            #expect(try box.refusal(gil, "list.show", ["list": id])?.kind == .notFound)
            #expect(
                try box.refusal(gil, "item.put", ["list": id, "items": [["id": Self.item(3), "text": "x"]]])?.kind
                    == .notFound)
        }
        #expect(try box.refusal(gil, "list.add", ["name": "Guest's"])?.kind == .forbidden)
    }

    @Test func `who gains sight is given the list and all on it, who loses it is told so and nothing more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let list = try make(box, ada, "Presents", ["audience": [.id(ben.id)]])
        try put(box, ada, list, ["id": Self.item(1), "text": "a kite"], ["id": Self.item(2), "text": "a book"])
        for person in [ben, cleo] { _ = box.heard(person) }
        try box.call(ada, "list.update", ["list": .id(list), "audience": [.id(cleo.id)]])
        #expect(box.types(ben) == ["list.hidden"])
        #expect(box.types(cleo) == ["list.shown", "item.put", "item.put"])
        try put(box, cleo, list, ["id": Self.item(1), "ticked": true])
        #expect(box.types(ben) == [] && box.types(cleo) == ["item.put"])
        #expect(try box.fresh(ben.id).lists.isEmpty && box.fresh(ben.id).listItems.isEmpty)
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let left = try box.store.database.rows("SELECT audience FROM log WHERE type IN ('item.put', 'list.added')") {
            row in row.int(0)
        }
        for audience in left { #expect(try !box.store.database.audience(audience).contains(number)) }
        try box.call(ada, "list.remove", ["list": .id(list)])
        #expect(box.types(ben) == [] && box.types(cleo) == ["list.removed"])
        #expect(try box.fresh(cleo.id).listItems.isEmpty)
    }

    @Test func `an edit from before changes nothing that was said since, and what is removed stays removed`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let list = try make(box, ada)
        let before = box.clock
        try put(box, ada, list, ["id": Self.item(1), "text": "Milk"], ["id": Self.item(2), "text": "Bread"])
        try box.wait(seconds: 3600)
        try put(box, ben, list, ["id": Self.item(1), "ticked": true])
        // Ada was in the cellar, and unticked it long before Ben ticked it.
        let late = try put(
            box, ada, list,
            ["id": Self.item(1), "ticked": false, "note": "low fat", "at": .time(before.adding(seconds: 60))])
        #expect(late["items"]?.array?.first?["ticked"] == true && late["items"]?.array?.first?["note"] == "low fat")
        try box.call(ben, "item.remove", ["list": .id(list), "items": [Self.item(2), Self.item(7)]])
        let back = try put(box, ada, list, ["id": Self.item(2), "text": "Brown bread"])
        #expect(back["removed"] == [Self.item(2)] && back["items"] == [])
        #expect(try texts(box, ada, list) == ["(Milk)"])
        // A phone whose clock is a year ahead does not hold the field for a year.
        try put(box, ada, list, ["id": Self.item(1), "text": "Oat milk", "at": .time(box.clock.adding(days: 365))])
        try box.wait(seconds: 1)
        try put(box, ben, list, ["id": Self.item(1), "text": "Milk again"])
        #expect(try texts(box, ben, list) == ["(Milk again)"])
        let old = try box.refusal(
            ada, "item.put",
            [
                "list": .id(list),
                "items": [["id": Self.item(1), "text": "x", "at": .time(box.clock.adding(days: -91))]],
            ])
        #expect(old?.kind == .invalid && old?.field == "at")
    }

    @Test func `what is removed before it is there stays removed, and nobody is told of it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let (list, other) = (try make(box, ada), try make(box, ada, "Market"))
        try put(box, ada, list, ["id": Self.item(1), "text": "Milk"])
        for person in [ada, ben] { _ = box.heard(person) }
        let tokens = try box.call(ben, "list.shelves", ["list": .id(list)])
        try box.call(ben, "item.remove", ["list": .id(list), "items": [Self.item(2)]])
        #expect(box.types(ada) == [] && box.types(ben) == [])
        // Task programs have nothing to learn from it.
        #expect(try box.call(ben, "list.shelves", ["list": .id(list)]) == tokens)
        try box.restart()
        let back = try put(box, ada, list, ["id": Self.item(2), "text": "Bread"])
        #expect(back["removed"] == [Self.item(2)] && back["items"] == [])
        #expect(try texts(box, ada, list) == ["Milk"])
        // On another list the identifier is another item.
        try put(box, ada, other, ["id": Self.item(2), "text": "Bread"])
        #expect(try texts(box, ben, other) == ["Bread"])
        // After that long no edit from before is taken, so nothing needs to be remembered.
        try box.wait(seconds: 92 * 86_400)
        try put(box, ada, list, ["id": Self.item(3), "text": "Salt"])
        #expect(try box.count("SELECT count(*) FROM list_items WHERE removed_at IS NOT NULL") == 0)
    }

    @Test func `a day has an end of what is remembered as removed before it is there, not of removals`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let list = try make(box, ada)
        let most = Int(Limits.unseenRemovalsPerDayMax)
        func remove(_ numbers: Range<Int>, by person: FamilyBox.Person) throws -> Rejection? {
            try box.refusal(
                person, "item.remove", ["list": .id(list), "items": .array(numbers.map(Self.item))])
        }
        for start in stride(from: 0, to: most, by: 100) {
            #expect(try remove(start..<start + 100, by: ben) == nil)
        }
        // Those that are remembered already are no more of them.
        #expect(try remove(0..<100, by: ben) == nil && remove(most..<most + 1, by: ada) == nil)
        // One call removes what is there beside one too many of what never was.
        try put(box, ada, list, ["id": Self.item(most + 1), "text": "Milk"])
        #expect(try remove(most + 1..<most + 3, by: ben) == nil)
        #expect(try texts(box, ada, list) == [])
        #expect(try box.count("SELECT count(*) FROM list_items") == Int64(most + 2))
    }

    @Test func `the same identifier is another item on another list, and says nothing of that`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let (hidden, own) = (try make(box, ada, "Hidden", ["audience": []]), try make(box, ben, "Own"))
        try put(box, ada, hidden, ["id": Self.item(1), "text": "secret"])
        try put(box, ben, own, ["id": Self.item(1), "text": "mine"])
        #expect(try texts(box, ben, own) == ["mine"])
        #expect(try texts(box, ada, hidden) == ["secret"])
    }

    @Test func `what was removed is gone from the files, lists with all their items too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try box.join("ben", by: ada)
        let list = try make(box, ada)
        try put(
            box, ada, list, ["id": Self.item(1), "text": "quitte eins"], ["id": Self.item(2), "text": "quitte zwei"])
        try put(box, ada, list, ["id": Self.item(1), "text": "quitte drei"])
        try box.call(ada, "item.remove", ["list": .id(list), "items": [Self.item(1)]])
        try box.wait(seconds: 60)
        #expect(try !box.holds("quitte eins") && !box.holds("quitte drei"))
        // Whoever comes to see the list is told its items by rows of their own; those go with the words, too.
        try box.call(ada, "list.update", ["list": .id(list), "audience": []])
        try box.call(ada, "list.update", ["list": .id(list), "audience": "everyone", "name": "Quittenmarkt"])
        try put(box, ada, list, ["id": Self.item(3), "text": "quitte vier"])
        try box.call(ada, "list.update", ["list": .id(list), "audience": []])
        try box.call(ada, "list.update", ["list": .id(list), "audience": "everyone", "name": "Obstmarkt"])
        // Of two words of one moment the greater would stand.
        try box.wait(seconds: 1)
        try put(box, ada, list, ["id": Self.item(3), "text": "birne"])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("quitte vier") && !box.holds("Quittenmarkt") && box.holds("birne"))
        #expect(try box.holds("quitte zwei"))
        try box.call(ada, "list.remove", ["list": .id(list)])
        try box.wait(seconds: 60)
        #expect(try !box.holds("quitte zwei"))
    }

    @Test func `a list that a task program calls otherwise leaves its former name in no log and in no inbox`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let list = try make(box, ada, "Quittenmarkt")
        try box.call(ben, "list.notify", ["list": .id(list), "on": true])
        try put(box, ada, list, ["id": Self.item(1), "text": "birne"])
        func entry() throws -> String? {
            try box.fresh(ben.id).inbox.entries.first { $0.about == "list/\(list)" }?.title
        }
        #expect(try entry() == "Quittenmarkt")
        try box.call(ada, "list.setShelf", ["list": .id(list), "name": "Obstmarkt"])
        #expect(try entry() == "Obstmarkt" && box.fresh(ben.id).lists[list]?.name == "Obstmarkt")
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try !box.holds("Quittenmarkt") && !box.holds("quittenmarkt") && box.holds("Obstmarkt"))
    }

    @Test func `lists are found by words in them, and what stands on lists in sight is suggested`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let (market, party) = (try make(box, ada, "Market"), try make(box, ada, "Party", ["audience": []]))
        try put(
            box, ada, market, ["id": Self.item(1), "text": "Brown bread", "section": "Bakery"],
            ["id": Self.item(2), "text": "Milk", "ticked": true])
        try put(box, ada, party, ["id": Self.item(3), "text": "Bread sticks"])
        func found(_ person: FamilyBox.Person, _ words: String) throws -> [String] {
            (try box.call(person, "list.list", ["words": .string(words)])["lists"]?.array ?? [])
                .compactMap { $0["name"]?.string }
        }
        #expect(try found(ada, "bread") == ["Party", "Market"])
        #expect(try found(ben, "BREAD brown") == ["Market"])
        #expect(try found(ben, "mar") == ["Market"])
        #expect(try found(ben, "milk") == [], "what is ticked is not looked for")
        func suggested(_ person: FamilyBox.Person, _ words: String) throws -> [String] {
            (try box.call(person, "item.suggest", ["words": .string(words)])["suggestions"]?.array ?? [])
                .compactMap { $0["text"]?.string }
        }
        #expect(try suggested(ada, "bre") == ["Bread sticks", "Brown bread"])
        #expect(try suggested(ben, "bre") == ["Brown bread"])
        #expect(try suggested(ben, "mi") == ["Milk"])
        #expect(try suggested(ben, "ilk") == [])
    }

    @Test func `lists go on as another's when their owner leaves, or go`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let (kept, own) = (try make(box, ben), try make(box, ben, "Own", ["audience": []]))
        try put(box, cleo, kept, ["id": Self.item(1), "text": "Milk", "member": .id(ben.id)])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(cleo.id)])
        let lists = try box.fresh(cleo.id).lists
        #expect(lists[kept]?.owner == cleo.id && lists[own]?.owner == cleo.id)
        #expect(try texts(box, ada, kept) == ["Milk"])
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try box.fresh(ada.id).lists.isEmpty)
    }

    @Test func `what cannot be is refused with the field, and nothing of it is done`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let list = try make(box, ada, "Own", ["audience": []])
        func refusal(_ items: JSON...) throws -> Rejection? {
            try box.refusal(ada, "item.put", ["list": .id(list), "items": .array(items)])
        }
        #expect(
            try refusal(["id": Self.item(1), "text": "a"], ["id": Self.item(2), "ticked": true])?.kind == .notFound)
        for day in ["2026-02-30", "tomorrow", "2026-1-1"] {
            #expect(try refusal(["id": Self.item(1), "text": "a", "due": .string(day)])?.field == "due")
        }
        #expect(try refusal(["id": Self.item(1), "text": "a", "member": .id(ben.id)])?.field == "member")
        #expect(try texts(box, ada, list) == [])
        let twice = try box.refusal(ada, "list.update", ["list": .id(list), "sections": ["A", "A"]])
        #expect(twice?.field == "sections")
    }

    @Test func `who moves out, or becomes a guest, has nothing more of the list in the inbox`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let elm = try box.foundHousehold("Elm", by: ada)
        _ = try box.join("eve", into: elm, by: ada)
        let lists = [
            try make(box, ada, "Home", ["audience": "household"]), try make(box, ada, "Shop", ["audience": "everyone"]),
        ]
        for list in lists {
            try box.call(ben, "list.notify", ["list": .id(list), "on": true])
            try put(box, ada, list, ["id": Self.item(1), "text": "Soap"])
        }
        func told() throws -> [String] {
            let entries = try box.fresh(ben.id).inbox.entries.filter { $0.about.hasPrefix("list/") }
            #expect(try box.count("SELECT count(*) FROM inbox WHERE about LIKE 'list/%'") == Int64(entries.count))
            return entries.compactMap(\.title).sorted()
        }
        #expect(try told() == ["Home", "Shop"])
        _ = box.allHeard(ben)
        try box.move(ben, to: elm)
        #expect(try told() == ["Shop"])
        let types = box.allHeard(ben).map(\.type)
        #expect(types.contains("list.hidden") && types.contains("activity.removed"), "\(types)")
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try told() == [])
    }

    @Test func `a list is full, a member has enough of them, and a snapshot says what it has no room for`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let list = try make(box, ada)
        let note = String(repeating: "n", count: 500)
        for start in stride(from: 0, to: Limits.listItemsMax, by: 100) {
            let items = (start..<start + 100).map { number -> JSON in
                ["id": Self.item(number), "text": .string("item \(number)"), "note": .string(note)]
            }
            try box.call(ada, "item.put", ["list": .id(list), "items": .array(items)])
        }
        let full = try box.refusal(
            ada, "item.put", ["list": .id(list), "items": [["id": Self.item(999), "text": "one more"]]])
        #expect(full?.kind == .tooLarge)
        try box.call(ada, "item.remove", ["list": .id(list), "items": [Self.item(0)]])
        try put(box, ada, list, ["id": Self.item(999), "text": "one more"])
        let snapshot = try box.fresh(ada.id)
        #expect(snapshot.more.contains("listItems") && snapshot.listItems.values.contains { $0.text == "one more" })
        #expect(try box.call(ada, "list.show", ["list": .id(list)])["items"]?.array?.count == Limits.listItemsMax)
        for number in 1..<Limits.listsOwnedMax { _ = try make(box, ada, "list \(number)") }
        #expect(try box.refusal(ada, "list.add", ["name": "one more"])?.kind == .tooLarge)
    }
}
