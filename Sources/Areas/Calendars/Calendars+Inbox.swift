import KinKeeper
import KinModel

/// The entries of inboxes about calendars and their entries. For an entry that was made from a meeting, the meeting's
/// notices are sent instead.
extension Calendars {
    private static let invited = InboxKind("entryInvited")
    private static let changed = InboxKind("entryChanged")
    private static let cancelled = InboxKind("entryCancelled")
    private static let answered = InboxKind(
        "entryAnswered", word: .optional("reply", .oneOf(Entry.Answer.allCases.map(\.rawValue)), "what was answered."))
    private static let reminder = InboxKind("reminder", time: .optional("start", .time, "when it begins."))
    private static let shared = InboxKind(
        "calendarShared", isOfficial: true,
        word: .optional(
            "right", .oneOf(FamilyCalendar.Right.allCases.map(\.rawValue)), "what the reader may do in it."))

    static let stopped = InboxKind(
        "calendarStopped",
        word: .optional(
            "trouble", .oneOf(FamilyCalendar.Trouble.allCases.map(\.rawValue)), "why it could not be read."))

    static let inboxKinds = [invited, changed, cancelled, answered, reminder, shared, stopped]

    static let inboxRules = [
        InboxRule(
            Entry.added, invited,
            .seers { (_, told) throws(Rejection) in asked(told[Entry.added]?.entry) }),
        InboxRule(
            Entry.shown, invited,
            .seers { (_, told) throws(Rejection) in asked(told[Entry.shown]?.entry) }),
        InboxRule(
            Entry.updated, changed,
            .seers { (_, told) throws(Rejection) in asked(told[Entry.updated]?.entry) },
            when: { data in
                data.changes.contains { [.subject, .times, .exceptions, .place, .status].contains($0) }
            }),
        InboxRule(
            Entry.removed, cancelled,
            .seers { (_, told) throws(Rejection) in Set(told[Entry.removed]?.invitees ?? []) }),
        InboxRule(
            Entry.answered, answered,
            .seers { (act, told) throws(Rejection) in
                // The host of a meeting is told by the meeting.
                guard let data = told[Entry.answered], let stored = try StoredEntry.find(data.entry, act),
                    stored.wire.meeting == nil
                else { return [] }
                return [stored.wire.owner]
            }, word: { $0.answer.rawValue }),
        InboxRule(Entry.reminded, reminder, .audience, by: { _ in nil }, time: { $0.start }, isForDoerToo: true),
        InboxRule(
            FamilyCalendar.stopped, stopped, .audience, by: { _ in nil }, word: { $0.trouble.rawValue },
            isForDoerToo: true),
        InboxRule(FamilyCalendar.shared, shared, .audience, word: { $0.calendar.right.rawValue }),
    ]

    /// The members who are asked to come.
    private static func asked(_ entry: Entry?) -> Set<Identifier> {
        guard let entry, entry.meeting == nil else { return [] }
        return Set(entry.invitees.map(\.member))
    }
}
