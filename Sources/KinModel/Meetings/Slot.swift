/// A time that a meeting may take place at.
public struct Slot: Sendable, Hashable {
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

    /// Reads `{"id","start","end"}`.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let start = json["start"]?.instant, let end = json["end"]?.instant
        else { return nil }
        self.init(id: id, start: start, end: end)
    }

    /// `{"id","start","end"}`.
    public var json: JSON { ["id": .id(id), "start": .time(start), "end": .time(end)] }
}

/// A slot that an invitee suggests; the host accepts it or not.
public struct Suggestion: Sendable, Hashable {
    /// The slot it would become.
    public let slot: Slot
    /// Who suggests it.
    public let by: Identifier

    /// A suggestion.
    public init(slot: Slot, by: Identifier) {
        self.slot = slot
        self.by = by
    }

    /// Reads `{"id","start","end","by"}`.
    public init?(_ json: JSON) {
        guard let slot = Slot(json), let by = json["by"]?.identifier else { return nil }
        self.init(slot: slot, by: by)
    }

    /// `{"id","start","end","by"}`.
    public var json: JSON {
        ["id": .id(slot.id), "start": .time(slot.start), "end": .time(slot.end), "by": .id(by)]
    }
}
