import KinKeeper

extension Alarms {
    /// An alarm that goes on is found by the member who raised it and by those who are called, by its text and its
    /// place's name.
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
