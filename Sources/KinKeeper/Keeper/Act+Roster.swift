package import KinModel
import KinStore

// What an act asks of the roster. The roster's types stand below the act and know nothing of it.

extension Act {
    /// The part of the family that the caller sees; `nil` when nobody is signed in.
    package var sight: Sight? {
        switch caller {
        case .nobody: nil
        case .machine: .all
        case .member(let member): Sight(role: member.role, household: member.household)
        }
    }
}

extension People {
    /// The member who made a member's invite, or added the member. `nil` where that is unknown, or that one has left
    /// the family.
    package static func bringer(of member: Identifier, _ act: Act) throws(Rejection) -> Identifier? {
        try act.first(
            "SELECT b.id FROM members m JOIN members b ON b.id = m.brought_by WHERE m.id = ?", .id(member)
        ) { (row) throws(StoreFailure) in row.identifier(0) }
    }
}

extension SharedWith {
    /// Reads a value that was checked against ``shape``. `household` is the household that the word stands for; without
    /// one, the value means nobody. Every member must be in sight of the caller, or it is 1404.
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
