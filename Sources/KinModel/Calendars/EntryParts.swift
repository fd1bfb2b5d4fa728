/// The time of an entry: civil time with an IANA zone, or whole days without one.
public struct EntryTimes: WireRecord {
    /// When it first begins: `2026-11-24T18:00`, or `2026-11-24` for whole days.
    public var start: String
    /// The IANA zone of its start; `nil` for whole days.
    public var zone: String?
    /// How long it lasts, in minutes.
    public var minutes: Int64?
    /// How many whole days it is.
    public var days: Int64?
    /// The rule by which it repeats: an RRULE of RFC 5545.
    public var repeats: String?
    /// Times beside the rule (RDATE), written as the start is.
    public var dates: [String]

    /// Times.
    public init(
        start: String, zone: String? = nil, minutes: Int64? = nil, days: Int64? = nil, repeats: String? = nil,
        dates: [String] = []
    ) {
        self.start = start
        self.zone = zone
        self.minutes = minutes
        self.days = days
        self.repeats = repeats
        self.dates = dates
    }

    /// Whether it is whole days.
    public var isAllDay: Bool { zone == nil }

    /// As they are written.
    public static let fields = Fields(
        "EntryTimes", EntryTimes.init(start:zone:minutes:days:repeats:dates:),
        .required("start", \.start, civilForm, "2026-11-24T18:00 in the zone, or 2026-11-24 for whole days."),
        .optional("zone", \.zone, .token(max: 64), "The IANA zone; absent for whole days."),
        .optional("minutes", \.minutes, EntryTimes.minutesForm, "How long it lasts; absent for whole days."),
        .optional("days", \.days, EntryTimes.daysForm, "How many whole days it is; absent where it has a zone."),
        .optional("repeat", \.repeats, .token(max: Limits.entryRuleCharactersMax), "An RRULE of RFC 5545."),
        .required(
            "dates", \.dates, .list(civilForm, max: Limits.entryDatesMax), "Times beside the rule.", absent: []))

    /// How long something lasts.
    public static let minutesForm = Form.integer(0...Limits.entryMinutesMax)
    /// How many days something is.
    public static let daysForm = Form.integer(1...Limits.entryDaysMax)
    /// A civil time or a date.
    public static let civilForm = Form.token(max: 19)
}

/// The place of an entry.
public struct EntryPlace: WireRecord {
    /// In words.
    public var text: String?
    /// Degrees north, WGS 84.
    public var lat: Double?
    /// Degrees east, WGS 84.
    public var lon: Double?
    /// A place of the family's map.
    public var mapPlace: Identifier?

    /// A place.
    public init(text: String? = nil, lat: Double? = nil, lon: Double? = nil, mapPlace: Identifier? = nil) {
        self.text = text
        self.lat = lat
        self.lon = lon
        self.mapPlace = mapPlace
    }

    /// As it is written.
    public static let fields = Fields(
        "EntryPlace", EntryPlace.init(text:lat:lon:mapPlace:),
        .optional("text", \.text, textForm), .optional("lat", \.lat, .number(-90...90), "Degrees north."),
        .optional("lon", \.lon, .number(-180...180), "Degrees east."),
        .optional("mapPlace", \.mapPlace, .id, "A place of the map."))

    /// In words.
    public static let textForm = Form.line(max: Limits.entryPlaceCharactersMax)
}

/// One occurrence of an entry that is changed or left out. Absent fields are as in the entry.
public struct EntryException: WireRecord {
    /// Which one: when it would begin by the rule.
    public let occurrence: String
    /// Whether it is left out.
    public var isRemoved: Bool
    /// When it begins instead.
    public var start: String?
    /// How long it lasts instead, in minutes.
    public var minutes: Int64?
    /// How many whole days it is instead.
    public var days: Int64?
    /// What it is called instead.
    public var subject: String?
    /// What else there is to say instead.
    public var note: String?
    /// Where it is instead.
    public var place: EntryPlace?
    /// Of which of the family's categories it is instead, as a calendar program says of it.
    public var category: String?
    /// Whether it takes place, where a calendar program says that of it alone.
    public var status: Entry.Status?

    /// An exception.
    public init(
        occurrence: String, isRemoved: Bool = false, start: String? = nil, minutes: Int64? = nil, days: Int64? = nil,
        subject: String? = nil, note: String? = nil, place: EntryPlace? = nil, category: String? = nil,
        status: Entry.Status? = nil
    ) {
        self.occurrence = occurrence
        self.isRemoved = isRemoved
        self.start = start
        self.minutes = minutes
        self.days = days
        self.subject = subject
        self.note = note
        self.place = place
        self.category = category
        self.status = status
    }

    /// As it is written.
    public static let fields = Fields(
        "EntryException",
        EntryException.init(occurrence:isRemoved:start:minutes:days:subject:note:place:category:status:),
        .required("occurrence", \.occurrence, EntryTimes.civilForm, "When it would begin by the rule."),
        .required("removed", \.isRemoved, .bool, "It is left out.", absent: false),
        .optional("start", \.start, EntryTimes.civilForm, "When it begins instead."),
        .optional("minutes", \.minutes, EntryTimes.minutesForm, "How long it lasts instead."),
        .optional("days", \.days, EntryTimes.daysForm, "How many whole days it is instead."),
        .optional("subject", \.subject, Entry.subjectForm),
        .optional("note", \.note, Entry.noteForm), .optional("place", \.place, EntryPlace.form),
        .optional("category", \.category, Entry.categoryForm, "Of which category it is instead."),
        .optional("status", \.status, .word, "Whether it takes place, where that is said of it alone."))
}

/// Somebody who is invited to an entry.
public struct EntryInvitee: WireRecord {
    /// Who.
    public let member: Identifier
    /// What they say to all of it.
    public var answer: Entry.Answer
    /// What they say beside it.
    public var note: String?

    /// An invitee.
    public init(member: Identifier, answer: Entry.Answer = .none, note: String? = nil) {
        self.member = member
        self.answer = answer
        self.note = note
    }

    /// As it is written.
    public static let fields = Fields(
        "EntryInvitee", EntryInvitee.init(member:answer:note:), .required("member", \.member, .id),
        .required("answer", \.answer, .word), .optional("note", \.note, noteForm))

    /// What somebody says beside an answer.
    public static let noteForm = Form.line(max: Limits.meetingReasonCharactersMax)
}

/// An invitee's answer to one occurrence.
public struct EntryAnswer: WireRecord {
    /// Which one: when it begins by the rule.
    public let occurrence: String
    /// Who.
    public let member: Identifier
    /// What they say.
    public let answer: Entry.Answer

    /// An answer.
    public init(occurrence: String, member: Identifier, answer: Entry.Answer) {
        self.occurrence = occurrence
        self.member = member
        self.answer = answer
    }

    /// As it is written.
    public static let fields = Fields(
        "EntryAnswer", EntryAnswer.init(occurrence:member:answer:),
        .required("occurrence", \.occurrence, EntryTimes.civilForm), .required("member", \.member, .id),
        .required("answer", \.answer, .word))
}

/// One occurrence of an entry as a calendar shows it, with its own changes applied.
public struct EntryOccurrence: WireRecord {
    /// The entry.
    public let entry: Identifier
    /// Which one of it: when it begins by the rule.
    public let occurrence: String
    /// When it begins, as the entry's own clock shows it.
    public let starts: String
    /// Its beginning; of whole days, midnight in the zone that was asked for.
    public let start: Instant
    /// When it ends.
    public let end: Instant
    /// What it is called.
    public let subject: String
    /// Where it is.
    public let place: EntryPlace?
    /// Of which of the family's categories it is.
    public let category: String?
    /// Whether it takes place.
    public let status: Entry.Status
    /// What the looking member says to it, where invited.
    public let answer: Entry.Answer?

    /// An occurrence.
    public init(
        entry: Identifier, occurrence: String, starts: String, start: Instant, end: Instant, subject: String,
        place: EntryPlace?, category: String?, status: Entry.Status, answer: Entry.Answer?
    ) {
        self.entry = entry
        self.occurrence = occurrence
        self.starts = starts
        self.start = start
        self.end = end
        self.subject = subject
        self.place = place
        self.category = category
        self.status = status
        self.answer = answer
    }

    /// As it is written.
    public static let fields = Fields(
        "EntryOccurrence",
        EntryOccurrence.init(entry:occurrence:starts:start:end:subject:place:category:status:answer:),
        .required("entry", \.entry, .id),
        .required(
            "occurrence", \.occurrence, EntryTimes.civilForm, "When it begins by the rule: its name in commands."),
        .required("starts", \.starts, EntryTimes.civilForm, "When it begins, in the entry's zone."),
        .required("start", \.start, .time, "Of whole days, midnight in the zone that was asked for."),
        .required("end", \.end, .time), .required("subject", \.subject, Entry.subjectForm),
        .optional("place", \.place, EntryPlace.form), .optional("category", \.category, Entry.categoryForm),
        .required("status", \.status, .word, absent: .confirmed),
        .optional("answer", \.answer, .word, "The caller's, where invited."))
}
