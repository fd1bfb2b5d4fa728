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
            week.count == 3 && week[1].contains("Pancakes (8)") && week[2].contains("1 Soup / 2 Pancakes"), "\(week)")
        _ = try kin("meal", "eat", "1", "in", as: "bob")
        _ = try kin("meal", "vote", "2", "1", as: "bob")
        let later = try kin("meal", "2027-03-03")
        #expect(later[1].contains("+") && later[2].contains("1 Soup [1]"), "\(later)")
        _ = try kin("meal", "cook", "2")
        #expect(try kin("meal", "decide", "2", "2").joined().contains("Pancakes"))
        _ = try kin("list", "new", "Groceries")
        #expect(try kin("meal", "fill", "groc", "2027-03-01").joined().contains("flour, 750 g"))
        #expect(try kin("meal", "fill", "groc", "2027-03-01") == ["All of it is on Groceries already."])
        #expect(try kin("list", "Groceries").count == 4)
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
}
