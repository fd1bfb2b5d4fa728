import KinCalendar
import KinModel
import Testing

@testable import KinMeals

/// Recipes and menus of strangers.
@Suite struct RecipeTests {
    private let today = Civil("2026-11-24T12:00") ?? Zone.utc.civil(at: .earliest)

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

                """.utf8), today: today)
        #expect(file.items.map(\.date) == ["2026-11-24", "2026-11-25", nil, nil, nil, nil])
        #expect(file.items[0].price == "3,20 €" && file.items[1].text == "Fisch \"Art\"; gebacken")
        #expect(file.items.dropFirst(2).allSatisfy { $0.remarks.count == 1 })
        #expect(MenuFile(Array("2026-11-24,Soup\n".utf8), today: today).items.map(\.text) == ["Soup"])
        // Latin-1, as some programs write.
        let latin = Array("2026-11-24,K".utf8) + [0xE4] + Array("se".utf8)
        #expect(MenuFile(latin, today: today).items.map(\.text) == ["Käse"])
    }

    @Test func `what is neither a calendar nor a table of days is refused in one sentence`() {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] + Array("JFIF,a\n2026-11-24,b\n".utf8)
        let letter = Array("hello\nthere, all\n".utf8)
        let long = Array(String(repeating: "word, word\n", count: Limits.menuRowsMax + 1).utf8)
        for bytes in [picture, letter, long] {
            let file = MenuFile(bytes, today: today)
            #expect(file.isForeign && file.items.isEmpty && !file.isCut)
            #expect(file.nothing?.hasPrefix("file is neither a calendar (.ics) nor a table (CSV)") == true)
            MenuFile.judge(bytes, false)
        }
        // One row with a day is enough, and then each other row has its reason.
        let file = MenuFile(Array("hello\n2026-11-24,\n".utf8), today: today)
        #expect(!file.isForeign && file.items.map(\.remarks.count) == [1, 1])
    }

    /// A calendar around events, each some lines.
    private func calendar(_ events: String...) -> MenuFile { calendar(events) }

    private func calendar(_ events: [String]) -> MenuFile {
        let all = events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(all)END:VCALENDAR\n".replacing("\n", with: "\r\n")
        return MenuFile(Array(text.utf8), zone: Zone("Europe/Berlin") ?? .utc, today: today)
    }

    @Test func `a menu is read from iCalendar`() {
        let file = calendar(
            "DTSTART;VALUE=DATE:20261124\nSUMMARY:Lentils\\, bread", "DTSTART:20261125T110000Z\nSUMMARY:Fish",
            "SUMMARY:When")
        #expect(file.items.map(\.date) == ["2026-11-24", "2026-11-25", nil])
        #expect(file.items.map(\.text) == ["Lentils, bread", "Fish", "When"])
        #expect(file.items.map(\.remarks.count) == [0, 0, 1])
    }

    @Test func `a dish that repeats is on each of its days around today, and says on how many`() {
        // Since long ago, without end: from a week before today on.
        let weekly = calendar("DTSTART;VALUE=DATE:20240102\nRRULE:FREQ=WEEKLY\nSUMMARY:Lentils")
        #expect(weekly.items.count == 10 && weekly.items.allSatisfy { $0.text == "Lentils" })
        #expect(weekly.items.first?.date == "2026-11-17" && weekly.items.last?.date == "2027-01-19")
        #expect(weekly.items[0].remarks == ["It repeats; it is on 10 days until 2027-01-19, a row each."])
        #expect(!weekly.items.dropFirst().contains { !$0.remarks.isEmpty })
        // Some days that are not, one beside the rule, one that is another dish, and one that is none.
        let mixed = calendar(
            """
            UID:a
            DTSTART;TZID=Europe/Berlin:20261123T120000
            RRULE:FREQ=DAILY;COUNT=6
            EXDATE;TZID=Europe/Berlin:20261124T120000
            RDATE;VALUE=DATE:20261205
            SUMMARY:Rice
            """, "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261125T120000\nDTSTART;VALUE=DATE:20261125\nSUMMARY:Peas",
            "UID:a\nRECURRENCE-ID:20261126T110000Z\nDTSTART;VALUE=DATE:20261126\nSTATUS:CANCELLED\nSUMMARY:Rice",
            "UID:b\nDTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;UNTIL=20261124\nSUMMARY:Once")
        #expect(
            mixed.items.map { "\($0.date ?? "?") \($0.text)" } == [
                "2026-11-23 Rice", "2026-11-27 Rice", "2026-11-28 Rice", "2026-12-05 Rice", "2026-11-25 Peas",
                "2026-11-24 Once", "2026-11-26 ",
            ])
        #expect(mixed.items[0].remarks == ["It repeats; it is on 4 days until 2026-12-05, a row each."])
        #expect(mixed.items[5].remarks == ["It repeats; only this day of it is taken."])
        // Midnight in the reader's zone, written in universal time: its Tuesday there is a Wednesday here.
        let moved = calendar("DTSTART:20261124T230000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2\nSUMMARY:Soup")
        #expect(moved.items.map(\.date) == ["2026-11-25", "2026-12-02"])
    }

    @Test func `a dish that repeats without end, never, or by the second takes no more than its share`() {
        let over = calendar("DTSTART;VALUE=DATE:20200102\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Over")
        #expect(over.items.map(\.date) == [nil])
        #expect(over.items[0].remarks == ["It repeats, on no day from 2026-11-17 to 2027-01-24."])
        let often = "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55;BYSECOND=0,30"
        for rule in ["FREQ=SECONDLY", "FREQ=SOMETIMES", often] {
            let file = calendar("DTSTART:20261124T110000Z\nRRULE:\(rule)\nSUMMARY:Fish")
            #expect(file.items.map(\.date) == ["2026-11-24"])
            #expect(
                file.items[0].remarks == [
                    "It repeats; its rule is not followed here, so only its first day is taken."
                ])
        }
        let daily = "DTSTART:20261124T110000Z\nRRULE:FREQ=DAILY;BYHOUR=9,10,11\nSUMMARY:Fish"
        #expect(calendar(daily).items.count == 62)
        // Of all days of all dishes together there are as many as rows that a file has.
        let many = (0..<30).map { "DTSTART:20260101T110000Z\nRRULE:FREQ=DAILY\nSUMMARY:Fish \($0)" }
        let text = many.map { "BEGIN:VEVENT\r\n\($0.replacing("\n", with: "\r\n"))\r\nEND:VEVENT\r\n" }.joined()
        let file = MenuFile(Array("BEGIN:VCALENDAR\r\n\(text)END:VCALENDAR\r\n".utf8), today: today)
        #expect(file.isCut && file.items.count == Limits.menuRowsMax)
        let once = (0...Limits.menuSeriesMax).map { number in
            let day = today.adding(days: number % 60).description.prefix(10).filter(\.isNumber)
            return "BEGIN:VEVENT\r\nDTSTART:\(day)\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:\(number)\r\nEND:VEVENT\r\n"
        }.joined()
        let most = MenuFile(Array("BEGIN:VCALENDAR\r\n\(once)END:VCALENDAR\r\n".utf8), today: today)
        #expect(
            most.items.last?.remarks == [
                "It repeats; the file has too many that do, so only its first day is taken."
            ])
        #expect(
            most.items.dropLast().last?.remarks == ["It repeats; only this day of it is taken."])
        #expect(!most.isCut && most.items.count == Limits.menuSeriesMax + 1)
    }

    @Test func `dishes that repeated years ago take no place of those that repeat now`() {
        let lentils = "DTSTART;VALUE=DATE:20240102\nRRULE:FREQ=WEEKLY\nSUMMARY:Lentils"
        for end in ["UNTIL=20200401", "UNTIL=20200401T100000Z", "COUNT=12"] {
            let old = (0..<Limits.menuSeriesMax).map { number in
                "DTSTART;VALUE=DATE:20200102\nRRULE:FREQ=WEEKLY;\(end)\nSUMMARY:Old \(number)"
            }
            let file = calendar(old + [lentils])
            #expect(file.items.count == old.count + 10 && !file.isCut, "\(end)")
            #expect(file.items.prefix(old.count).allSatisfy { $0.date == nil }, "\(end)")
            #expect(file.items.compactMap(\.date).count == 10 && file.items.last?.date == "2027-01-19", "\(end)")
        }
        // Those with a short COUNT have a share of their own, and then one of the others'.
        let short = (0...Limits.menuShortSeriesMax + Limits.menuSeriesMax).map { number in
            let day = today.adding(days: number % 60).description.prefix(10).filter(\.isNumber)
            return "DTSTART;VALUE=DATE:\(day)\nRRULE:FREQ=YEARLY;COUNT=2\nSUMMARY:\(number)"
        }
        let most = calendar(short)
        #expect(most.items.count == short.count)
        #expect(most.items.dropLast().allSatisfy { $0.remarks == ["It repeats; only this day of it is taken."] })
        #expect(most.items.last?.remarks.last?.contains("too many that do") == true)
    }

    @Test func `what a calendar cancels is no dish, and leaves its day without one unless there is another`() {
        let weekly = "DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=WEEKLY;COUNT=3\nSUMMARY:Rice\nSTATUS:CANCELLED"
        let file = calendar(
            weekly, "DTSTART;VALUE=DATE:20261126\nSTATUS:CANCELLED\nSUMMARY:Soup",
            "DTSTART;VALUE=DATE:20261201\nSTATUS:CONFIRMED\nSUMMARY:Peas",
            "DTSTART;VALUE=DATE:20261001\nSTATUS:CANCELLED\nSUMMARY:Long ago")
        #expect(file.items.map(\.date) == ["2026-12-01", "2026-11-24", "2026-11-26", "2026-12-08"])
        #expect(file.items.map(\.isEmptied) == [false, true, true, true] && file.items.map(\.number) == [1, 2, 3, 4])
        #expect(file.items[1].remarks == ["What was there is called off; the day has no dish."])
        #expect(file.items[1].name == "2026-11-24" && file.items[0].day == ["Peas"])
        // What a series leaves out on a day on which it would not be is nothing that was called off.
        let tuesdays = "DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=WEEKLY;COUNT=2\nSUMMARY:Rice"
        #expect(calendar(tuesdays + "\nEXDATE;VALUE=DATE:20261125").items.map(\.isEmptied) == [false, false])
        let moved = calendar(
            "UID:a\n" + tuesdays,
            "UID:a\nRECURRENCE-ID;VALUE=DATE:20261201\nDTSTART;VALUE=DATE:20261202\nSUMMARY:Rice")
        #expect(
            moved.items.map { "\($0.date ?? "?") \($0.text)" } == [
                "2026-11-24 Rice", "2026-12-02 Rice", "2026-12-01 ",
            ])
        // A first day that is left out is not taken either where the others are not known.
        let first = calendar("DTSTART:20261124T110000Z\nRRULE:FREQ=SECONDLY\nEXDATE:20261124T110000Z\nSUMMARY:Fish")
        #expect(first.items.map(\.isEmptied) == [false, true] && first.items.map(\.date) == [nil, "2026-11-24"])
        // Rows call off nothing.
        #expect(MenuFile(Array("2026-11-24,\n".utf8), today: today).items.map(\.isEmptied) == [false])
        let past = calendar("DTSTART;VALUE=DATE:20261001\nSTATUS:CANCELLED\nSUMMARY:Soup")
        #expect(
            past.nothing == "file holds only what was called off, on no day from 2026-11-17 to 2027-01-24.")
        #expect(calendar([]).nothing == "file holds no row and no event." && file.nothing == nil)
    }

    @Test func `of a series that is too long to be looked through no more is said than its first day`() {
        let since1950 = calendar("DTSTART;VALUE=DATE:19500101\nRRULE:FREQ=DAILY;COUNT=40000\nSUMMARY:Bread")
        #expect(
            since1950.items.map(\.remarks) == [
                ["It repeats; its rule is not followed here, and its first day cannot be taken."]
            ])
        let since2001 = calendar(
            "DTSTART:20010101T090000\nRRULE:FREQ=DAILY;BYHOUR=9,10,11;COUNT=40000\nSUMMARY:Bread")
        #expect(since2001.items.map(\.date) == ["2001-01-01"])
        #expect(
            since2001.items.map(\.remarks) == [
                ["It repeats; its rule is not followed here, so only its first day is taken."]
            ])
    }
}
