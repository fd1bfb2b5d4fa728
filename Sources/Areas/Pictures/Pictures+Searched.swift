import KinKeeper

extension Pictures {
    /// Pictures are found by their captions, albums and categories, and documents by their names too, where they are not in
    /// the bin.
    static let searched = Searched(
        "picture", table: "pictures",
        row: """
            SELECT id, moment, author, NULL, coalesce(document, caption), trim(
                CASE WHEN document IS NULL THEN '' ELSE coalesce(caption, '') || char(10) END
                || coalesce(album, '') || char(10) || coalesce(category, ''), char(10))
            FROM pictures WHERE number = ?1 AND binned IS NULL
            """,
        sight: """
            SELECT p.number FROM json_each(?1) j CROSS JOIN pictures p ON p.number = j.value
            CROSS JOIN picture_sight s ON s.member = ?2 AND s.picture = p.number
            WHERE p.binned IS NULL AND \(isThere)
            """)
}
