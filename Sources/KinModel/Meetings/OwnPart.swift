/// An answer on one slot.
public struct Vote: Sendable, Hashable {
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

    /// Reads `{"slot","answer"}`.
    public init?(_ json: JSON) {
        guard let slot = json["slot"]?.identifier, let answer = json["answer"]?.string.flatMap(Answer.init) else {
            return nil
        }
        self.init(slot: slot, answer: answer)
    }

    /// `{"slot","answer"}`.
    public var json: JSON { ["slot": .id(slot), "answer": .string(answer.rawValue)] }
}

/// What one member has said to a meeting.
public struct OwnPart: Sendable, Hashable {
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
    /// Whether the member was named as an invitee: not so for the host, and for those who see a public meeting without.
    public var isInvited: Bool

    /// A member's part.
    public init(reply: Reply = .none, votes: [Vote] = [], attendance: Attendance? = nil, isInvited: Bool = false) {
        self.reply = reply
        self.votes = votes
        self.attendance = attendance
        self.isInvited = isInvited
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let reply = json["reply"]?.string.flatMap(Reply.init), let votes = json["votes"]?.array,
            let isInvited = json["isInvited"]?.bool
        else { return nil }
        self.init(
            reply: reply, votes: votes.compactMap(Vote.init),
            attendance: json["attendance"]?.string.flatMap(Attendance.init), isInvited: isInvited)
    }

    /// `{"reply","votes":[{"slot","answer"}],"attendance"?,"isInvited"}`.
    public var json: JSON {
        .object(leavingOut: [
            "reply": .string(reply.rawValue), "votes": .array(votes.map(\.json)),
            "attendance": attendance.map { .string($0.rawValue) }, "isInvited": .bool(isInvited),
        ])
    }

    /// What is left of it when a meeting has these slots: votes on a removed one are gone, and who has none left has
    /// not replied.
    public mutating func keep(_ slots: [Slot]) {
        votes.removeAll { vote in !slots.contains { $0.id == vote.slot } }
        if reply == .voted, votes.isEmpty { reply = .none }
    }
}

/// A meeting, and what the looking member has said to it.
public struct SeenMeeting: Sendable, Hashable {
    /// The meeting.
    public var meeting: Meeting
    /// The looking member's part.
    public var own: OwnPart

    /// A meeting as one member sees it.
    public init(meeting: Meeting, own: OwnPart) {
        self.meeting = meeting
        self.own = own
    }

    /// Reads `{"meeting","own"}`.
    public init?(_ json: JSON) {
        guard let meeting = json["meeting"].flatMap(Meeting.init), let own = json["own"].flatMap(OwnPart.init) else {
            return nil
        }
        self.init(meeting: meeting, own: own)
    }

    /// `{"meeting","own"}`.
    public var json: JSON { ["meeting": meeting.json, "own": own.json] }

    /// As a snapshot holds it: without the note.
    public var brief: SeenMeeting {
        var brief = self
        brief.meeting.note = nil
        return brief
    }
}
