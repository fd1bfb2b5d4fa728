/// A time that a meeting may take place at.
public struct Slot: WireRecord {
    /// Its identifier; it stays when the meeting changes and the slot does not.
    public let id: Identifier
    /// When it begins.
    public var start: Instant
    /// When it ends; after its start.
    public var end: Instant

    /// A slot.
    public init(id: Identifier, start: Instant, end: Instant) {
        self.id = id
        self.start = start
        self.end = end
    }

    /// As it is written.
    public static let fields = Fields(
        "Slot", Slot.init(id:start:end:),
        .required("id", \.id, .id),
        .required("start", \.start, .time),
        .required("end", \.end, .time))
}

/// A slot that an invitee suggests; the host accepts it or not.
public struct Suggestion: WireRecord {
    /// The slot it would become.
    public let slot: Slot
    /// Who suggests it.
    public let by: Identifier

    /// A suggestion.
    public init(slot: Slot, by: Identifier) {
        self.slot = slot
        self.by = by
    }

    /// As it is written: the slot's fields, and one more.
    public static let fields = Fields(
        "Suggestion", Suggestion.init(slot:by:), .all(of: \.slot),
        .required("by", \.by, .id, "Who suggests it."))
}
