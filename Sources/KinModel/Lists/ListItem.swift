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
    /// Who is to do it, or whom it is for.
    public var member: Identifier?
    /// The day by which it is due, such as `2026-11-24`.
    public var due: String?
    /// What it is sorted by (``place``), if it was moved.
    public var order: String?
    /// Whether it is done.
    public var isTicked: Bool
    /// Who ticked it.
    public var tickedBy: Identifier?
    /// When.
    public var tickedAt: Instant?

    /// An item.
    public init(
        list: Identifier, id: Identifier, text: String, amount: Double? = nil, unit: String? = nil,
        section: String? = nil, note: String? = nil, member: Identifier? = nil, due: String? = nil,
        order: String? = nil, isTicked: Bool = false, tickedBy: Identifier? = nil, tickedAt: Instant? = nil
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
            list:id:text:amount:unit:section:note:member:due:order:isTicked:tickedBy:tickedAt:),
        .required("list", \.list, .id),
        .required("id", \.id, .id, "Made by the client; it means something in its list alone."),
        .required("text", \.text, textForm),
        .optional("amount", \.amount, amountForm, "Of the unit; of pieces where there is none."),
        .optional("unit", \.unit, unitForm, "Such as kg."),
        .optional("section", \.section, sectionForm),
        .optional("note", \.note, noteForm),
        .optional("member", \.member, .id, "Who is to do it, or whom it is for."),
        .optional("due", \.due, dueForm, "A day, such as 2026-11-24."),
        .optional("order", \.order, orderForm, orderSummary),
        .required("ticked", \.isTicked, .bool),
        .optional("tickedBy", \.tickedBy, .id),
        .optional("tickedAt", \.tickedAt, .time))

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
    /// What it is sorted by.
    public static let orderForm = Form.token(max: Limits.itemOrderCharactersMax)
    /// What that means.
    public static let orderSummary =
        "Items are sorted by it, byte by byte, then by identifier; where it is absent it is the identifier without its dashes."
}
