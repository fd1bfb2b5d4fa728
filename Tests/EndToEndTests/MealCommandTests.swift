import Foundation
import KinModel
import Testing

/// Meals by `kin meal` alone, against the real daemon.
@Suite struct MealCommandTests {
    @Test func `a week is planned, voted on, cooked and shopped for by kin alone`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        func kin(_ words: String..., as who: String = "ada") throws -> [String] {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        #expect(try kin("meal", "2036-11-24").joined().contains("kin meal plan tomorrow Pancakes"))
        let added = try kin(
            "meal", "add", "Pancakes", "250", "g", "flour;", "3", "eggs;", "1/2 l milk", "--servings", "4")
        #expect(added.joined().contains("flour, 250 g; eggs, 3; milk, 0.5 l"))
        #expect(
            try kin("meal", "plan", "2027-03-01", "pancakes", "--servings", "8", "--cook", "bob").joined().contains(
                "Pancakes (8)"))
        _ = try kin("meal", "plan", "2027-03-02", "Soup / Pancakes", "--slot", "lunch")
        let week = try kin("meal", "2027-03-03", as: "bob")
        #expect(
            week.count == 4 && week[2].contains("Pancakes (8)") && week[3].contains("1 Soup / 2 Pancakes"), "\(week)")
        // It says which days it shows.
        #expect(week[0].hasPrefix("Mon 1 Mar") && week[0].contains(" – Sun 7 Mar"), "\(week)")
        _ = try kin("meal", "eat", "1", "in", as: "bob")
        _ = try kin("meal", "vote", "2", "1", as: "bob")
        let later = try kin("meal", "2027-03-03")
        #expect(later[2].contains("+") && later[3].contains("1 Soup [1]"), "\(later)")
        _ = try kin("meal", "cook", "2")
        #expect(try kin("meal", "decide", "2", "2").joined().contains("Pancakes"))
        _ = try kin("list", "new", "Groceries")
        #expect(try kin("meal", "fill", "groc", "2027-03-01").joined().contains("flour, 750 g"))
        #expect(try kin("meal", "fill", "groc", "2027-03-01") == ["All of it is on Groceries already."])
        #expect(try kin("list", "Groceries").count == 4)
        let nothing = try kin("meal", "fill", "groc", "2027-06-01", "--days", "3").joined()
        #expect(nothing.contains("from Tue 1 Jun") && nothing.contains("to Thu 3 Jun"), "\(nothing)")
        #expect(try kin("meal", "dishes").count == 2)
        #expect(try kin("meal", "dish", "panc").contains("  eggs, 3"))
        let page = stage.folder + "/page.html"
        let recipe = #"{"@type":"Recipe","name":"Bread","recipeIngredient":["1 kg flour"]}"#
        try Data("<script type=\"application/ld+json\">\(recipe)</script>".utf8).write(to: URL(fileURLWithPath: page))
        #expect(try kin("meal", "import", page) == ["added: Bread", "1 entry taken."])
        let menu = stage.folder + "/menu.csv"
        try Data("2027-03-03;Lentils;3.20\nsoon;Fish\n".utf8).write(to: URL(fileURLWithPath: menu))
        #expect(try kin("meal", "menu", "School", menu).last == "1 entry taken.")
        #expect(try kin("meal", "2027-03-03").last?.contains("School: Lentils, 3.20") == true)
        let entered = try kin("meal", "menu", "set", "School", "2027-03-04", "Peas", "=", "3;", "Fish")
        #expect(entered.joined().contains("The menu of School"))
        let lines = try kin("meal", "2027-03-04")
        #expect(lines.contains { $0.contains("School: Peas, 3") } && lines.contains { $0.hasSuffix("School: Fish") })
        _ = try kin("meal", "menu", "set", "School", "2027-03-04", "none")
        #expect(try !kin("meal", "2027-03-04").contains { $0.contains("Fish") })
        #expect(try kin("meal", "rm", "1").joined().contains("taken out"))
        #expect(try kin("meal", "forget", "bread").joined().contains("removed"))
    }

    @Test func `what was planned and a dish are changed by kin, and a meal is found by its words`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        func kin(_ words: String..., as who: String = "ada") throws -> String {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines.joined(separator: "\n")
        }
        func meal() throws -> Meal { try #require(try house.snapshot("ada").meals.values.first) }
        _ = try kin("meal", "add", "Pancakes", "250 g flour;", "3 eggs", "--servings", "4")
        let changed = try kin("meal", "change", "panc", "300 g flour", "--servings", "2", "--title", "Crêpes")
        #expect(changed.contains("Crêpes") && changed.contains("flour, 300 g") && !changed.contains("eggs"))
        _ = try kin("meal", "change", "crêpes", "--servings", "none", "--minutes", "20", "--text", "Stir, and wait.")
        let dish = try kin("meal", "dish", "Crêpes")
        #expect(dish.contains("flour, 300 g") && !dish.contains("servings"), "what is not named stays")
        #expect(try dish.contains("Stir, and wait.") && kin("meal", "dishes").contains("20"))
        _ = try kin("meal", "change", "crêpes", "--text", "none")
        #expect(try !kin("meal", "dish", "Crêpes").contains("Stir"))
        _ = try kin(
            "meal", "plan", "2027-03-02", "Soup / Crêpes", "--servings", "8", "--cook", "bob", "--note", "Gran comes")
        #expect(try kin("meal", "2027-03-01", as: "bob").contains("1   Gran comes"))
        _ = try kin("meal", "vote", "1", "2", as: "bob")
        #expect(try meal().parts.map(\.votes) == [[2]])
        #expect(try kin("meal", "vote", "1", "none", as: "bob").contains("taken back"))
        #expect(try meal().parts.allSatisfy { $0.votes.isEmpty })
        _ = try kin("meal", "decide", "1", "2", as: "bob")
        #expect(try kin("meal", "decide", "1", "none", as: "bob").contains("open again"))
        #expect(try meal().decided == nil)
        _ = try kin("meal", "2027-03-01")
        let set = try kin("meal", "set", "1", "Stew", "--day", "2027-03-04", "--slot", "lunch", "--note", "none")
        #expect(set.contains("Stew (8)"))
        let bob = try house.snapshot("bob").me
        var now = try meal()
        #expect(now.title == "Stew" && now.date == "2027-03-04" && now.slot == .lunch && now.note == nil)
        #expect(now.servings == 8 && now.cook == bob, "what is not named stays")
        _ = try kin("meal", "set", "1", "--servings", "none", "--cook", "none")
        now = try meal()
        #expect(now.servings == nil && now.cook == nil && now.title == "Stew")
        // Found by its words, it is named by its number among those that were found.
        #expect(try kin("meal", "search", "STEW", as: "bob").contains("Stew"))
        #expect(try kin("meal", "search", "Gran", as: "bob") == "No meal that you see has these words.")
        _ = try kin("meal", "search", "stew")
        _ = try kin("meal", "set", "1", "--for", "me")
        #expect(try house.snapshot("bob").meals.isEmpty)
        #expect(try kin("meal", "search", "stew", as: "bob") == "No meal that you see has these words.")
        let nothing = stage.start(["kin", "meal", "set", "1", "--as", "ada"])
        nothing.closeInput()
        try stage.wait("kin to end") { nothing.status != nil }
        #expect(nothing.status != 0)
    }
}
