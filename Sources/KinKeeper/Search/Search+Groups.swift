package import KinModel
package import KinStore

/// The index for an area that has a search of its own. It looks among some groups of one of the area's kinds.
extension Search {
    /// The query in FTS5's language for all of the words or their beginnings, in some groups of a kind; `nil` where
    /// there is no word to look for, or no group.
    package static func query(_ words: String, of searched: Searched, in groups: [Int64]) -> String? {
        SearchQuestion.query(words, kinds: groups.map(searched.word))
    }

    /// The numbers of rows that have the words, with their places in time, the newest first, until `body` answers `false`.
    /// The caller looks who sees them.
    package static func each(
        _ query: String, before place: Int64, _ database: Database,
        body: (_ place: Int64, _ number: Int64) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        try database.each(
            """
            SELECT s.place, s.number FROM search_words CROSS JOIN searched s ON s.place = search_words.rowid
            WHERE search_words MATCH ? AND search_words.rowid < ? ORDER BY search_words.rowid DESC
            """, .text(query), .int(place)
        ) { (row) throws(StoreFailure) in try body(row.int("place"), row.int("number")) }
    }

    /// Where a page ended whose last row has a place. As with one search over everything, it names that row by its time and
    /// its identifier, which the caller was just shown. The place itself counts what else is in the same millisecond.
    package static func cursor(behind place: Int64, _ act: Act) throws(Rejection) -> String {
        let id = try act.first("SELECT id FROM searched WHERE place = ?", .int(place)) { row in row.identifier(0) }
        return SearchQuestion.cursor(SearchIndex.moment(of: place), id)
    }

    /// The place of a cursor. What the caller does not see, what is gone and what never was are refused with the same
    /// words.
    package static func place(of cursor: String, among searched: Searched, _ act: Act) throws(Rejection) -> Int64 {
        let (moment, id) = try SearchQuestion.parts(of: cursor)
        guard let id else { throw SearchQuestion.notCursor }
        let found = try act.first(
            "SELECT place, number FROM searched WHERE place >= ? AND place < ? AND id = ? AND kind = ?",
            .int(SearchIndex.place(of: moment)), .int(SearchIndex.place(of: moment.adding(milliseconds: 1))), .id(id),
            .text(searched.kind)
        ) { row in (place: row.int("place"), number: row.int("number")) }
        guard let found, try searched.seen(act, [found.number]).contains(found.number) else {
            throw SearchQuestion.notCursor
        }
        return found.place
    }

    /// Takes into the index what was just said. A search of an area's own calls it before it reads.
    package static func takeIn(_ act: Act) throws(Rejection) { try SearchIndex.takeIn(act) }

    /// Whether all is in the index that was there before it, or before a part of it was made anew.
    package static func isWhole(_ act: Act) throws(Rejection) -> Bool { try !SearchIndex.isFilling(act) }
}
