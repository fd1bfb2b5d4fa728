/// Who is in the family, as one member sees it.
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

    /// What an event says of the family.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        switch event.type {
        case "family.founded", "family.renamed":
            family = event.data["family"].flatMap(Family.init) ?? family
            take(event.data)
        case "household.founded", "household.renamed", "member.added", "member.joined", "member.updated",
            "member.moved":
            take(event.data)
        case "household.removed":
            if let id = event.data["household"]?.identifier { households[id] = nil }
        case "member.removed":
            guard let id = event.data["member"]?.identifier else { return }
            members[id] = nil
            for key in members.keys {
                members[key]?.parents.removeAll { $0 == id }
                members[key]?.partners.removeAll { $0 == id }
            }
        default: break
        }
    }

    private mutating func take(_ data: JSON) {
        if let household = data["household"].flatMap(Household.init) { households[household.id] = household }
        if let member = data["member"].flatMap(Member.init) { members[member.id] = member }
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
