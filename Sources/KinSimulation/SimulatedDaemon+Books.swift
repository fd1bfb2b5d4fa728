import KinModel
import KinStore

/// What the checkers recount in the database themselves, beside the counts the daemon keeps.
extension SimulatedDaemon {
    /// A meeting or a slot whose counts are not those of its answers; `nil` when all are right.
    func miscounted() throws(StoreFailure) -> String? {
        let people = "(SELECT count(*) FROM meeting_people p WHERE p.meeting = m.number"
        let meeting = try reader.first(
            """
            SELECT m.title, m.id, m.voted, m.refused, m.no_reply, m.going, m.not_going FROM meetings m WHERE
            m.voted <> \(people) AND p.reply = 'voted') OR m.refused <> \(people) AND p.reply = 'refused')
            OR m.no_reply <> \(people) AND p.reply = 'none') OR m.voted + m.refused + m.no_reply <> \(people))
            OR m.going <> \(people) AND p.attendance = 'going')
            OR m.not_going <> \(people) AND p.attendance = 'notGoing') OR \(people) AND p.member = m.host) > 0
            """
        ) { row in
            "the counts of \(row.text("title")) \(row.identifier("id")) are \(row.int("voted")), \(row.int("refused")), \(row.int("no_reply"))"
                + "; \(row.int("going")), \(row.int("not_going"))"
        }
        if let meeting { return meeting }
        let votes = "(SELECT count(*) FROM meeting_votes v WHERE v.meeting = s.meeting AND v.slot = s.id AND v.answer ="
        let slot = try reader.first(
            """
            SELECT s.id, s.yes, s.if_need_be, s.no FROM meeting_slots s WHERE s.yes <> \(votes) 'yes')
            OR s.if_need_be <> \(votes) 'ifNeedBe') OR s.no <> \(votes) 'no')
            """
        ) { row in
            "the counts of the slot \(row.identifier("id")) are \(row.int("yes")), \(row.int("if_need_be")), \(row.int("no"))"
        }
        if let slot { return slot }
        return try reader.first(
            """
            SELECT v.member, v.slot FROM meeting_votes v WHERE NOT EXISTS (SELECT 1 FROM meeting_people p
            WHERE p.meeting = v.meeting AND p.member = v.member AND p.reply = 'voted')
            OR NOT EXISTS (SELECT 1 FROM meeting_slots s WHERE s.id = v.slot AND s.meeting = v.meeting)
            """
        ) { row in "a vote of \(row.identifier(0)) on \(row.identifier(1)) counts for nothing" }
    }

    /// An entry of an inbox about what its reader may not see, by the rules of sight written down a second time here.
    func toldTooMuch() throws(StoreFailure) -> String? {
        struct Reader {
            let username: String
            let role: String
            let household: Identifier
        }
        var readers: [Identifier: Reader] = [:]
        _ = try reader.rows("SELECT id, username, role, household FROM members") { row in
            readers[row.identifier("id")] = Reader(
                username: row.text("username"), role: row.text("role"), household: row.identifier("household"))
        }
        var hosts: [Identifier: Identifier] = [:]
        var open: Set<Identifier> = []
        _ = try reader.rows("SELECT id, host, kind FROM meetings") { row in
            hosts[row.identifier("id")] = row.identifier("host")
            if row.text("kind") == "public" { open.insert(row.identifier("id")) }
        }
        var invited: [Identifier: Set<Identifier>] = [:]
        _ = try reader.rows(
            "SELECT m.id, p.member FROM meeting_people p JOIN meetings m ON m.number = p.meeting WHERE p.is_invited = 1"
        ) { row in _ = invited[row.identifier(0), default: []].insert(row.identifier(1)) }
        let entries = try reader.rows("SELECT member, about FROM inbox WHERE state <> 3") { row in
            (member: row.identifier(0), about: row.text(1))
        }
        for entry in entries {
            guard let owner = readers[entry.member] else { return "an inbox of nobody tells of \(entry.about)" }
            let parts = entry.about.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let id = Identifier(parts[1]) else { continue }
            let isSeen: Bool
            switch parts[0] {
            case "meeting":
                isSeen =
                    hosts[id] == entry.member || invited[id]?.contains(entry.member) ?? false
                    || open.contains(id) && owner.role != "guest"
            case "member":
                isSeen = owner.role != "guest" || readers[id] == nil || readers[id]?.household == owner.household
            case "position", "session": isSeen = parts[0] == "session" || id == entry.member
            case "announcement": isSeen = owner.role != "guest"
            default: isSeen = true
            }
            guard isSeen else { return "\(owner.username)'s inbox tells of \(entry.about)" }
        }
        return nil
    }

    /// A meeting that takes votes although its deadline passed, or is not past although it is over; or anything else that
    /// should have been done.
    func overdue(at clock: Instant) throws(StoreFailure) -> String? {
        let due = try reader.first("SELECT kind, about, at FROM due WHERE at <= ?", .time(clock)) { row in
            "\(row.text("kind")) of \(row.text("about")) was due at \(row.instant("at"))"
        }
        if let due { return due }
        return try reader.first(
            """
            SELECT title, id, deadline FROM meetings WHERE past IS NULL
            AND (state = 'open' AND deadline <= ?1 OR ends_at <= ?1)
            """, .time(clock)
        ) { row in
            "\(row.text("title")) \(row.identifier("id")) is open, and its deadline was \(row.optionalInt("deadline") ?? 0)"
        }
    }

    // MARK: Faults

    /// Spoils what the checkers of books look at, after a turn of the keeper.
    func spoil(_ fault: Fault?, _ events: [LogRow]) {
        let sql: String
        switch fault {
        case .miscount: sql = "UPDATE meetings SET voted = voted + 1, no_reply = no_reply - 1 WHERE no_reply > 0"
        case .lostVote: sql = "DELETE FROM meeting_votes"
        case .inboxOfAnother:
            sql = "UPDATE inbox SET member = (SELECT id FROM members WHERE role = 'guest') WHERE about LIKE 'meeting/%'"
        case .deadlineForgotten: sql = "DELETE FROM due WHERE kind = 'meeting.closes'"
        case .closedAgain:
            guard events.contains(where: { $0.type == "meeting.closed" }) else { return }
            _ = try? store.database.run(
                "INSERT OR REPLACE INTO due (at, kind, about) SELECT 1, 'meeting.closes', 'meeting/' || "
                    + "lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) "
                    + "|| '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) FROM meetings WHERE state = 'closed'"
            )
            sql = "UPDATE meetings SET state = 'open' WHERE state = 'closed'"
        default: return
        }
        _ = try? store.database.run(sql)
        store.due.forget()
    }
}
