/// The role of a member, which says what the member may do: from most to least.
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

/// Grown or not, or nobody at all. A child founds no household of its own.
public enum MemberKind: String, Sendable, CaseIterable, Hashable {
    /// Grown.
    case adult
    /// Not grown.
    case child
    /// A screen on a household's wall. It is shown what the household may all see, and does nothing.
    case wall

    /// The kinds that a person can be.
    public static let people: [MemberKind] = [.adult, .child]
}

/// A person of the family, as other members see them.
public struct Member: WireRecord {
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

    /// As it is written.
    public static let fields = Fields(
        "Member",
        {
            Member(
                id: $0, username: $1 ?? "", displayName: $2, role: $3, kind: $4, household: $5, picture: $6,
                parents: $7, partners: $8)
        },
        .required("id", \.id, .id),
        .optional(
            "username", \.usernameIfTold, .text(.username),
            "The name to sign in with; guests are not told it."),
        .required("displayName", \.displayName, .name, "The name people read."),
        .required("role", \.role, .word),
        .required("kind", \.kind, .word),
        .required("household", \.household, .id),
        .optional("picture", \.picture, .token(max: 128), "The picture's name, which changes with the picture."),
        .required("parents", \.parents, relations, absent: []),
        .required("partners", \.partners, relations, absent: []))

    private var usernameIfTold: String? { username.isEmpty ? nil : username }

    private static let relations = Form.list(.id, max: Limits.relationsPerMemberMax)
}
