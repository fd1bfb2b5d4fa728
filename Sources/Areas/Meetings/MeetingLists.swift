import KinKeeper
import KinModel
import KinStore

/// The data of lists. Meetings that are not over are few, and all of them are looked at; the many past ones are read by
/// index.
enum MeetingLists {
    /// A meeting that is not over, as far as it is needed to sort and choose.
    struct Line {
        let number: Int64
        let id: Identifier
        let starts: Instant
        let isHost: Bool
        let state: Meeting.State
        let reply: OwnPart.Reply
        let attendance: OwnPart.Attendance?
        /// The most it takes in a snapshot.
        let bytes: Int

        /// Whether a view shows it. Each is in one of `hosting`, `invitations` and `coming`, so that none gets lost; one's
        /// own, once confirmed, is in `coming` too.
        func belongs(to view: String) -> Bool {
            switch view {
            case "hosting": isHost
            case "coming": isHost ? state == .confirmed : isComing
            default: !isHost && !isComing
            }
        }

        private var isComing: Bool { attendance == .going || (reply == .voted && attendance != .notGoing) }

        /// Whether nothing is asked of the member any more: the member said no, or it is too late.
        private var isAnswered: Bool {
            reply != .none || attendance != nil || !(state == .open || state == .confirmed)
        }

        /// Where it stands in a list.
        var place: Place { Place(isAnswered: !isHost && !isComing && isAnswered, starts: starts, id: id) }
    }

    /// A place in a list: meetings that wait for an answer come first, then the start decides. It is made only from
    /// what its reader was shown.
    struct Place: Comparable {
        let isAnswered: Bool
        let starts: Instant
        let id: Identifier

        var text: String { "\(isAnswered ? 1 : 0).\(starts.milliseconds).\(id)" }

        static func < (one: Place, other: Place) -> Bool {
            (one.isAnswered ? 1 : 0, one.starts, one.id) < (other.isAnswered ? 1 : 0, other.starts, other.id)
        }
    }

    /// The meetings a member sees that are not over.
    static func current(
        of member: Identifier, _ role: Role, _ database: Database
    ) throws(StoreFailure) -> [Line] {
        try database.rows(
            """
            SELECT m.number, m.id, m.starts_at, m.host = ?1 AS is_host, m.state, p.reply, p.attendance, m.bytes
            FROM meetings m INDEXED BY meetings_current
            LEFT JOIN meeting_people p ON p.meeting = m.number AND p.member = ?1
            WHERE m.past IS NULL AND (m.host = ?1 OR p.is_invited = 1 OR (?2 AND m.kind = 'public'))
            """, .id(member), .bool(role != .guest)
        ) { (row) throws(StoreFailure) in
            guard let state = Meeting.State(rawValue: row.text("state")) else {
                throw .corrupt("a meeting has no state that this program knows")
            }
            return Line(
                number: row.int("number"), id: row.identifier("id"), starts: row.instant("starts_at"),
                isHost: row.bool("is_host"), state: state,
                reply: row.optionalWord("reply") ?? .none,
                attendance: row.optionalWord("attendance"),
                bytes: Int(row.int("bytes")))
        }
    }

    /// The places of past meetings that a member sees, the latest first: those before a place in the past, and after
    /// what the member cleared.
    static func past(
        of member: CallingMember, before: Int64, limit: Int64, _ act: Act
    ) throws(Rejection) -> [Int64] {
        let cleared = try self.cleared(by: member.id, act)
        let named = try act.rows(
            "SELECT past FROM meeting_past WHERE member = ? AND past < ? AND past > ? ORDER BY past DESC LIMIT ?",
            .id(member.id), .int(before), .int(cleared), .int(limit)
        ) { row in row.int(0) }
        let open = try act.rows(
            """
            SELECT past FROM meetings WHERE kind = 'public' AND past IS NOT NULL AND ? AND past < ? AND past > ?
            ORDER BY past DESC LIMIT ?
            """, .bool(member.role != .guest), .int(before), .int(cleared), .int(limit)
        ) { row in row.int(0) }
        return Array(Set(named).union(open).sorted(by: >).prefix(Int(limit)))
    }

    /// The place in the past up to which a member cleared the own list.
    static func cleared(by member: Identifier, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT through FROM meeting_clearings WHERE member = ?", .id(member)) { row in row.int(0) } ?? 0
    }
}

extension MeetingLists.Place {
    init(_ meeting: Meeting) { self.init(isAnswered: false, starts: meeting.starts, id: meeting.id) }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "0" || parts[0] == "1", let starts = Int64(parts[1]),
            let id = Identifier(parts[2])
        else { return nil }
        self.init(isAnswered: parts[0] == "1", starts: Instant(milliseconds: starts), id: id)
    }
}
