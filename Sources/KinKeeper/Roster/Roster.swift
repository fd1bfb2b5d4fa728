public import KinModel
public import KinStore

extension Roster.Entry {
    /// Refuses what only a person can be: a screen on a wall answers nothing.
    package func mustAnswer(field: String) throws(Rejection) {
        guard isWall else { return }
        throw Rejection(.invalid, "A screen on a wall answers nothing; name a person.", field: field)
    }
}

/// The family's members as audiences need them. It is read once, and kept until a member, role or household changes.
public struct Roster: Sendable {
    /// One member of the roster.
    public struct Entry: Sendable, Hashable {
        /// The member.
        public let id: Identifier
        /// The number in audiences.
        public let number: Int32
        /// The role.
        public let role: Role
        /// The household.
        public let household: Identifier
        /// Whether it is a screen on a wall, and nobody.
        public let isWall: Bool

        package init(id: Identifier, number: Int32, role: Role, household: Identifier, isWall: Bool = false) {
            self.id = id
            self.number = number
            self.role = role
            self.household = household
            self.isWall = isWall
        }
    }

    /// Every member, by number.
    public let entries: [Entry]
    /// Every member who is no guest: what "everyone" means.
    public let everyone: Audience
    private let indexByID: [Identifier: Int]

    package init(_ entries: [Entry]) {
        hold(.membersHaveOneNumber, Set(entries.map(\.number)).count == entries.count)
        hold(.membersHaveOneNumber, Set(entries.map(\.id)).count == entries.count)
        self.entries = entries
        everyone = Audience(entries.filter { $0.role != .guest }.map(\.number))
        indexByID = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
    }

    /// A member's entry.
    public subscript(id: Identifier) -> Entry? { indexByID[id].map { entries[$0] } }

    /// The members of an audience who are still in the family.
    package func entries(in audience: Audience) -> [Entry] { entries.filter { audience.contains($0.number) } }

    /// The guests of a household.
    public func guests(of household: Identifier) -> Audience {
        Audience(entries.filter { $0.role == .guest && $0.household == household }.map(\.number))
    }

    /// Everybody in a household: members and guests.
    public func household(_ household: Identifier) -> Audience {
        Audience(entries.filter { $0.household == household }.map(\.number))
    }

    /// One member alone.
    public func only(_ id: Identifier) -> Audience { Audience(self[id].map { [$0.number] } ?? []) }

    /// The screens on walls: they see, and nobody calls them or waits for their answer.
    package var walls: Audience { Audience(entries.filter(\.isWall).map(\.number)) }

    /// Admins.
    public var admins: Audience { Audience(entries.filter { $0.role == .admin }.map(\.number)) }
}
