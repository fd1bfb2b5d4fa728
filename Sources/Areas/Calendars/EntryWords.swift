import KinKeeper
import KinModel
import KinStore

/// The searchable words of entries: rows of `entry_words`.
enum EntryWords {
    /// Due work that makes the index anew. Until then it contains what was deleted.
    static let rebuildDue = "entries.rebuildWords"

    /// Writes an entry's row.
    static func put(_ stored: StoredEntry, _ act: Act) throws(Rejection) {
        let others = stored.wire.exceptions
        let subjects = [stored.wire.subject] + others.compactMap(\.subject)
        let notes = [stored.wire.note].compactMap(\.self) + others.compactMap(\.note)
        let places = ([stored.wire.place] + others.map(\.place)).compactMap { $0?.text }
        try act.run(
            "INSERT OR REPLACE INTO entry_words (rowid, subject, note, place) VALUES (?, ?, ?, ?)",
            .int(stored.number), .text(subjects.joined(separator: " ")), .text(notes.joined(separator: " ")),
            .text(places.joined(separator: " ")))
    }

    /// Removes an entry's row at once, and its words soon.
    static func remove(_ number: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM entry_words WHERE rowid = ?", .int(number))
        try act.plan(rebuildDue, about: "entries", at: act.now.adding(seconds: 1))
    }

    /// Makes the index anew: SQLite before 3.42 leaves the words of deleted rows in it until then.
    static func rebuild(_ act: Act) throws(Rejection) {
        try act.run("INSERT INTO entry_words (entry_words) VALUES ('rebuild')")
        act.truncateSoon()
    }

    /// A search in FTS5's language: all words must be there, or begin like these; `nil` if the text has no word.
    static func query(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace }
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(Limits.entrySearchWordsMax)
            .map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\" *"
            }
        return words.isEmpty ? nil : words.joined(separator: " AND ")
    }
}
