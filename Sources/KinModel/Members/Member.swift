/// What a member may do, from most to least.
public enum Role: String, Sendable, CaseIterable, Hashable {
    /// May do everything that is not a member's own affair.
    case admin
    /// Leads a household: invites into it, renames it, names its grown-ups.
    case head
    /// Sees and does what families do together.
    case member
    /// Sees only what names them, and the people of the household they were put in.
    case guest
}

/// Grown or not. A child founds no household of its own.
public enum MemberKind: String, Sendable, CaseIterable, Hashable {
    /// Grown.
    case adult
    /// Not grown.
    case child
}

/// A person of the family, as other members see them.
public struct Member: Sendable, Hashable {
    /// The member's identifier.
    public let id: Identifier
    /// The name to sign in with: `[a-z0-9._-]{1,32}`; empty where a guest looks, who is not told it.
    public var username: String
    /// The name people read.
    public var displayName: String
    /// What the member may do.
    public var role: Role
    /// Grown or not.
    public var kind: MemberKind
    /// The household the member belongs to.
    public var household: Identifier
    /// The name of the member's picture, which changes with the picture: `GET /api/members/{id}/picture/{name}`.
    public var picture: String?
    /// The member's parents in this family, sorted.
    public var parents: [Identifier]
    /// The member's partners in this family, sorted.
    public var partners: [Identifier]

    /// A member with all that others see.
    public init(
        id: Identifier, username: String, displayName: String, role: Role, kind: MemberKind, household: Identifier,
        picture: String? = nil, parents: [Identifier] = [], partners: [Identifier] = []
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.role = role
        self.kind = kind
        self.household = household
        self.picture = picture
        self.parents = parents
        self.partners = partners
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let displayName = json["displayName"]?.string,
            let role = json["role"]?.string.flatMap(Role.init),
            let kind = json["kind"]?.string.flatMap(MemberKind.init), let household = json["household"]?.identifier
        else { return nil }
        self.init(
            id: id, username: json["username"]?.string ?? "", displayName: displayName, role: role, kind: kind,
            household: household, picture: json["picture"]?.string,
            parents: json["parents"]?.array?.compactMap(\.identifier) ?? [],
            partners: json["partners"]?.array?.compactMap(\.identifier) ?? [])
    }

    /// `{"id","username"?,"displayName","role","kind","household","picture"?,"parents","partners"}`.
    public var json: JSON {
        .object(leavingOut: [
            "id": .id(id), "username": username.isEmpty ? nil : .string(username),
            "displayName": .string(displayName), "role": .string(role.rawValue), "kind": .string(kind.rawValue),
            "household": .id(household),
            "picture": picture.map { .string($0) },
            "parents": .array(parents.map { .id($0) }), "partners": .array(partners.map { .id($0) }),
        ])
    }
}
