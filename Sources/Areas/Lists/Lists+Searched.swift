import KinKeeper

extension Lists {
    /// Lists and their items are found by members who see the list. The time of an item is the time at which its text
    /// was written.
    static let searched = [
        Searched(
            "list", table: "lists",
            row: "SELECT id, NULL, owner, NULL, name, NULL FROM lists WHERE number = ?1",
            sight: """
                SELECT s.list FROM json_each(?1) j CROSS JOIN list_sight s ON s.member = ?2 AND s.list = j.value
                """),
        Searched(
            "item", table: "list_items", within: "list",
            row: """
                SELECT i.id, coalesce(
                    (SELECT t.at FROM list_stamps t WHERE t.item = i.number AND t.field = 'text'), 0),
                NULL, l.id, i.text, i.note
                FROM list_items i JOIN lists l ON l.number = i.owner_list WHERE i.number = ?1 AND i.removed_at IS NULL
                """,
            sight: """
                SELECT i.number FROM json_each(?1) j CROSS JOIN list_items i ON i.number = j.value
                CROSS JOIN list_sight s ON s.member = ?2 AND s.list = i.owner_list WHERE i.removed_at IS NULL
                """),
    ]
}
