/// An answer on one slot.
public struct Vote: WireRecord {
    /// What somebody says to a slot.
    public enum Answer: String, Sendable, CaseIterable, Hashable {
        /// I can.
        case yes
        /// I can if I must.
        case ifNeedBe
        /// I cannot.
        case no
    }

    /// The slot.
    public let slot: Identifier
    /// The answer.
    public let answer: Answer

    /// A vote.
    public init(slot: Identifier, answer: Answer) {
        self.slot = slot
        self.answer = answer
    }

    /// As it is written.
    public static let fields = Fields(
        "Vote", Vote.init(slot:answer:),
        .required("slot", \.slot, .id),
        .required("answer", \.answer, .word))

    /// One on each slot at most.
    package static let list = Form.list(form, max: Limits.meetingSlotsMax)
}

/// One member's votes and answers to a meeting.
public struct OwnPart: WireRecord {
    /// What the member replied.
    public enum Reply: String, Sendable, CaseIterable, Hashable {
        /// Nothing so far.
        case none
        /// Votes on at least one slot.
        case voted
        /// That the member takes no part in it.
        case refused
    }

    /// Whether the member takes part, once a slot is confirmed.
    public enum Attendance: String, Sendable, CaseIterable, Hashable {
        /// Comes.
        case going
        /// Does not come.
        case notGoing
    }

    /// What the member replied.
    public var reply: Reply
    /// The member's votes, sorted by slot; only while the reply is `voted`.
    public var votes: [Vote]
    /// Whether the member is going; `nil` before a slot is confirmed and until the member says so.
    public var attendance: Attendance?
    /// Whether the member was named as an invitee. The host was not, nor were others who see a public meeting.
    public var isInvited: Bool

    /// A member's part.
    public init(reply: Reply = .none, votes: [Vote] = [], attendance: Attendance? = nil, isInvited: Bool = false) {
        self.reply = reply
        self.votes = votes
        self.attendance = attendance
        self.isInvited = isInvited
    }

    /// As it is written.
    public static let fields = Fields(
        "OwnPart", OwnPart.init(reply:votes:attendance:isInvited:),
        .required("reply", \.reply, .word),
        .required("votes", \.votes, Vote.list, "Sorted by slot."),
        .optional("attendance", \.attendance, .word),
        .required("isInvited", \.isInvited, .bool, "Whether the member was named as an invitee."))

    /// Keeps what is left when a meeting has these slots. Votes on removed slots are gone; a member who has none left
    /// has not replied.
    public mutating func keep(_ slots: [Slot]) {
        votes.removeAll { vote in !slots.contains { $0.id == vote.slot } }
        if reply == .voted, votes.isEmpty { reply = .none }
    }
}

/// A meeting, and what the looking member has said to it.
public struct SeenMeeting: WireRecord {
    /// The meeting.
    public var meeting: Meeting
    /// The looking member's part.
    public var own: OwnPart

    /// A meeting as one member sees it.
    public init(meeting: Meeting, own: OwnPart) {
        self.meeting = meeting
        self.own = own
    }

    /// As it is written.
    public static let fields = Fields(
        nil, SeenMeeting.init(meeting:own:),
        .required("meeting", \.meeting, Meeting.form),
        .required("own", \.own, OwnPart.form))

    /// As a snapshot holds it: without the note.
    public var brief: SeenMeeting {
        var brief = self
        brief.meeting.note = nil
        return brief
    }
}
