/// Limits of lists that stand on the wire, each with its unit.
extension Limits {
    /// Sections of a list.
    public static let listSectionsMax = 40
    /// Characters of a section's name.
    public static let listSectionCharactersMax = 40
    /// Characters of an item's text.
    public static let itemTextCharactersMax = 200
    /// Characters of an item's unit, such as `kg`.
    public static let itemUnitCharactersMax = 16
    /// Characters of an item's note.
    public static let itemNoteCharactersMax = 500
    /// The largest amount of an item.
    public static let itemAmountMax = 1_000_000.0
    /// Characters of the key by which an item is sorted.
    public static let itemOrderCharactersMax = 64
    /// Characters of the rule by which an item repeats.
    public static let itemRuleCharactersMax = 200
    /// Members who take turns at an item.
    public static let itemTurnsMax = 20
}
