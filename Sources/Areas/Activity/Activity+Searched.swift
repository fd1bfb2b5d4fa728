import KinKeeper
import KinModel
import KinStore

extension Activity {
    /// Announcements and sayings are found by each member who may read the whole text (`activity.show`).
    static let searched = [
        Searched(
            "announcement", table: "announcement_numbers", isTakenInLater: true,
            row: """
                SELECT a.id, a.at, a.author, NULL, NULL, a.text FROM announcement_numbers n
                JOIN announcements a ON a.id = n.id WHERE n.number = ?1
                """,
            seen: { (act, numbers) throws(Rejection) in
                let member = try act.member
                let list = JSON.array(numbers.map { .int($0) }).text
                // As InboxQuery.isAnnouncement says it, and the owner.
                return Set(
                    try act.rows(
                        """
                        SELECT n.number FROM json_each(?1) j CROSS JOIN announcement_numbers n ON n.number = j.value
                        CROSS JOIN announcements a ON a.id = n.id
                        WHERE a.by = ?2 OR (?3 AND a.author IS NOT ?2 AND a.seq >
                            (SELECT m.joined FROM inbox_members m WHERE m.member = ?2))
                        """, .text(list), .id(member.id), .bool(member.role != .guest)
                    ) { row in row.int(0) })
            }),
        Searched(
            "saying", table: "saying_numbers",
            row: """
                SELECT s.id, s.at, s.by, NULL, NULL, s.text FROM saying_numbers n JOIN sayings s ON s.id = n.id
                WHERE n.number = ?1
                """,
            sight: """
                SELECT n.number FROM json_each(?1) j CROSS JOIN saying_numbers n ON n.number = j.value
                CROSS JOIN sayings s ON s.id = n.id WHERE s.by IS ?2
                OR EXISTS (SELECT 1 FROM said_to t WHERE t.saying = s.id AND t.member = ?2)
                """),
    ]
}
