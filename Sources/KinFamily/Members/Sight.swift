import KinModel
import KinStore

/// What somebody sees of the family: all of it, or as a guest one household with the names of its people.
enum Sight: Hashable, Sendable {
    /// Every household, every member, with relations and usernames.
    case all
    /// One household and its members, without relations and usernames.
    case household(Identifier)

    init(role: Role, household: Identifier) { self = role == .guest ? .household(household) : .all }

    /// Whether a household is in sight.
    func contains(_ household: Identifier) -> Bool {
        switch self {
        case .all: true
        case .household(let own): own == household
        }
    }

    /// A member as seen from here.
    func show(_ member: Member) -> Member { self == .all ? member : member.asGuestsSee }
}

extension Member {
    /// Without the relations and the username.
    var asGuestsSee: Member {
        var seen = self
        seen.username = ""
        seen.parents = []
        seen.partners = []
        return seen
    }
}

extension Act {
    /// What the caller sees; `nil` for nobody.
    var sight: Sight? {
        switch caller {
        case .nobody: nil
        case .machine: .all
        case .member(let member): Sight(role: member.role, household: member.household)
        }
    }
}

extension Members {
    /// The family; `nil` before it is founded.
    static func family(_ database: Database) throws(StoreFailure) -> Family? {
        try database.first("SELECT id, name FROM family") { (row) throws(StoreFailure) in
            Family(id: row.identifier(0), name: row.text(1))
        }
    }

    /// The households in sight, by identifier.
    static func households(_ database: Database, in sight: Sight) throws(StoreFailure) -> [Household] {
        try database.rows("SELECT id, name FROM households ORDER BY id") { (row) throws(StoreFailure) in
            Household(id: row.identifier(0), name: row.text(1))
        }.filter { sight.contains($0.id) }
    }

    /// The members in sight, as they are seen, by identifier.
    static func members(_ database: Database, in sight: Sight) throws(StoreFailure) -> [Member] {
        switch sight {
        case .household(let household):
            return try database.rows(columns + " WHERE household = ? ORDER BY id", .id(household), map: read)
                .map(\.asGuestsSee)
        case .all:
            var parents: [Identifier: [Identifier]] = [:]
            var partners: [Identifier: [Identifier]] = [:]
            _ = try database.rows("SELECT child, parent FROM parents ORDER BY parent") { (row) throws(StoreFailure) in
                parents[row.identifier(0), default: []].append(row.identifier(1))
            }
            _ = try database.rows("SELECT one, other FROM partners ORDER BY other") { (row) throws(StoreFailure) in
                partners[row.identifier(0), default: []].append(row.identifier(1))
            }
            return try database.rows(columns + " ORDER BY id", map: read).map { member in
                var member = member
                member.parents = parents[member.id] ?? []
                member.partners = partners[member.id] ?? []
                return member
            }
        }
    }

    /// One member, with everything.
    static func member(_ id: Identifier, _ database: Database) throws(StoreFailure) -> Member? {
        guard var member = try database.first(columns + " WHERE id = ?", .id(id), map: read) else { return nil }
        member.parents = try database.rows("SELECT parent FROM parents WHERE child = ? ORDER BY parent", .id(id)) {
            (row) throws(StoreFailure) in row.identifier(0)
        }
        member.partners = try database.rows("SELECT other FROM partners WHERE one = ? ORDER BY other", .id(id)) {
            (row) throws(StoreFailure) in row.identifier(0)
        }
        return member
    }

    /// What a member sees of the area.
    static func show(_ database: Database, _ viewer: Viewer, _ snapshot: inout Snapshot) throws(StoreFailure) {
        snapshot.family = try family(database)
        snapshot.me = viewer.id
        guard viewer.view.contains(type: "member.") else { return }
        let sight = Sight(role: viewer.role, household: viewer.household)
        for household in try households(database, in: sight) { snapshot.households[household.id] = household }
        for member in try members(database, in: sight) { snapshot.members[member.id] = member }
    }

    private static let columns = "SELECT id, username, display_name, role, kind, household, picture FROM members"

    private static func read(_ row: borrowing Row) throws(StoreFailure) -> Member {
        guard let role = Role(rawValue: row.text(3)), let kind = MemberKind(rawValue: row.text(4)) else {
            throw .corrupt("a member has no role or kind that this program knows")
        }
        return Member(
            id: row.identifier(0), username: row.text(1), displayName: row.text(2), role: role, kind: kind,
            household: row.identifier(5), picture: row.optionalText(6))
    }
}
