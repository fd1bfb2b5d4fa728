import KinKeeper
import KinModel
import Testing

@testable import KinMeals

/// Lines of recipes, read into how much of what.
@Suite struct IngredientTests {
    @Test(
        arguments: [
            ("200 g flour", 200, "g", "flour"), ("200g Mehl", 200, "g", "Mehl"),
            ("1 1/2 cups milk", 1.5, "cup", "milk"),
            ("½ TL Salz", 0.5, "TL", "Salz"), ("1½ EL Öl", 1.5, "EL", "Öl"), ("1 ½ tbsp. oil", 1.5, "tbsp", "oil"),
            ("2–3 Äpfel", 3, nil, "Äpfel"), ("2 - 3 apples", 3, nil, "apples"), ("2 bis 3 Äpfel", 3, nil, "Äpfel"),
            ("1/4 l Milch", 0.25, "l", "Milch"), ("1⁄2 l Milch", 0.5, "l", "Milch"),
            ("0,5 Liter Sahne", 0.5, "l", "Sahne"),
            ("1.5 kg potatoes", 1.5, "kg", "potatoes"), ("1.500 g Mehl", 1500, "g", "Mehl"),
            ("1,250 g flour", 1250, "g", "flour"), ("0.125 l cream", 0.125, "l", "cream"), ("3 eggs", 3, nil, "eggs"),
            ("2 x Eier", 2, nil, "Eier"), ("2 Stk. Zwiebeln", 2, nil, "Zwiebeln"),
            ("eine Prise Salz", 1, "Prise", "Salz"),
            ("a pinch of salt", 1, "pinch", "salt"), ("2 cloves of garlic", 2, "clove", "garlic"),
            ("ca. 100 ml Wasser", 100, "ml", "Wasser"), ("• 4 dl stock", 4, "dl", "stock"),
            ("- 2 Dosen Tomaten", 2, "Dose", "Tomaten"),
            ("1 (14 oz) can tomatoes", 1, nil, "(14 oz) can tomatoes"), ("10 dkg Butter", 10, "dag", "Butter"),
            ("⅔ cup sugar, sifted", 0.667, "cup", "sugar, sifted"),
        ] as [(String, Double, String?, String)])
    func `a line says how much of what`(line: String, amount: Double, unit: String?, text: String) throws {
        let read = try #require(IngredientLine.read(line))
        #expect(read == Ingredient(text: text, amount: amount, unit: unit), "\(line)")
    }

    @Test(arguments: [
        "salt", "Salz und Pfeffer", "a little oil", "7-Up", "3er Pack Hefe", "1/0 cup milk", "1/ l milk", "200 g",
        "1.125 l Milch", "1.500 Eier", "0 eggs", "12345678 eggs", "3-2 apples", "½", "2000000 eggs",
    ])
    func `what is not understood stays as it was written`(line: String) {
        #expect(IngredientLine.read(line) == Ingredient(text: line))
    }

    @Test func `nothing is no ingredient, and what turns a line is taken out`() {
        for line in ["", " ", "\n\t", "\u{202E}", "\u{0}\u{1}"] { #expect(IngredientLine.read(line) == nil) }
        #expect(IngredientLine.read("2 \u{202E}eggs\n") == Ingredient(text: "eggs", amount: 2))
    }

    @Test func `whatever a line is, what is read is an ingredient within bounds, and says the same again`() throws {
        var state: UInt64 = 7
        func dice(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
        let parts = [
            "1", "2", "12", "000", "/", "½", "⅓", ".", ",", "-", "–", " ", "  ", "g", "kg", "TL", "cup", "of", "to",
            "bis",
            "x", "Milch", "eggs", "(", ")", "\u{202E}", "\u{301}", "é", "ein", "a", "\n", "\t", "%", "⁄", "9999999",
            "ca.",
        ]
        for _ in 0..<4000 {
            let line = (0..<(1 + dice(9))).map { _ in parts[dice(parts.count)] }.joined()
            guard let read = IngredientLine.read(line) else { continue }
            #expect(throws: Never.self, "\(line)") { try Ingredient.shape.check(read.json, field: "ingredient") }
            guard let amount = read.amount else { continue }
            #expect(amount > 0)
            // What was understood, written plainly, is understood the same way.
            let plain = [JSON.double(amount).text, read.unit ?? "", read.text].filter { !$0.isEmpty }.joined(
                separator: " ")
            guard amount == amount.rounded() || JSON.double(amount).text.split(separator: ".").last?.count != 3,
                read.unit != nil || Measure.unit(named: String(read.text.prefix { $0.isLetter })) == nil
            else { continue }
            #expect(IngredientLine.read(plain)?.amount == amount, "\(line) → \(plain)")
        }
    }

    // MARK: Sums

    @Test(
        arguments: [
            ([(500, "g"), (1, "kg")], 1.5, "kg"), ([(250, "ml"), (0.75, "l")], 1, "l"),
            ([(1, "dl"), (5, "cl")], 150, "ml"),
            ([(10, "dkg"), (400, "mg")], 100, "g"), ([(999, "g"), (1, "g")], 1, "kg"), ([(2, nil), (1, nil)], 3, nil),
            ([(0.5, "TL"), (1, "Teelöffel")], 1.5, "TL"), ([(0.1, "kg"), (0.2, "kg")], 300, "g"),
            ([(0.02, "g")], 0.1, "g"),
        ] as [([(Double, String?)], Double, String?)])
    func `amounts of one kind are added up exactly`(all: [(Double, String?)], amount: Double, unit: String?) throws {
        let measures = all.map { Measure($0.0, $0.1) }
        #expect(Set(measures.map(\.kind)).count == 1)
        let sum = Measure(kind: measures[0].kind, thousandths: measures.compactMap(\.thousandths).reduce(0, +))
        #expect(sum.written.amount == amount && sum.written.unit == unit, "\(sum.written)")
    }

    @Test func `what cannot be added up stays apart, and scaling rounds up a half`() {
        let kinds: [Measure.Kind] = [
            Measure(1, "g").kind, Measure(1, "ml").kind, Measure(1, nil).kind, Measure(1, "cup").kind,
            Measure(1, "TL").kind, Measure(1, "Eimer").kind,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Measure(1, "Eimer").kind == Measure(2, "eimer").kind)
        #expect(Measure(250, "g").scaled(to: 6, of: 4).written.amount == 375)
        #expect(Measure(1, nil).scaled(to: 1, of: 3).thousandths == 333)
        #expect(Measure(0.001, nil).scaled(to: 1, of: 2).thousandths == 1)
        #expect(Measure(nil, nil).scaled(to: 4, of: 2).thousandths == nil)
        #expect(Measure(Limits.itemAmountMax, "kg").scaled(to: 100, of: 1).written.amount == Limits.itemAmountMax)
    }
}
