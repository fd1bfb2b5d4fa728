import KinKeeper
import KinModel
import KinStore

/// The default reminders of a calendar, for new entries in it. The owner sets them for all who may read it; each reader
/// may set others for themselves. They apply to a member who adds an entry without saying anything of reminders, and to
/// invitees.
extension StoredCalendar {
    /// The minutes as they are stored.
    static func text(of minutes: [Int64]) -> String { minutes.map { "\($0)" }.joined(separator: " ") }

    /// Reads minutes as they are stored.
    static func minutes(in text: String) -> [Int64] { text.split(separator: " ").compactMap { Int64($0) } }

    /// The minutes of a request, each once, the longest first.
    static func minutes(asked given: JSON?) -> [Int64]? {
        given?.array.map { Set($0.compactMap(\.int)).sorted(by: >) }
    }

    /// The minutes that a member set for themselves; `nil`: they set none.
    func ownReminders(of member: Identifier, _ act: Act) throws(Rejection) -> [Int64]? {
        guard number != 0 else { return nil }
        let own = try act.first(
            "SELECT minutes FROM calendar_reminders WHERE member = ? AND calendar = ?", .id(member), .int(number)
        ) { row in row.text(0) }
        return own.map { Self.minutes(in: $0) }
    }

    /// The minutes before a new entry of it at which a member is reminded.
    func reminders(of member: Identifier, _ act: Act) throws(Rejection) -> [Int64] {
        if let own = try ownReminders(of: member, act) { return own }
        return remind
    }

    /// Sets a member's own default reminders; `nil`: the owner's hold again.
    mutating func setReminders(_ minutes: [Int64]?, of member: Identifier, _ act: Act) throws(Rejection) {
        guard let minutes else {
            try act.run(
                "DELETE FROM calendar_reminders WHERE member = ? AND calendar = ?", .id(member), .int(number))
            return
        }
        try ensure(act)
        try act.run(
            """
            INSERT INTO calendar_reminders (member, calendar, minutes) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET minutes = excluded.minutes
            """, .id(member), .int(number), .text(Self.text(of: minutes)))
    }
}

extension StoredEntry {
    /// Gives new invitees the default reminders of the entry's calendar. An invitee who does not read that calendar
    /// gets the default reminders of the invitee's own calendar. A member who has reminders already keeps them.
    func remindInvited(besides before: [EntryInvitee], in calendar: StoredCalendar, _ act: Act) throws(Rejection) {
        let known = Set(before.map(\.member))
        for invitee in wire.invitees where !known.contains(invitee.member) {
            guard let reader = try act.roster[invitee.member] else { continue }
            var theirs: StoredCalendar? = calendar
            if calendar.right(of: reader) < .read { theirs = try StoredCalendar.find(reader.id, act) }
            guard let minutes = try theirs?.reminders(of: reader.id, act), !minutes.isEmpty,
                try reminders(of: reader.id, act).isEmpty
            else { continue }
            try setReminders(minutes, of: reader.id, act)
        }
    }
}

extension Calendars {
    /// Of `calendars`, `remind` has minutes separated by spaces, and is NULL for no reminders. Of `calendar_reminders`,
    /// `minutes` are those that a member set instead, and empty for none.
    static let remindersMigration = Migration(
        number: 92, name: "when calendars remind", tables: ["calendars", "calendar_reminders"],
        sql: """
            ALTER TABLE calendars ADD COLUMN remind TEXT;
            CREATE TABLE calendar_reminders (
                member BLOB NOT NULL, calendar INTEGER NOT NULL REFERENCES calendars (number) ON DELETE CASCADE,
                minutes TEXT NOT NULL, PRIMARY KEY (member, calendar)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX calendar_reminders_by_calendar ON calendar_reminders (calendar);
            """)

    static let remindByCalendar = Method.command(
        "calendar.remind",
        "Says when the caller is reminded of what is new in a calendar: of entries that they add without saying when, and of those to which they are invited. Nobody else is told.",
        access: .signedIn, note: "who may read it",
        [
            .required("calendar", .id),
            .required(
                "minutes", .nullable(FamilyCalendar.remindForm.shape),
                "Before an entry begins; none: not at all; null: as the calendar's owner set it."),
        ],
        result: .object([.required("remind", FamilyCalendar.remindForm.shape, "What counts for the caller now.")]),
        route: Route("PUT", "/api/calendars/{calendar}/reminders"), events: [FamilyCalendar.updated],
        apply: { (act, params) throws(Rejection) in
            var calendar = try StoredCalendar.allowed(try params.id("calendar"), .read, act)
            try spendAnswer(act)
            let member = try act.member.id
            let wanted = StoredCalendar.minutes(asked: params["minutes"])
            if try calendar.ownReminders(of: member, act) != wanted {
                try calendar.setReminders(wanted, of: member, act)
                try calendar.tell(FamilyCalendar.updated, to: try act.roster.only(member), act)
            }
            return .done(["remind": .array(try calendar.reminders(of: member, act).map { .int($0) })])
        })

    /// A member's own default reminders, by calendar, for calendars that the member sees at least in part.
    static func ownReminders(of member: Identifier, _ act: Act) throws(Rejection) -> [Int64: [Int64]] {
        let all = try act.rows(
            "SELECT calendar, minutes FROM calendar_reminders WHERE member = ?", .id(member)
        ) { row in (calendar: row.int("calendar"), minutes: row.text("minutes")) }
        return Dictionary(all.map { ($0.calendar, StoredCalendar.minutes(in: $0.minutes)) }) { one, _ in one }
    }
}
