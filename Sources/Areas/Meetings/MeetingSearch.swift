import KinKeeper
import KinModel
import KinStore

/// A search of meetings: a long read of the word index, in which a common word has as many entries as there are
/// meetings. It finds only rows; the meetings are read in the turn of the answer.
struct MeetingSearch: Sendable, Equatable {
    /// The words in FTS5's language, with the member who searches.
    let query: String?
    /// Rows of the index are read backwards, from below this one.
    let before: Int64
    /// Only rows above this one.
    let after: Int64
    /// How many rows are wanted.
    let limit: Int
    /// The count of changes of the index: while it is the same, so is the result.
    let changes: Int

    /// The meetings found so far, the latest first.
    struct Found: Sendable {
        var rows: [Int64] = []
    }

    /// Judges a question.
    init(_ params: Params, _ act: Act) throws(Rejection) {
        let member = try act.member
        query = params.optionalString("words").flatMap { MeetingWords.query($0, member) }
        changes = act.changes(of: ["meeting_words"])
        if try params.string("view") == "past" {
            before = try Meetings.pastBefore(params, act)
            after = try MeetingLists.cleared(by: member.id, act)
            limit = Int(Meetings.limit(params)) + 1
        } else {
            // Those that are not over have negative rows, in no order that a list has: all are wanted.
            (before, after, limit) = (0, .min, .max)
        }
    }

    /// Goes on with what was found, for as long as there is time.
    func goOn(_ found: inout Found, _ time: ReadTime, _ database: Database) throws(StoreFailure) -> Bool {
        guard let query else { return true }
        var rows = found.rows
        var isWhole = true
        try database.each(
            """
            SELECT rowid FROM meeting_words WHERE meeting_words MATCH ? AND rowid < ? AND rowid > ?
            ORDER BY rowid DESC
            """, .text(query), .int(rows.last ?? before), .int(after)
        ) { (row) throws(StoreFailure) in
            rows.append(row.int(0))
            if rows.count >= limit { return false }
            isWhole = !time.isOver
            return isWhole
        }
        found.rows = rows
        return isWhole
    }
}
