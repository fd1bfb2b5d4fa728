import KinKeeper
import KinModel
import KinStore

/// The traces of a member's coming and going: rows of the log about stays, and lines of inboxes. A trace that somebody
/// may no longer know is removed from both, sent or not, within the same act.
enum Traces {
    /// These members may know less of a member than before. An arrival was told to the second to exact viewers, so a
    /// viewer with less keeps nothing of it.
    static func takeBack(of member: Identifier, from losing: Audience, _ act: Act) throws(Rejection) {
        try takeBack(about: Stays.about(member), from: losing, act)
    }

    /// The same at one place.
    static func takeBack(
        of member: Identifier, at place: Identifier, from losing: Audience, _ act: Act
    ) throws(Rejection) {
        try takeBack(about: Stays.about(member, place), from: losing, act)
    }

    private static func takeBack(about: String, from losing: Audience, _ act: Act) throws(Rejection) {
        guard !losing.isEmpty, act.keeps(.hiddenRowsLeave) else { return }
        try act.narrow(about: about, by: losing)
        try act.hooks.inbox?.takeBack(act, about, losing) { _ in true }
    }

    // MARK: Forgetting

    /// A time of a member is forgotten, for everybody: what was told of arriving and leaving then, and when a stay began.
    static func forget(_ member: Identifier, from: Instant, to: Instant, _ act: Act) throws(Rejection) {
        let about = Stays.about(member)
        let rows = try act.logged(about: about, types: [Stays.entered, Stays.left])
        let gone = rows.filter { row in
            Event.moment("at", in: row.payload, after: "data").map { isOf($0, from: from, to: to) } ?? true
        }
        try act.erase(rows: gone.map(\.position))
        let everybody = Audience(try act.roster.entries.map(\.number))
        try act.hooks.inbox?.takeBack(act, about, everybody) { tells($0, from: from, to: to) }
        // That somebody was there once is kept, for what was told of other times.
        try act.run(
            "UPDATE stays SET since = 0 WHERE member = ? AND since >= ? AND since <= ?", .id(member), .time(from),
            .time(to))
        try act.run(
            "UPDATE stays SET score = 0, start = NULL WHERE member = ? AND start >= ? AND start <= ?", .id(member),
            .time(from), .time(to))
        try act.run(
            "UPDATE stays SET last = NULL WHERE member = ? AND last >= ? AND last <= ?", .id(member), .time(from),
            .time(to))
    }

    /// Whether a time that was told is of a range; one that may have been rounded down may be of later.
    private static func isOf(_ at: Instant, from: Instant, to: Instant) -> Bool {
        at >= (CoarsePosition.rounded(at) == at ? CoarsePosition.rounded(from) : from) && at <= to
    }

    /// Whether an entry of an inbox tells of a range, or told of more than its lines still say at about that time.
    private static func tells(_ entry: InboxHook.Entry, from: Instant, to: Instant) -> Bool {
        if entry.lines.contains(where: { isOf($0.at, from: from, to: to) }) { return true }
        guard entry.more > 0 || entry.lines.contains(where: { $0.count > 1 }) else { return false }
        return entry.began <= to && entry.lines.contains { $0.at >= from }
    }
}
