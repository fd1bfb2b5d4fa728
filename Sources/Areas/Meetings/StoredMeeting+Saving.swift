import KinKeeper
import KinModel
import KinStore

extension StoredMeeting {
    /// A new meeting, written down.
    static func insert(_ meeting: Meeting, invitees: [Roster.Entry], _ act: Act) throws(Rejection) -> StoredMeeting {
        let invited = Audience(invitees.map(\.number))
        try act.run(
            """
            INSERT INTO meetings (\(wire.names), starts_at, ends_at, bytes, invited, counted_for)
            VALUES (\(wire.placeholders), 0, 0, 0, ?, ?)
            """, values: wire.values(of: meeting) + [.blob(invited.stored), .id(meeting.host)])
        let number = act.database.lastInsertedRow
        var made = StoredMeeting(number: number, meeting: meeting, invited: invited)
        try made.checkRoom(act)
        try made.saveSlots(act)
        for invitee in invitees { try made.invite(invitee.id, act) }
        try made.recount(act)
        try made.save(act)
        return made
    }

    /// Writes the meeting's own row, and its search words. It goes on counting for the member who proposed it, as long
    /// as that one hosts it or is invited. A member who is handed a meeting did not ask for it, and may have as many as
    /// before.
    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE meetings SET \(Self.wire.assignments), starts_at = ?, ends_at = ?, bytes = ?, invited = ?,
            counted_for = iif(EXISTS (SELECT 1 FROM meeting_people
            WHERE meeting = number AND member = counted_for AND is_invited = 1), counted_for, ?) WHERE number = ?
            """,
            values: Self.wire.values(of: meeting) + [
                .time(meeting.starts), .time(meeting.ends), Value(past == nil ? bytes : 0), .blob(invited.stored),
                .id(meeting.host), .int(number),
            ])
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

    /// Refuses what would make the caller's meetings together too large. A caller who changes another's meeting, or
    /// suggests a slot, is not refused, because the owner's other meetings may be hidden from the caller. Slots and
    /// texts of each meeting are bounded anyway.
    func checkRoom(_ act: Act) throws(Rejection) {
        let kept = try act.first("SELECT bytes, counted_for FROM meetings WHERE number = ?", .int(number)) { row in
            (bytes: row.int("bytes"), whose: row.identifier("counted_for"))
        }
        let growth = Int64(bytes) - (kept?.bytes ?? 0)
        let whose = kept?.whose ?? meeting.host
        guard growth > 0, act.isOneself(whose) else { return }
        let own = try act.first(
            "SELECT coalesce(sum(bytes), 0) FROM meetings WHERE past IS NULL AND counted_for = ?", .id(whose)
        ) { row in row.int(0) }
        guard (own ?? 0) + growth <= Int64(Limits.meetingsPerHostBytesMax) else {
            throw Rejection(
                .tooLarge,
                "Your open meetings together are as large as may be. Confirm or cancel some, or propose fewer slots.")
        }
    }

    /// Refuses one more meeting of a host who has many.
    static func checkHost(_ host: Identifier, _ act: Act) throws(Rejection) {
        let count = try act.first(
            "SELECT count(*) FROM meetings WHERE counted_for = ? AND past IS NULL", .id(host)
        ) { row in row.int(0) }
        let most = Int64(Limits.meetingsPerHostMax)
        try Quota.meetings.tell(host, before: count ?? 0, after: (count ?? 0) + 1, of: most, act)
        guard (count ?? 0) < most else {
            throw Rejection(
                .tooLarge,
                "\(Limits.meetingsPerHostMax) meetings that are not over is the most that one member proposes.")
        }
    }
}
