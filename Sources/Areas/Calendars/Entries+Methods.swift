import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    private static let result = Shape.object([.required("entry", Entry.shape)])
    private static let named = Field.required("entry", .id)
    private static let changers = "its owner, admins who see it, and who may write into its calendar"
    private static let scope = Form<Scope>.word.shape

    /// The part of a repeating entry that a change is for.
    enum Scope: String, Sendable, CaseIterable {
        /// One occurrence.
        case this
        /// That occurrence and all later ones.
        case following
        /// The whole entry.
        case all
    }

    static let add = Method.command(
        "entry.add", "Puts something into a calendar, once or again and again.", access: .family,
        note: "who may write into the calendar",
        [
            .required("subject", Entry.subjectForm.shape),
            .required("start", EntryTimes.civilForm.shape, "2026-11-24T18:00, or 2026-11-24 for whole days."),
        ] + EntryEdit.fields(isNew: true) + [
            .optional("remind", remindersShape, "\(remindersSummary) If left out, as the calendar has it.")
        ],
        result: result, route: Route("POST", "/api/entries", status: 201), events: [Entry.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            var calendar = try StoredCalendar.allowed(params.optionalID("calendar") ?? member.id, .write, act)
            guard try act.memory(CalendarMemory.self).held(act) < Limits.entriesMax else {
                throw Rejection(
                    .tooLarge, "The family's calendars hold \(Limits.entriesMax) entries at most; remove old ones.")
            }
            try spend(act)
            var entry = Entry(
                id: act.newIdentifier(), calendar: calendar.id, owner: member.id, subject: "",
                times: try EntryEdit.times(params, act), changed: act.now)
            try EntryEdit.take(params, into: &entry, act)
            var stored = StoredEntry(entry)
            try stored.take(audience: params, act)
            try stored.save(instead: nil, in: &calendar, act)
            var minutes = params["remind"]?.array?.compactMap(\.int)
            if minutes == nil { minutes = try calendar.reminders(of: member.id, act) }
            if let minutes, !minutes.isEmpty { try stored.setReminders(minutes, of: member.id, act) }
            try stored.remindInvited(besides: [], in: calendar, act)
            return done(stored)
        })

    static let update = Method.command(
        "entry.update",
        "Changes an entry: one occurrence, that and all behind it, or all. What is behind becomes an entry of its own.",
        access: .signedIn, note: changers,
        [
            named, .optional("occurrence", EntryTimes.civilForm.shape, "Which one, where scope is this or following."),
            .optional("scope", scope, "all if left out."), .optional("subject", Entry.subjectForm.shape),
            .optional("start", EntryTimes.civilForm.shape, "2026-11-24T18:00, or 2026-11-24 for whole days."),
        ] + EntryEdit.fields(isNew: false),
        result: .object([
            .required("entry", Entry.shape),
            .optional("before", .id, "The entry with what was before, where this is a new one for what is behind."),
        ]),
        route: Route("PATCH", "/api/entries/{entry}"),
        events: [Entry.updated, Entry.added, Entry.shown, Entry.hidden, Entry.starred],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredEntry.visible(act, try params.id("entry"))
            try stored.requireChangeable(act)
            try spend(act)
            let scope = params.optionalString("scope").flatMap(Scope.init) ?? .all
            switch scope {
            case .this:
                let changed = try stored.changeOne(try occurrence(params, of: stored), params, act)
                return done(changed)
            case .following:
                let occurrence = try occurrence(params, of: stored)
                guard occurrence != stored.timing?.series.start else {
                    return done(try stored.changeAll(params, from: occurrence, act))
                }
                let behind = try stored.split(at: occurrence, params, act)
                return .done(
                    ["entry": behind.wire.json, "before": .id(stored.wire.id)], ids: [behind.wire.id])
            case .all:
                let occurrence = params.has("occurrence") ? try occurrence(params, of: stored) : nil
                return done(try stored.changeAll(params, from: occurrence, act))
            }
        })

    static let remove = Method.command(
        "entry.remove",
        "Removes an entry: one occurrence, that and all behind it, or all. All of it can be brought back for \(Limits.entryBinDays) days, unless it is erased at once.",
        access: .signedIn, note: changers,
        [
            named, .optional("occurrence", EntryTimes.civilForm.shape, "Which one, where scope is this or following."),
            .optional("scope", scope, "all if left out."), .optional("erase", .bool, "Erase it at once."),
        ],
        result: .nothing, route: Route("DELETE", "/api/entries/{entry}"), events: [Entry.removed, Entry.updated],
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredEntry.visible(act, try params.id("entry"))
            try stored.requireChangeable(act)
            let scope = params.optionalString("scope").flatMap(Scope.init) ?? .all
            switch scope {
            case .this: try stored.leaveOut(try occurrence(params, of: stored), act)
            case .following:
                let occurrence = try occurrence(params, of: stored)
                guard occurrence != stored.timing?.series.start else {
                    try stored.remove(erasing: params["erase"]?.bool ?? false, act)
                    return .done([:])
                }
                try stored.end(before: occurrence, act)
            case .all: try stored.remove(erasing: params["erase"]?.bool ?? false, act)
            }
            return .done([:])
        }
    ).freeingRoom()

    static let answer = Method.command(
        "entry.answer", "Says whether the caller comes, to one occurrence or to all.", access: .signedIn,
        note: "who is invited",
        [
            named, .optional("occurrence", EntryTimes.civilForm.shape, "To this one alone."),
            .required("answer", Form<Entry.Answer>.word.shape), .optional("note", EntryInvitee.noteForm.shape),
        ],
        result: result, route: Route("PUT", "/api/entries/{entry}/answer"), events: [Entry.answered],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredEntry.visible(act, try params.id("entry"))
            let member = try act.member.id
            guard stored.wire.invitees.contains(where: { $0.member == member }) else {
                throw Rejection(
                    .forbidden,
                    stored.wire.owner == member
                        ? "It is your own entry; you need not answer."
                        : "You are not invited; show that you are interested instead (entry.star).", field: "entry")
            }
            guard stored.wire.meeting == nil else {
                throw Rejection(
                    .conflict, "This is a meeting; answer that (meeting.vote, meeting.attend).", field: "entry")
            }
            let one = params.has("occurrence") ? try occurrence(params, of: stored) : nil
            try spendAnswer(act)
            let answer = Entry.Answer(rawValue: try params.string("answer")) ?? .none
            try stored.answer(
                answer, of: member, to: one.map { stored.wire.times.name(of: $0) },
                note: params.optionalString("note"), act)
            try act.answered("entry/\(stored.wire.id)", by: member)
            return done(stored)
        })

    static let remind = Method.command(
        "entry.remind", "Says when the caller is reminded of an entry; nobody else is told.", access: .signedIn,
        note: "who sees it", [named, .required("minutes", remindersShape, "Before it begins; none: not at all.")],
        result: .object([.required("remind", remindersShape, remindersSummary)]),
        route: Route("PUT", "/api/entries/{entry}/reminders"),
        events: [Entry.updated],
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredEntry.visible(act, try params.id("entry"))
            try spendAnswer(act)
            let member = try act.member.id
            let before = try stored.reminders(of: member, act)
            try stored.setReminders((params["minutes"]?.array ?? []).compactMap(\.int), of: member, act)
            if try stored.reminders(of: member, act) != before {
                try EntryAlarms.leaveReminders(of: member, for: stored, act)
                try stored.touch(of: member, act)
            }
            return .done(["remind": .array(try stored.reminders(of: member, act).map { .int($0) })])
        })

    static let remindersShape = FamilyCalendar.remindForm.shape
    private static let remindersSummary = "Minutes before it at which the caller is reminded."

    static let star = Method.command(
        "entry.star", "Shows that the caller is interested, or no longer.", access: .signedIn, note: "who sees it",
        [named, .required("on", .bool)], result: result, route: Route("PUT", "/api/entries/{entry}/star"),
        events: [Entry.starred],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredEntry.visible(act, try params.id("entry"))
            try spendAnswer(act)
            try stored.star(params["on"]?.bool ?? false, try act.member.id, act)
            return done(stored)
        })

    static let show = Method.query(
        "entry.show", "One entry, and when the caller is reminded of it.", access: .signedIn, note: "who sees it",
        [named],
        result: .object([
            .required("entry", Entry.shape), .required("remind", remindersShape, remindersSummary),
            .required("mayChange", .bool, "Whether the caller changes and removes it."),
            .optional(
                "audience", SharedWith.shape,
                "For whom it is, to its owner and admins; absent: for all who may read its calendar."),
        ]),
        route: Route("GET", "/api/entries/{entry}"),
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredEntry.visible(act, try params.id("entry"))
            let reminders = try stored.reminders(of: try act.member.id, act)
            var mayChange = true
            do throws(Rejection) { try stored.requireChangeable(act) } catch { mayChange = false }
            let isTold = act.isOneself(stored.wire.owner) || act.isAdministrator
            return .done(
                .object(leavingOut: [
                    "entry": stored.wire.json, "remind": .array(reminders.map { .int($0) }),
                    "mayChange": .bool(mayChange), "audience": isTold ? stored.sharedWith?.json : nil,
                ]))
        }
    ).listing()

    // MARK: Inside

    /// The occurrence that a request names; 1404 if there is none at that time.
    private static func occurrence(_ params: Params, of stored: StoredEntry) throws(Rejection) -> Civil {
        guard let text = params.optionalString("occurrence") else {
            throw Rejection(.params, "Say which occurrence it is about, as entry.list names it.", field: "occurrence")
        }
        guard let civil = Civil.read(text), (text.utf8.count == 10) == stored.wire.times.isAllDay,
            let timing = Timing(stored.wire.times), timing.series.contains(civil),
            !stored.wire.exceptions.contains(where: { $0.isRemoved && Civil.read($0.occurrence) == civil })
        else {
            throw Rejection(
                .notFound, "The entry is not on \(Text.quoted(text)); look at it again.", field: "occurrence")
        }
        return civil
    }

    private static func done(_ stored: StoredEntry) -> Outcome {
        .done(["entry": stored.wire.json], ids: [stored.wire.id])
    }

    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return ["entry": try StoredEntry.visible(act, id).wire.json]
    }
}
