package import KinModel
package import KinStore

/// The family's members, read from the roster's tables (``rosterTables``). Any area may join these tables; one area
/// writes them.
package enum People {
    /// The tables of the roster: the only ones that areas may read of each other.
    package static let rosterTables: Set<String> = ["family", "households", "members", "parents", "partners"]

    /// The family; `nil` before it is founded.
    package static func family(_ database: Database) throws(StoreFailure) -> Family? {
        try database.first("SELECT id, name FROM family") { (row) throws(StoreFailure) in
            Family(id: row.identifier("id"), name: row.text("name"))
        }
    }

    /// The households in sight, by identifier.
    package static func households(_ database: Database, in sight: Sight) throws(StoreFailure) -> [Household] {
        try database.rows("SELECT id, name FROM households ORDER BY id") { (row) throws(StoreFailure) in
            Household(id: row.identifier("id"), name: row.text("name"))
        }.filter { sight.contains($0.id) }
    }

    /// The members in sight, as the caller sees them, by identifier.
    package static func members(_ database: Database, in sight: Sight) throws(StoreFailure) -> [Member] {
        switch sight {
        case .household(let household):
            return try database.rows(columns + " WHERE household = ? ORDER BY id", .id(household), map: read)
                .map(\.asGuestsSee)
        case .all:
            var parents: [Identifier: [Identifier]] = [:]
            var partners: [Identifier: [Identifier]] = [:]
            _ = try database.rows("SELECT child, parent FROM parents ORDER BY parent") { (row) throws(StoreFailure) in
                parents[row.identifier("child"), default: []].append(row.identifier("parent"))
            }
            _ = try database.rows("SELECT one, other FROM partners ORDER BY other") { (row) throws(StoreFailure) in
                partners[row.identifier("one"), default: []].append(row.identifier("other"))
            }
            return try database.rows(columns + " ORDER BY id", map: read).map { member in
                var member = member
                member.parents = parents[member.id] ?? []
                member.partners = partners[member.id] ?? []
                return member
            }
        }
    }

    /// One member, with every field.
    package static func member(_ id: Identifier, _ database: Database) throws(StoreFailure) -> Member? {
        guard var member = try database.first(columns + " WHERE id = ?", .id(id), map: read) else { return nil }
        member.parents = try database.rows("SELECT parent FROM parents WHERE child = ? ORDER BY parent", .id(id)) {
            (row) throws(StoreFailure) in row.identifier(0)
        }
        member.partners = try database.rows("SELECT other FROM partners WHERE one = ? ORDER BY other", .id(id)) {
            (row) throws(StoreFailure) in row.identifier(0)
        }
        return member
    }

    /// The roster of the family, for audiences.
    package static func roster(_ database: Database) throws(StoreFailure) -> Roster {
        Roster(
            try database.rows("SELECT id, number, role, household, kind FROM members ORDER BY number") {
                (row) throws(StoreFailure) in
                guard let role = Role(rawValue: row.text("role")), let number = Int32(exactly: row.int("number")) else {
                    throw .corrupt("a member has no role or number that this program knows")
                }
                return Roster.Entry(
                    id: row.identifier("id"), number: number, role: role, household: row.identifier("household"),
                    isWall: row.text("kind") == MemberKind.wall.rawValue)
            })
    }

    /// Written out, and not made from the fields of `Member`: relations are rows of other tables, and every snapshot
    /// reads this of every member.
    private static let columns = "SELECT id, username, display_name, role, kind, household, picture FROM members"

    private static func read(_ row: borrowing Row) throws(StoreFailure) -> Member {
        guard let role = Role(rawValue: row.text("role")), let kind = MemberKind(rawValue: row.text("kind")) else {
            throw .corrupt("a member has no role or kind that this program knows")
        }
        return Member(
            id: row.identifier("id"), username: row.text("username"), displayName: row.text("display_name"), role: role,
            kind: kind, household: row.identifier("household"), picture: row.optionalText("picture"))
    }
}
