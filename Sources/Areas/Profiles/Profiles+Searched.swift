import KinKeeper
import KinModel
import KinStore

extension Profiles {
    /// What members say of themselves is found by whoever sees it, and by whoever speaks for the member.
    static let searched = Searched(
        "profile", table: "profile_entries",
        row: "SELECT id, NULL, owner, NULL, label, value FROM profile_entries WHERE number = ?1",
        seen: { (act, numbers) throws(Rejection) in
            let list = JSON.array(numbers.map { .int($0) }).text
            let entries = try act.rows(
                """
                SELECT e.number, e.owner,
                EXISTS (SELECT 1 FROM profile_sight s WHERE s.member = ?2 AND s.entry = e.number)
                FROM json_each(?1) j CROSS JOIN profile_entries e ON e.number = j.value
                """, .text(list), .id(try act.member.id)
            ) { row in (number: row.int(0), owner: row.identifier(1), isSeen: row.bool(2)) }
            var isOwn: [Identifier: Bool] = [:]
            for owner in Set(entries.filter { !$0.isSeen }.map(\.owner)) { isOwn[owner] = try speaks(for: owner, act) }
            return Set(entries.filter { $0.isSeen || isOwn[$0.owner] == true }.map(\.number))
        })
}
