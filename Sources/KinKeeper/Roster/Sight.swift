package import KinModel
import KinStore

/// The part of the family that somebody sees: all of it, or, for a guest, one household with the names of its people.
package enum Sight: Hashable, Sendable {
    /// Every household, every member, with relations and usernames.
    case all
    /// One household and its members, without relations and usernames.
    case household(Identifier)

    package init(role: Role, household: Identifier) { self = role == .guest ? .household(household) : .all }

    /// Whether a household is in sight.
    package func contains(_ household: Identifier) -> Bool {
        switch self {
        case .all: true
        case .household(let own): own == household
        }
    }

    /// A member as seen with this sight.
    package func show(_ member: Member) -> Member { self == .all ? member : member.asGuestsSee }
}

extension Member {
    /// The member without relations and username.
    package var asGuestsSee: Member {
        var seen = self
        seen.username = ""
        seen.parents = []
        seen.partners = []
        return seen
    }
}
