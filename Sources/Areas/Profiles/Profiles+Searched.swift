import KinKeeper

extension Profiles {
    /// An entry of a profile is found by members who see it in the profile. The holder of a child's sharing can list
    /// entries that only the child sees by name (`profile.list`), but does not find them by a search.
    static let searched = Searched(
        "profile", table: "profile_entries",
        row: "SELECT id, NULL, owner, NULL, label, value FROM profile_entries WHERE number = ?1",
        sight: """
            SELECT s.entry FROM json_each(?1) j CROSS JOIN profile_sight s ON s.member = ?2 AND s.entry = j.value
            """)
}
