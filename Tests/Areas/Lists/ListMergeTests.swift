import KinModel
import Testing

@testable import KinFamilyBox

/// A list that three phones change for two days without network, through the keeper: in whatever order they are reached
/// again, it ends as the same list.
@Suite struct ListMergeTests {
    /// What a phone sends once it is reached again.
    private struct Call {
        let phone: Int
        let method: String
        let items: [JSON]
    }

    private let box: FamilyBox
    private let people: [FamilyBox.Person]

    init() throws {
        box = try FamilyBox()
        let ada = try box.found()
        people = [ada, try box.join("ben", by: ada), try box.join("cleo", by: ada)]
    }

    private func item(_ number: Int) -> JSON { .string("01980000-0000-7000-8000-00000000000\(number)") }

    /// Something said of an item, so many hours after the phones lost their network.
    private func said(_ number: Int, _ hours: Double, since begin: Instant, _ fields: JSON.Object) -> JSON {
        var edit: JSON.Object = [
            "id": item(number), "at": .time(begin.adding(seconds: Int64(hours * 3600))),
        ]
        for member in fields.members { edit[member.name] = member.value }
        return .object(edit)
    }

    /// Every way in which queues come together, each in its own order.
    private func interleavings(_ queues: [[Call]]) -> [[Call]] {
        guard queues.contains(where: { !$0.isEmpty }) else { return [[]] }
        return queues.indices.filter { !queues[$0].isEmpty }.flatMap { index in
            var rest = queues
            let first = rest[index].removeFirst()
            return interleavings(rest).map { [first] + $0 }
        }
    }

    /// All that stands on a list, without what the list itself is called.
    private func standing(_ list: Identifier, for person: FamilyBox.Person) throws -> [String] {
        let shown = try box.call(person, "list.show", ["list": .id(list)])["items"]?.array ?? []
        return shown.map { $0.text.replacing(list.description, with: "-") }
    }

    /// Ada renames the milk and wants more of it, ticks the bread, and makes an item and changes that.
    private func adas(_ begin: Instant) -> [Call] {
        let first: [JSON] = [
            said(1, 2, since: begin, ["text": "Oat milk", "amount": 3, "unit": "l"]),
            said(2, 5, since: begin, ["ticked": true]), said(5, 6, since: begin, ["text": "Candles"]),
            said(4, 7, since: begin, ["ticked": true, "note": "the cheap ones"]),
        ]
        let second: [JSON] = [
            said(5, 30, since: begin, ["amount": 12, "section": "Table"]),
            said(3, 31, since: begin, ["order": "55", "due": "2036-01-01"]),
        ]
        return [Call(phone: 0, method: "item.put", items: first), Call(phone: 0, method: "item.put", items: second)]
    }

    /// Ben says another name at the same moment, unticks and ticks the bread, and takes a note away.
    private func bens(_ begin: Instant) -> [Call] {
        let first: [JSON] = [
            said(1, 2, since: begin, ["text": "Almond milk", "amount": .null]),
            said(2, 4, since: begin, ["ticked": true]), said(2, 6, since: begin, ["ticked": false]),
            said(6, 8, since: begin, ["text": "Flowers", "member": .id(people[2].id)]),
        ]
        let second: [JSON] = [
            said(3, 40, since: begin, ["note": .null, "section": "Fruit"]),
            said(2, 41, since: begin, ["ticked": true]),
            said(7, 42, since: begin, ["text": "Balloons"]), said(7, 43, since: begin, ["amount": 20]),
        ]
        return [Call(phone: 1, method: "item.put", items: first), Call(phone: 1, method: "item.put", items: second)]
    }

    /// Cleo ticks the bread at the same moment as Ben, and takes off what Ada has ticked, and what Ben put on. Her phone has
    /// that from his; the daemon may hear of it from her first.
    private func cleos(_ begin: Instant) -> [Call] {
        let first: [JSON] = [
            said(2, 41, since: begin, ["ticked": true]),
            said(3, 20, since: begin, ["note": "the red ones", "order": "44", "amount": 7]),
            said(1, 1, since: begin, ["section": "Dairy", "ticked": true]),
        ]
        return [
            Call(phone: 2, method: "item.put", items: first),
            Call(phone: 2, method: "item.remove", items: [item(4), item(7)]),
        ]
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `of two words of one moment that of the greater edit stands in all fields, whichever comes first`(
        order: [Int]
    ) throws {
        let begin = box.clock
        let made = try box.call(people[0], "list.add", ["name": "Groceries", "audience": "everyone"])
        let list = try #require(made["list"]?["id"])
        let first: JSON = .array([said(1, 0, since: begin, ["text": "Milk"])])
        try box.call(people[0], "item.put", ["list": list, "items": first])
        try box.wait(seconds: 86_400)
        let edits = [
            said(1, 2, since: begin, ["text": "Zwieback", "amount": 9, "ticked": true, "edit": item(7)]),
            said(1, 2, since: begin, ["text": "Apples", "amount": 2, "ticked": false, "edit": item(8)]),
        ]
        for index in order {
            try box.call(people[index], "item.put", ["list": list, "items": .array([edits[index]])])
        }
        // It is so after a restart, too: the names are written down.
        try box.restart()
        try box.call(people[0], "item.put", ["list": list, "items": .array([edits[0]])])
        let shown = try box.call(people[2], "list.show", ["list": list])["items"]?.array?.first.flatMap { ListItem($0) }
        #expect(shown?.text == "Apples" && shown?.amount == 2 && shown?.isTicked == false)
        #expect(shown?.tickedBy == nil || shown?.tickedBy == people[1].id)
    }

    @Test func `two days of three phones end as one list, whichever of them is reached first`() throws {
        let begin = box.clock
        let orders = interleavings([adas(begin), bens(begin), cleos(begin)])
        #expect(orders.count == 90)
        let names: [JSON] = ["Milk", "Bread", "Apples", "Napkins"]
        let items = names.enumerated().map { said($0.offset + 1, 0, since: begin, ["text": $0.element]) }
        let lists = try orders.indices.map { index in
            let owner = people[index % people.count]
            let made = try box.call(owner, "list.add", ["name": "Groceries", "audience": "everyone"])
            let list = try #require(made["list"]?["id"]?.identifier)
            try box.call(owner, "item.put", ["list": .id(list), "items": .array(items)])
            return list
        }
        try box.wait(seconds: 2 * 86_400)
        for (order, list) in zip(orders, lists) {
            for call in order {
                try box.call(people[call.phone], call.method, ["list": .id(list), "items": .array(call.items)])
            }
        }
        let first = try standing(lists[0], for: people[0])
        #expect(first.count == 5, "\(first)")
        for (order, list) in zip(orders, lists) {
            for person in people {
                #expect(try standing(list, for: person) == first, "\(order.map(\.phone))")
            }
        }
        let shown = try box.call(people[0], "list.show", ["list": .id(lists[0])])["items"]?.array ?? []
        let end = shown.compactMap(ListItem.init)
        let (milk, bread) = (end.first { $0.id == item(1).identifier }, end.first { $0.id == item(2).identifier })
        #expect(milk?.text == "Oat milk" && milk?.amount == 3 && milk?.isTicked == true && milk?.section == "Dairy")
        #expect(bread?.isTicked == true && bread?.tickedBy == [people[1].id, people[2].id].max())
        let apples = end.first { $0.id == item(3).identifier }
        #expect(apples?.note == nil && apples?.order == "55" && apples?.amount == 7 && apples?.section == "Fruit")
        #expect(!end.contains { $0.text == "Napkins" }, "what was removed stays removed")
        #expect(!end.contains { $0.text == "Balloons" }, "also where its removal came first")
    }
}
