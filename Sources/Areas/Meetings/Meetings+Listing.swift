import KinKeeper
import KinModel
import KinStore

extension Meetings {
    private static let pageDefault: Int64 = 20

    static let list = Method.query(
        "meeting.list", "The caller's meetings, a page at a time: past ones the latest first, others by their start.",
        access: .signedIn, note: "who may see them",
        [
            .required(
                "view", .oneOf(["invitations", "hosting", "coming", "past"]),
                "invitations: neither voted nor going, those to be answered first; hosting: not over; coming: voted or going; past: over or cancelled."
            ),
            .optional(
                "words", .line(max: Limits.searchCharactersMax),
                "Only those with all of these words, or words that begin so, in title, place or note."),
            .optional("after", .token(max: 64), "The next of the page before."),
            .optional("limit", .integer(1...Limits.meetingsPerAnswerMax), "\(pageDefault) if left out."),
        ],
        result: .object([
            .required("meetings", .list(told, max: Int(Limits.meetingsPerAnswerMax))),
            .optional("next", .token(max: 64), "There are more: give it as after."),
        ]),
        route: Route("GET", "/api/meetings"),
        apply: { (act, params) throws(Rejection) in try page(params, among: nil, act) }
    ).listing().readingLong(
        when: { $0["words"] != nil },
        admit: { (act, params, _: MeetingSearch?) throws(Rejection) in try MeetingSearch(params, act) },
        begin: { (_) in MeetingSearch.Found() },
        read: { (database, asked, found, time) throws(StoreFailure) in try asked.goOn(&found, time, database) },
        answer: { (act, params, _, found) throws(Rejection) in try page(params, among: found.rows, act) })

    /// How many meetings a page has.
    static func limit(_ params: Params) -> Int64 { params.optionalInt("limit") ?? pageDefault }

    /// The place in the past that a page of past meetings begins behind.
    static func pastBefore(_ params: Params, _ act: Act) throws(Rejection) -> Int64 {
        try placeAfter(params).map { (after) throws(Rejection) in try past(after.id, act) } ?? .max
    }

    /// A page of the meetings that are asked for, among all or among those that a search found.
    private static func page(_ params: Params, among found: [Int64]?, _ act: Act) throws(Rejection) -> Outcome {
        let member = try act.member
        let limit = limit(params)
        let view = try params.string("view")
        let shown: [StoredMeeting]
        let hasMore: Bool
        var last: MeetingLists.Place?
        if view == "past" {
            let places: [Int64]
            if let found {
                places = found
            } else {
                places = try MeetingLists.past(of: member, before: try pastBefore(params, act), limit: limit + 1, act)
            }
            hasMore = places.count > limit
            shown = try act.ask { (database) throws(StoreFailure) in
                try StoredMeeting.load(past: Array(places.prefix(Int(limit))), database)
            }
            last = shown.last.map { MeetingLists.Place($0.meeting) }
        } else {
            let matching = found.map { Set($0.map { -$0 }) }
            let after = try placeAfter(params)
            let lines = try act.ask { (database) throws(StoreFailure) in
                try MeetingLists.current(of: member.id, member.role, database)
            }.filter { line in
                line.belongs(to: view) && matching?.contains(line.number) ?? true
                    && after.map { $0 < line.place } ?? true
            }.sorted { $0.place < $1.place }.prefix(Int(limit) + 1)
            hasMore = lines.count > limit
            let page = lines.prefix(Int(limit))
            shown = try act.ask { (database) throws(StoreFailure) in
                try StoredMeeting.load(page.map(\.number), database)
            }
            last = page.last?.place
        }
        let parts = try act.ask { (database) throws(StoreFailure) in
            try StoredMeeting.parts(of: member.id, in: shown.map(\.number), database)
        }
        let meetings = try shown.map { (stored) throws(Rejection) in
            try told(stored, parts[stored.number] ?? OwnPart(), act)
        }
        return .done(
            .object(leavingOut: [
                "meetings": .array(meetings),
                "next": hasMore ? last.map { .string($0.text) } : nil,
            ]))
    }

    /// Where a page ended.
    private static func placeAfter(_ params: Params) throws(Rejection) -> MeetingLists.Place? {
        guard let text = params.optionalString("after") else { return nil }
        guard let place = MeetingLists.Place(text) else {
            throw Rejection(.invalid, "after is the next of an earlier page; leave it out to begin.", field: "after")
        }
        return place
    }

    /// The place in the past of a meeting that the caller sees.
    private static func past(_ id: Identifier, _ act: Act) throws(Rejection) -> Int64 {
        let member = try act.member
        let found = try act.ask { (database) throws(StoreFailure) in try StoredMeeting.find(id, database) }
        guard let found, let past = found.past, found.isSeen(by: member.id, member.number, member.role) else {
            throw Rejection(.invalid, "The page before is gone; leave after out to begin anew.", field: "after")
        }
        return past
    }

    /// The answers of one member, as everybody who sees the meeting is shown them.
    fileprivate struct Invitee: WireRecord {
        let member: Identifier
        let reply: OwnPart.Reply
        let reason: String?
        let votes: [Vote]
        let attendance: OwnPart.Attendance?
        let isInvited: Bool

        static let fields = Fields(
            nil, Invitee.init(member:reply:reason:votes:attendance:isInvited:),
            .required("member", \.member, .id),
            .required("reply", \.reply, .word),
            .optional("reason", \.reason, .text(Meetings.reason), "Why the member refused."),
            .required("votes", \.votes, Vote.list),
            .optional("attendance", \.attendance, .word),
            .required("isInvited", \.isInvited, .bool))

        /// Of `meeting_people`; votes are rows of another table.
        static let columns = Columns<Invitee>(elsewhere: ["votes"])
    }

    static let show = Method.query(
        "meeting.show", "A meeting with what everybody said to it.", access: .signedIn, note: "who may see it",
        [named],
        result: .object(
            toldFields + [.required("invitees", .list(Invitee.shape, max: Limits.membersMax))]),
        route: Route("GET", "/api/meetings/{meeting}"),
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredMeeting.visible(act, params)
            var result = try rendered(stored, act)
            result["invitees"] = .array(try stored.answers(act))
            return .done(result)
        })

    static let clearPast = Method.command(
        "meeting.clearPast", "Clears the caller's list of past meetings; others keep theirs.", access: .signedIn,
        note: "oneself", result: .nothing, route: Route("DELETE", "/api/meetings/past"), events: [Meeting.cleared],
        apply: { (act, _) throws(Rejection) in
            let member = try act.member
            let listed = try MeetingLists.past(of: member, before: .max, limit: 1, act)
            guard !listed.isEmpty else { return .done([:]) }
            try act.run(
                """
                INSERT INTO meeting_clearings (member, through) SELECT ?, max(past) FROM meetings WHERE true
                ON CONFLICT DO UPDATE SET through = excluded.through
                """, .id(member.id))
            try act.emit(
                Meeting.cleared, .init(before: act.now), about: "meetings/\(member.id)",
                to: try act.roster.only(member.id))
            return .done([:])
        })
}

extension StoredMeeting {
    /// The invitees' answers, sorted by member.
    fileprivate func answers(_ act: Act) throws(Rejection) -> [JSON] {
        var votes: [Identifier: [JSON]] = [:]
        for (member, vote) in try act.rows(
            "SELECT member, slot, answer FROM meeting_votes WHERE meeting = ? ORDER BY member, slot", .int(number),
            map: { (row) throws(StoreFailure) in (row.identifier("member"), try Vote(row)) })
        {
            votes[member, default: []].append(vote.json)
        }
        let columns = Meetings.Invitee.columns
        return try act.rows(
            "SELECT \(columns.names) FROM meeting_people WHERE meeting = ? ORDER BY member", .int(number)
        ) { (row) throws(StoreFailure) in
            try columns.read(row, ["votes": .array(votes[row.identifier("member")] ?? [])]).json
        }
    }
}
