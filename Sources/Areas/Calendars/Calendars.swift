import KinCalendar
package import KinKeeper
import KinModel
import KinStore

/// The family's calendars: entries that occur once or again and again, their invitees, and reminders. The rules stand
/// in the documentation's page Calendars. (Civil time and zones are `KinCalendar`.)
package enum Calendars {
    /// The quota of entries that one member writes in a day.
    static let entries = Quota("entries")
    /// The quota of answers, stars and reminders.
    static let answers = Quota("entryAnswers")
    /// The quota of changes from calendars outside.
    static let outside = Quota("outsideEntries")

    package static let area = Area(
        "Calendars", view: "calendar",
        tables: [
            Table("calendars"), Table("calendar_rights"), Table("calendar_reminders"),
            Table("entries", dated: ["made_at", "changed_at"]),
            Table("entry_people"), Table("entry_stars"), Table("entry_reminders"), Table("entry_alarms"),
            Table("entry_touched"),
            // It stands behind the tables whose changes it lists: when all are emptied, it is emptied last.
            Table("entry_changes"),
            Table("imports"), Table("import_parts"),
            Table("entries_gone", dated: ["at"]), Table("entry_categories"), Table("entry_words"),
            Table("calendar_feeds", dated: ["made", "used"]), Table("shelf_names"),
            Table("shelf_traces", dated: ["at"]),
            Table("calendar_subscriptions", dated: ["asked", "refreshed", "failing"], ahead: ["next_at"]),
            Table("calendar_outside"),
        ],
        migrations: migrations,
        methods: [
            listCalendars, showCalendar, addCalendar, updateCalendar, shareCalendar, removeCalendar,
            remindByCalendar, add, update, remove, answer,
            remind,
            star, show, list, days, free, all, bin, restore, erase, listCategories, setCategory, export, addFeed,
            listFeeds,
            removeFeed, readFeed, takeIn, finishImport, shelves, shelfItems, putItem, dropItem, moveItem, makeShelf,
            setShelf, dropShelf,
            shelfBusy, freeOf, subscribe, refresh, allowOutside, readOutside,
        ],
        events: [
            Entry.added, Entry.updated, Entry.shown, Entry.hidden, Entry.removed, Entry.answered, Entry.starred,
            Entry.reminded, FamilyCalendar.added, FamilyCalendar.updated, FamilyCalendar.shared, FamilyCalendar.removed,
            FamilyCalendar.stopped, EntryCategory.changed,
        ],
        due: [
            remindDue: { (act, about) throws(Rejection) in try remind(act, about) },
            EntryBounds.due: { (act, about) throws(Rejection) in try EntryBounds.measure(about, act) },
            KeptDays.due: { (act, about) throws(Rejection) in try KeptDays.read(about, act) },
            EntryWords.rebuildDue: { (act, _) throws(Rejection) in try EntryWords.rebuild(act) },
            Subscription.due: { (act, _) throws(Rejection) in act.callOwn(readOutside.name) },
        ],
        upkeep: { (act) throws(Rejection) in try upkeep(act) },
        told: roster.merging(meetings) { first, _ in first }.merging(mapPlaces) { first, _ in first },
        inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "entry": { (act, entry, member) throws(Rejection) in
                guard let stored = try StoredEntry.find(entry, act),
                    let calendar = try StoredCalendar.find(stored.wire.calendar, act)
                else { return nil }
                return stored.isSeen(by: member, in: calendar)
            },
            "calendar": { (act, calendar, member) throws(Rejection) in
                try StoredCalendar.find(calendar, act).map { $0.right(of: member) > .none }
            },
        ],
        readers: [
            "entry": { (act, entry) throws(Rejection) in try StoredEntry.visible(act, entry).readers(act) }
        ],
        answers: buttons,
        memories: [CalendarMemory.self, Guesses<CalendarMemory>.self], quotas: [entries, answers, outside],
        sums: [
            FamilySum("entries") { (act) throws(Rejection) in
                try act.first("SELECT count(*) FROM entries") { row in row.int(0) } ?? 0
            }
        ],
        hooks: Area.Hooks(
            exposed: exposed,
            plans: { (act, member, from, to) throws(Rejection) in
                try EntryQuestion(from, to, zone(of: try act.member.id, act)).plans(of: member, act)
            }),
        life: Area.Life(
            inherit: { (act, from, to) throws(Rejection) in try inherit(act, from, to) },
            deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(act, member) },
            // Their programs have the names of invitees in their copies.
            acquaintances: { (act, guests) throws(Rejection) in try ShelfTrace.turn(guests, act) },
            // A full-text index keeps the words of deleted rows until it is made anew.
            wiped: { (act) throws(Rejection) in try EntryWords.rebuild(act) },
            redated: { (act, redating) throws(Rejection) in
                if case .toNow = redating {
                    try act.replan(
                        [EntryWords.rebuildDue, EntryBounds.due, KeptDays.due, Subscription.due], noLaterThan: act.now)
                }
            }), formats: [Area.Format("ical", judge: ICalFile.judge)], searched: [searched])

    /// The civil time from which seconds on the wall are counted.
    static let epoch = Civil(year: 1970, month: 1, day: 1) ?? Zone.utc.civil(at: Instant(milliseconds: 0))
    /// An entry of at most this length is found by its beginning.
    static let shortMilliseconds: Int64 = 33 * 86_400_000

    /// The subject of the log's rows about an entry.
    static func about(_ entry: Identifier) -> String { "entry/\(entry)" }

    /// The subject of the log's rows about a calendar.
    static func about(calendar: Identifier) -> String { "calendar/\(calendar)" }

    /// Takes one from the caller's quota of entries for the day.
    static func spend(_ act: Act) throws(Rejection) {
        guard try entries.take(1, of: Limits.entriesPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You wrote \(Limits.entriesPerDayMax) entries today, which is the most; go on tomorrow.", act)
        }
    }

    /// Takes one from the caller's quota of answers for the day.
    static func spendAnswer(_ act: Act) throws(Rejection) {
        guard try answers.take(1, of: Limits.entryAnswersPerDayMax, for: try act.member.id, act) else {
            throw Quota.usedUp(
                "You answered \(Limits.entryAnswersPerDayMax) times today, which is the most; go on tomorrow.", act)
        }
    }

    /// Erases entries that were in the bin long enough, and forgets the traces of those that were erased long ago.
    private static func upkeep(_ act: Act) throws(Rejection) {
        try kept.lookAfter(act) { (member) throws(Rejection) in
            guard let member, let giver = try act.roster[member] else { return false }
            return giver.role != .guest
        }
        guard !act.isClockDoubted else { return }
        let erased = try act.run(
            "UPDATE entries_gone SET body = NULL, raw = NULL WHERE body IS NOT NULL AND at < ?",
            .time(act.now.adding(days: -Limits.entryBinDays)))
        if erased > 0 { act.truncateSoon() }
        try ShelfTrace.forget(act)
        try act.run(
            "DELETE FROM entry_touched WHERE position < (SELECT position FROM entries WHERE number = entry)")
        try act.run("DELETE FROM entries_gone WHERE at < ?", .time(act.now.adding(days: -Limits.entryGoneDays)))
    }
}
