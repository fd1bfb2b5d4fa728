/// One thing on a list. The client that adds it makes its identifier, so that items can be added without network. The
/// identifier means something in its list alone.
public struct ListItem: WireRecord {
    /// The list and the item's own identifier: what it is known by.
    public struct Key: Hashable, Sendable, Comparable {
        /// The list.
        public let list: Identifier
        /// The item in it.
        public let id: Identifier

        /// A key.
        public init(list: Identifier, id: Identifier) { (self.list, self.id) = (list, id) }

        /// By list, then by item.
        public static func < (one: Key, other: Key) -> Bool { (one.list, one.id) < (other.list, other.id) }
    }

    /// The list that it is on.
    public let list: Identifier
    /// Which one of it.
    public let id: Identifier
    /// What it says.
    public var text: String
    /// How much of it.
    public var amount: Double?
    /// What that is counted in, such as `kg`.
    public var unit: String?
    /// The section that it stands in.
    public var section: String?
    /// More about it.
    public var note: String?
    /// Who is to do it, or whom it is for; whose turn it is.
    public var member: Identifier?
    /// The day by which it is due, such as `2026-11-24`; of what repeats, the one that comes next.
    public var due: String?
    /// What it is sorted by (``place``), if it was moved.
    public var order: String?
    /// Whether it is done.
    public var isTicked: Bool
    /// Who ticked it.
    public var tickedBy: Identifier?
    /// When.
    public var tickedAt: Instant?
    /// The rule by which it is due again once it is ticked: an RRULE of RFC 5545.
    public var repeats: String?
    /// Members who take turns, the one whose turn it was when this was said first.
    public var turns: [Identifier]
    /// The day of what repeats that was ticked last; ``tickedBy`` and ``tickedAt`` are of it.
    public var done: String?

    /// An item.
    public init(
        list: Identifier, id: Identifier, text: String, amount: Double? = nil, unit: String? = nil,
        section: String? = nil, note: String? = nil, member: Identifier? = nil, due: String? = nil,
        order: String? = nil, isTicked: Bool = false, tickedBy: Identifier? = nil, tickedAt: Instant? = nil,
        repeats: String? = nil, turns: [Identifier]? = nil, done: String? = nil
    ) {
        self.list = list
        self.id = id
        self.text = text
        self.amount = amount
        self.unit = unit
        self.section = section
        self.note = note
        self.member = member
        self.due = due
        self.order = order
        self.isTicked = isTicked
        self.tickedBy = tickedBy
        self.tickedAt = tickedAt
        self.repeats = repeats
        self.turns = turns ?? []
        self.done = done
    }

    /// What it is known by.
    public var key: Key { Key(list: list, id: id) }

    /// The key by which items of a list are sorted, byte by byte; between equal keys the identifier decides. An item
    /// that nobody moved stands where its identifier puts it: at the time when it was made.
    public var place: String { order ?? id.description.filter { $0 != "-" } }

    /// As it is written.
    public static let fields = Fields(
        "ListItem",
        ListItem.init(
            list:id:text:amount:unit:section:note:member:due:order:isTicked:tickedBy:tickedAt:repeats:turns:done:),
        .required("list", \.list, .id),
        .required("id", \.id, .id, "Made by the client; it means something in its list alone."),
        .required("text", \.text, textForm),
        .optional("amount", \.amount, amountForm, "Of the unit; of pieces where there is none."),
        .optional("unit", \.unit, unitForm, "Such as kg."),
        .optional("section", \.section, sectionForm),
        .optional("note", \.note, noteForm),
        .optional("member", \.member, .id, "Who is to do it, or whom it is for; whose turn it is."),
        .optional("due", \.due, dueForm, "A day, such as 2026-11-24; of what repeats, the one that comes next."),
        .optional("order", \.order, orderForm, orderSummary),
        .required("ticked", \.isTicked, .bool),
        .optional("tickedBy", \.tickedBy, .id),
        .optional("tickedAt", \.tickedAt, .time),
        .optional("repeat", \.repeats, ruleForm, "An RRULE of RFC 5545, by which it is due again once it is ticked."),
        .optional("turns", \.writtenTurns, turnsForm, "Members who take turns, in their order."),
        .optional(
            "done", \.done, dueForm, "The day of what repeats that was ticked last; tickedBy and tickedAt are of it."))

    private var writtenTurns: [Identifier]? { turns.isEmpty ? nil : turns }

    /// What it says.
    public static let textForm = Form.line(max: Limits.itemTextCharactersMax)
    /// How much of it.
    public static let amountForm = Form.number(0...Limits.itemAmountMax)
    /// What that is counted in.
    public static let unitForm = Form.line(max: Limits.itemUnitCharactersMax)
    /// The section.
    public static let sectionForm = Form.line(max: Limits.listSectionCharactersMax)
    /// The note.
    public static let noteForm = Form.text(max: Limits.itemNoteCharactersMax)
    /// The day.
    public static let dueForm = Form.token(max: 10)
    /// The rule.
    public static let ruleForm = Form.token(max: Limits.itemRuleCharactersMax)
    /// Who takes turns.
    public static let turnsForm = Form.list(Form<Identifier>.id, max: Limits.itemTurnsMax)
    /// What it is sorted by.
    public static let orderForm = Form.token(max: Limits.itemOrderCharactersMax)
    /// What that means.
    public static let orderSummary =
        "Items are sorted by it, byte by byte, then by identifier; where it is absent it is the identifier without its dashes."
}
