package import KinKeeper
import KinModel
import KinStore

/// The family's meetings: proposals with slots, votes, and their results. The rules stand in the documentation's page
/// Meetings.
package enum Meetings {
    package static let area = Area(
        "Meetings", view: "meetings", isForWalls: true,
        tables: [
            Table("meetings", ahead: ["starts_at", "ends_at"]),
            Table("meeting_slots", ahead: ["starts_at", "ends_at"]),
            Table("meeting_people"), Table("meeting_votes"),
            Table("meeting_past"), Table("meeting_clearings"), Table("meeting_words"),
        ],
        migrations: migrations,
        methods: [
            propose, find, conflicts, list, show, update, vote, refuse, suggest, accept, decline, attend, confirm,
            cancel, nudge,
            handOver, clearPast,
        ],
        events: events,
        due: [
            closeDue: { (act, about) throws(Rejection) in try close(act, about) },
            nearDue: { (act, about) throws(Rejection) in try tellNear(act, about) },
            endDue: { (act, about) throws(Rejection) in try end(act, about) },
            MeetingWords.rebuildDue: { (act, _) throws(Rejection) in try MeetingWords.rebuild(act) },
        ],
        inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "meeting": { (act, meeting, member) throws(Rejection) in try isNamed(member.id, in: meeting, act) }
        ],
        readers: [
            "meeting": { (act, meeting) throws(Rejection) in
                let stored = try StoredMeeting.visible(act, meeting)
                guard stored.meeting.kind != .public else { return nil }
                return stored.seers(try act.roster)
            }
        ],
        answers: answers,
        quotas: [.meetings],
        sums: [
            FamilySum("meetings") { (act) throws(Rejection) in
                try act.first("SELECT count(*) FROM meetings WHERE past IS NULL") { row in row.int(0) } ?? 0
            }
        ],
        hooks: Area.Hooks(
            parts: { (act, meeting) throws(Rejection) in
                try act.ask { (database) throws(StoreFailure) in try StoredMeeting.parts(in: meeting, database) }
            },
            say: { (act, meeting, slot, answer) throws(Rejection) in try say(answer, to: slot, of: meeting, act) }),
        life: Area.Life(
            inherit: { (act, from, to) throws(Rejection) in try inherit(act, from, to) },
            deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(act, member) },
            // The words of deleted rows lie in a full-text index until it is made anew.
            wiped: { (act) throws(Rejection) in try MeetingWords.rebuild(act) },
            redated: { (act, redating) throws(Rejection) in
                if case .toNow = redating { try act.replan([MeetingWords.rebuildDue], noLaterThan: act.now) }
            }),
        searched: [searched],
        snapshot: [
            .required(
                "meetings", .list(SeenMeeting.shape, max: currentMax),
                "Those in sight that are not over, without their notes.")
        ],
        snapshotBytesMax: Limits.meetingsSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in try fill(database, viewer, &snapshot) })

    /// A bound on the meetings in one snapshot: the smallest takes more than 400 bytes.
    static let currentMax = Limits.meetingsSnapshotBytesMax / 400

    // MARK: What is answered

    /// The field that names the meeting.
    static let named = Field.required("meeting", .id)

    /// A meeting as the caller sees it; `part` is the caller's where that is at hand.
    static func rendered(_ stored: StoredMeeting, part: OwnPart? = nil, _ act: Act) throws(Rejection) -> JSON {
        let own = if let part { part } else { try stored.part(of: try act.member.id, act) ?? OwnPart() }
        return try told(stored, own, act)
    }

    /// The answer of methods about a meeting: its part of a snapshot, its note, and how many may vote.
    static let told = Shape.object(toldFields)
    static let toldFields: [Field] = [
        .required("meeting", Meeting.shape), .required("own", OwnPart.shape),
        .required(
            "voters", .integer(0...Int64(Limits.membersMax)),
            "How many may vote, the host not among them: the invitees; at a public meeting everybody but guests who are not."
        ),
    ]

    /// The same of one meeting.
    static func told(_ stored: StoredMeeting, _ own: OwnPart, _ act: Act) throws(Rejection) -> JSON {
        var told = SeenMeeting(meeting: stored.meeting, own: own).json
        // Guests are not told how many members the family has.
        let isGuest = try act.member.role == .guest
        told["voters"] = .int(Int64(isGuest ? stored.meeting.tally.invitees : stored.voters(try act.roster)))
        return told
    }

    /// The answer of a command.
    static func done(_ stored: StoredMeeting, part: OwnPart? = nil, _ act: Act) throws(Rejection) -> Outcome {
        .done(try rendered(stored, part: part, act), ids: [stored.meeting.id])
    }

    /// The answer to a repeat: what the caller sees now.
    static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(try StoredMeeting.visible(act, id), act)
    }

    /// Fills in the meetings that a member sees in a snapshot: those that are not over, the earliest first, as far as
    /// there is room.
    private static func fill(
        _ database: Database, _ viewer: Viewer, _ snapshot: inout Snapshot
    ) throws(StoreFailure) {
        let lines = try MeetingLists.current(of: viewer.id, viewer.role, database).sorted {
            ($0.starts, $0.id) < ($1.starts, $1.id)
        }
        let shown = snapshot.fitting(
            lines, in: "meetings", bytesMax: Limits.meetingsSnapshotBytesMax, largest: Limits.meetingsSnapshotBytesMax,
            \.bytes)
        let numbers = shown.map(\.number)
        let parts = try StoredMeeting.parts(of: viewer.id, in: numbers, database)
        for stored in try StoredMeeting.load(numbers, database) {
            let seen = SeenMeeting(meeting: stored.meeting, own: parts[stored.number] ?? OwnPart())
            snapshot.meetings[stored.meeting.id] = seen.brief
        }
    }
}

extension Quota {
    /// Meetings that are not over.
    static let meetings = Quota("meetings")
}
