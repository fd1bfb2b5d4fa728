import KinKeeper

extension Profiles {
    /// What members say of themselves is found by whoever sees it in the member's profile. Who holds a child's sharing has
    /// what the child alone sees shown by name (`profile.list`), and does not come upon it.
    static let searched = Searched(
        "profile", table: "profile_entries",
        row: "SELECT id, NULL, owner, NULL, label, value FROM profile_entries WHERE number = ?1",
        sight: """
            SELECT s.entry FROM json_each(?1) j CROSS JOIN profile_sight s ON s.member = ?2 AND s.entry = j.value
            """)
}
