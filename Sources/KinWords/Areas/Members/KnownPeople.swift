package import KinModel

/// Members and households by their names.
package struct KnownPeople: Known {
    fileprivate var members = ShownNames()
    fileprivate var households: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for member in snapshot.members.values { learn(member) }
        for household in snapshot.households.values { learn(household) }
    }

    package mutating func learn(_ data: JSON) {
        if let member = data["member"].flatMap(Member.init) { learn(member) }
        if let household = data["household"].flatMap(Household.init) { learn(household) }
    }

    package mutating func learn(_ member: Member) { members.learn(member) }
    package mutating func learn(_ household: Household) { households[household.id] = Plain.line(household.name) }
}

extension Names {
    package mutating func learn(_ member: Member) { self[KnownPeople.self].learn(member) }
    package mutating func learn(_ household: Household) { self[KnownPeople.self].learn(household) }

    /// With the username behind where another member's name looks the same.
    package func member(_ id: Identifier?, _ reader: Reader) -> String {
        id.flatMap { self[KnownPeople.self].members[$0] }.map { Plain.line($0) } ?? reader.phrase("names.somebody")
    }
    /// Whether a member is known by the name it has now.
    package func knows(_ member: Member) -> Bool {
        self[KnownPeople.self].members.name(of: member.id) == member.displayName
    }
    package func household(_ id: Identifier?, _ reader: Reader) -> String {
        id.flatMap { self[KnownPeople.self].households[$0] } ?? reader.phrase("names.unknown")
    }
}
