import KinModel

/// Members and households by their names.
struct KnownPeople: Known {
    var members = ShownNames()
    var households: [Identifier: String] = [:]

    init() {}

    mutating func learn(_ snapshot: Snapshot) {
        for member in snapshot.members.values { learn(member) }
        for household in snapshot.households.values { learn(household) }
    }

    mutating func learn(_ data: JSON) {
        if let member = data["member"].flatMap(Member.init) { learn(member) }
        if let household = data["household"].flatMap(Household.init) { learn(household) }
    }

    mutating func learn(_ member: Member) { members.learn(member) }
    mutating func learn(_ household: Household) { households[household.id] = Plain.line(household.name) }
}

extension Names {
    mutating func learn(_ member: Member) { self[KnownPeople.self].learn(member) }
    mutating func learn(_ household: Household) { self[KnownPeople.self].learn(household) }

    /// With the username behind where another member's name looks the same.
    func member(_ id: Identifier?) -> String {
        id.flatMap { self[KnownPeople.self].members[$0] }.map { Plain.line($0) } ?? phrase("names.somebody")
    }
    /// Whether a member is known by the name it has now.
    func knows(_ member: Member) -> Bool { self[KnownPeople.self].members.name(of: member.id) == member.displayName }
    func household(_ id: Identifier?) -> String {
        id.flatMap { self[KnownPeople.self].households[$0] } ?? phrase("names.unknown")
    }
}
