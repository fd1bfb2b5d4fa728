import KinCrypto
import KinModel
import Synchronization
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMeals
@testable import KinStore

/// What is planned, who sees it, who cooks and who eats.
@Suite struct MealTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    let cleo: FamilyBox.Person
    let gil: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        gil = try box.join("gil", role: .guest, by: ada)
    }

    private func plan(_ person: FamilyBox.Person, _ more: JSON.Object) throws -> Meal {
        var params: JSON.Object = ["date": "2026-11-24"]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "meal.put", params)["meal"].flatMap(Meal.init))
    }

    private func change(_ person: FamilyBox.Person, _ method: String, _ meal: Meal, _ more: JSON.Object) throws -> Meal
    {
        var params = more
        params["meal"] = .id(meal.id)
        return try #require(try box.call(person, method, params)["meal"].flatMap(Meal.init))
    }

    private func refusal(_ person: FamilyBox.Person, _ method: String, _ meal: Meal, _ more: JSON.Object) throws
        -> Rejection?
    {
        var params = more
        params["meal"] = .id(meal.id)
        return try box.refusal(person, method, params)
    }

    private func listed(
        _ person: FamilyBox.Person, from: String = "2026-11-23", to: String = "2026-11-29", _ words: String? = nil
    ) throws -> [String] {
        var params: JSON.Object = ["from": .string(from), "to": .string(to)]
        params["words"] = words.map { .string($0) }
        return (try box.call(person, "meal.list", params)["meals"]?.array ?? []).compactMap(Meal.init).map(\.title)
    }

    @Test func `a week is planned by several, in its order, and children plan too`() throws {
        let leo = try box.join("leo", by: ada)
        try box.call(leo, "member.update", ["member": .id(leo.id), "kind": "child"])
        let soup = try plan(ben, ["title": "Soup", "servings": 4])
        _ = try plan(leo, ["title": "Pancakes", "slot": "breakfast"])
        _ = try plan(ada, ["title": "Pizza", "date": "2026-11-23", "note": "with olives"])
        #expect(try listed(cleo) == ["Pizza", "Pancakes", "Soup"])
        #expect(try listed(cleo, "olives") == ["Pizza"])
        #expect(try listed(cleo, from: "2026-11-24", to: "2026-11-24") == ["Pancakes", "Soup"])
        let moved = try change(cleo, "meal.put", soup, ["date": "2026-11-22", "servings": .null, "note": "late"])
        #expect(moved.date == "2026-11-22" && moved.servings == nil && moved.note == "late")
        #expect(try box.fresh(ada.id).meals.count == 3)
        try box.call(cleo, "meal.remove", ["meal": .id(soup.id)])
        #expect(try box.fresh(ben.id).meals[soup.id] == nil)
        // A guest sees nothing of it, and plans nothing.
        #expect(try listed(gil) == [] && box.fresh(gil.id).meals.isEmpty)
        #expect(try box.refusal(gil, "meal.put", ["date": "2026-11-24", "title": "x"])?.kind == .forbidden)
    }

    @Test func `one meal of whatever day is shown to who sees it, and what is gone is as what is hidden`() throws {
        func shown(_ person: FamilyBox.Person, _ meal: Meal) throws -> JSON? {
            try box.call(person, "meal.show", ["meal": .id(meal.id)])["meal"]
        }
        let old = try plan(ben, ["title": "Soup", "date": "2020-01-01", "audience": [.id(gil.id)]])
        #expect(try box.fresh(ben.id).meals[old.id] == nil, "no snapshot has it")
        #expect(try shown(ben, old)?["choices"]?.array?.first?["title"] == "Soup")
        // With whom it is shared is told to who planned it and to admins.
        #expect(try shown(ben, old)?["audience"] == [.id(gil.id)] && shown(gil, old)?["audience"] == nil)
        #expect(try shown(gil, old).flatMap(Meal.init)?.title == "Soup")
        _ = try change(ben, "meal.put", old, ["title": "Stew"])
        #expect(try shown(gil, old).flatMap(Meal.init)?.title == "Stew")
        let hidden = try refusal(cleo, "meal.show", old, [:])
        #expect(hidden?.kind == .notFound)
        try box.call(ben, "meal.remove", ["meal": .id(old.id)])
        for person in [ben, gil, cleo] {
            #expect(try refusal(person, "meal.show", old, [:])?.message == hidden?.message)
        }
    }

    @Test func `what a meal was before it was changed is nowhere, though somebody came to see it as it was`() throws {
        let meal = try plan(ada, ["title": "Xyzzyplugh", "note": "Frotzbozbar", "audience": []])
        _ = try change(ada, "meal.put", meal, ["audience": [.id(ben.id)]])
        #expect(box.types(ben).last == "meal.shown")
        _ = try change(ada, "meal.put", meal, ["title": "Porridge", "note": "early"])
        for _ in 0..<10 { try box.wait(seconds: 30) }
        for word in ["Xyzzyplugh", "xyzzyplugh", "Frotzbozbar", "frotzbozbar"] {
            #expect(try !box.holds(word), "\(word)")
        }
        #expect(try listed(ben) == ["Porridge"] && box.fresh(ben.id).meals[meal.id]?.note == "early")
    }

    @Test func `several choices are voted on, and the cook or an admin decides`() throws {
        let meal = try plan(ada, ["choices": [["title": "Soup"], ["title": "Pizza"]], "cook": .id(ben.id)])
        #expect(meal.choices.map(\.number) == [1, 2] && meal.decided == nil)
        var now = try change(cleo, "meal.vote", meal, ["choices": [2, 1, 2]])
        #expect(now.parts == [MealPart(member: cleo.id, votes: [1, 2])])
        #expect(try refusal(cleo, "meal.vote", meal, ["choices": [3]])?.field == "choices")
        #expect(try refusal(cleo, "meal.decide", meal, ["choice": 2])?.kind == .forbidden)
        // What stays keeps its number and votes; a number is never used again.
        now = try change(cleo, "meal.put", meal, ["choices": [["title": "Pizza"], ["title": "Rice"]]])
        #expect(now.choices.map(\.number) == [2, 3] && now.parts == [MealPart(member: cleo.id, votes: [2])])
        now = try change(ben, "meal.decide", meal, ["choice": 3])
        #expect(now.decided?.title == "Rice" && now.title == "Rice")
        #expect(try refusal(cleo, "meal.vote", meal, ["choices": [2]])?.kind == .conflict)
        #expect(try refusal(cleo, "meal.put", meal, ["title": "Toast"])?.kind == .forbidden)
        #expect(try refusal(ben, "meal.decide", meal, ["choice": 1])?.field == "choice")
        now = try change(ada, "meal.decide", meal, ["choice": .null])
        #expect(now.decided == nil)
        now = try change(ben, "meal.put", meal, ["title": "Toast"])
        #expect(
            now.choices == [MealChoice(number: 4, title: "Toast")] && now.decided?.title == "Toast" && now.parts == [])
    }

    @Test func `each says whether they eat, and somebody cooks`() throws {
        let meal = try plan(ada, ["title": "Soup", "audience": [.id(ben.id), .id(gil.id)]])
        var now = try change(ben, "meal.eat", meal, ["eats": "in"])
        now = try change(gil, "meal.eat", meal, ["eats": "out"])
        #expect(now.parts.first { $0.member == gil.id }?.eats == .out && now.parts.count == 2)
        now = try change(ben, "meal.eat", meal, ["eats": "unknown"])
        #expect(now.parts.map(\.member) == [gil.id])
        now = try change(gil, "meal.cook", meal, ["cooks": true])
        #expect(now.cook == gil.id)
        #expect(try refusal(ben, "meal.cook", meal, ["cooks": true])?.kind == .conflict)
        now = try change(gil, "meal.cook", meal, ["cooks": false])
        #expect(now.cook == nil)
        // Who does not see it is asked nothing, and is told nothing.
        for method in ["meal.eat", "meal.vote", "meal.decide", "meal.cook"] {
            let params: JSON.Object = [
                "eats": "in", "choices": [1], "choice": 1, "cooks": true,
            ]
            let name =
                ["meal.eat": "eats", "meal.vote": "choices", "meal.decide": "choice", "meal.cook": "cooks"][method]
                ?? ""
            #expect(try refusal(cleo, method, meal, [name: params[name] ?? .null])?.kind == .notFound, "\(method)")
        }
        let refused = try refusal(ben, "meal.put", meal, ["cook": .id(cleo.id)])
        #expect(refused?.field == "cook" && refused?.message == "Cleo does not see this meal.")
        #expect(try refusal(ben, "meal.put", meal, ["audience": "everyone"])?.kind == .forbidden)
    }

    @Test func `who is to cook is told so in the inbox, but not of their own word`() throws {
        func lines(_ person: FamilyBox.Person) throws -> [String] {
            try box.fresh(person.id).inbox.entries.flatMap(\.lines).compactMap { $0["kind"]?.string }.filter {
                $0 == "cooks"
            }
        }
        let meal = try plan(ada, ["title": "Soup", "cook": .id(ben.id)])
        #expect(try lines(ben) == ["cooks"] && lines(cleo) == [])
        // It goes when it is so no longer, and comes again for another day.
        _ = try change(ben, "meal.put", meal, ["cook": .null])
        #expect(try lines(ben) == [])
        _ = try change(ben, "meal.put", meal, ["cook": .id(ben.id)])
        #expect(try lines(ben) == [])
        _ = try change(ada, "meal.put", meal, ["date": "2026-11-27"])
        let entry = try #require(try box.fresh(ben.id).inbox.entries.first { $0.about == "meal/\(meal.id)" })
        #expect(entry.lines.compactMap { $0["date"] } == ["2026-11-27"] && entry.title == "Soup")
        _ = try change(ada, "meal.put", meal, ["cook": .id(cleo.id)])
        #expect(try lines(ben) == [] && lines(cleo) == ["cooks"])
        try box.call(ada, "meal.remove", ["meal": .id(meal.id)])
        #expect(try lines(cleo) == [])
    }

    @Test func `who gains sight is given the meal, who loses it is told so and nothing more`() throws {
        let meal = try plan(ada, ["title": "Surprise cake", "audience": [.id(ben.id)]])
        for person in [ben, cleo] { _ = box.heard(person) }
        _ = try change(ada, "meal.put", meal, ["audience": [.id(cleo.id)]])
        #expect(box.types(ben) == ["meal.hidden"] && box.types(cleo) == ["meal.shown"])
        _ = try change(cleo, "meal.eat", meal, ["eats": "in"])
        #expect(box.types(ben) == [] && box.types(cleo) == ["meal.put"])
        #expect(try box.fresh(ben.id).meals.isEmpty && listed(ben) == [])
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let left = try box.store.database.rows("SELECT audience FROM log WHERE type IN ('meal.put', 'meal.shown')") {
            row in row.int(0)
        }
        for audience in left { #expect(try !box.store.database.audience(audience).contains(number)) }
        // With a guest who becomes a member comes what everybody sees, and goes with a member who becomes a guest.
        _ = try plan(ada, ["title": "Soup"])
        try box.call(ada, "member.setRole", ["member": .id(gil.id), "role": "member"])
        #expect(try box.fresh(gil.id).meals.values.map(\.title) == ["Soup"])
        try box.call(ada, "member.setRole", ["member": .id(gil.id), "role": "guest"])
        #expect(try box.fresh(gil.id).meals.isEmpty)
    }

    @Test func `who no longer sees a meal neither cooks nor eats there, and nobody learns that they did`() throws {
        let meal = try plan(ada, ["title": "Soup", "audience": [.id(cleo.id)]])
        _ = try change(cleo, "meal.cook", meal, ["cooks": true])
        _ = try change(cleo, "meal.eat", meal, ["eats": "in"])
        let shared = try change(ada, "meal.put", meal, ["audience": [.id(ben.id)]])
        #expect(shared.cook == nil && shared.parts.isEmpty)
        let seen = try #require(try box.fresh(ben.id).meals[meal.id])
        #expect(seen.cook == nil && seen.parts.isEmpty)
        // With a member who becomes a guest.
        let open = try plan(ada, ["title": "Bread"])
        _ = try change(ben, "meal.cook", open, ["cooks": true])
        _ = try change(ben, "meal.eat", open, ["eats": "in"])
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        let left = try #require(try box.fresh(ada.id).meals[open.id])
        #expect(left.cook == nil && left.parts.isEmpty)
    }

    @Test func `dishes are the family's, and a plan keeps what it had of them`() throws {
        let made = try box.call(
            ben, "dish.add",
            [
                "title": "Pancakes", "servings": 4,
                "ingredients": ["250 g flour", ["text": "milk", "amount": 500, "unit": "ml", "section": "Dairy"]],
            ])
        let dish = try #require(made["dish"].flatMap(Dish.init))
        #expect(dish.ingredients.first == Ingredient(text: "flour", amount: 250, unit: "g"))
        let meal = try plan(cleo, ["dish": .id(dish.id)])
        #expect(meal.title == "Pancakes" && meal.decided?.dish == dish.id)
        try box.call(cleo, "dish.update", ["dish": .id(dish.id), "title": "Crêpes", "minutes": 30, "servings": .null])
        let shown = try box.call(ada, "dish.show", ["dish": .id(dish.id)])["dish"].flatMap(Dish.init)
        #expect(
            shown?.title == "Crêpes" && shown?.minutes == 30 && shown?.servings == nil && shown?.ingredients.count == 2)
        func found(_ words: String) throws -> [String] {
            (try box.call(ada, "dish.list", ["words": .string(words)])["dishes"]?.array ?? []).compactMap {
                $0["title"]?.string
            }
        }
        try box.call(ada, "dish.add", ["title": "Apple cake"])
        #expect(try found("flour") == ["Crêpes"] && found("CAKE") == ["Apple cake"] && found("flour apple") == [])
        let page = try box.call(ada, "dish.list", ["limit": 1])
        #expect(page["dishes"]?.array?.first?["title"] == "Apple cake")
        let next = try box.call(ada, "dish.list", ["limit": 1, "after": page["next"] ?? .null])
        #expect(next["dishes"]?.array?.first?["title"] == "Crêpes" && next["next"] == nil)
        for method in ["dish.show", "dish.remove"] {
            #expect(try box.refusal(gil, method, ["dish": .id(dish.id)])?.kind == .forbidden)
        }
        try box.call(ada, "dish.remove", ["dish": .id(dish.id)])
        #expect(try listed(ben) == ["Pancakes"])
        _ = try change(ben, "meal.put", meal, ["dish": .id(dish.id), "servings": 3])
        #expect(try box.refusal(ben, "meal.put", ["date": "2026-11-25", "dish": .id(dish.id)])?.kind == .notFound)
        try box.wait(seconds: 60)
        #expect(try !box.holds("Crêpes") && !box.holds("250 g"))
    }

    @Test func `a recipe at an address is read once an admin allows it, and what cannot be read says why`() throws {
        let address: JSON.Object = ["address": "https://cooking.example/soup?of=day"]
        let refused = try box.refusal(ben, "dish.fetch", address)
        #expect(refused?.kind == .forbidden && refused?.message.contains("an admin can allow it") == true)
        #expect(try box.refusal(ben, "dish.allowOutside", ["on": true])?.kind == .forbidden)
        #expect(try box.call(ben, "dish.list")["outside"] == false)
        try box.call(ada, "dish.allowOutside", ["on": true])
        #expect(try box.call(ben, "dish.list")["outside"] == true)
        let shelf = RecipeShelf()
        box.substitute = { work in (work as? RecipeWork)?.run(at: Workplace(store: nil, outside: shelf)) }
        shelf.shows(
            200,
            """
            <html><script type="application/ld+json">{"@type":"Recipe","name":"Leek <b>soup</b>",
            "recipeIngredient":["2 leeks"]}</script><script>run()</script></html>
            """)
        let first = try box.call(ben, "dish.fetch", address)
        #expect(first["entries"]?.array?.first?["outcome"] == "added")
        let id = try #require(first["entries"]?.array?.first?["dish"])
        let dish = try #require(try box.call(ada, "dish.show", ["dish": id])["dish"])
        #expect(dish["title"] == "Leek soup" && dish["source"] == "https://cooking.example/soup?of=day")
        let look = try #require(shelf.looked().first)
        #expect(look.address == "https://cooking.example/soup?of=day" && look.hosts == nil && look.isPrivate)
        // Read again, it is the same dish; and changed there, it changes here.
        #expect(try box.call(ben, "dish.fetch", address)["entries"]?.array?.first?["outcome"] == "same")
        shelf.shows(200, #"{"@type":"Recipe","name":"Leek soup","recipeIngredient":["3 leeks"]}"#)
        #expect(try box.call(ben, "dish.fetch", address)["entries"]?.array?.first?["outcome"] == "changed")
        shelf.shows(200, "<html>nothing</html>")
        #expect(try box.refusal(ben, "dish.fetch", address)?.field == "address")
        shelf.shows(404, "")
        #expect(try box.refusal(ben, "dish.fetch", address)?.message.contains("no page") == true)
        for kind in OutsideFailure.Kind.allCases {
            shelf.fails(kind)
            let refusal = try #require(try box.refusal(ben, "dish.fetch", address))
            let isLater = [.unreachable, .slow, .later].contains(kind)
            #expect(refusal.kind == (isLater ? .unavailable : .invalid), "\(kind)")
        }
        _ = shelf.looked()
        for wrong in ["cooking.example/soup", "http://cooking.example/soup", "ftp://cooking.example/", "https://"] {
            #expect(try box.refusal(ben, "dish.fetch", ["address": .string(wrong)])?.field == "address", "\(wrong)")
        }
        #expect(try box.refusal(gil, "dish.fetch", address)?.kind == .forbidden && shelf.looked().isEmpty)
        // Forbidden again, nobody is asked.
        try box.call(ada, "dish.allowOutside", ["on": false])
        #expect(try box.refusal(ben, "dish.fetch", address)?.kind == .forbidden && shelf.looked().isEmpty)
    }

    @Test func `recipes and menus come out of files, with a report on each row`() throws {
        let page = Base64.encode(
            Array(
                #"[{"@type":"Recipe","name":"Soup","recipeYield":2,"recipeIngredient":["1 l stock"]},{"@type":"Recipe"}]"#
                    .utf8))
        func outcomes(_ result: JSON) -> [String] {
            (result["entries"]?.array ?? []).compactMap { $0["outcome"]?.string }
        }
        let first = try box.call(ben, "dish.import", ["page": .string(page)])
        #expect(outcomes(first) == ["added", "refused"] && first["taken"] == 1)
        #expect(outcomes(try box.call(ada, "dish.import", ["page": .string(page)])) == ["same", "refused"])
        // Of one title from two pages each is its own; what somebody wrote is not overwritten.
        func soup(_ stock: Int, _ url: String? = nil) throws -> [String] {
            let at = url.map { #","url":"\#($0)""# } ?? ""
            let text = #"{"@type":"Recipe","name":"Soup","recipeIngredient":["\#(stock) l stock"]\#(at)}"#
            return outcomes(
                try box.call(ben, "dish.import", ["page": .string(Base64.encode(Array(text.utf8)))]))
        }
        #expect(try soup(2, "https://a.example/soup") == ["added"] && soup(3, "https://b.example/soup") == ["added"])
        #expect(try soup(3, "https://b.example/soup") == ["same"] && soup(4, "https://b.example/soup") == ["changed"])
        #expect(try soup(9) == ["added"])
        let none = Base64.encode(Array("<html>nothing</html>".utf8))
        #expect(try box.refusal(ben, "dish.import", ["page": .string(none)])?.field == "page")
        func menu(_ text: String) throws -> [String] {
            outcomes(
                try box.call(
                    ben, "menu.import", ["source": "School", "file": .string(Base64.encode(Array(text.utf8)))]))
        }
        #expect(try menu("2026-11-24;Lentils;3\n2026-11-24;Fish;4\n2026-11-25;Rice;\n") == ["added", "added", "added"])
        #expect(try menu("2026-11-24;Fish;5\nnever;Rice\n2026-11-24;Pasta\n") == ["changed", "refused", "added"])
        func lines() throws -> [String] {
            (try box.call(cleo, "menu.list", ["from": "2026-11-24", "to": "2026-11-30"])["lines"]?.array ?? [])
                .compactMap(MenuLine.init).map { "\($0.date.suffix(2)) \($0.text)" }
        }
        #expect(try lines() == ["24 Fish", "24 Pasta", "25 Rice"])
        let letter = JSON.string(Base64.encode(Array("hello\n".utf8)))
        #expect(try box.refusal(ben, "menu.import", ["source": "School", "file": letter])?.field == "file")
        let dated = JSON.string(Base64.encode(Array("2026-11-24;Fish;5\nnever;Rice\n2026-11-24;Pasta\n".utf8)))
        let report = try box.call(ben, "menu.import", ["source": "School", "file": dated])["entries"]?.array ?? []
        #expect(report.map { $0["date"]?.string } == ["2026-11-24", nil, "2026-11-24"])
        try box.call(
            ada, "menu.set", ["source": "School", "days": [["date": "2026-11-25", "dishes": []]]])
        #expect(try lines() == ["24 Fish", "24 Pasta"])
        #expect(try box.refusal(gil, "menu.list", ["from": "2026-11-24", "to": "2026-11-24"])?.kind == .forbidden)
        #expect(
            try box.refusal(ada, "menu.set", ["source": "S", "days": [["date": "2026-02-30", "dishes": []]]])?.field
                == "days")
    }

    @Test(arguments: [("Europe/Berlin", "2026-11-24"), ("UTC", "2026-11-23"), ("America/New_York", "2026-11-23")])
    func `a menu whose days begin at midnight in universal time is on the days that are meant`(
        zone: String, day: String
    ) throws {
        try box.call(ben, "settings.set", ["zone": .string(zone)])
        let file = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VEVENT\r
            DTSTART:20261123T230000Z\r
            SUMMARY:Lentils\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            DTSTART;TZID=Asia/Tokyo:20261126T000000\r
            SUMMARY:Fish\r
            END:VEVENT\r
            END:VCALENDAR\r

            """
        try box.call(ben, "menu.import", ["source": "School", "file": .string(Base64.encode(Array(file.utf8)))])
        let shown = try box.call(ben, "menu.list", ["from": "2026-11-22", "to": "2026-11-30"])
        #expect((shown["lines"]?.array ?? []).compactMap(MenuLine.init).map(\.date) == [day, "2026-11-26"])
    }

    @Test func `a dish that a later calendar calls off is taken from its day, and rows call off nothing`() throws {
        func take(_ text: String, of source: String = "School") throws -> [JSON] {
            let file = Base64.encode(Array(text.replacing("\n", with: "\r\n").utf8))
            let report = try box.call(ben, "menu.import", ["source": .string(source), "file": .string(file)])
            return report["entries"]?.array ?? []
        }
        func calendar(_ events: String...) -> String {
            "BEGIN:VCALENDAR\n" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
        }
        func lines() throws -> [String] {
            (try box.call(cleo, "menu.list", ["from": "2026-11-24", "to": "2026-11-30"])["lines"]?.array ?? [])
                .compactMap(MenuLine.init).map { "\($0.date.suffix(2)) \($0.text)" }
        }
        let rice = "UID:a\nDTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:Rice"
        _ = try take(calendar(rice))
        _ = try take("2026-11-25;Soup\n", of: "Canteen")
        #expect(try Set(lines()) == ["24 Rice", "25 Rice", "25 Soup", "26 Rice", "27 Rice"])
        // One day is left out, and one has another dish instead.
        let off = "UID:a\nSTATUS:CANCELLED\nRECURRENCE-ID;VALUE=DATE:202611"
        let later = calendar(
            rice + "\nEXDATE;VALUE=DATE:20261125", off + "26\nDTSTART;VALUE=DATE:20261126\nSUMMARY:Rice",
            "UID:b\nDTSTART;VALUE=DATE:20261126\nSUMMARY:Peas")
        let report = try take(later)
        #expect(try lines() == ["24 Rice", "25 Soup", "26 Peas", "27 Rice"])
        #expect(report.last?["name"]?.string == "2026-11-25" && report.last?["outcome"]?.string == "changed")
        #expect(try take(later).allSatisfy { $0["outcome"]?.string == "same" })
        // A file of what is cancelled alone.
        let alone = try take(calendar(off + "27\nDTSTART;VALUE=DATE:20261127\nSUMMARY:Rice"))
        #expect(alone.compactMap { $0["outcome"]?.string } == ["changed"])
        #expect(try lines() == ["24 Rice", "25 Soup", "26 Peas"])
        _ = try take("2026-11-24;Fish\n2026-11-26;\n")
        #expect(try lines() == ["24 Fish", "25 Soup", "26 Peas"])
        let past = calendar("DTSTART;VALUE=DATE:20261001\nSTATUS:CANCELLED\nSUMMARY:Rice")
        let refusal = try box.refusal(
            ben, "menu.import", ["source": "School", "file": .string(Base64.encode(Array(past.utf8)))])
        #expect(refusal?.message.hasPrefix("file holds only what was called off") == true && refusal?.field == "file")
    }

    @Test func `what cannot be is refused with the field, and a limit is an answer`() throws {
        for (params, field) in [
            (["title": "x"], "date"), (["date": "2026-02-30", "title": "x"], "date"), (["date": "2026-11-24"], "title"),
            (["date": "2026-11-24", "choices": []], "choices"), (["date": "2026-11-24", "choices": [[:]]], "choices"),
            (["date": "2028-01-01", "title": "x"], "date"),
        ] as [(JSON.Object, String)] {
            #expect(try box.refusal(ada, "meal.put", params)?.field == field, "\(params.members)")
        }
        #expect(try box.refusal(ada, "meal.list", ["from": "2026-11-24", "to": "2026-11-23"])?.field == "to")
        #expect(try box.refusal(ada, "meal.list", ["from": "2026-11-24", "to": "2027-11-23"])?.field == "to")
        #expect(try box.refusal(ada, "meal.list", ["from": "soon", "to": "2027-11-23"])?.field == "from")
        for _ in 0..<Limits.mealsPerDateMax { _ = try plan(ada, ["title": "x"]) }
        #expect(try box.refusal(ada, "meal.put", ["date": "2026-11-24", "title": "x"])?.kind == .tooLarge)
        _ = try plan(ben, ["title": "x"])
        let other = try plan(ada, ["title": "x", "date": "2026-11-25"])
        #expect(try refusal(ada, "meal.put", other, ["date": "2026-11-24"])?.kind == .tooLarge)
    }

    @Test func `a member who leaves says nothing any more, and hands the plan over or takes it along`() throws {
        let (own, others) = (try plan(ben, ["title": "Own"]), try plan(ada, ["title": "Others", "cook": .id(ben.id)]))
        _ = try change(ben, "meal.eat", others, ["eats": "in"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over", "to": .id(cleo.id)])
        let meals = try box.fresh(cleo.id).meals
        #expect(meals[others.id]?.cook == nil && meals[others.id]?.parts == [] && meals[own.id] != nil)
        _ = try change(cleo, "meal.put", own, ["audience": []])
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try box.fresh(ada.id).meals.values.map(\.title) == ["Others"])
        try box.wait(seconds: 60)
        #expect(try !box.holds("Own"))
    }

    @Test func `ten years of meals are found by their day, and a snapshot has the last days and what comes`() throws {
        let database = box.store.database
        _ = try plan(ada, ["title": "Today's"])
        try database.run(
            """
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 7300)
            INSERT INTO meals (id, owner, day, slot, plain, next, audience)
            SELECT randomblob(16), ?, date('2026-11-01', '-' || (n / 2) || ' days'), 'dinner', '', 2, 'everyone' FROM n
            """, .id(ada.id))
        try database.run(
            "INSERT INTO meal_choices (meal, number, title) SELECT number, 1, 'Old' FROM meals WHERE plain = ''")
        try database.run(
            "INSERT OR IGNORE INTO meal_sight (member, meal) SELECT m.id, l.number FROM members m, meals l WHERE m.role <> 'guest'"
        )
        let snapshot = try box.fresh(ben.id)
        #expect(snapshot.meals.values.map(\.title) == ["Today's"] && snapshot.more == ["meals"])
        #expect(try listed(ben) == ["Today's"])
        #expect(try listed(ben, from: "2020-01-01", to: "2020-01-02").count == 4)
        let plan = try database.rows(
            "EXPLAIN QUERY PLAN SELECT m.number FROM meals m \(StoredMeal.seenRest)ORDER BY m.day, m.id LIMIT 10",
            .text("2026-11-23"), .text("2026-11-29"), .id(ben.id)
        ) { row in row.text(3) }
        #expect(plan.first?.contains("meals_by_day (day>? AND day<?)") == true, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `the days that a snapshot shows go on by themselves`() throws {
        let old = try plan(ada, ["title": "Old"])
        #expect(try box.fresh(ben.id).meals[old.id] != nil)
        box.clock = box.clock.adding(days: 20)
        try box.wait(seconds: 3600)
        _ = try plan(ada, ["title": "New", "date": "2026-12-12"])
        let snapshot = try box.fresh(ben.id)
        #expect(snapshot.meals.values.map(\.title) == ["New"] && snapshot.more == ["meals"])
        #expect(try listed(ben) == ["Old"])
    }
}

/// A server of recipes, as far as the daemon sees one: it shows what a test says.
private final class RecipeShelf: OutsideDesk, Sendable {
    private let looks = Mutex<[OutsideLook]>([])
    private let sight = Mutex<OutsideSight>(.unchanged)

    /// What was looked at since somebody asked.
    func looked() -> [OutsideLook] {
        looks.withLock { looks in
            defer { looks = [] }
            return looks
        }
    }
    func shows(_ status: Int, _ text: String) {
        sight.withLock { $0 = .shown(OutsidePage(status: status, content: Array(text.utf8))) }
    }
    func fails(_ kind: OutsideFailure.Kind) { sight.withLock { $0 = .failed(OutsideFailure(kind, "in short")) } }
    func send(_ letter: OutsideLetter) -> OutsideAnswer { .failed("no letters") }
    func look(_ look: OutsideLook) -> OutsideSight {
        looks.withLock { $0.append(look) }
        return sight.withLock { $0 }
    }
}
