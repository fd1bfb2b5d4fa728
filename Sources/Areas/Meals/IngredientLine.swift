import KinKeeper
import KinModel

/// A line such as `200 g flour`, `1 1/2 cups milk`, `½ TL Salz` or `2–3 Äpfel`, split into an amount and a thing. Of a
/// range the greater number counts, so that enough is bought. A line that is not understood stays as it was written.
enum IngredientLine {
    /// The ingredient of a line; `nil` for a line that says nothing.
    static func read(_ written: String) -> Ingredient? {
        guard var line = StrangersText.line(written, max: Limits.itemTextCharactersMax) else { return nil }
        while let first = line.first, "-–•*·▢".contains(first), line.dropFirst().first == " " {
            line = String(line.dropFirst(2))
        }
        guard let whole = StrangersText.line(line, max: Limits.itemTextCharactersMax) else { return nil }
        return measured(whole) ?? Ingredient(text: whole)
    }

    /// The ingredient with its amount; `nil` if that is not understood.
    private static func measured(_ whole: String) -> Ingredient? {
        var rest = Substring(whole)
        for word in ["ca. ", "ca ", "etwa ", "about ", "approx. "] where rest.lowercased().hasPrefix(word) {
            rest = rest.dropFirst(word.count)
        }
        guard let (number, after) = Quantity.read(rest) else { return article(rest) }
        rest = after
        var unit: String?
        if let (found, behind) = Self.unit(of: rest) {
            unit = found
            rest = behind
            if rest.lowercased().hasPrefix("of ") { rest = rest.dropFirst(3) }
        } else if rest.first != " " {
            return nil
        }
        guard let amount = number.amount(of: unit), amount > 0, amount <= Limits.itemAmountMax,
            rest.contains(where: { $0.isLetter })
        else { return nil }
        return made(amount, unit, rest)
    }

    /// `a pinch of salt`: an article counts where a unit follows.
    private static func article(_ line: Substring) -> Ingredient? {
        guard let space = line.firstIndex(of: " "), articles.contains(line[..<space].lowercased()),
            let (unit, behind) = unit(of: line[space...].dropFirst()), unit != nil
        else { return nil }
        return made(1, unit, behind.lowercased().hasPrefix("of ") ? behind.dropFirst(3) : behind)
    }

    private static func made(_ amount: Double, _ unit: String?, _ rest: Substring) -> Ingredient? {
        StrangersText.line(String(rest), max: Limits.itemTextCharactersMax).map {
            Ingredient(text: $0, amount: amount, unit: unit)
        }
    }

    private static let articles: Set = ["a", "an", "one", "ein", "eine", "einen", "einem"]

    /// The unit at the beginning of a text, and the text behind it; `.some(nil)` for a word that only counts pieces.
    private static func unit(of text: Substring) -> (String?, Substring)? {
        let trimmed = text.drop { $0 == " " }
        let word = trimmed.prefix { $0.isLetter }
        guard !word.isEmpty else { return nil }
        var behind = trimmed[word.endIndex...]
        guard let known = Measure.unit(named: String(word)) else { return nil }
        if behind.first == "." { behind = behind.dropFirst() }
        guard behind.isEmpty || behind.first == " " else { return nil }
        return (known.isEmpty ? nil : known, behind.drop { $0 == " " })
    }
}

/// A number as recipes write it, at the beginning of a line.
private struct Quantity {
    private let value: Double
    /// Whether the number may mean thousands as well: `1.500`.
    private let isOfThree: Bool

    /// The amount in a unit. `1.500 g` are fifteen hundred grams; `1.500 l` may be either, and is no amount.
    func amount(of unit: String?) -> Double? {
        guard isOfThree else { return (value * 1000).rounded() / 1000 }
        return ["g", "ml", "mg"].contains(unit) ? value * 1000 : nil
    }

    /// The number, or the greater one of a range, and the text behind it.
    static func read(_ text: Substring) -> (Quantity, Substring)? {
        guard let (low, after) = one(text) else { return nil }
        var rest = after.drop { $0 == " " }
        for word in ["-", "–", "—", "−", "bis ", "to "] where rest.lowercased().hasPrefix(word) {
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            guard let (high, behind) = one(rest), high.value >= low.value else { return nil }
            return (high, behind)
        }
        return (low, after)
    }

    private static let vulgar: [Character: Double] = [
        "½": 1.0 / 2, "⅓": 1.0 / 3, "⅔": 2.0 / 3, "¼": 1.0 / 4, "¾": 3.0 / 4, "⅕": 1.0 / 5, "⅖": 2.0 / 5, "⅗": 3.0 / 5,
        "⅘": 4.0 / 5, "⅙": 1.0 / 6, "⅚": 5.0 / 6, "⅛": 1.0 / 8, "⅜": 3.0 / 8, "⅝": 5.0 / 8, "⅞": 7.0 / 8,
    ]

    private static func digits(_ text: Substring) -> Substring {
        text.prefix { $0.isASCII && $0.isNumber }.prefix(7)
    }

    private static func one(_ text: Substring) -> (Quantity, Substring)? {
        if let first = text.first, let part = vulgar[first] {
            return (Quantity(value: part, isOfThree: false), text.dropFirst())
        }
        let whole = digits(text)
        guard !whole.isEmpty, let number = Double(whole) else { return nil }
        let rest = text[whole.endIndex...]
        if let first = rest.first, first == "." || first == "," {
            let decimals = digits(rest.dropFirst())
            guard !decimals.isEmpty, let value = Double(whole + "." + decimals) else {
                return (Quantity(value: number, isOfThree: false), rest)
            }
            let isOfThree = decimals.count == 3 && number > 0 && whole.count <= 3
            return (Quantity(value: value, isOfThree: isOfThree), rest[decimals.endIndex...])
        }
        if let (part, behind) = fraction(rest, over: number) {
            return (Quantity(value: part, isOfThree: false), behind)
        }
        // `1 1/2` and `1 ½`.
        let spaced = rest.drop { $0 == " " }
        if let first = spaced.first, let part = vulgar[first] {
            return (Quantity(value: number + part, isOfThree: false), spaced.dropFirst())
        }
        let above = digits(spaced)
        if !above.isEmpty, spaced.startIndex != rest.startIndex, let upper = Double(above),
            let (part, behind) = fraction(spaced[above.endIndex...], over: upper), part < 1
        {
            return (Quantity(value: number + part, isOfThree: false), behind)
        }
        guard rest.first != "/", rest.first != "⁄" else { return nil }
        return (Quantity(value: number, isOfThree: false), rest)
    }

    /// `/2` behind a number.
    private static func fraction(_ text: Substring, over number: Double) -> (Double, Substring)? {
        guard let first = text.first, first == "/" || first == "⁄" else { return nil }
        let below = digits(text.dropFirst())
        guard let divisor = Double(below), divisor > 0 else { return nil }
        return (number / divisor, text[below.endIndex...])
    }
}
