package import KinModel
package import KinStore

/// With whom a thing is shared besides its owner, as people choose it: everyone, a household, or members by name. All
/// areas use this one type. On the wire and in tables it is called `audience`. The roster decides which members that
/// means, and ``SharedThings`` writes it down.
///
/// Sharing of positions does not use it: there, a newcomer is asked about first.
package enum SharedWith: Hashable, Sendable {
    /// Every member who is no guest.
    case everyone
    /// Everybody in a household, its guests included unless guests see what is shared only where they are named.
    case household(Identifier)
    /// These members, guests or not.
    case members([Identifier])

    /// Nobody but the owner.
    package static let nobody = SharedWith.members([])

    /// The household that it is shared with, if it is one.
    package var household: Identifier? { if case .household(let household) = self { household } else { nil } }

    /// Whether nobody but an owner sees it.
    package func isOnly(_ owner: Identifier) -> Bool {
        if case .members(let members) = self { members.allSatisfy { $0 == owner } } else { false }
    }

    // MARK: By the roster

    /// Whether a member sees what an owner shares in this way.
    package func includes(_ entry: Roster.Entry, of owner: Identifier) -> Bool {
        if entry.id == owner { return true }
        return switch self {
        case .everyone: entry.role != .guest
        case .household(let household): entry.household == household
        case .members(let members): members.contains(entry.id)
        }
    }

    /// Everybody who sees what an owner shares in this way.
    package func audience(of owner: Identifier, in roster: Roster) -> Audience {
        Audience(roster.entries.filter { includes($0, of: owner) }.map(\.number))
    }

    // MARK: On the wire

    /// `"everyone"`, `"household"` or a list of members.
    package static let shape = Shape.either(.oneOf(["everyone", "household"]), .list(.id, max: Limits.membersMax))

    /// The sentence about it in the summary of a field.
    package static let summary =
        "everyone (every non-guest), household (the caller's own, its guests included), or members; with the owner always."

    /// The same of things that guests see only where they are named.
    package static let summaryByName =
        "everyone (every non-guest), household (the caller's own, without guests), or members; with the owner always."

    /// As the wire has it.
    package var json: JSON {
        switch self {
        case .everyone: "everyone"
        case .household: "household"
        case .members(let members): .array(members.map { .id($0) })
        }
    }

    // MARK: In tables

    /// The word in the column `audience`.
    package var word: String {
        switch self {
        case .everyone: "everyone"
        case .household: "household"
        case .members: "members"
        }
    }

    /// Reads the columns `audience` and `household`, and the rows of members where they count. For a household that
    /// does not exist, the result is nobody.
    package init(
        word: String, household: Identifier?, members: () throws(StoreFailure) -> [Identifier]
    ) throws(StoreFailure) {
        switch (word, household) {
        case ("everyone", _): self = .everyone
        case ("household", let household?): self = .household(household)
        case ("household", nil): self = .nobody
        // Nothing is written yet in a row that was made just now: it is nobody's so far.
        case ("members", _), ("", _): self = .members(try members())
        default: throw .corrupt("something is shared with whom this program does not know")
        }
    }
}
