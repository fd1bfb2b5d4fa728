import KinKeeper
import KinModel
import KinStore

/// The words of meetings, to be searched: rows of `meeting_words`.
enum MeetingWords {
    /// Due work that rebuilds the index; until then deleted words are still in it.
    static let rebuildDue = "meetings.rebuildWords"

    /// The row of a meeting: its place among past ones, or its negative number before that. So a search of past
    /// meetings gives the newest first, and a search of the others looks at no past one.
    private static func row(_ stored: StoredMeeting) -> Int64 { stored.past ?? -stored.number }

    /// Writes a meeting's row.
    static func put(_ stored: StoredMeeting, _ act: Act) throws(Rejection) {
        let meeting = stored.meeting
        let host = try act.roster[meeting.host]?.number
        let seers = (stored.invited.members + [host].compactMap(\.self)).map(word)
        try act.run(
            "INSERT OR REPLACE INTO meeting_words (rowid, title, place, note, seers) VALUES (?,?,?,?,?)",
            .int(row(stored)), .text(meeting.title), Value(meeting.place), Value(meeting.note),
            .text((seers + (meeting.kind == .public ? [everyone] : [])).joined(separator: " ")))
    }

    /// Removes a meeting's row.
    static func remove(_ stored: StoredMeeting, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM meeting_words WHERE rowid = ?", .int(row(stored)))
    }

    /// After a deletion: SQLite before 3.42 leaves the words of deleted rows in the index until it is made anew.
    static func rebuildSoon(_ act: Act) throws(Rejection) {
        try act.plan(rebuildDue, about: "meetings", at: act.now.adding(seconds: 1))
    }

    /// Makes the index anew.
    static func rebuild(_ act: Act) throws(Rejection) {
        try act.run("INSERT INTO meeting_words (meeting_words) VALUES ('rebuild')")
        act.truncateSoon()
    }

    /// A member's search in FTS5's language: all of the words or their beginnings, in meetings that the member sees;
    /// `nil` when there is no word in it.
    static func query(_ text: String, _ member: CallingMember) -> String? {
        let words = text.split { $0.isWhitespace }
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(Limits.searchWordsMax)
            .map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\" *"
            }
        guard !words.isEmpty else { return nil }
        let seers = member.role == .guest ? word(member.number) : word(member.number) + " OR " + everyone
        return "{title place note} : (\(words.joined(separator: " AND "))) AND {seers} : (\(seers))"
    }

    private static let everyone = "everyone"
    private static func word(_ number: Int32) -> String { "m\(number)" }
}
