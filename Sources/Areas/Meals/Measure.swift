import KinModel

/// An amount that is added to others of its kind: grams and kilograms are one kind, millilitres and litres another, and
/// every other unit is a kind of its own. It is counted in whole thousandths of the kind's smallest usual unit, so that
/// sums are exact.
struct Measure: Hashable, Sendable {
    /// The kinds of amounts; amounts of one kind can be added up.
    enum Kind: Hashable, Sendable {
        case mass
        case volume
        case pieces
        case other(String)
    }

    let kind: Kind
    /// Thousandths of a gram, of a millilitre, of a piece or of the unit; `nil` for an amount that is not named.
    var thousandths: Int64?

    init(kind: Kind, thousandths: Int64?) {
        self.kind = kind
        self.thousandths = thousandths
    }

    /// The measure of an amount and a unit, as people write them.
    init(_ amount: Double?, _ unit: String?) {
        let name = unit.flatMap { Self.unit(named: $0) ?? $0.lowercased() } ?? ""
        let kind: Kind
        var each = 1000.0
        if let grams = Self.masses[name] {
            (kind, each) = (.mass, grams)
        } else if let millilitres = Self.volumes[name] {
            (kind, each) = (.volume, millilitres)
        } else {
            kind = name.isEmpty ? .pieces : .other(name)
        }
        self.kind = kind
        thousandths = amount.flatMap { amount in
            amount >= 0 && amount <= Limits.itemAmountMax ? Int64((amount * each).rounded()) : nil
        }
    }

    /// The amount for another number of servings. Half a thousandth is rounded up.
    func scaled(to servings: Int64, of made: Int64) -> Measure {
        guard made > 0, let thousandths else { return self }
        return Measure(kind: kind, thousandths: (thousandths * servings * 2 + made) / (made * 2))
    }

    /// The amount as people write it: in kilograms from one kilogram on, in litres from one litre on.
    var written: (amount: Double?, unit: String?) {
        guard let thousandths else {
            if case .other(let unit) = kind { return (nil, unit) }
            return (nil, nil)
        }
        switch kind {
        case .mass: return Self.metric(thousandths, "g", "kg")
        case .volume: return Self.metric(thousandths, "ml", "l")
        case .pieces: return (Self.bounded(Self.rounded(thousandths, to: 10)), nil)
        case .other(let unit): return (Self.bounded(Self.rounded(thousandths, to: 10)), unit)
        }
    }

    private static func metric(_ thousandths: Int64, _ small: String, _ large: String) -> (Double?, String?) {
        if thousandths >= 1_000_000 { return (bounded(rounded(thousandths, to: 1000) / 1000), large) }
        return (bounded(rounded(thousandths, to: thousandths >= 10_000 ? 1000 : 100)), small)
    }

    /// The amount in units, rounded to a step, and never to nothing.
    private static func rounded(_ thousandths: Int64, to step: Int64) -> Double {
        Double(max(1, (thousandths + step / 2) / step) * step) / 1000
    }

    private static func bounded(_ amount: Double) -> Double { min(amount, Limits.itemAmountMax) }

    // MARK: Units

    private static let masses: [String: Double] = ["mg": 1, "g": 1000, "dag": 10_000, "kg": 1_000_000]
    private static let volumes: [String: Double] = ["ml": 1000, "cl": 10_000, "dl": 100_000, "l": 1_000_000]

    /// A unit as it is written here; `""` for words that count pieces, `nil` for words that are no unit.
    static func unit(named name: String) -> String? {
        // `T` and `t` are a tablespoon and a teaspoon in some books; nobody knows which in others.
        names[name.lowercased()]
    }

    private static let names: [String: String] = {
        let all: [(String, String)] = [
            ("mg", "mg milligram milligrams milligramm"), ("g", "g gr gram grams gramm gramme"),
            ("dag", "dag dkg deka"), ("kg", "kg kilo kilos kilogram kilograms kilogramm"),
            ("ml", "ml milliliter milliliters millilitre millilitres"),
            ("cl", "cl zentiliter centilitre centiliter centilitres"), ("dl", "dl deziliter decilitre deciliter"),
            ("l", "l liter liters litre litres"), ("TL", "tl teelöffel kl kaffeelöffel"),
            ("EL", "el esslöffel eßlöffel"),
            ("tsp", "tsp tsps teaspoon teaspoons"), ("tbsp", "tbsp tbsps tbs tablespoon tablespoons"),
            ("cup", "cup cups"), ("Tasse", "tasse tassen"), ("Becher", "becher"), ("Glas", "glas gläser"),
            ("oz", "oz ounce ounces"), ("lb", "lb lbs pound pounds"), ("Pfund", "pfund"), ("pint", "pint pints"),
            ("pinch", "pinch pinches"), ("Prise", "prise prisen msp messerspitze messerspitzen"),
            ("clove", "clove cloves"), ("Zehe", "zehe zehen knoblauchzehe knoblauchzehen"),
            ("can", "can cans tin tins"), ("Dose", "dose dosen"),
            ("pack", "pack packs packet packets package packages"),
            ("Packung", "packung packungen pkg pck pckg"), ("Päckchen", "päckchen"), ("bunch", "bunch bunches"),
            ("Bund", "bund bd bunde"), ("slice", "slice slices"), ("Scheibe", "scheibe scheiben"),
            ("bottle", "bottle bottles"), ("Flasche", "flasche flaschen"), ("jar", "jar jars"),
            ("handful", "handful handfuls"), ("Handvoll", "handvoll"), ("stick", "stick sticks"),
            ("sprig", "sprig sprigs"),
            ("Zweig", "zweig zweige"), ("Blatt", "blatt blätter"), ("Stange", "stange stangen"), ("Würfel", "würfel"),
            ("", "x stk stück st pc pcs piece pieces"),
        ]
        var names: [String: String] = [:]
        for (unit, words) in all { for word in words.split(separator: " ") { names[String(word)] = unit } }
        return names
    }()
}
