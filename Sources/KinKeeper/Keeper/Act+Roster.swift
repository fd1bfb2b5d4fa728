package import KinModel
import KinStore

// What an act asks of the roster: these types stand below it, and know of no act.

extension Act {
    /// What the caller sees; `nil` for nobody.
    package var sight: Sight? {
        switch caller {
        case .nobody: nil
        case .machine: .all
        case .member(let member): Sight(role: member.role, household: member.household)
        }
    }
}

extension People {
    /// Who made a member's invite or added the member, as long as that one belongs to the family; `nil` where it is unknown.
    package static func bringer(of member: Identifier, _ act: Act) throws(Rejection) -> Identifier? {
        try act.first(
            "SELECT b.id FROM members m JOIN members b ON b.id = m.brought_by WHERE m.id = ?", .id(member)
        ) { (row) throws(StoreFailure) in row.identifier(0) }
    }
}

extension SharedWith {
    /// Reads what was checked against ``shape``. `household` is the one that the word means; where there is none, nobody is
    /// meant. Members are each in sight of the caller, or it is 1404.
    package init(
        _ json: JSON, household: Identifier?, field: String = "audience", _ act: Act
    ) throws(Rejection) {
        if let word = json.string {
            self = word == "everyone" ? .everyone : household.map { .household($0) } ?? .nobody
            return
        }
        var members: [Identifier] = []
        for id in (json.array ?? []).compactMap(\.identifier) where !members.contains(id) {
            members.append(try act.member(id, field: field).id)
        }
        self = .members(members.sorted())
    }
}
