import KinKeeper

extension Places {
    /// Places are found by their names, by whoever sees them.
    static let searched = Searched(
        "place", table: "places",
        row: "SELECT id, NULL, owner, NULL, name, NULL FROM places WHERE number = ?1",
        sight: """
            SELECT s.place FROM json_each(?1) j CROSS JOIN place_sight s ON s.member = ?2 AND s.place = j.value
            """)
}
