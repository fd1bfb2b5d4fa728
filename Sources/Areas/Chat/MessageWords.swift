import KinKeeper
import KinModel
import KinStore

/// The words of messages, to be searched: rows of `message_words`, by the numbers of the messages.
enum MessageWords {
    /// Due work that merges the index, which holds deleted words until then.
    static let mergeDue = "chat.mergeWords"

    /// Writes a message's row.
    static func put(_ stored: StoredMessage, in room: Int64, _ act: Act) throws(Rejection) {
        guard let text = stored.wire.text else { return }
        try act.run(
            "INSERT OR REPLACE INTO message_words (rowid, text, room) VALUES (?,?,?)", .int(stored.number),
            .text(text), .text(word(room)))
    }

    /// Removes a message's row, and its words soon.
    static func remove(_ number: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM message_words WHERE rowid = ?", .int(number))
        try mergeSoon(act)
    }

    /// Removes the rows of messages, by their numbers as a list in JSON, and their words soon.
    static func remove(_ list: Value, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM message_words WHERE rowid IN (SELECT value FROM json_each(?))", list)
        try mergeSoon(act)
    }

    /// After a deletion: SQLite before 3.42 leaves the words of deleted rows in the index until its parts are put together.
    static func mergeSoon(_ act: Act) throws(Rejection) {
        try act.plan(mergeDue, about: "rooms", at: act.now.adding(seconds: 1))
    }

    /// Merges a part of the index, and goes on a moment later while there is more. So ten years of messages are not
    /// rewritten in one turn.
    static func merge(_ act: Act) throws(Rejection) {
        let before = try changes(act)
        try act.run(
            "INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)",
            .int(-Int64(Limits.messageWordPagesPerTurn)))
        // The command itself counts as one change (FTS5, 'merge').
        if try changes(act) - before >= 2 { try mergeSoon(act) } else { act.truncateSoon() }
    }

    private static func changes(_ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT total_changes()") { row in row.int(0) } ?? 0
    }

    /// What a member looks for, in FTS5's language: all of the words or their beginnings, in these rooms; `nil` when there
    /// is no word in it.
    static func query(_ text: String, in rooms: [Int64]) -> String? {
        let words = text.split { $0.isWhitespace }
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(Limits.messageSearchWordsMax)
            .map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\" *"
            }
        guard !words.isEmpty, !rooms.isEmpty else { return nil }
        let places = rooms.map(word).joined(separator: " OR ")
        return "{text} : (\(words.joined(separator: " AND "))) AND {room} : (\(places))"
    }

    private static func word(_ room: Int64) -> String { "r\(room)" }
}
