import KinCodec
import KinModel
import Testing

/// Dishes written by hand and meals that are moved, on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageDishTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    private func texts(_ selector: String, _ browser: Browser) throws -> [String] {
        let found = try browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", .string(selector))
        return (found.array ?? []).compactMap(\.string)
    }

    @Test func `a dish is written by hand, found by its words, and removed`() throws {
        _ = try house.door(as: "ada").call("dish.add", ["title": "Leek soup", "ingredients": ["2 leeks"]])
        let browser = try Browser(stage)
        try browser.screen(width: 320, height: 700, isDark: true)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = '#/meals'")
        try browser.click("#to-dishes")
        try browser.wait(for: "Leek soup", in: "#dishes")
        try browser.click("#new-dish")
        try browser.type("Pancakes", into: "#dish-title")
        try browser.type("4", into: "#dish-servings")
        try browser.type("250 g flour\n3 eggs\nSalt", into: "#dish-items")
        try browser.type("Stir, and wait.", into: "#dish-text")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "Pancakes", in: "#dishes")
        let door = try house.door(as: "ada")
        let dishes = try door.call("dish.list", [:])["dishes"]?.array ?? []
        let id = try #require(dishes.first { $0["title"] == "Pancakes" }?["id"])
        let dish = try #require(try door.call("dish.show", ["dish": id])["dish"].flatMap(Dish.init))
        #expect(dish.servings == 4 && dish.text == "Stir, and wait." && dish.ingredients.count == 3)
        #expect(dish.ingredients.first?.amount == 250 && dish.ingredients.first?.unit == "g")
        try browser.type("pan", into: "#dish-words")
        try browser.wait("the one") { try texts("#dishes strong", browser) == ["Pancakes"] }
        try browser.type("zeppelin", into: "#dish-words")
        try browser.wait("none") { try texts("#dishes strong", browser).isEmpty }
        try browser.type("cake", into: "#dish-words")
        try browser.wait("the one again") { try texts("#dishes strong", browser) == ["Pancakes"] }
        try browser.click("#dishes .dish")
        try browser.wait("the dish") { try browser.sees("#dish-items") }
        try browser.click("dialog button.danger")
        try browser.wait("it to be removed") {
            try door.call("dish.list", [:])["dishes"]?.array?.count == 1
        }
        try browser.wait("it to be out of sight") { try texts("#dishes strong", browser).isEmpty }
        #expect(try browser.log() == [])
    }

    @Test func `a meal is given to a cook and another day on its sheet, and is taken out, with a way back`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            _ = try browser.run("location.hash = '#/meals'")
            try browser.wait("the week") { try browser.sees("kin-meals .day") }
        }
        // The last day of the week is today or ahead; the next one is in another week.
        let day = try #require(
            try ada.run("return document.querySelector('.meal-day:last-child .day').dataset.day").string)
        let next = try #require(
            try ada.run("return new Date(Date.parse(arguments[0]) + 864e5).toISOString().slice(0, 10)", .string(day))
                .string)
        _ = try house.door(as: "ada").call("meal.put", ["date": .string(day), "title": "Soup", "slot": "dinner"])
        try carol.wait(for: "Soup", in: ".meal-day:last-child")
        try ada.wait(for: "Soup", in: ".meal-day:last-child")
        try ada.click("kin-meals .meal")
        try ada.click("#meal-edit")
        try ada.wait("the form") { try ada.sees("#meal-cook") }
        let cook = try #require(try house.snapshot("carol").me)
        try ada.run(
            """
            document.querySelector("#meal-date").value = arguments[0]
            document.querySelector("#meal-cook").value = arguments[1]
            document.querySelector("#meal-slot").value = "lunch"
            """, .string(next), .id(cook))
        try ada.click("dialog button[type=submit]")
        try carol.wait("it to go from this week") { try !carol.text("kin-meals").contains("Soup") }
        for browser in [ada, carol] {
            _ = try browser.run("location.hash = arguments[0]", .string("#/meals/" + next))
            try browser.wait(for: "Carol cooks", in: ".meal-day:first-child .meal")
        }
        let meal = try #require(try house.snapshot("carol").meals.values.first)
        #expect(meal.date == next && meal.cook == cook && meal.slot == .lunch)
        // Who is to cook is told so.
        #expect(
            try house.snapshot("carol").inbox.entries.contains { $0.lines.contains { $0["kind"] == "cooks" } })
        try ada.click("kin-meals .meal")
        try ada.wait("the meal") { try ada.sees("#meal-remove") }
        try ada.click("#meal-remove")
        try ada.wait("it to be out of sight") { try !ada.text("kin-meals").contains("Soup") }
        try ada.click("#told button")
        try ada.wait(for: "Soup", in: "kin-meals")
        #expect(try house.snapshot("carol").meals.count == 1)
        try ada.click("kin-meals .meal")
        try ada.wait("the meal") { try ada.sees("#meal-remove") }
        try ada.click("#meal-remove")
        try carol.wait("it to go") { try !carol.text("kin-meals").contains("Soup") }
        #expect(try house.snapshot("carol").meals.isEmpty)
        #expect(try ada.log() == [] && carol.log() == [])
    }
}
