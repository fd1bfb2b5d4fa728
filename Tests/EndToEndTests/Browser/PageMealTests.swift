import Glibc
import KinCodec
import KinModel
import Testing

/// The week's meals on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageMealTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    /// Goes to a screen by its address.
    private func go(_ address: String, _ browser: Browser) throws {
        _ = try browser.run("location.hash = arguments[0]", .string(address))
    }

    private func texts(_ selector: String, _ browser: Browser) throws -> [String] {
        let found = try browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", .string(selector))
        return (found.array ?? []).compactMap(\.string)
    }

    @Test func `a week planned by one is seen, eaten and decided by the other, and fills the list of both`() throws {
        let door = try house.door(as: "ada")
        _ = try door.call("list.add", ["name": "Groceries"])
        _ = try door.call(
            "dish.add", ["title": "Pancakes", "servings": 2, "ingredients": ["250 g flour", "2 eggs"]])
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try go("#/meals", browser)
            try browser.wait("the week") { try browser.sees("kin-meals .day") }
        }
        // The last day of the week is today or ahead.
        try ada.click(".meal-day:last-child .day")
        try ada.wait("the form") { try ada.sees("#meal-what") }
        try ada.type("pancakes / Soup", into: "#meal-what")
        try ada.type("4", into: "#meal-servings")
        try ada.click("dialog button[type=submit]")
        try carol.wait(for: "Pancakes / Soup", in: "kin-meals")
        try carol.click("kin-meals .meal")
        try carol.wait("the meal") { try carol.sees("#eats-in") }
        try carol.click("#eats-in")
        try carol.wait(for: "Eat: ", in: "dialog")
        try carol.click("#vote-1")
        try carol.wait(for: "Pancakes (1)", in: "dialog")
        if let axe = PageTests.axe { #expect(try carol.violations(axe) == []) }
        try carol.click("#cook")
        try carol.wait("who cooks to decide") { try carol.sees("#decide-1") }
        try carol.click("#decide-1")
        try carol.wait(for: "It is decided", in: "dialog")
        try carol.click("#meal-close")
        try ada.wait(for: "1 eats", in: "kin-meals")
        try ada.wait(for: "cooks", in: "kin-meals")
        try ada.click("#fill-list")
        try ada.wait("the form") { try ada.sees("#meal-list") }
        try ada.click("#fill-now")
        try ada.wait(for: "2 things stand on Groceries", in: "#told")
        try go("#/lists", carol)
        try carol.wait(for: "2 open", in: "kin-lists")
        try carol.click("kin-lists .rows a")
        try carol.wait("both to stand there") {
            try texts("kin-lists section .item .text", carol).sorted() == ["eggs · 4", "flour · 500 g"]
        }
        // Once more: nothing twice, and what is ticked stays ticked.
        try carol.click("kin-lists .item .tick")
        try carol.wait(for: "1 done", in: "kin-lists summary")
        try ada.click("#fill-list")
        try ada.wait("the form") { try ada.sees("#meal-list") }
        try ada.click("#fill-now")
        try ada.wait("the form to close") { try !ada.sees("dialog") }
        #expect(try house.snapshot("carol").listItems.count == 2)
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `where there is no list yet one is made, and the answer names the days that had nothing`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try go("#/meals", browser)
        try browser.wait("the week") { try browser.sees("#fill-list") }
        try browser.click("#fill-list")
        try browser.wait("the offer") { try browser.sees("#make-list") }
        try browser.click("#make-list")
        try browser.wait("the form") { try browser.sees("#meal-list") }
        _ = try browser.run(
            "for (const [id, day] of [['from', '2036-11-24'], ['until', '2036-11-30']]) document.querySelector(`#fill-${id}`).value = day"
        )
        try browser.click("#fill-now")
        try browser.wait(for: "There was nothing to put on Shopping", in: "#told")
        try browser.wait(for: "30 Nov", in: "#told")
        #expect(try house.snapshot("ada").lists.values.map(\.name) == ["Shopping"])
        #expect(try browser.log() == [])
    }

    @Test func `whoever planned a meal says later, too, with whom it is shared, and others are not asked`() throws {
        try house.join("dan")
        let door = try house.door(as: "carol")
        let (carol, dan) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(carol, "carol"), (dan, "dan")] {
            try browser.signIn(house, name)
            try go("#/meals", browser)
            try browser.wait("the week") { try browser.sees("kin-meals .day") }
        }
        let day = try carol.run("return document.querySelector('.meal-day:last-child .day').dataset.day")
        _ = try door.call("meal.put", ["date": day, "title": "Cake for Dan"])
        func edit(_ browser: Browser) throws {
            try browser.wait(for: "Cake for Dan", in: "kin-meals")
            try browser.click("kin-meals .meal")
            try browser.wait("the meal") { try browser.sees("#meal-edit") }
            try browser.click("#meal-edit")
            try browser.wait("the form") { try browser.sees("#meal-what") }
        }
        func shared() throws -> JSON? {
            try door.call("meal.list", ["from": day, "to": day])["meals"]?.array?.first?["audience"]
        }
        try edit(dan)
        #expect(try !dan.sees("#meal-audience"))
        try dan.pressEscape()
        try edit(carol)
        #expect(try carol.run("return document.querySelector('#meal-audience').value") == "everyone")
        if let axe = PageTests.axe { #expect(try carol.violations(axe) == []) }
        try carol.run(
            """
            const choice = document.querySelector("#meal-audience")
            choice.value = "some"
            choice.dispatchEvent(new Event("change"))
            """)
        try carol.click("dialog button[type=submit]")
        try dan.wait("it to be out of sight") { try !dan.sees("kin-meals .meal") }
        #expect(try shared() == [])
        // What is changed later leaves that as it is.
        try edit(carol)
        #expect(try carol.run("return document.querySelector('#meal-audience').value") == "some")
        try carol.type("With candles", into: "#meal-note")
        try carol.click("dialog button[type=submit]")
        try carol.wait("the form to close") { try !carol.sees("dialog") }
        #expect(try shared() == [] && house.snapshot("carol").meals.values.first?.note == "With candles")
        #expect(try carol.log() == [] && dan.log() == [])
    }

    @Test func `a canteen's menu is written by hand, changed and taken away, and stands in everybody's week`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try go("#/meals", browser)
            try browser.wait("the week") { try browser.sees("kin-meals .day") }
        }
        let day = try ada.run("return document.querySelector('.meal-day:last-child .day').dataset.day")
        func write(_ lines: String?) throws {
            try ada.click("#write-menu")
            try ada.wait("the form") { try ada.sees("#menu-lines") }
            try ada.run("document.querySelector('#menu-day').value = arguments[0]", day)
            try ada.type("School", into: "#menu-of")
            // What is known of that day comes by itself, unless something is typed first.
            try ada.run("document.querySelector('#menu-of').dispatchEvent(new Event('change'))")
            if lines == nil {
                try ada.wait("what is known") {
                    try ada.run("return document.querySelector('#menu-lines').value").string == "Peas = 3 €\nFish"
                }
            }
            try ada.run(
                """
                const field = document.querySelector("#menu-lines")
                field.value = arguments[0]
                field.dispatchEvent(new Event("input"))
                """, .string(lines ?? "Lentils"))
        }
        try go("#/meals/dishes", ada)
        try write("Peas = 3 €\n\nFish\n")
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("meals-menu-by-hand")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "The menu of School", in: "#told")
        try carol.wait("both dishes") {
            try texts(".menus li", carol) == ["School: Peas, 3 €", "School: Fish"]
        }
        // More than a day has is said to be so, and nothing of it is left out unsaid.
        try write((1...13).map { "Dish \($0)" }.joined(separator: "\n"))
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "12 dishes at most", in: "dialog #menu-lines-wrong")
        try ada.click("dialog button.quiet")
        try ada.wait("the form to be gone") { try !ada.sees("dialog") }
        try write(nil)
        try ada.click("dialog button[type=submit]")
        try carol.wait("what there is in their place") { try texts(".menus li", carol) == ["School: Lentils"] }
        try write("")
        try ada.click("dialog button[type=submit]")
        try ada.wait(for: "School has no menu", in: "#told")
        try carol.wait("none") { try texts(".menus li", carol) == [] }
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `a recipe of a saved page and a menu of a file are taken in, and what cannot be is said`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try go("#/meals", browser)
        try browser.wait("the week") { try browser.sees("kin-meals .day") }
        let day = try #require(
            try browser.run("return document.querySelector('.meal-day:last-child .day').dataset.day").string)
        func file(_ name: String, _ text: String) throws -> String {
            let path = stage.folder + "/" + name
            try Array(text.utf8).write(file: path)
            return path
        }
        try go("#/meals/dishes", browser)
        try browser.wait("the screen") { try browser.sees("#write-menu") }
        let recipe =
            #"{"@type":"Recipe","name":"Rye bread","recipeYield":"4","recipeIngredient":["1 kg rye flour","3 eggs"]}"#
        try browser.choose(
            try file("saved.html", "<script type=\"application/ld+json\">\(recipe)</script>"), in: "#dish-file")
        try browser.wait(for: "Rye bread", in: "dialog .rows")
        try browser.click("dialog .actions button")
        try browser.wait(for: "Rye bread", in: "#dishes")
        try browser.click("#dishes .dish")
        try browser.wait("what it is made of") {
            try browser.run("return document.querySelector('#dish-items')?.value ?? null").string
                == "1 kg rye flour\n3 eggs"
        }
        // How long it takes and where it is from stands there, too, and is changed there.
        try browser.type("90", into: "#dish-minutes")
        try browser.type("Grandma's book", into: "#dish-source")
        try browser.click("dialog button[type=submit]")
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        try browser.wait(for: "90 minutes", in: "#dishes")
        let door = try house.door(as: "ada")
        let head = try #require(try door.call("dish.list", [:])["dishes"]?.array?.first?["id"])
        let bread = try #require(try door.call("dish.show", ["dish": head])["dish"])
        #expect(bread["minutes"] == 90 && bread["source"] == "Grandma's book" && bread["servings"] == 4)
        try browser.click("#dishes .dish")
        try browser.wait("the source") {
            try browser.run("return document.querySelector('#dish-source')?.value ?? null").string == "Grandma's book"
        }
        try browser.pressEscape()
        try browser.wait("the dialog to close") { try !browser.sees("dialog") }
        // Of a menu each row is judged by itself.
        try browser.choose(try file("menu.csv", "\(day);Lentils;3.20\nsoon;Fish\n"), in: "#menu-file")
        try browser.wait("whose it is to be asked") { try browser.sees("#menu-source") }
        try browser.type("School", into: "#menu-source")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "1 entry read", in: "dialog h2")
        #expect(try browser.text("dialog .rows").contains("not taken"))
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.click("dialog .actions button")
        try go("#/meals", browser)
        try browser.wait("the menu") { try texts(".menus li", browser) == ["School: Lentils, 3.20"] }
        #expect(try browser.log() == [])
    }

    /// With `KINWIRE_SCREENSHOTS=DIR` pictures are written there, to be looked at.
    @Test func `the week and the dishes are read and written on a small phone, light and dark, in both languages`()
        throws
    {
        let axe = try #require(PageTests.axe)
        let door = try house.door(as: "ada")
        _ = try door.call("list.add", ["name": "Groceries"])
        let made = try door.call(
            "dish.add",
            ["title": "Donaudampfschifffahrtsgesellschaftskuchen", "servings": 4, "ingredients": ["500 g flour"]])
        let dish = try #require(made["dish"]?["id"])
        for (language, width, isDark) in [("en", 390, false), ("de", 320, true)] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: width, height: 844, isDark: isDark)
            func judge(_ screen: String) throws {
                #expect(try browser.violations(axe) == [], "\(screen), \(language)")
                #expect(try browser.run("return document.documentElement.scrollWidth").int == Int64(width), "\(screen)")
                try browser.draw("meals-\(screen)-\(language)")
            }
            try browser.signIn(house, "ada")
            try go("#/meals", browser)
            try browser.wait("the week") { try browser.sees("kin-meals .day") }
            // Weeks begin on Sundays in one language and on Mondays in the other: today is in both.
            let day = try #require(
                try browser.run("return new Date().toLocaleDateString('sv', { timeZone: 'UTC' })").string)
            if language == "en" {
                _ = try door.call(
                    "meal.put",
                    ["date": .string(day), "choices": [["dish": dish], ["title": "Soup"]], "note": "Gran comes"])
                _ = try door.call(
                    "menu.set",
                    [
                        "source": "School",
                        "days": [["date": .string(day), "dishes": [["text": "Lentils", "price": "3 €"]]]],
                    ])
            }
            try browser.wait("the meal") { try browser.sees("kin-meals .meal") }
            try browser.wait(for: "School: Lentils, 3 €", in: "kin-meals")
            try judge("week")
            try browser.click("kin-meals .meal")
            try browser.wait("the meal") { try browser.sees("#eats-in") }
            try judge("meal")
            try browser.click("#meal-edit")
            try browser.wait("the form") { try browser.sees("#meal-what") }
            try judge("plan")
            try browser.pressEscape()
            try browser.wait("the form to close") { try !browser.sees("dialog") }
            try browser.click("#fill-list")
            try browser.wait("the form") { try browser.sees("#meal-list") }
            try judge("fill")
            try browser.pressEscape()
            try browser.wait("the form to close") { try !browser.sees("dialog") }
            try go("#/meals/dishes", browser)
            try browser.wait(for: "kuchen", in: "#dishes")
            try judge("dishes")
            try browser.click("#dishes .dish")
            try browser.wait("the dish") { try browser.sees("#dish-items") }
            try judge("dish")
            #expect(try browser.log() == [])
        }
    }

    @Test func `a list is made for a meal on its sheet, leads back to it, and follows what it is called`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        _ = try browser.run("location.hash = '#/meals'")
        try browser.wait("the week") { try browser.sees("kin-meals .day") }
        let day = try browser.run("return document.querySelector('.meal-day:last-child .day').dataset.day")
        let door = try house.door(as: "ada")
        _ = try door.call("meal.put", ["title": "Soup", "date": day, "slot": "dinner"])
        try browser.wait(for: "Soup", in: "kin-meals")
        try browser.click("kin-meals .meal")
        try browser.wait("the way to make a list") { try browser.sees("dialog .list-for") }
        try browser.click("dialog .list-for")
        try browser.wait(for: "Belongs to Meal: Soup", in: "#list-belongs")
        // It follows what the meal is called, and goes with the meal.
        let meal = JSON.id(try #require(try house.snapshot("ada").meals.keys.first))
        _ = try door.call("meal.put", ["meal": meal, "title": "Stew"])
        try browser.wait(for: "Belongs to Meal: Stew", in: "#list-belongs")
        _ = try browser.run("location.hash = '#/meals'")
        try browser.click("kin-meals .meal")
        try browser.wait(for: "List: Soup", in: "dialog .ties")
        try browser.click("dialog .ties a")
        try browser.wait(for: "Belongs to Meal: Stew", in: "#list-belongs")
        _ = try door.call("meal.remove", ["meal": meal])
        try browser.wait("the tie to be gone") { try !browser.sees("#list-belongs") }
        #expect(try browser.log() == [])
    }
}
