import KinModel

/// What ids stand for, for people. Names once heard are kept, so that the line about a removed member still has one.
struct Names {
    private var members: [Identifier: String] = [:]
    private var households: [Identifier: String] = [:]
    /// Who looks.
    private(set) var me: Identifier?

    init() {}

    init(_ snapshot: Snapshot) { learn(snapshot) }

    mutating func learn(_ snapshot: Snapshot) {
        me = snapshot.me ?? me
        for member in snapshot.members.values { learn(member) }
        for household in snapshot.households.values { learn(household) }
    }

    /// Takes the names out of an event's data; of a member that is renamed the new one.
    mutating func learn(_ data: JSON) {
        if let member = data["member"].flatMap(Member.init) { learn(member) }
        if let household = data["household"].flatMap(Household.init) { learn(household) }
    }

    mutating func learn(_ member: Member) { members[member.id] = Plain.line(member.displayName) }
    mutating func learn(_ household: Household) { households[household.id] = Plain.line(household.name) }

    func member(_ id: Identifier?) -> String { id.flatMap { members[$0] } ?? phrase("names.somebody") }
    func household(_ id: Identifier?) -> String { id.flatMap { households[$0] } ?? phrase("names.unknown") }
}
