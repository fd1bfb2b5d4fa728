import KinKeeper
import KinModel
import KinStore

/// Meetings when a member leaves the family.
extension Meetings {
    /// Gives a leaving member's meetings to another, who is told each whole that was not in sight before.
    static func inherit(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        guard let heir = try act.roster[to] else { return }
        for var stored in try hosted(by: from, act) {
            guard stored.past != nil else {
                try stored.moveHost(to: heir, isOldInvited: false, act)
                continue
            }
            // A host is no invitee, not even of a past meeting.
            try stored.forget(to, act)
            stored.invited.remove(heir.number)
            stored.meeting.host = to
            try stored.recount(act)
            try stored.save(act)
            try stored.list(for: to, act)
        }
    }

    /// Deletes what a leaving member hosts, and takes the member's answers and suggestions out of all other meetings.
    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        try deleteHosted(act, member)
        let leaving = try act.roster.only(member)
        for var stored in try current(act) {
            let isIn = try stored.part(of: member, act) != nil
            let suggested = stored.meeting.suggestions.contains { $0.by == member }
            guard isIn || suggested else { continue }
            try stored.forget(member, act)
            for number in leaving.members { stored.invited.remove(number) }
            stored.meeting.suggestions.removeAll { $0.by == member }
            try stored.saveSlots(act)
            try stored.recount(act)
            try stored.save(act)
            try stored.tell(
                Meeting.updated,
                .init(meeting: stored.meeting, changes: suggested ? [.suggestions, .invitees] : [.invitees]),
                to: stored.seers(try act.roster).subtracting(leaving), act)
        }
        try forgetPast(act, member)
        try act.run("UPDATE meetings SET counted_for = host WHERE counted_for = ?", .id(member))
        for table in ["meeting_past", "meeting_clearings"] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        try act.erase(about: "meetings/\(member)")
    }

    /// Above this many deletions followers are given a fresh view instead of an event each.
    private static let deletionsToldMax = 100

    private static func deleteHosted(_ act: Act, _ member: Identifier) throws(Rejection) {
        let all = try hosted(by: member, act)
        guard !all.isEmpty else { return }
        let leaving = try act.roster.only(member)
        for stored in all {
            let about = about(stored.meeting.id)
            try MeetingWords.remove(stored, act)
            try act.run("DELETE FROM meeting_past WHERE past = ?", Value(stored.past))
            try act.run("DELETE FROM meetings WHERE number = ?", .int(stored.number))
            try act.erase(about: about)
            try act.unplan(about: about)
            guard all.count <= deletionsToldMax else { continue }
            try act.emit(
                Meeting.deleted, .init(meeting: stored.meeting.id), about: about,
                to: stored.seers(try act.roster).subtracting(leaving))
        }
        if all.count > deletionsToldMax {
            try act.reset(Audience(try act.roster.entries.map(\.number)).subtracting(leaving))
        }
        try MeetingWords.rebuildSoon(act)
    }

    /// Takes the member's answers out of past meetings, counts included. They are in no snapshot: nobody is told.
    private static func forgetPast(_ act: Act, _ member: Identifier) throws(Rejection) {
        for (column, answer) in [("yes", "yes"), ("if_need_be", "ifNeedBe"), ("no", "no")] {
            try act.run(
                """
                UPDATE meeting_slots SET \(column) = \(column) - 1 WHERE id IN
                (SELECT v.slot FROM meeting_people p
                CROSS JOIN meeting_votes v ON v.meeting = p.meeting AND v.member = p.member
                WHERE p.member = ? AND v.answer = ?)
                """, .id(member), .text(answer))
        }
        for (column, condition) in [
            ("voted", "reply = 'voted'"), ("refused", "reply = 'refused'"), ("no_reply", "reply = 'none'"),
            ("going", "attendance = 'going'"), ("not_going", "attendance = 'notGoing'"),
        ] {
            try act.run(
                """
                UPDATE meetings SET \(column) = \(column) - 1 WHERE number IN
                (SELECT meeting FROM meeting_people WHERE member = ? AND \(condition))
                """, .id(member))
        }
        try act.run(
            """
            DELETE FROM meeting_votes WHERE member = ?1 AND meeting IN
            (SELECT meeting FROM meeting_people WHERE member = ?1)
            """, .id(member))
        try act.run("DELETE FROM meeting_people WHERE member = ?", .id(member))
    }

    private static func hosted(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredMeeting] {
        let numbers = try act.rows("SELECT number FROM meetings WHERE host = ? ORDER BY number", .id(member)) { row in
            row.int(0)
        }
        return try act.ask { (database) throws(StoreFailure) in try StoredMeeting.load(numbers, database) }
    }

    private static func current(_ act: Act) throws(Rejection) -> [StoredMeeting] {
        let numbers = try act.rows("SELECT number FROM meetings WHERE past IS NULL ORDER BY number") { row in
            row.int(0)
        }
        return try act.ask { (database) throws(StoreFailure) in try StoredMeeting.load(numbers, database) }
    }
}
