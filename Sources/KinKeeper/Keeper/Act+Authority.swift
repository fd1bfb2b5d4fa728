package import KinModel
import KinStore

/// Who may do what to whom, in one place.
extension Act {
    /// Whether the caller is an admin, or is at the machine.
    package var isAdministrator: Bool {
        switch caller {
        case .nobody: false
        case .machine: true
        case .member(let member): member.role == .admin
        }
    }

    /// Where the request came from, for the daemon's log.
    package var place: String { origin.addressKey.isEmpty ? "this machine" : origin.addressKey }

    /// Whether the caller leads a household: administrators lead all, heads their own.
    package func leads(_ household: Identifier) -> Bool {
        if isAdministrator { return true }
        guard case .member(let member) = caller else { return false }
        return member.role == .head && member.household == household
    }

    /// Whether the caller leads the member's household. A head does not lead an admin.
    package func leads(_ member: Member) -> Bool {
        isAdministrator || (leads(member.household) && member.role != .admin)
    }

    /// Whether the member is the caller.
    package func isOneself(_ member: Identifier) -> Bool { caller.memberID == member }

    /// Refuses unless a rule holds.
    package func require(_ isAllowed: Bool, _ sentence: String) throws(Rejection) {
        guard isAllowed else { throw Rejection(.forbidden, sentence) }
    }

    /// A member that the caller sees, with every field; 1404 when absent or hidden.
    package func member(_ id: Identifier, field: String = "member") throws(Rejection) -> Member {
        let found = try ask { (database) throws(StoreFailure) in try People.member(id, database) }
        guard let found, let sight, sight.contains(found.household) else {
            throw Rejection.notFound("member", id.description, field: field)
        }
        return found
    }

    /// A household that the caller sees; 1404 when absent or hidden.
    package func household(_ id: Identifier, field: String = "household") throws(Rejection) -> Household {
        let name = try first("SELECT name FROM households WHERE id = ?", .id(id)) { row in row.text(0) }
        guard let name, let sight, sight.contains(id) else {
            throw Rejection.notFound("household", id.description, field: field)
        }
        return Household(id: id, name: name)
    }

    /// The family; 1409 before it is founded.
    package func family() throws(Rejection) -> Family {
        guard let family = try ask({ (database) throws(StoreFailure) in try People.family(database) }) else {
            throw Rejection(.conflict, "No family is founded yet. Found it first: kin found, or the set-up link.")
        }
        return family
    }

    /// A member as the caller sees it: `{"member":…}`.
    package func show(_ member: Identifier) throws(Rejection) -> JSON {
        let found = try self.member(member)
        return ["member": (sight ?? .household(found.household)).show(found).json]
    }
}

extension Act {
    /// The calling member's household; `nil` at the machine.
    package var ownHousehold: Identifier? { if case .member(let member) = caller { member.household } else { nil } }

    /// Refuses unless the caller may bring somebody with this role into a household.
    package func mayBring(_ role: Role, into household: Identifier) throws(Rejection) {
        try require(leads(household), "Only admins and the heads of a household bring people into it.")
        try require(
            isAdministrator || role == .member || role == .guest,
            "A head brings in members and guests; ask an admin for more.")
    }
}
