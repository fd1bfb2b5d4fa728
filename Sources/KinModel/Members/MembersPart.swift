/// The family's households and members, as one member sees them.
public struct MembersPart: SnapshotPart {
    /// The family; `nil` before it is founded.
    public var family: Family?
    /// Households in sight, by identifier.
    public var households: [Identifier: Household] = [:]
    /// Members in sight, by identifier.
    public var members: [Identifier: Member] = [:]

    /// Its names in the snapshot.
    public static let names = ["households", "members"]
    /// The family is in every view.
    public static let namesInEveryView = ["family"]

    /// Nobody.
    public init() {}

    /// Reads its members of a snapshot's object.
    public init(_ json: JSON) {
        family = json["family"].flatMap(Family.init)
        for household in (json["households"]?.array ?? []).compactMap(Household.init) {
            households[household.id] = household
        }
        for member in (json["members"]?.array ?? []).compactMap(Member.init) { members[member.id] = member }
    }

    /// One of its members, by its name.
    public func json(_ name: String) -> JSON {
        switch name {
        case "family": family?.json ?? .null
        case "households": .sorted(households, \.json)
        default: .sorted(members, \.json)
        }
    }

    /// Empties households or members.
    public mutating func clear(_ name: String) {
        switch name {
        case "households": households = [:]
        default: members = [:]
        }
    }

    /// Applies what an event says of the family.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Family.founded] ?? event[Family.renamed] {
            family = data.family
        } else if let data = event[Household.founded] ?? event[Household.renamed] {
            households[data.household.id] = data.household
        } else if let data = event[Household.removed] {
            households[data.household] = nil
        } else if let data = event[Member.added] ?? event[Member.joined] {
            members[data.member.id] = data.member
        } else if let data = event[Member.updated] ?? event[Member.moved] {
            members[data.member.id] = data.member
        } else if let data = event[Member.removed] {
            members[data.member] = nil
            for key in members.keys {
                members[key]?.parents.removeAll { $0 == data.member }
                members[key]?.partners.removeAll { $0 == data.member }
            }
        }
    }
}

extension Snapshot {
    /// The family; `nil` before it is founded.
    public var family: Family? {
        get { self[MembersPart.self].family }
        _modify { yield &self[MembersPart.self].family }
    }
    /// Households in sight, by identifier.
    public var households: [Identifier: Household] {
        get { self[MembersPart.self].households }
        _modify { yield &self[MembersPart.self].households }
    }
    /// Members in sight, by identifier.
    public var members: [Identifier: Member] {
        get { self[MembersPart.self].members }
        _modify { yield &self[MembersPart.self].members }
    }
}
