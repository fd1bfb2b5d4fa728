import KinKeeper

extension Alarms {
    /// Alarms that go on are found by whoever raised them and by whoever is called, by their text and their place's name.
    static let searched = Searched(
        "alarm", table: "alarm_numbers",
        row: """
            SELECT a.id, a.at, a.raiser, NULL, NULL,
            trim(coalesce(a.text, '') || char(10) || coalesce(a.place, ''), char(10))
            FROM alarm_numbers n JOIN alarms a ON a.id = n.id WHERE n.number = ?1
            """,
        sight: """
            SELECT n.number FROM json_each(?1) j CROSS JOIN alarm_numbers n ON n.number = j.value
            CROSS JOIN alarms a ON a.id = n.id WHERE a.raiser = ?2
            OR EXISTS (SELECT 1 FROM alarm_called c WHERE c.alarm = a.id AND c.member = ?2)
            """)
}
