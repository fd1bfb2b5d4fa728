import KinCalendar
import KinKeeper
import KinModel
import KinStore

extension Calendars {
    static let when: [Field] = [
        .required("from", EntryTimes.momentShape, "RFC 3339, or a civil time or a day, read in the zone."),
        .required("to", EntryTimes.momentShape, "Not included, where it is a time; a day is."),
        .optional("zone", .token(max: 64), "The IANA zone of civil times and whole days; the caller's if left out."),
    ]

    static let choice: [Field] = [
        .optional(
            "words", .line(max: Limits.entrySearchCharactersMax),
            "Only those with all of these words, or words that begin so, in subject, note or place."),
        .optional("members", .list(.id, max: Limits.membersMax), "Only those that one of these owns or is invited to."),
        .optional(
            "categories", .list(Entry.categoryForm.shape, max: Limits.categoriesMax), "Only those of one of these."),
        .optional(
            "calendars", .list(.id, max: Limits.calendarsMax),
            "Only those of these calendars; if left out, all but those that the caller leaves out (settings.set)."),
    ]

    static let list = Method.query(
        "entry.list",
        "What is on between two times, by its beginning, a page at a time; of what the caller may see only when it is, that.",
        access: .signedIn, note: "who sees them",
        when + choice + [
            .optional("after", .token(max: 120), "next of the page before."),
            .optional("limit", .integer(1...Limits.entriesPerAnswerMax), "\(Limits.entriesPerAnswerMax) if left out."),
        ],
        result: .object([
            .required("occurrences", .list(EntryOccurrence.shape, max: Int(Limits.entriesPerAnswerMax))),
            .required("entries", .list(Entry.shape, max: Int(Limits.entriesPerAnswerMax)), "Theirs, once each."),
            .required(
                "busy", .list(EntryQuestion.Busy.Told.shape, max: Limits.occurrencesPerQuestionMax),
                "On the first page; of more than \(Limits.entryWindowDaysMax) days, on each page its own."),
            .required(
                "birthdays", .list(Birthdays.Day.Told.shape, max: Limits.occurrencesPerQuestionMax),
                "Of members and contacts, in the calendar of birthdays; on the same pages."),
            .optional(
                "next", .token(max: 120),
                "To be given as after; there while there may be more: of a long time, behind an empty page too."),
        ]),
        route: Route("GET", "/api/entries"),
        apply: { (act, params) throws(Rejection) in
            let question = try EntryQuestion(params, isOfAnyLength: true, act)
            let limit = Int(params.optionalInt("limit") ?? Limits.entriesPerAnswerMax)
            let page = try question.page(
                behind: params.optionalString("after"), limit, try Birthdays(params, act), act)
            let (occurrences, entries) = try EntryQuestion.told(page.places, act)
            return .done(
                .object(leavingOut: [
                    "occurrences": .array(occurrences.map(\.json)), "entries": .array(entries),
                    "busy": .array(page.busy.map(\.told.json)),
                    "birthdays": .array(
                        page.birthdays.prefix(Limits.occurrencesPerQuestionMax).map(\.told.json)),
                    "next": page.next.map { .string($0) },
                ]))
        }
    ).listing()

    static let days = Method.query(
        "entry.days",
        "The days between two times on which something is, in the zone; of a long time, a page of days at a time.",
        access: .signedIn, note: "who sees them",
        when + choice + [.optional("after", EntryTimes.civilForm.shape, "next of the page before.")],
        result: .object([
            .required(
                "days", .list(EntryDays.Day.shape, max: Int(Limits.entryWindowDaysMax) + 1)),
            .optional("next", EntryTimes.civilForm.shape, "To be given as after; there while there are more days."),
        ]),
        route: Route("GET", "/api/entries/days"),
        apply: { (act, params) throws(Rejection) in
            var after: Civil?
            if let text = params.optionalString("after") {
                guard let day = Civil.read(text), text.utf8.count == 10 else { throw EntryEdit.badTime("after") }
                after = day
            }
            let question = try EntryQuestion(params, isOfAnyLength: true, act)
            let days = try EntryDays(question, from: after, try Birthdays(params, act), act)
            return .done(
                .object(leavingOut: [
                    "days": .array(days.days.map(\.json)),
                    "next": days.next.map { .string($0.written(isAllDay: true)) },
                ]))
        }
    ).listing()

    /// When a member is busy, as far as the caller may know it.
    private struct Known: WireRecord {
        struct Span: WireRecord {
            let start: Instant
            let end: Instant

            static let fields = Fields(
                nil, Span.init(start:end:), .required("start", \.start, .time), .required("end", \.end, .time))
        }

        let member: Identifier
        let isKnown: Bool
        let busy: [Span]

        static let fields = Fields(
            nil, Known.init(member:isKnown:busy:), .required("member", \.member, .id),
            .required("known", \.isKnown, .bool, "Whether the caller sees when they are busy."),
            .required(
                "busy", \.busy, .list(Span.form, max: Limits.occurrencesPerQuestionMax),
                "By their beginning, put together where they touch."))
    }

    static let free = Method.query(
        "entry.free",
        "When members are busy between two times, as far as their calendars show the caller; who shows nothing is unknown, not free.",
        access: .family, when + [.required("members", .list(.id, max: Limits.freeMembersMax))],
        result: .object([.required("members", .list(Known.shape, max: Limits.freeMembersMax))]),
        route: Route("GET", "/api/entries/free"),
        apply: { (act, params) throws(Rejection) in
            let question = try EntryQuestion(params, act)
            var members: [JSON] = []
            for id in (params["members"]?.array ?? []).compactMap(\.identifier) {
                let member = try act.member(id, field: "members").id
                let busy = try question.busy(member, act)
                let spans = (busy ?? []).map { Known.Span(start: $0.start, end: $0.end) }
                members.append(Known(member: member, isKnown: busy != nil, busy: spans).json)
            }
            return .done(["members": .array(members)])
        })

    static let all = Method.query(
        "entry.all",
        "Every entry that the caller sees, as it is stored, a page at a time, in the order in which they were made.",
        access: .signedIn, note: "who sees them",
        [
            .optional("calendar", .id, "Only those of this calendar."),
            .optional("after", .id, "next of the page before."),
            .optional("limit", .integer(1...Limits.entriesPerAnswerMax), "\(Limits.entriesPerAnswerMax) if left out."),
        ],
        result: .object([
            .required("entries", .list(Entry.shape, max: Int(Limits.entriesPerAnswerMax))),
            .optional("next", .id, "To be given as after; there while there are more."),
        ]),
        route: Route("GET", "/api/entries/all"),
        apply: { (act, params) throws(Rejection) in
            let limit = params.optionalInt("limit") ?? Limits.entriesPerAnswerMax
            let sight = try CalendarSight(act)
            var after = try sight.place(after: params.optionalID("after"), act)
            var found: [Entry] = []
            var isMore = true
            while isMore, found.count <= Int(limit) {
                let rows = try act.ask { (database) throws(StoreFailure) in
                    try StoredEntry.rows(
                        """
                        WHERE \(sight.condition) AND e.number > ?4 AND (?5 IS NULL OR c.id = ?5)
                        ORDER BY e.number LIMIT \(limit + 1)
                        """, sight.values + [.int(after), Value(params.optionalID("calendar"))], database)
                }
                isMore = rows.count > Int(limit)
                after = rows.last?.number ?? after
                found += rows.filter { sight.sees($0) }.map(\.wire)
            }
            let page = found.prefix(Int(limit))
            return .done(
                .object(leavingOut: [
                    "entries": .array(page.map(\.json)),
                    "next": found.count > page.count ? page.last.map { .id($0.id) } : nil,
                ]))
        }
    ).listing()
}

extension EntryTimes {
    /// A moment, a civil time or a day.
    static let momentShape = Shape.either(.time, .named("CivilTime", .token(max: 32)))
}
