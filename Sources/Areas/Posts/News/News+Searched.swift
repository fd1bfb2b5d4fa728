import KinKeeper

extension News {
    /// News from outside are found by whoever sees their source.
    static let searched = Searched(
        "news", table: "news_items", within: "source",
        row: """
            SELECT n.id, n.at, NULL, s.id, n.title, n.text FROM news_items n JOIN news_sources s ON s.number = n.source
            WHERE n.number = ?1
            """,
        sight: """
            SELECT n.number FROM json_each(?1) j CROSS JOIN news_items n ON n.number = j.value
            CROSS JOIN news_sight s ON s.member = ?2 AND s.source = n.source
            """)
}
