/// Events of entries, with their data.
extension Entry {
    package static let added = EventType("entry.added", "An entry is new; who sees it.", Whole.self)
    package static let updated = EventType("entry.updated", "An entry is another; who sees it.", Changed.self)
    package static let shown = EventType(
        "entry.shown", "An entry, to each who sees it from now on.", Whole.self, sight: .gives)
    package static let hidden = EventType(
        "entry.hidden", "To each who sees the entry no longer.", Named.self, sight: .takes,
        clears: { ["entry/\($0.entry)"] })
    package static let removed = EventType(
        "entry.removed", "An entry is gone; who saw it.", Removed.self, sight: .ends)
    package static let answered = EventType(
        "entry.answered", "Somebody who is invited says whether they come; who sees the entry.", Answered.self)
    package static let starred = EventType(
        "entry.starred", "Who is interested in an entry is another; who sees it.", Starred.self)
    package static let reminded = EventType(
        "entry.reminded", "An entry begins soon, of which its reader asked to be reminded; that member.", Reminded.self)

    /// The whole entry.
    package struct Whole: WireRecord {
        package let entry: Entry

        package init(entry: Entry) { self.entry = entry }

        package static let fields = Fields(nil, Whole.init(entry:), .required("entry", \.entry, Entry.form))
    }

    /// The whole entry, and the names of what changed.
    package struct Changed: WireRecord {
        /// What can have changed.
        package enum Part: String, Sendable, CaseIterable, Hashable {
            case subject, note, category, status, privacy, times, place, exceptions, invitees, owner, calendar
        }

        package let entry: Entry
        package let changes: [Part]

        package init(entry: Entry, changes: [Part]) { (self.entry, self.changes) = (entry, changes) }

        package static let fields = Fields(
            nil, Changed.init(entry:changes:), .required("entry", \.entry, Entry.form),
            .required("changes", \.changes, .list(.word, max: Part.allCases.count)))
    }

    /// The entry, by its identifier.
    package struct Named: WireRecord {
        package let entry: Identifier
        package let meeting: Identifier?

        package init(entry: Identifier, meeting: Identifier?) { (self.entry, self.meeting) = (entry, meeting) }

        package static let fields = Fields(
            nil, Named.init(entry:meeting:), .required("entry", \.entry, .id), ofMeeting(\.meeting))
    }

    /// The field that names the meeting whose event says the same.
    private static func ofMeeting<Record>(_ part: @escaping @Sendable (Record) -> Identifier?) -> FieldOf<
        Record, Identifier?
    > {
        .optional("meeting", part, .id, "The meeting that it was made from, which says the same.")
    }

    /// The entry, by its identifier, and who was invited.
    package struct Removed: WireRecord {
        package let entry: Identifier
        package let invitees: [Identifier]
        package let meeting: Identifier?

        package init(entry: Identifier, invitees: [Identifier], meeting: Identifier?) {
            (self.entry, self.invitees, self.meeting) = (entry, invitees, meeting)
        }

        package static let fields = Fields(
            nil, Removed.init(entry:invitees:meeting:), .required("entry", \.entry, .id),
            .required("invitees", \.invitees, .members, "Who was invited to what was still to come.", absent: []),
            ofMeeting(\.meeting))
    }

    /// An invitee's answer, and the tally with it.
    package struct Answered: WireRecord {
        package let entry: Identifier
        package let member: Identifier
        package let occurrence: String?
        package let answer: Answer
        package let note: String?
        package let tally: EntryTally
        package let meeting: Identifier?

        package init(
            entry: Identifier, member: Identifier, occurrence: String?, answer: Answer, note: String?,
            tally: EntryTally, meeting: Identifier?
        ) {
            self.entry = entry
            self.member = member
            self.occurrence = occurrence
            self.answer = answer
            self.note = note
            self.tally = tally
            self.meeting = meeting
        }

        package static let fields = Fields(
            nil, Answered.init(entry:member:occurrence:answer:note:tally:meeting:), .required("entry", \.entry, .id),
            .required("member", \.member, .id),
            .optional("occurrence", \.occurrence, EntryTimes.civilForm, "Absent: to all of it."),
            .required("answer", \.answer, .word), .optional("note", \.note, EntryInvitee.noteForm),
            .required("tally", \.tally, EntryTally.form), ofMeeting(\.meeting))
    }

    /// Who is interested.
    package struct Starred: WireRecord {
        package let entry: Identifier
        package let stars: [Identifier]

        package init(entry: Identifier, stars: [Identifier]) { (self.entry, self.stars) = (entry, stars) }

        package static let fields = Fields(
            nil, Starred.init(entry:stars:), .required("entry", \.entry, .id),
            .required("stars", \.stars, .members, "By member."))
    }

    /// The occurrence, and when it begins.
    package struct Reminded: WireRecord {
        package let entry: Identifier
        package let occurrence: String
        package let start: Instant

        package init(entry: Identifier, occurrence: String, start: Instant) {
            (self.entry, self.occurrence, self.start) = (entry, occurrence, start)
        }

        package static let fields = Fields(
            nil, Reminded.init(entry:occurrence:start:), .required("entry", \.entry, .id),
            .required("occurrence", \.occurrence, EntryTimes.civilForm), .required("start", \.start, .time))
    }
}

/// A category of the family's own. Clients list categories again.
package struct EntryCategory: WireRecord {
    package static let changed = EventType(
        "category.set", "A category of the family's own is new or another, or is its own no longer; everybody.",
        EntryCategory.self)

    package let category: String
    package let color: String?
    package let icon: String?

    package init(category: String, color: String?, icon: String?) {
        (self.category, self.color, self.icon) = (category, color, icon)
    }

    package static let fields = Fields(
        nil, EntryCategory.init(category:color:icon:), .required("category", \.category, Entry.categoryForm),
        .optional("color", \.color, FamilyCalendar.colorForm, "#rrggbb."),
        .optional("icon", \.icon, iconForm, "A sign; with no colour either, it is the family's own no longer."))

    private static let iconForm = Form.line(max: 8)
}

/// The counts of invitees' answers to an entry as a whole, by answer.
public struct EntryTally: WireRecord {
    /// The count of those who come.
    public let accepted: Int
    /// The count of those who may come.
    public let tentative: Int
    /// The count of those who do not come.
    public let declined: Int
    /// The count of those who have said nothing.
    public let none: Int

    /// Counts.
    public init(accepted: Int, tentative: Int, declined: Int, none: Int) {
        self.accepted = accepted
        self.tentative = tentative
        self.declined = declined
        self.none = none
    }

    /// Of some invitees.
    public init(_ invitees: [EntryInvitee]) {
        func count(_ answer: Entry.Answer) -> Int { invitees.count { $0.answer == answer } }
        self.init(
            accepted: count(.accepted), tentative: count(.tentative), declined: count(.declined), none: count(.none))
    }

    /// As they are written.
    public static let fields = Fields(
        "EntryTally", EntryTally.init(accepted:tentative:declined:none:),
        .required("accepted", \.accepted, .count(max: Limits.membersMax), "Invitees who accepted."),
        .required("tentative", \.tentative, .count(max: Limits.membersMax), "Invitees who come perhaps."),
        .required("declined", \.declined, .count(max: Limits.membersMax), "Invitees who declined."),
        .required("none", \.none, .count(max: Limits.membersMax), "Invitees who have not answered."))
}

/// The events of calendars. Clients ask for the list again.
extension FamilyCalendar {
    package static let added = EventType("calendar.added", "A calendar is new; its owner.", Whole.self)
    package static let updated = EventType(
        "calendar.updated", "A calendar has another name or colour; who may see something of it.", Whole.self)
    package static let shared = EventType(
        "calendar.shared", "What somebody may do in a calendar is another; that member.", Whole.self)
    package static let removed = EventType(
        "calendar.removed", "A calendar is gone with what stood in it; who could see something of it.", Named.self,
        sight: .ends)
    package static let stopped = EventType(
        "calendar.stopped", "A calendar from outside could not be read anew for a day; who added it.", Stopped.self)

    /// The calendar, by its identifier, and what stood in the way last.
    package struct Stopped: WireRecord {
        package let calendar: Identifier
        package let trouble: Trouble

        package init(calendar: Identifier, trouble: Trouble) {
            self.calendar = calendar
            self.trouble = trouble
        }

        package static let fields = Fields(
            nil, Stopped.init(calendar:trouble:), .required("calendar", \.calendar, .id),
            .required("trouble", \.trouble, .word))
    }

    /// The calendar, as the member who is told sees it.
    package struct Whole: WireRecord {
        package let calendar: FamilyCalendar

        package init(calendar: FamilyCalendar) { self.calendar = calendar }

        package static let fields = Fields(
            nil, Whole.init(calendar:), .required("calendar", \.calendar, FamilyCalendar.form))
    }

    /// The calendar, by its identifier.
    package struct Named: WireRecord {
        package let calendar: Identifier

        package init(calendar: Identifier) { self.calendar = calendar }

        package static let fields = Fields(nil, Named.init(calendar:), .required("calendar", \.calendar, .id))
    }
}
