import KinModel
import KinStore

/// A look into the index of words, on a worker. It finds rows, the newest first, and knows nothing of who sees them: that
/// is judged in the keeper's turn, and nothing that it read is answered before.
struct SearchRead: SlowWork {
    /// A row that has the words.
    struct Row: Sendable {
        let place: Int64
        let kind: String
        let number: Int64
        let title: Highlighted
        let text: Highlighted
    }

    /// What is looked for, in FTS5's language.
    let query: String
    /// Rows below this place are looked at.
    var before: Int64
    /// Rows from this place on are looked at.
    var from = Int64.min
    /// Rows of earlier passes that the caller saw.
    var kept: [Row] = []
    /// The rows of this pass.
    var fresh: [Row] = []
    /// How many rows were looked at.
    var looked = 0
    /// Whether there are no more.
    var isWhole = false

    var sort: WorkSort { .read }

    func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to read.") }
        var next = self
        let count = Self.count(after: looked)
        do throws(StoreFailure) {
            let database = store.database
            try database.begin()
            defer { database.rollback() }
            let end = ReadTime(milliseconds: Limits.longReadMillisecondsMax, place.clock)
            database.interrupt(when: { end.isOver })
            defer { database.interrupt(when: nil) }
            next.fresh = try database.rows(
                """
                SELECT s.place, s.kind, s.number, highlight(search_words, 0, ?1, ?2) AS title,
                highlight(search_words, 1, ?1, ?2) AS text
                FROM search_words CROSS JOIN searched s ON s.place = search_words.rowid
                WHERE search_words MATCH ?3 AND search_words.rowid < ?4 AND search_words.rowid >= ?5
                ORDER BY search_words.rowid DESC LIMIT ?6
                """, .text(String(Highlighted.begin)), .text(String(Highlighted.end)), .text(query), .int(before),
                .int(from), .int(Int64(count))
            ) { row in
                Row(
                    place: row.int("place"), kind: row.text("kind"), number: row.int("number"),
                    title: Highlighted(row.text("title")), text: Highlighted(row.text("text")))
            }
        } catch {
            // It would take as long once more.
            if error == .overdue { return .refused(error.sentence) }
            store.renew()
            return .failed("This could not be read: \(error.sentence)")
        }
        next.looked += next.fresh.count
        next.isWhole = next.fresh.count < count
        next.before = next.fresh.last?.place ?? before
        // From here on only the rest of the day is looked at.
        if next.looked >= Limits.searchedRowsMax, next.from == .min {
            next.from = SearchIndex.place(of: Self.startOfDay(SearchIndex.moment(of: next.before)))
        }
        return .made(next)
    }

    /// The count of rows that a pass looks at: few in the first one, which mostly is enough.
    private static func count(after looked: Int) -> Int { looked == 0 ? 64 : min(max(looked * 2, 256), 2048) }

    private static func startOfDay(_ moment: Instant) -> Instant {
        let day: Int64 = 86_400_000
        let rest = moment.milliseconds % day
        return Instant(milliseconds: moment.milliseconds - (rest < 0 ? rest + day : rest))
    }
}
