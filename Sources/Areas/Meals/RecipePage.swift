import KinCodec
import KinKeeper
import KinModel

/// Recipes of schema.org in JSON-LD, from a saved page or by themselves. The page is a stranger's: nothing of it is
/// run, texts become plain, and parts that do not fit are left out and reported.
struct RecipePage: ImportedFile {
    /// The recipes, in the order in which they stand.
    private(set) var items: [ReadRecipe] = []

    /// `address` is the address at which the page was read.
    init(_ bytes: [UInt8], from address: String? = nil) {
        let bytes = Self.utf8(bytes)
        let start = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        let scripts =
            start == UInt8(ascii: "{") || start == UInt8(ascii: "[") ? [bytes[...]] : Self.scripts(in: bytes)
        var left = Limits.recipeValuesMax
        for script in scripts {
            guard let json = try? JSON.parse(Array(script), depthMax: 32, duplicates: .lastWins) else { continue }
            var next = [json]
            var at = 0
            while at < next.count, left > 0, items.count < Limits.recipesPerPageMax {
                let value = next[at]
                (at, left) = (at + 1, left - 1)
                if let list = value.array {
                    next += list.prefix(left)
                } else if let object = value.object {
                    if Self.isRecipe(value) {
                        items.append(ReadRecipe(value, number: items.count + 1, from: address))
                    } else {
                        next += object.members.map(\.value).filter { $0.array != nil || $0.object != nil }.prefix(left)
                    }
                }
            }
        }
    }

    private static func isRecipe(_ value: JSON) -> Bool {
        let types = value["@type"].map { $0.array ?? [$0] } ?? []
        return types.contains { type in
            let name = type.string ?? ""
            return name == "Recipe" || name.hasSuffix("schema.org/Recipe")
        }
    }

    /// Pages of other encodings are read as Latin-1.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let plain = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: plain, as: UTF8.self) == nil else { return plain }
        return Array(String(String.UnicodeScalarView(plain.map { Unicode.Scalar($0) })).utf8)
    }

    /// The contents of `<script type="application/ld+json">`.
    private static func scripts(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var at = 0
        while found.count < Limits.recipeScriptsMax, let tag = place(of: "<script", in: bytes, from: at) {
            guard let end = bytes[tag...].firstIndex(of: UInt8(ascii: ">")) else { break }
            at = end + 1
            let isJSON = place(of: "application/ld+json", in: bytes, from: tag, to: end) != nil
            guard let close = place(of: "</script", in: bytes, from: at) else { break }
            if isJSON { found.append(bytes[at..<close]) }
            at = close
        }
        return found
    }

    /// The place of a word of small letters, whatever letters the page uses.
    private static func place(of word: String, in bytes: [UInt8], from: Int, to: Int? = nil) -> Int? {
        let word = Array(word.utf8)
        let last = (to ?? bytes.count) - word.count
        guard from <= last else { return nil }
        return (from...last).first { start in
            word.indices.allSatisfy { index in
                let byte = bytes[start + index]
                return word[index] == (65...90 ~= byte ? byte | 0x20 : byte)
            }
        }
    }

    /// Checks that a page keeps what is promised, for the fuzzer.
    static let judge: @Sendable ([UInt8], Bool) -> Void = { input, isPlanted in
        let page = RecipePage(input)
        precondition(page.items.count <= Limits.recipesPerPageMax, "so many recipes at most")
        for (index, item) in page.items.enumerated() {
            precondition(item.number == index + 1 && item.remarks.count <= Limits.mealRemarksMax)
            precondition(!isPlanted || item.name != "planted", "a planted bug")
            guard let dish = item.dish(Identifier(high: 0, low: 0)) else {
                precondition(!item.remarks.isEmpty, "what is not taken says why")
                continue
            }
            precondition((try? Dish.shape.check(dish.json, field: "dish")) != nil, "what is taken is within bounds")
        }
    }
}

/// One recipe of a page.
struct ReadRecipe: ImportedItem {
    let number: Int
    private(set) var remarks: [String] = []
    private var title: String?
    private var servings: Int64?
    private var minutes: Int64?
    private var ingredients: [Ingredient] = []
    private var text: String?
    private var source: String?

    var name: String { title.map { String($0.prefix(60)) } ?? "?" }

    /// The dish that it makes; `nil` for a recipe without a name.
    func dish(_ id: Identifier) -> Dish? {
        title.map {
            Dish(
                id: id, title: $0, servings: servings, minutes: minutes, ingredients: ingredients, text: text,
                source: source)
        }
    }

    fileprivate init(_ json: JSON, number: Int, from address: String?) {
        self.number = number
        title = Self.string(json["name"]).flatMap {
            StrangersText.line($0, max: Limits.dishTitleCharactersMax, isMarkup: true)
        }
        if title == nil { remarks.append("It has no name.") }
        servings = Self.servings(json["recipeYield"] ?? json["yield"])
        minutes = Self.minutes(json["totalTime"]) ?? Self.minutes(json["prepTime"], json["cookTime"])
        let said = Self.string(json["url"] ?? json["@id"]).flatMap { $0.hasPrefix("http") ? $0 : nil }
        source = (said ?? address).flatMap { StrangersText.line($0, max: Limits.dishSourceCharactersMax) }
        let given = json["recipeIngredient"] ?? json["ingredients"]
        let lines = given.map { $0.array ?? [$0] } ?? []
        let read = lines.prefix(Limits.dishIngredientsMax * 4).compactMap { line in
            Self.string(line).flatMap { IngredientLine.read(StrangersText.withoutMarkup($0)) }
        }
        ingredients = Array(read.prefix(Limits.dishIngredientsMax))
        if read.count > ingredients.count {
            remarks.append("Only the first \(Limits.dishIngredientsMax) ingredients were taken.")
        }
        if ingredients.isEmpty { remarks.append("It names no ingredient.") }
        var steps: [String] = []
        Self.steps(json["recipeInstructions"], depth: 0, into: &steps)
        let whole = steps.joined(separator: "\n")
        text = StrangersText.text(whole, max: Limits.dishTextCharactersMax, isMarkup: true)
        if whole.unicodeScalars.count > Limits.dishTextCharactersMax, text?.hasSuffix("…") == true {
            remarks.append("How it is made is longer than \(Limits.dishTextCharactersMax) characters, and was cut.")
        }
    }

    private static func string(_ json: JSON?) -> String? {
        guard let json else { return nil }
        if let text = json.string { return String(text.prefix(20_000)) }
        if let list = json.array { return list.first.flatMap { $0.string } }
        return json["@value"]?.string ?? json["name"]?.string
    }

    /// The first number of `4 servings`, `4` or `["4", "4 Portionen"]`.
    private static func servings(_ json: JSON?) -> Int64? {
        guard let first = json?.array?.first ?? json else { return nil }
        let text = first.string ?? first.text
        let digits = text.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        return Int64(digits.prefix(4)).flatMap { (1...Limits.servingsMax).contains($0) ? $0 : nil }
    }

    /// The sum of durations such as `PT1H30M`, in minutes.
    private static func minutes(_ all: JSON?...) -> Int64? {
        let sum = all.compactMap { $0?.string }.compactMap(minutes(ofDuration:)).reduce(0, +)
        return (1...Limits.dishMinutesMax).contains(sum) ? sum : nil
    }

    private static func minutes(ofDuration text: String) -> Int64? {
        guard text.first == "P" else { return nil }
        var sum = 0.0
        var number = ""
        var isTime = false
        for character in text.dropFirst().prefix(40) {
            switch character {
            case "0"..."9", ".": number.append(character)
            case "T": isTime = true
            default:
                guard let value = Double(number), value.isFinite, value < 100_000 else { return nil }
                number = ""
                switch (character, isTime) {
                case ("D", _): sum += value * 1440
                case ("H", true): sum += value * 60
                case ("M", true): sum += value
                case ("S", true): sum += value / 60
                default: return nil
                }
            }
        }
        return sum < 1e9 ? Int64(sum.rounded(.up)) : nil
    }

    /// Texts, steps and sections of steps.
    private static func steps(_ json: JSON?, depth: Int, into steps: inout [String]) {
        guard let json, depth < 5, steps.count < 200 else { return }
        if let text = json.string {
            steps.append(String(text.prefix(20_000)))
        } else if let list = json.array {
            for one in list.prefix(200) { Self.steps(one, depth: depth + 1, into: &steps) }
        } else if json.object != nil {
            if let list = json["itemListElement"] {
                if let name = json["name"]?.string { steps.append(String(name.prefix(200))) }
                Self.steps(list, depth: depth + 1, into: &steps)
            } else {
                Self.steps(json["text"] ?? json["name"], depth: depth + 1, into: &steps)
            }
        }
    }
}
