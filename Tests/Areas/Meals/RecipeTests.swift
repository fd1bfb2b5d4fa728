import KinModel
import Testing

@testable import KinMeals

/// Recipes and menus of strangers.
@Suite struct RecipeTests {
    private func dishes(_ text: String) -> [Dish] {
        RecipePage(Array(text.utf8)).items.compactMap { $0.dish(Identifier(high: 0, low: 0)) }
    }

    @Test func `a recipe is found in a saved page, whatever stands around it`() throws {
        let page = """
            <!doctype html><html><head><script>var a = {"@type":"Recipe","name":"not this"};</script>
            <SCRIPT data-x="1" Type="application/ld+json">{"@context":"https://schema.org","@graph":[
            {"@type":"WebPage","name":"Page"},
            {"@type":["Recipe","NewsArticle"],"name":"Gran&#39;s <b>pancakes</b>","url":"https://a.example/p",
             "recipeYield":["4","4 servings"],"prepTime":"PT10M","cookTime":"PT1H20M",
             "recipeIngredient":["250 g flour","3 eggs","&frac12; TL Salz","<script>alert(1)<\\/script>"],
             "recipeInstructions":[{"@type":"HowToSection","name":"Batter","itemListElement":[
               {"@type":"HowToStep","text":"Stir.<br>Wait."},{"@type":"HowToStep","text":"Fry &amp; eat."}]}]}]}
            </script></head><body></body></html>
            """
        let dish = try #require(dishes(page).first)
        #expect(dishes(page).count == 1)
        #expect(dish.title == "Gran's pancakes" && dish.servings == 4 && dish.minutes == 90)
        #expect(dish.source == "https://a.example/p")
        #expect(
            dish.ingredients == [
                Ingredient(text: "flour", amount: 250, unit: "g"), Ingredient(text: "eggs", amount: 3),
                Ingredient(text: "Salz", amount: 0.5, unit: "TL"),
            ])
        #expect(dish.text == "Batter\nStir.\nWait.\nFry & eat.")
    }

    @Test func `the JSON alone is enough, and texts are plain whatever they hide`() throws {
        let bare = #"""
            [{"@type":"https://schema.org/Recipe","name":"A\u202eB&lt;script&gt;","recipeYield":6,"totalTime":"P1DT30M",
            "recipeIngredient":"1 l milk","recipeInstructions":"Boil.\n\nServe."}]
            """#
        let dish = try #require(dishes(bare).first)
        #expect(dish.title == "AB<script>" && dish.servings == 6 && dish.minutes == 1470)
        #expect(dish.ingredients == [Ingredient(text: "milk", amount: 1, unit: "l")])
        #expect(dish.text == "Boil.\nServe.")
    }

    @Test func `what does not fit is left out and said, and a page is never too much`() {
        let lines = (0..<200).map { "\"\($0 + 1) g thing \($0)\"" }.joined(separator: ",")
        let long = String(repeating: "Stir. ", count: 4000)
        let page = RecipePage(
            Array(
                #"{"@type":"Recipe","name":"N","recipeIngredient":[\#(lines)],"recipeInstructions":"\#(long)"}"#.utf8))
        #expect(page.items.count == 1 && page.items[0].remarks.count == 2)
        let dish = page.items[0].dish(Identifier(high: 0, low: 0))
        #expect(dish?.ingredients.count == Limits.dishIngredientsMax)
        #expect(dish?.text?.unicodeScalars.count ?? 0 <= Limits.dishTextCharactersMax)
        #expect(RecipePage(Array(#"{"@type":"Recipe"}"#.utf8)).items.first?.dish(Identifier(high: 0, low: 0)) == nil)
        let many = "[" + (0..<100).map { #"{"@type":"Recipe","name":"N\#($0)"}"# }.joined(separator: ",") + "]"
        #expect(RecipePage(Array(many.utf8)).items.count == Limits.recipesPerPageMax)
        for text in [
            "", "<html>", "<script type=\"application/ld+json\">{", "<script type=\"application/ld+json\"", "{",
            "[[[[[",
            String(repeating: "[", count: 5000), String(repeating: "<script ", count: 5000),
            "{\"@type\":{\"@type\":1}}",
            #"{"@type":"Recipe","name":["",{}],"recipeYield":{},"totalTime":"PT9999999999M","recipeIngredient":[[],{},1]}"#,
        ] {
            RecipePage.judge(Array(text.utf8), false)
            MenuFile.judge(Array(text.utf8), false)
        }
    }

    @Test func `a menu is read from rows, each by itself`() {
        let file = MenuFile(
            Array(
                """
                Datum;Gericht;Preis
                24.11.2026;Linsen;"3,20 €"
                Mi 25.11.26;"Fisch ""Art"";
                gebacken";
                2026-11-24;Linsen;1
                11/12/2026;Suppe;
                31.02.2026;Brot;
                2026-11-26;;

                """.utf8))
        #expect(file.items.map(\.date) == ["2026-11-24", "2026-11-25", nil, nil, nil, nil])
        #expect(file.items[0].price == "3,20 €" && file.items[1].text == "Fisch \"Art\"; gebacken")
        #expect(file.items.dropFirst(2).allSatisfy { $0.remarks.count == 1 })
        #expect(MenuFile(Array("2026-11-24,Soup\n".utf8)).items.map(\.text) == ["Soup"])
        // Latin-1, as some programs write.
        #expect(MenuFile(Array("2026-11-24,K".utf8) + [0xE4] + Array("se".utf8)).items.map(\.text) == ["Käse"])
    }

    @Test func `a menu is read from iCalendar`() {
        let file = MenuFile(
            Array(
                """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                BEGIN:VEVENT\r
                DTSTART;VALUE=DATE:20261124\r
                SUMMARY:Lentils\\, bread\r
                END:VEVENT\r
                BEGIN:VEVENT\r
                DTSTART:20261125T110000Z\r
                RRULE:FREQ=WEEKLY\r
                SUMMARY:Fish\r
                END:VEVENT\r
                BEGIN:VEVENT\r
                SUMMARY:When\r
                END:VEVENT\r
                END:VCALENDAR\r

                """.utf8))
        #expect(file.items.map(\.date) == ["2026-11-24", "2026-11-25", nil])
        #expect(file.items.map(\.text) == ["Lentils, bread", "Fish", "When"])
        #expect(file.items.map(\.remarks.count) == [0, 1, 1])
        #expect(file.items[1].remarks == ["It repeats; only its first day is taken."])
    }
}
