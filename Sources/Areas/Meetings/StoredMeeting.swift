import KinKeeper
import KinModel
import KinStore

/// A meeting as it is stored: the meeting on the wire, and what the area needs to know beside it.
struct StoredMeeting {
    /// Its number in the other tables.
    let number: Int64
    var meeting: Meeting
    /// The numbers of those who were named as invitees.
    var invited: Audience
    /// Its place among past meetings; `nil` before it is over or cancelled.
    private(set) var past: Int64?

    init(number: Int64, meeting: Meeting, invited: Audience, past: Int64? = nil) {
        self.number = number
        self.meeting = meeting
        self.invited = invited
        self.past = past
    }

    // MARK: Sight

    /// Host and invitees see it; of a public meeting everybody who is no guest does too.
    func isSeen(by id: Identifier, _ number: Int32, _ role: Role) -> Bool {
        meeting.host == id || invited.contains(number) || (meeting.kind == .public && role != .guest)
    }

    /// The members who see it.
    func seers(_ roster: Roster) -> Audience {
        let named = invited.union(roster.only(meeting.host))
        return meeting.kind == .public ? named.union(roster.everyone) : named
    }

    /// The meeting that a text such as `meeting/0198…` names.
    static func of(_ about: String, _ act: Act) throws(Rejection) -> StoredMeeting? {
        guard let id = Identifier(about.split(separator: "/").last ?? "") else { return nil }
        return try act.ask { (database) throws(StoreFailure) in try find(id, database) }
    }

    /// How many may vote, or have voted: all people who see it, except the host. A screen on a wall is none.
    func voters(_ roster: Roster) -> Int {
        let others = seers(roster).subtracting(roster.only(meeting.host)).subtracting(roster.walls).count
        return meeting.kind == .public ? max(meeting.tally.invitees, others) : meeting.tally.invitees
    }

    /// The meeting that a request names, if the caller sees it; 1404 when absent or hidden.
    static func visible(_ act: Act, _ params: Params) throws(Rejection) -> StoredMeeting {
        try visible(act, try params.id("meeting"))
    }

    /// A meeting, if the caller sees it; 1404 when absent or hidden.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredMeeting {
        let member = try act.member
        let found = try act.ask { (database) throws(StoreFailure) in try find(id, database) }
        guard let found, found.isSeen(by: member.id, member.number, member.role) else {
            throw Rejection.notFound("meeting", id.description, field: "meeting")
        }
        return found
    }

    /// The meeting that a request names, if the caller sees it and decides about it: the host, and admins.
    static func led(_ act: Act, _ params: Params) throws(Rejection) -> StoredMeeting {
        let found = try visible(act, params)
        try act.require(
            act.isOneself(found.meeting.host) || act.isAdministrator, "Only the meeting's host and admins do that.",
            asking: [found.meeting.host] + (try act.admins))
        try found.checkNotPast(act)
        return found
    }

    // MARK: What it is too late for

    func checkNotPast(_ act: Act) throws(Rejection) {
        guard meeting.state != .cancelled else { throw Rejection(.conflict, "This meeting was cancelled.") }
        guard past == nil, meeting.ends > act.now else { throw Rejection(.conflict, "This meeting is over.") }
    }

    /// Refuses unless votes are taken.
    func checkOpen(_ act: Act) throws(Rejection) {
        try checkNotPast(act)
        switch meeting.state {
        case .confirmed:
            throw Rejection(
                .conflict, "The time of this meeting is confirmed; say whether you are going.")
        case .closed, .cancelled: throw Self.closed
        case .open:
            if let deadline = meeting.deadline, deadline <= act.now { throw Self.closed }
        }
    }

    private static var closed: Rejection {
        Rejection(.conflict, "The deadline of this meeting has passed; only its host can give it another.")
    }

    // MARK: Reading

    /// Slots and suggestions are rows of another table, and the tally is put together from counts in both.
    static let wire = Columns<Meeting>(elsewhere: ["slots", "suggestions", "tally"])
    private static let columns =
        "m.number, m.past, m.invited, m.voted, m.refused, m.no_reply, m.going, m.not_going, " + wire.names(of: "m")

    /// A meeting by its identifier.
    static func find(_ id: Identifier, _ database: Database) throws(StoreFailure) -> StoredMeeting? {
        try read("SELECT \(columns) FROM meetings m WHERE m.id = ?", .id(id), database).first
    }

    /// Meetings by their numbers, in that order.
    static func load(_ numbers: [Int64], _ database: Database) throws(StoreFailure) -> [StoredMeeting] {
        try read(
            "SELECT \(columns) FROM json_each(?) j CROSS JOIN meetings m ON m.number = j.value ORDER BY j.key",
            .list(numbers), database)
    }

    /// Meetings by their places among past ones, in that order.
    static func load(past places: [Int64], _ database: Database) throws(StoreFailure) -> [StoredMeeting] {
        try read(
            "SELECT \(columns) FROM json_each(?) j CROSS JOIN meetings m ON m.past = j.value ORDER BY j.key",
            .list(places), database)
    }

    /// Two statements, however many meetings the first one finds.
    private static func read(
        _ sql: String, _ value: Value, _ database: Database
    ) throws(StoreFailure) -> [StoredMeeting] {
        var found = try database.rows(sql, value, map: { (row) throws(StoreFailure) in try StoredMeeting(row) })
        guard !found.isEmpty else { return [] }
        var indices: [Int64: Int] = [:]
        for (index, stored) in found.enumerated() { indices[stored.number] = index }
        try database.each(
            """
            SELECT s.meeting, s.id, s.starts_at, s.ends_at, s.suggested_by, s.yes, s.if_need_be, s.no
            FROM json_each(?) j CROSS JOIN meeting_slots s ON s.meeting = j.value ORDER BY s.meeting, s.place
            """, .list(found.map(\.number))
        ) { (row) throws(StoreFailure) in
            guard let index = indices[row.int("meeting")] else { return true }
            // Not by `Columns`: there are as many of them as meetings and slots in a snapshot.
            let slot = Slot(id: row.identifier("id"), start: row.instant("starts_at"), end: row.instant("ends_at"))
            if let by = row.optionalIdentifier("suggested_by") {
                found[index].meeting.suggestions.append(Suggestion(slot: slot, by: by))
            } else {
                found[index].meeting.slots.append(slot)
                found[index].meeting.tally.slots.append(
                    Tally.Count(
                        slot: slot.id, yes: row.count("yes"), ifNeedBe: row.count("if_need_be"), no: row.count("no")))
            }
            return true
        }
        return found
    }

    private init(_ row: borrowing Row) throws(StoreFailure) {
        let isConfirmed = !row.isNull("confirmed")
        let tally = Tally(
            voted: row.count("voted"), refused: row.count("refused"), noReply: row.count("no_reply"),
            going: isConfirmed ? row.count("going") : nil, notGoing: isConfirmed ? row.count("not_going") : nil)
        number = row.int("number")
        meeting = try Self.wire.read(row, ["slots": [], "tally": tally.json])
        invited = Audience(stored: row.blob("invited"))
        past = row.optionalInt("past")
    }

    mutating func becamePast(_ number: Int64) { past = number }
}

extension Row {
    /// A number of people, kept within what a tally can hold.
    fileprivate func count(_ column: Column) -> Int { Int(max(0, min(int(column), 1_000_000))) }
}

extension Value {
    /// Numbers, for `json_each`.
    static func list(_ numbers: [Int64]) -> Value { .text(JSON.array(numbers.map { .int($0) }).text) }
}

extension Audience {
    /// From two bytes a member number, the larger first.
    init(stored bytes: [UInt8]) {
        self.init(
            stride(from: 0, to: bytes.count - 1, by: 2).compactMap { index in
                let number = Int32(bytes[index]) << 8 | Int32(bytes[index + 1])
                return number >= 1 ? number : nil
            })
    }

    /// Two bytes a member number, the larger first.
    var stored: [UInt8] { members.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } }
}
