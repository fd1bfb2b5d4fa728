/// A meeting as everybody sees it who may see it. It is the same for all, and does not grow with the invitees' answers.
public struct Meeting: WireRecord {
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

    /// As it is written.
    public static let fields = Fields(
        "Meeting",
        Meeting.init(
            id:title:kind:host:state:zone:place:note:deadline:slots:suggestions:confirmed:tally:),
        .required("id", \.id, .id),
        .required("title", \.title, .line(max: Limits.meetingTitleCharactersMax)),
        .required("kind", \.kind, .word),
        .required("host", \.host, .id),
        .required("state", \.state, .word),
        .required("zone", \.zone, .token(max: 64), "The IANA zone its times are meant to be read in."),
        .optional("place", \.place, .line(max: Limits.meetingPlaceCharactersMax)),
        .optional("note", \.note, .text(max: Limits.meetingNoteCharactersMax), "Left out in snapshots."),
        .optional("deadline", \.deadline, .time, "Until when votes are taken."),
        .required("slots", \.slots, .list(Slot.form, max: Limits.meetingSlotsMax), "In the host's order."),
        .required(
            "suggestions", \.suggestions, .list(Suggestion.form, max: Limits.meetingSlotsMax), "The oldest first.",
            absent: []),
        .optional("confirmed", \.confirmed, .id, "The slot it takes place at."),
        .required("tally", \.tally, Tally.form))

    /// The slot it takes place at, once it is confirmed.
    public var confirmedSlot: Slot? { confirmed.flatMap { id in slots.first { $0.id == id } } }

    /// Its end: that of the confirmed slot, else of the last one.
    public var ends: Instant { confirmedSlot?.end ?? slots.map(\.end).max() ?? .earliest }

    /// Its beginning: that of the confirmed slot, else of the first one.
    public var starts: Instant { confirmedSlot?.start ?? slots.map(\.start).min() ?? .earliest }
}
