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
        ) { (row) throws(StoreFailure) in try body(row.int(0), row.int(1)) }
    }

    /// Whether all is in the index that was there before it, or before a part of it was made anew.
    package static func isWhole(_ act: Act) throws(Rejection) -> Bool { try !SearchIndex.isFilling(act) }
}
