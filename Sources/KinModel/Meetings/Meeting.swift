/// A meeting as everybody who may see it sees it: the same for all of them, and without anything that grows with the
/// answers of invitees.
public struct Meeting: Sendable, Hashable {
    /// Who it is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// The host alone, or with one invitee.
        case solo
        /// Those who are invited.
        case group
        /// Every member who is no guest sees it and votes, invited or not; guests where they are invited.
        case `public`
    }

    /// How far it has come.
    public enum State: String, Sendable, CaseIterable, Hashable {
        /// Votes are taken.
        case open
        /// The deadline passed: votes are taken no longer, the host decides.
        case closed
        /// A slot is confirmed: invitees say whether they are going.
        case confirmed
        /// It does not take place.
        case cancelled
    }

    /// Its identifier.
    public let id: Identifier
    /// What it is called: one line.
    public var title: String
    /// Who it is for.
    public let kind: Kind
    /// Who decides; no invitee.
    public var host: Identifier
    /// How far it has come.
    public var state: State
    /// The IANA zone in which its times are meant to be read, such as `Europe/Berlin`.
    public var zone: String
    /// Where it takes place: one line.
    public var place: String?
    /// What else there is to say. Snapshots leave it out: `meeting.show` has it.
    public var note: String?
    /// Until when votes are taken; kept after it passed.
    public var deadline: Instant?
    /// The times to choose from, in the host's order.
    public var slots: [Slot]
    /// What invitees suggest beside them, the oldest first.
    public var suggestions: [Suggestion]
    /// The slot it takes place at, once it is confirmed.
    public var confirmed: Identifier?
    /// How invitees have answered.
    public var tally: Tally

    /// A meeting with all that is seen of it.
    public init(
        id: Identifier, title: String, kind: Kind, host: Identifier, state: State = .open, zone: String,
        place: String? = nil, note: String? = nil, deadline: Instant? = nil, slots: [Slot],
        suggestions: [Suggestion] = [], confirmed: Identifier? = nil, tally: Tally
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.host = host
        self.state = state
        self.zone = zone
        self.place = place
        self.note = note
        self.deadline = deadline
        self.slots = slots
        self.suggestions = suggestions
        self.confirmed = confirmed
        self.tally = tally
    }

    /// The slot it takes place at, once it is confirmed.
    public var confirmedSlot: Slot? { confirmed.flatMap { id in slots.first { $0.id == id } } }

    /// When it is over: at the end of the confirmed slot, else of the last one.
    public var ends: Instant { confirmedSlot?.end ?? slots.map(\.end).max() ?? .earliest }

    /// When it begins: at the confirmed slot, else at the first one.
    public var starts: Instant { confirmedSlot?.start ?? slots.map(\.start).min() ?? .earliest }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let title = json["title"]?.string,
            let kind = json["kind"]?.string.flatMap(Kind.init), let host = json["host"]?.identifier,
            let state = json["state"]?.string.flatMap(State.init), let zone = json["zone"]?.string,
            let slots = json["slots"]?.array, let tally = json["tally"].flatMap(Tally.init)
        else { return nil }
        self.init(
            id: id, title: title, kind: kind, host: host, state: state, zone: zone, place: json["place"]?.string,
            note: json["note"]?.string, deadline: json["deadline"]?.instant, slots: slots.compactMap(Slot.init),
            suggestions: (json["suggestions"]?.array ?? []).compactMap(Suggestion.init),
            confirmed: json["confirmed"]?.identifier, tally: tally)
    }

    /// `{"id","title","kind","host","state","zone","place"?,"note"?,"deadline"?,"slots","suggestions","confirmed"?,
    /// "tally"}`.
    public var json: JSON {
        .object(leavingOut: [
            "id": .id(id), "title": .string(title), "kind": .string(kind.rawValue), "host": .id(host),
            "state": .string(state.rawValue), "zone": .string(zone), "place": place.map { .string($0) },
            "note": note.map { .string($0) }, "deadline": deadline.map { .time($0) },
            "slots": .array(slots.map(\.json)), "suggestions": .array(suggestions.map(\.json)),
            "confirmed": confirmed.map { .id($0) }, "tally": tally.json,
        ])
    }
}
