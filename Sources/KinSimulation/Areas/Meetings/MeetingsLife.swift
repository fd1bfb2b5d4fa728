import KinKeeper
import KinModel
import KinStore

/// What the family in the box agrees to do together.
final class MeetingsLife: SimulatedArea {
    let weight = 6
    let lists = ["hosting", "coming", "invitations"].map { view in
        ListQuestion(
            method: "meeting.list", params: ["view": .string(view), "limit": 100],
            fault: { MeetingsLife.fault($0, against: $1) })
    }
    /// Meetings whose deadline closed them, as the log has it.
    private var closed: Set<String> = []
    /// How often a deadline closed a meeting.
    private var closings = 0
    var counts: [String: Int] { ["closings": closings] }

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea { world.meetingIdea(who, op) }

    /// A deadline closes a meeting once, until it is opened again.
    func follow(_ row: LogRow) throws(Finding) {
        switch row.type {
        case "meeting.closed":
            closings += 1
            guard closed.insert(row.about).inserted else {
                throw Finding(checker: "deadline", what: "\(row.about) was closed twice by its deadline")
            }
        case "meeting.updated", "meeting.confirmed", "meeting.shown":
            if !String(decoding: row.payload, as: UTF8.self).contains("\"state\":\"closed\"") {
                closed.remove(row.about)
            }
        default: break
        }
    }

    /// Whether what is listed is in the snapshot just so.
    private static func fault(_ result: JSON, against snapshot: Snapshot) -> String? {
        for seen in (result["meetings"]?.array ?? []).compactMap(SeenMeeting.init) {
            let held = snapshot.meetings[seen.meeting.id]
            if held == nil, snapshot.more.contains("meetings") { continue }
            guard held == seen.brief else {
                return "meeting.list has \(seen.brief.json.text), the snapshot \(held?.json.text ?? "none")"
            }
        }
        return nil
    }

    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        try daemon.miscounted().map { Finding(checker: "counts", what: $0) }
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        var hosts: [Identifier: Identifier] = [:]
        var open: Set<Identifier> = []
        _ = try daemon.reader.rows("SELECT id, host, kind FROM meetings") { row in
            hosts[row.identifier("id")] = row.identifier("host")
            if row.text("kind") == "public" { open.insert(row.identifier("id")) }
        }
        var invited: [Identifier: Set<Identifier>] = [:]
        _ = try daemon.reader.rows(
            "SELECT m.id, p.member FROM meeting_people p JOIN meetings m ON m.number = p.meeting WHERE p.is_invited = 1"
        ) { row in _ = invited[row.identifier("id"), default: []].insert(row.identifier("member")) }
        return [
            "meeting": { (owner, id) in
                hosts[id] == owner.id || invited[id]?.contains(owner.id) ?? false
                    || open.contains(id) && owner.role != "guest"
            }
        ]
    }

    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings] {
        let takers = ["meeting.", "member.", "household.", "family."]
        var open = Belongings(what: "the votes on", takers: takers)
        var current = Belongings(what: "the meeting", takers: takers)
        _ = try daemon.reader.rows("SELECT id, deadline, state, ends_at FROM meetings WHERE past IS NULL") { row in
            let key = Belongings.key(row.identifier("id"))
            if row.text("state") == "open" {
                open.ends[key] = min(row.optionalInstant("deadline") ?? .latest, row.instant("ends_at"))
            }
            current.ends[key] = row.instant("ends_at")
        }
        return [open, current]
    }

    /// A meeting that takes votes although its deadline passed, or is not past although it is over.
    func overdue(_ daemon: SimulatedDaemon, at clock: Instant) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            """
            SELECT title, id, deadline FROM meetings WHERE past IS NULL
            AND (state = 'open' AND deadline <= ?1 OR ends_at <= ?1)
            """, .time(clock)
        ) { row in
            "\(row.text("title")) \(row.identifier("id")) is open, and its deadline was \(row.optionalInt("deadline") ?? 0)"
        }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        switch fault {
        case .miscount:
            return ["UPDATE meetings SET voted = voted + 1, no_reply = no_reply - 1 WHERE no_reply > 0"]
        case .lostVote: return ["DELETE FROM meeting_votes"]
        case .deadlineForgotten: return ["DELETE FROM due WHERE kind = 'meeting.closes'"]
        case .closedAgain:
            guard events.contains(where: { $0.type == "meeting.closed" }) else { return [] }
            return [
                "INSERT OR REPLACE INTO due (at, kind, about) SELECT 1, 'meeting.closes', 'meeting/' || "
                    + "lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) "
                    + "|| '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) FROM meetings WHERE state = 'closed'",
                "UPDATE meetings SET state = 'open' WHERE state = 'closed'",
            ]
        default: return []
        }
    }
}

extension Fault {
    /// A meeting's counts are not those of its answers.
    public static let miscount = Fault("miscount")
    /// Votes are gone, and still counted.
    public static let lostVote = Fault("lostVote")
    /// A deadline is no longer due.
    public static let deadlineForgotten = Fault("deadlineForgotten")
    /// A deadline that closed its meeting falls due again.
    public static let closedAgain = Fault("closedAgain")
}

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
        let votes =
            "(SELECT count(*) FROM meeting_votes v WHERE v.meeting = s.meeting AND v.slot = s.id AND v.answer ="
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
        ) { row in "a vote of \(row.identifier("member")) on \(row.identifier("slot")) counts for nothing" }
    }
}
