/// Something in a calendar: once, or repeatedly by a rule. A member who sees it sees all of it.
public struct Entry: WireRecord {
    /// Whether it takes place.
    public enum Status: String, Sendable, CaseIterable, Hashable {
        /// It does.
        case confirmed
        /// It may.
        case tentative
        /// It does not.
        case cancelled
    }

    /// Who else sees it, of those who may read its calendar.
    public enum Privacy: String, Sendable, CaseIterable, Hashable {
        /// All of them.
        case `public`
        /// Only its owner, the calendar's owner and the invitees; others see when it is.
        case `private`
        /// The same, for secrets (RFC 5545, 3.8.1.3).
        case confidential
    }

    /// An invitee's answer (PARTSTAT).
    public enum Answer: String, Sendable, CaseIterable, Hashable {
        /// Coming.
        case accepted
        /// Perhaps.
        case tentative
        /// Not coming.
        case declined
        /// Nothing yet: NEEDS-ACTION.
        case none
    }

    /// Which one.
    public let id: Identifier
    /// The calendar it stands in.
    public var calendar: Identifier
    /// Whose it is.
    public var owner: Identifier
    /// What it is called.
    public var subject: String
    /// What else there is to say.
    public var note: String?
    /// One of the family's categories.
    public var category: String?
    /// Whether it takes place.
    public var status: Status
    /// Who else sees it.
    public var privacy: Privacy
    /// When it is.
    public var times: EntryTimes
    /// Where it is.
    public var place: EntryPlace?
    /// Occurrences that are changed or left out, in their order.
    public var exceptions: [EntryException]
    /// The invitees, and their answers to all of it, by member.
    public var invitees: [EntryInvitee]
    /// What they say to single occurrences, in their order.
    public var answers: [EntryAnswer]
    /// Who is interested, invited or not.
    public var stars: [Identifier]
    /// The meeting it was made from; it changes with the meeting, and not by itself.
    public var meeting: Identifier?
    /// The count of changes that invitees must know (RFC 5545, 3.8.7.4).
    public var sequence: Int64
    /// When it was changed last.
    public var changed: Instant

    /// An entry.
    public init(
        id: Identifier, calendar: Identifier, owner: Identifier, subject: String, note: String? = nil,
        category: String? = nil, status: Status = .confirmed, privacy: Privacy = .public, times: EntryTimes,
        place: EntryPlace? = nil, exceptions: [EntryException] = [], invitees: [EntryInvitee] = [],
        answers: [EntryAnswer] = [], stars: [Identifier] = [], meeting: Identifier? = nil, sequence: Int64 = 0,
        changed: Instant
    ) {
        self.id = id
        self.calendar = calendar
        self.owner = owner
        self.subject = subject
        self.note = note
        self.category = category
        self.status = status
        self.privacy = privacy
        self.times = times
        self.place = place
        self.exceptions = exceptions
        self.invitees = invitees
        self.answers = answers
        self.stars = stars
        self.meeting = meeting
        self.sequence = sequence
        self.changed = changed
    }

    /// As it is written.
    public static let fields = Fields(
        "Entry",
        Entry.init(
            id:calendar:owner:subject:note:category:status:privacy:times:place:exceptions:invitees:answers:stars:
            meeting:
            sequence:changed:),
        .required("id", \.id, .id), .required("calendar", \.calendar, .id), .required("owner", \.owner, .id),
        .required("subject", \.subject, subjectForm), .optional("note", \.note, noteForm),
        .optional("category", \.category, categoryForm), .required("status", \.status, .word),
        .required("privacy", \.privacy, .word), .required("times", \.times, EntryTimes.form, "When it is."),
        .optional("place", \.place, EntryPlace.form, "Where it is."),
        .required(
            "exceptions", \.exceptions, .list(EntryException.form, max: Limits.entryExceptionsMax),
            "Occurrences that are otherwise or left out.", absent: []),
        .required("invitees", \.invitees, .list(EntryInvitee.form, max: Limits.membersMax), "By member.", absent: []),
        .required(
            "answers", \.answers, .list(EntryAnswer.form, max: Limits.entryAnswersMax),
            "What invitees say to single occurrences.", absent: []),
        .required("stars", \.stars, .members, "Who is interested, by member.", absent: []),
        .optional("meeting", \.meeting, .id, "The meeting it was made from, with which it changes."),
        .required("sequence", \.sequence, sequenceForm, "Changes that invitees have to know of."),
        .required("changed", \.changed, .time))

    private static let sequenceForm = Form.integer(0...Int64.max)
    /// What it is called.
    public static let subjectForm = Form.line(max: Limits.entrySubjectCharactersMax)
    /// What else there is to say.
    public static let noteForm = Form.text(max: Limits.entryNoteCharactersMax)
    /// A category.
    public static let categoryForm = Form.line(max: Limits.categoryCharactersMax)

    /// The categories that every family has.
    public static let categories = [
        "none", "celebration", "club", "education", "medical", "music", "other", "outing", "pets", "shopping", "sport",
        "vacation", "work",
    ]

    /// Of which category an occurrence is, by what is otherwise there.
    public func category(at other: EntryException?) -> String? { other?.category ?? category }

    /// Whether an occurrence takes place, by what is otherwise there: what is called off as a whole is so on each day.
    public func status(at other: EntryException?) -> Status {
        status == .cancelled ? .cancelled : other?.status ?? status
    }

    /// An invitee's answer to an occurrence.
    public func answer(of member: Identifier, to occurrence: String?) -> Answer? {
        guard let invitee = invitees.first(where: { $0.member == member }) else { return nil }
        let one = answers.first { $0.member == member && occurrence.map($0.occurrence.hasSameBytes) == true }
        return one?.answer ?? invitee.answer
    }

    /// Takes an answer, to one occurrence or to all.
    public mutating func take(_ answer: Answer, of member: Identifier, to occurrence: String?, note: String?) {
        answers.removeAll { $0.member == member && (occurrence.map($0.occurrence.hasSameBytes) ?? true) }
        if let occurrence {
            answers.append(EntryAnswer(occurrence: occurrence, member: member, answer: answer))
            answers.sort { ($0.occurrence, $0.member) < ($1.occurrence, $1.member) }
        } else if let index = invitees.firstIndex(where: { $0.member == member }) {
            invitees[index].answer = answer
            invitees[index].note = note
        }
    }
}
