import KinKeeper
import KinModel
import KinStore

extension Gathering {
    /// A new meeting, written down.
    static func insert(_ meeting: Meeting, invitees: [Roster.Entry], _ act: Act) throws(Rejection) -> Gathering {
        let invited = Audience(invitees.map(\.number))
        try act.run(
            """
            INSERT INTO meetings (id, title, kind, host, state, zone, starts_at, ends_at, bytes, invited)
            VALUES (?,?,?,?,?,?,0,0,0,?)
            """, .id(meeting.id), .text(meeting.title), .text(meeting.kind.rawValue), .id(meeting.host),
            .text(meeting.state.rawValue), .text(meeting.zone), .blob(invited.stored))
        let number = act.database.lastInsertedRow
        var made = Gathering(number: number, meeting: meeting, invited: invited)
        try made.checkRoom(act)
        try made.saveSlots(act)
        for invitee in invitees { try made.invite(invitee.id, act) }
        try made.recount(act)
        try made.save(act)
        return made
    }

    /// Writes the meeting's own row, and what is searched of it.
    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE meetings SET title = ?, host = ?, state = ?, zone = ?, place = ?, note = ?, deadline = ?,
            confirmed = ?, starts_at = ?, ends_at = ?, bytes = ?, invited = ? WHERE number = ?
            """, .text(meeting.title), .id(meeting.host), .text(meeting.state.rawValue), .text(meeting.zone),
            Value(meeting.place), Value(meeting.note), Value(meeting.deadline), Value(meeting.confirmed),
            .time(meeting.starts), .time(meeting.ends), Value(past == nil ? bytes : 0), .blob(invited.stored),
            .int(number))
        try MeetingWords.put(self, act)
    }

    /// Writes slots and suggestions as they are now; rows of others go, with the votes on them (see ``recount(_:)``).
    func saveSlots(_ act: Act) throws(Rejection) {
        let kept = JSON.array((meeting.slots.map(\.id) + meeting.suggestions.map(\.slot.id)).map { .id($0) })
        let rows = try act.rows("SELECT id FROM meeting_slots WHERE meeting = ?", .int(number)) { row in
            row.identifier(0)
        }
        let ids = Set((kept.array ?? []).compactMap(\.identifier))
        for id in rows where !ids.contains(id) { try act.run("DELETE FROM meeting_slots WHERE id = ?", .id(id)) }
        let all: [(Slot, Identifier?)] =
            meeting.slots.map { ($0, nil) } + meeting.suggestions.map { ($0.slot, $0.by) }
        for (place, (slot, by)) in all.enumerated() {
            try act.run(
                """
                INSERT INTO meeting_slots (id, meeting, place, starts_at, ends_at, suggested_by) VALUES (?,?,?,?,?,?)
                ON CONFLICT DO UPDATE SET place = excluded.place, starts_at = excluded.starts_at,
                ends_at = excluded.ends_at, suggested_by = excluded.suggested_by
                """, .id(slot.id), .int(number), Value(place), .time(slot.start), .time(slot.end), Value(by))
        }
    }

    // MARK: Room

    /// The most it can take in anybody's snapshot, in bytes, whatever is answered.
    var bytes: Int {
        var fullest = SeenMeeting(meeting: meeting, own: OwnPart()).brief
        let most = Limits.membersMax
        fullest.meeting.state = .confirmed
        fullest.meeting.confirmed = meeting.id
        fullest.meeting.tally = Tally(
            voted: most, refused: most, noReply: most,
            slots: meeting.slots.map { Tally.Count(slot: $0.id, yes: most, ifNeedBe: most, no: most) }, going: most,
            notGoing: most)
        fullest.own = OwnPart(
            reply: .refused, votes: meeting.slots.map { Vote(slot: $0.id, answer: .ifNeedBe) }, attendance: .notGoing,
            isInvited: false)
        return fullest.json.bytes.count + 1
    }

    /// Refuses what would make everybody's snapshots together too large.
    func checkRoom(_ act: Act) throws(Rejection) {
        let kept = try act.first("SELECT bytes FROM meetings WHERE number = ?", .int(number)) { row in row.int(0) }
        let growth = Int64(bytes) - (kept ?? 0)
        guard growth > 0 else { return }
        let (all, own) =
            try act.first(
                "SELECT total(bytes), total(iif(host = ?, bytes, 0)) FROM meetings WHERE past IS NULL",
                .id(meeting.host)
            ) { row in (row.int(0), row.int(1)) } ?? (0, 0)
        guard
            Quota.mayGrow(own: own + growth, all: all + growth, most: Int64(Limits.meetingsSnapshotBytesMax))
        else {
            throw Rejection(
                .tooLarge,
                "The open meetings of this host leave no room for others. "
                    + "Confirm or cancel some, or propose fewer slots.")
        }
    }

    /// Refuses one more meeting of a host who has many.
    static func checkHost(_ host: Identifier, _ act: Act, field: String?) throws(Rejection) {
        let count = try act.first("SELECT count(*) FROM meetings WHERE host = ? AND past IS NULL", .id(host)) { row in
            row.int(0)
        }
        let most = Int64(Limits.meetingsPerHostMax)
        try Quota.meetings.tell(host, before: count ?? 0, after: (count ?? 0) + 1, of: most, act)
        guard (count ?? 0) < most else {
            throw Rejection(
                .tooLarge,
                "\(Limits.meetingsPerHostMax) meetings that are not over is the most that one member hosts.",
                field: field)
        }
    }
}
