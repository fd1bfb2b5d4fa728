import KinKeeper
import KinModel
import KinStore

/// A member and a household in which it does not live yet: somebody asks that it may, or somebody there has admitted
/// it.
struct Move: Equatable {
    let member: Identifier
    let household: Identifier
    /// Whether it is an admission, which waits for the member to move; else a question, which waits for an answer.
    let isAdmitted: Bool
    /// The member who asked, or who admits; `nil` at the machine.
    let by: Identifier?
    let at: Instant

    /// Until when it waits.
    var ends: Instant { at.adding(days: Limits.moveDays) }

    /// The end of a question or an admission, as `household.answered` says it.
    enum Answer: String, CaseIterable {
        /// Admitted, and moved in.
        case moved
        /// Admitted before anybody asked: the member moves in when it likes.
        case admitted
        /// Not admitted.
        case refused
        /// The one who asked took the question back.
        case withdrawn
        /// It ended by itself: too old, the household is gone, or the member moved otherwise.
        case ended
    }

    // MARK: Reading

    /// All of a member, those that no longer count left out.
    static func all(of member: Member, _ act: Act) throws(Rejection) -> [Move] {
        var counting: [Move] = []
        let rows = try act.rows(columns + " WHERE member = ? ORDER BY household", .id(member.id), map: read)
        for move in rows where try move.counts(for: member, act) { counting.append(move) }
        return counting
    }

    /// One; `nil` when there is none, or it no longer counts.
    static func find(_ member: Member, _ household: Identifier, _ act: Act) throws(Rejection) -> Move? {
        try all(of: member, act).first { $0.household == household }
    }

    /// Everything that waits, with its member.
    static func all(_ act: Act) throws(Rejection) -> [(move: Move, member: Member)] {
        var found: [(move: Move, member: Member)] = []
        let members = try act.rows("SELECT DISTINCT member FROM moves ORDER BY member") { row in row.identifier(0) }
        for id in members {
            guard let member = try act.ask({ (database) throws(StoreFailure) in try People.member(id, database) })
            else { continue }
            for move in try all(of: member, act) { found.append((move, member)) }
        }
        return found
    }

    /// Whether the member who asked may still ask, the member who admitted may still admit, and it is not too old.
    private func counts(for subject: Member, _ act: Act) throws(Rejection) -> Bool {
        guard ends > act.now, household != subject.household else { return false }
        guard let by else { return true }
        if isAdmitted { return try Members.heads(of: household, besides: member, act).contains(by) }
        return subject.kind == .adult ? by == member : try Members.movers(of: subject, act).contains(by)
    }

    // MARK: Changing

    /// Puts it down, in the place of another of the same member and household.
    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO moves (member, household, is_admitted, by, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET is_admitted = excluded.is_admitted, by = excluded.by, at = excluded.at
            """, .id(member), .id(household), .bool(isAdmitted), Value(by), .time(at))
    }

    /// Takes it away, and says why to those who knew of it.
    func end(_ answer: Answer, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM moves WHERE member = ? AND household = ?", .id(member), .id(household))
        try tell(answer, act)
    }

    /// Refuses it: nobody asks again for a day.
    func refuse(_ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO refused_moves (member, household, at) VALUES (?, ?, ?)", .id(member),
            .id(household),
            .time(act.now))
        try end(.refused, act)
    }

    /// Refuses to put a question again that was refused less than a day ago, by whomever it was asked.
    static func checkAgain(_ member: Identifier, _ household: Identifier, _ act: Act) throws(Rejection) {
        let refused = try act.first(
            "SELECT at FROM refused_moves WHERE member = ? AND household = ?", .id(member), .id(household)
        ) { row in row.instant(0) }
        guard let again = refused?.adding(seconds: Limits.moveAgainSeconds), again > act.now else { return }
        throw Rejection(
            .slowDown,
            "This question was refused less than \(Limits.moveAgainSeconds / 3600) hours ago; ask again later. Whoever "
                + "lives there can still admit.", field: "household",
            retryAfter: max(1, Int((again.milliseconds(since: act.now) + 999) / 1000)))
    }

    /// Tells the outcome to the member, to the one who asked, and to those who can answer.
    func tell(_ answer: Answer, _ act: Act) throws(Rejection) {
        try act.emit(
            Move.answered,
            .init(member: member, household: household, answer: answer, askedBy: isAdmitted ? nil : by),
            about: Members.about(member), to: try concerned(act))
    }

    /// Says that it is asked.
    func tellAsked(_ act: Act) throws(Rejection) {
        try act.emit(
            Move.asked, .init(member: member, household: household), about: Members.about(member),
            to: try concerned(act))
    }

    private func concerned(_ act: Act) throws(Rejection) -> Audience {
        let heads = try Members.heads(of: household, besides: member, act)
        return try act.roster.only(heads + [member] + [by].compactMap(\.self))
    }

    /// A member lives somewhere else: its open requests end, and the admission that it followed is done.
    static func settle(_ member: Identifier, in household: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM refused_moves WHERE member = ? AND household = ?", .id(member), .id(household))
        let rows = try act.rows(columns + " WHERE member = ? ORDER BY household", .id(member), map: read)
        for move in rows where !move.isAdmitted || move.household == household {
            try move.end(move.household == household ? .moved : .ended, act)
        }
    }

    /// A household goes.
    static func endAll(into household: Identifier, _ act: Act) throws(Rejection) {
        let rows = try act.rows(columns + " WHERE household = ? ORDER BY member", .id(household), map: read)
        for move in rows { try move.end(.ended, act) }
    }

    /// Ends questions and admissions that waited too long.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM refused_moves WHERE at <= ?", .time(act.now.adding(seconds: -Limits.moveAgainSeconds)))
        let oldest = act.now.adding(days: -Limits.moveDays)
        for move in try act.rows(columns + " WHERE at <= ? ORDER BY at, member", .time(oldest), map: read) {
            try move.end(.ended, act)
        }
    }

    private static let columns = "SELECT member, household, is_admitted, by, at FROM moves"

    private static func read(_ row: borrowing Row) throws(StoreFailure) -> Move {
        Move(
            member: row.identifier("member"), household: row.identifier("household"),
            isAdmitted: row.bool("is_admitted"),
            by: row.optionalIdentifier("by"), at: row.instant("at"))
    }
}

extension Move {
    static let asked = EventType(
        "household.asked", "A member asks to move in; the member, whoever asked, and those who can answer.",
        Asked.self)
    static let answered = EventType(
        "household.answered",
        "A question to move in is answered or over, or somebody is admitted; the member, whoever asked, and those who "
            + "can answer.", Answered.self)

    /// The member who asks, and the household in question.
    struct Asked: WireRecord {
        let member: Identifier
        let household: Identifier

        static let fields = Fields(
            nil, Asked.init(member:household:),
            .required("member", \.member, .id),
            .required("household", \.household, .id))
    }

    /// The answer to the question.
    struct Answered: WireRecord {
        let member: Identifier
        let household: Identifier
        let answer: Answer
        let askedBy: Identifier?

        static let fields = Fields(
            nil, Answered.init(member:household:answer:askedBy:),
            .required("member", \.member, .id),
            .required("household", \.household, .id),
            .required("answer", \.answer, .word),
            .optional("askedBy", \.askedBy, .id, "Absent where somebody was admitted without asking."))
    }
}
