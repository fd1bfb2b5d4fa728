import KinLists
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMeals
@testable import KinStore

/// The plan fills a list, as often as one likes.
@Suite struct ShoppingTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let list: Identifier

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        list = try #require(try box.call(ada, "list.add", ["name": "Groceries"])["list"]?["id"]?.identifier)
    }

    private func dish(_ title: String, _ servings: Int64?, _ lines: String...) throws -> JSON {
        var params: JSON.Object = ["title": .string(title), "ingredients": .array(lines.map { .string($0) })]
        params["servings"] = servings.map { .int($0) }
        return try #require(try box.call(ada, "dish.add", params)["dish"]?["id"])
    }

    private func plan(_ day: Int, _ dish: JSON, _ more: JSON.Object = [:], by person: FamilyBox.Person? = nil) throws
        -> JSON
    {
        var params: JSON.Object = ["date": .string("2026-11-\(day)"), "dish": dish]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person ?? ada, "meal.put", params)["meal"]?["id"])
    }

    @discardableResult
    private func shop(_ from: Int = 23, _ to: Int = 29, by person: FamilyBox.Person? = nil) throws -> JSON {
        try box.call(
            person ?? ada, "meal.shop",
            ["from": .string("2026-11-\(from)"), "to": .string("2026-11-\(to)"), "list": .id(list)])
    }

    private func items() throws -> [ListItem] {
        (try box.call(ada, "list.show", ["list": .id(list)])["items"]?.array ?? []).compactMap(ListItem.init)
    }

    /// `flour 750 g`, ticked ones in brackets, by their texts.
    private func standing() throws -> [String] {
        try items().map { item in
            let much = item.amount.map { " \($0 == $0.rounded() ? "\(Int($0))" : "\($0)")" } ?? ""
            let text = item.text + much + (item.unit.map { " " + $0 } ?? "")
            return item.isTicked ? "(\(text))" : text
        }.sorted()
    }

    private func say(_ text: String, _ more: JSON.Object) throws {
        let item = try #require(try items().first { $0.text == text && !$0.isTicked })
        var edit: JSON.Object = ["id": .id(item.id)]
        for member in more.members { edit[member.name] = member.value }
        // Of two words of one moment the greater one would count.
        try box.wait(seconds: 1)
        try box.call(ben, "item.put", ["list": .id(list), "items": [.object(edit)]])
    }

    @Test func `amounts are scaled, and added up where they can be`() throws {
        let pancakes = try dish("Pancakes", 4, "500 g flour", "500 ml milk", "3 eggs", "Salt", "1 pinch salt")
        let bread = try dish("Bread", nil, "0.75 kg Flour", "1/4 l milk", "2 cups oats")
        _ = try plan(24, pancakes, ["servings": 6])
        _ = try plan(25, bread, ["servings": 6])
        _ = try plan(30, bread)
        _ = try plan(26, pancakes, ["choices": [["dish": pancakes], ["dish": bread]]])
        let said = try shop()
        #expect(said["items"]?.array?.count == 6 && said["removed"] == 0 && said["left"] == 0)
        #expect(
            try standing() == ["Salt", "eggs 4.5", "flour 1.5 kg", "milk 1 l", "oats 2 cup", "salt 1.5 pinch"].sorted())
        #expect(try box.fresh(ben.id).listItems.count == 6)
    }

    @Test func `nothing is put twice, and what is needed no more is taken off`() throws {
        let pancakes = try dish("Pancakes", 4, "500 g flour", "3 eggs")
        let bread = try dish("Bread", 2, "1 kg flour")
        let meal = try plan(24, pancakes)
        let other = try plan(25, bread)
        for _ in 0..<3 { try shop() }
        #expect(try standing() == ["eggs 3", "flour 1.5 kg"])
        let position = box.store.log.position
        try shop()
        #expect(box.store.log.position == position, "nothing changed, and nothing is told")
        // Ranges that overlap, and days on their own, come to the same.
        try shop(24, 24)
        try shop(25, 30, by: ben)
        #expect(try standing() == ["eggs 3", "flour 1.5 kg"])
        try box.call(ada, "meal.put", ["meal": meal, "servings": 8])
        try shop(24, 24)
        #expect(try standing() == ["eggs 6", "flour 2 kg"])
        // Moved into another week, it is no longer of this one.
        try box.call(ada, "meal.put", ["meal": meal, "date": "2026-12-02"])
        #expect(try shop()["removed"] == 1)
        #expect(try standing() == ["flour 1 kg"])
        try box.call(ada, "meal.remove", ["meal": other])
        try shop()
        #expect(try standing() == [])
    }

    @Test func `what people ticked, changed or took off is left, and only more than that is put anew`() throws {
        let pancakes = try dish("Pancakes", 4, "500 g flour", "3 eggs", "1 l milk", "Salt", "2 lemons")
        let meal = try plan(24, pancakes)
        try shop()
        try say("flour", ["ticked": true])
        try say("eggs", ["amount": 10])
        try say("milk", ["text": "Oat milk"])
        try say("lemons", ["section": "Fruit", "note": "the yellow ones"])
        let salt = try #require(try items().first { $0.text == "Salt" }).id
        try box.call(ben, "item.remove", ["list": .id(list), "items": [.id(salt)]])
        let before = ["(flour 500 g)", "Oat milk 1 l", "eggs 10", "lemons 2"]
        #expect(try shop()["left"] == 4)
        #expect(try standing() == before)
        // Twice as many eat: the rest is missing, and what one put aside with a note stays one's own item.
        try box.call(ada, "meal.put", ["meal": meal, "servings": 8])
        try shop()
        #expect(
            try standing()
                == ["(flour 500 g)", "Oat milk 1 l", "eggs 10", "eggs 3", "flour 500 g", "lemons 4", "milk 1 l"])
        #expect(try items().first { $0.text == "lemons" }?.note == "the yellow ones")
        try shop()
        #expect(try standing().count == 7)
        // Next week's are bought anew.
        _ = try plan(26, pancakes)
        try say("flour", ["ticked": true])
        try shop()
        #expect(try standing().filter { $0.contains("flour") } == ["(flour 500 g)", "(flour 500 g)", "flour 500 g"])
        #expect(try standing().contains("Salt"))
    }

    @Test func `of meals that one does not see nothing is put, taken off or told`() throws {
        let soup = try dish("Soup", 2, "1 l stock")
        let hidden = try plan(24, soup, ["audience": []])
        #expect(try shop(by: ben)["items"] == [])
        #expect(try standing() == [])
        try shop()
        #expect(try standing() == ["stock 1 l"])
        _ = try plan(25, soup, by: ben)
        try shop(by: ben)
        #expect(try standing() == ["stock 2 l"])
        try box.call(ada, "meal.remove", ["meal": hidden])
        try shop(by: ben)
        #expect(try standing() == ["stock 1 l"])
        let private_ = try #require(try box.call(ada, "list.add", ["name": "Own", "audience": []])["list"]?["id"])
        let no = try box.refusal(ben, "meal.shop", ["from": "2026-11-24", "to": "2026-11-24", "list": private_])
        #expect(no?.kind == .notFound && no?.field == "list")
        let long = try box.refusal(ben, "meal.shop", ["from": "2026-11-01", "to": "2026-12-24", "list": .id(list)])
        #expect(long?.field == "to")
    }

    @Test func `what somebody said offline before a fill that changed nothing counts`() throws {
        let soup = try dish("Soup", 2, "1 l milk")
        _ = try plan(24, soup)
        try shop()
        try box.wait(seconds: 60)
        let said = box.clock
        try box.wait(seconds: 60)
        try shop()
        let item = try #require(try items().first)
        try box.call(
            ben, "item.put",
            ["list": .id(list), "items": [["id": .id(item.id), "text": "Oat milk", "at": .time(said)]]])
        #expect(try items().map(\.text) == ["Oat milk"])
    }

    @Test func `who fills is not told of what meals need that they do not see`() throws {
        let (marzipan, bread) = (try dish("Marzipan", nil, "200 g marzipan"), try dish("Bread", nil, "1 kg flour"))
        _ = try plan(24, marzipan, ["audience": []])
        try shop()
        #expect(try standing() == ["marzipan 200 g"])
        #expect(try shop(by: ben)["items"] == [])
        _ = try plan(25, bread)
        let told = try shop(by: ben)["items"]?.array?.compactMap { $0["text"]?.string }
        #expect(told == ["flour"])
        #expect(try standing() == ["flour 1 kg", "marzipan 200 g"])
        // What was needed once and is no longer is told as what is new.
        #expect(try shop(24, 24)["items"]?.array?.count == 1)
    }

    @Test func `what people said more of stays when no meal needs it, in the section they gave it`() throws {
        let soup = try dish("Soup", 2, "2 lemons", "1 l stock")
        let meal = try plan(24, soup)
        try shop()
        try say("lemons", ["note": "the yellow ones"])
        try box.call(ada, "meal.remove", ["meal": meal])
        let told = try shop()
        #expect(told["removed"] == 1 && told["left"] == 1)
        #expect(try standing() == ["lemons 2"])
    }

    @Test func `a full list refuses all of it, and a list that is gone is forgotten`() throws {
        let soup = try dish("Soup", 2, "1 l stock", "2 leeks")
        _ = try plan(24, soup)
        for start in stride(from: 0, to: Limits.listItemsMax - 1, by: 100) {
            let items = (start..<min(start + 100, Limits.listItemsMax - 1)).map { number -> JSON in
                let digits = String(number)
                let id = "01980000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                return ["id": .string(id), "text": .string("item \(number)")]
            }
            try box.call(ada, "item.put", ["list": .id(list), "items": .array(items)])
        }
        let full = try box.refusal(
            ada, "meal.shop", ["from": "2026-11-24", "to": "2026-11-24", "list": .id(list)])
        #expect(full?.kind == .tooLarge)
        #expect(try items().count == Limits.listItemsMax - 1)
        let other = try #require(try box.call(ada, "list.add", ["name": "Other"])["list"]?["id"])
        try box.call(ada, "meal.shop", ["from": "2026-11-24", "to": "2026-11-24", "list": other])
        func remembered() throws -> Int64? {
            try box.store.database.first("SELECT count(*) FROM meal_shares") { $0.int(0) }
        }
        #expect(try remembered() == 2)
        try box.call(ada, "list.remove", ["list": other])
        #expect(try remembered() == 0)
    }
}
