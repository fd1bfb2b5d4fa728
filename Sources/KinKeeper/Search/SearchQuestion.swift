import KinModel
import KinStore

/// What a member looks for.
struct SearchQuestion {
    /// The words, in FTS5's language; `nil` where there is no word to look for.
    let query: String?
    /// Only what is before this place.
    let before: Int64
    /// How many hits are wanted.
    let limit: Int

    init(_ params: Params, _ act: Act) throws(Rejection) {
        let kinds = (params["kinds"]?.array ?? []).compactMap(\.string)
        var hidden: [String] = []
        for searched in act.keeper.registry.searchedKinds {
            hidden += try searched.hidden?(act).map(searched.word) ?? []
        }
        query = Self.query(
            try params.string("words"), kinds: params["kinds"] == nil ? nil : kinds, hidden: hidden)
        var before = Int64.max
        if let until = params.optionalTime("until") { before = SearchIndex.place(of: until) }
        if let cursor = params.optionalString("before") { before = min(before, try Self.place(cursor, act)) }
        self.before = before
        limit = Int(params.optionalInt("limit") ?? 20)
    }

    /// All of the words or their beginnings, in what is of one of the kinds and in no group that is hidden. Each word is
    /// quoted, so that nothing in it means anything to FTS5.
    static func query(_ text: String, kinds: [String]?, hidden: [String] = []) -> String? {
        let words = text.split { $0.isWhitespace }
            .map { String(String.UnicodeScalarView($0.unicodeScalars.filter { $0.value >= 0x20 })) }
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(Limits.findWordsMax)
        guard !words.isEmpty, kinds?.isEmpty != true else { return nil }
        let all = words.map { word in
            let spelled = Spelling.withoutUmlauts(word)
            return spelled.hasSameBytes(as: word)
                ? quoted(word) + " *" : "(\(quoted(word)) * OR \(quoted(spelled)) *)"
        }.joined(separator: " AND ")
        var query = "{title text spelled} : (\(all))"
        if let kinds { query += " AND " + kind(kinds) }
        return hidden.isEmpty ? query : "(\(query)) NOT " + kind(hidden)
    }

    private static func kind(_ words: [String]) -> String {
        "{kind} : (" + words.map(quoted).joined(separator: " OR ") + ")"
    }

    private static func quoted(_ word: String) -> String {
        "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The end of a page: the time and the identifier of the last hit that it showed, or the beginning of a day.
    static func cursor(_ moment: Instant, _ id: Identifier? = nil) -> String {
        "\(moment.milliseconds)" + (id.map { "/\($0)" } ?? "")
    }

    /// The place of a cursor. An identifier is only believed at its own time, so that a cursor that somebody made up tells
    /// nothing of where a thing is.
    private static func place(_ cursor: String, _ act: Act) throws(Rejection) -> Int64 {
        let (moment, id) = try parts(of: cursor)
        guard let id else { return SearchIndex.place(of: moment) }
        let next = SearchIndex.place(of: moment.adding(milliseconds: 1))
        return try act.first(
            "SELECT place FROM searched WHERE place >= ? AND place < ? AND id = ?",
            .int(SearchIndex.place(of: moment)), .int(next), .id(id)
        ) { row in row.int(0) } ?? next
    }

    /// The time and the identifier in a cursor, of which anybody may have made up each.
    static func parts(of cursor: String) throws(Rejection) -> (moment: Instant, id: Identifier?) {
        let parts = cursor.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let milliseconds = Int64(parts[0]), milliseconds.magnitude < 1 << 48 else {
            throw notCursor
        }
        let moment = Instant(milliseconds: milliseconds)
        guard parts.count == 2 else { return (moment, nil) }
        guard let id = Identifier(parts[1]) else { throw notCursor }
        return (moment, id)
    }

    static var notCursor: Rejection {
        Rejection(.invalid, "before is the next of an earlier page; leave it out to begin.", field: "before")
    }
}
