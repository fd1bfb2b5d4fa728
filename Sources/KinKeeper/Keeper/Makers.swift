package import KinModel
package import KinStore

/// The members who opened an account: they made the link or set the password, where the member did not.
///
/// Mostly it is one member, or the machine. When somebody opened an account by a link and then makes the next link in
/// that account's name, both are listed. So nobody can vouch for a session that goes back to themselves.
package struct Makers: Hashable, Sendable {
    /// The makers, the first one first; zeros stand for the machine.
    package let members: [Identifier]

    /// Root, or the daemon's own user.
    package static let machine = Makers(members: [nobody])
    private static let nobody = Identifier(high: 0, low: 0)

    private init(members: [Identifier]) { self.members = members }

    /// One more maker, after those before.
    package init(_ member: Identifier, after before: Makers?) {
        members = Array(((before?.members ?? []).filter { $0 != member } + [member]).suffix(Self.max))
    }

    /// How many are remembered.
    private static let max = 8

    /// Whether a member is the only maker.
    package func isAlone(_ member: Identifier) -> Bool { members == [member] }

    /// The last maker, as answers and events name it; null for the machine.
    package var json: JSON { last.map { .id($0) } ?? .null }

    /// The last maker, who answers for it; `nil` for the machine.
    package var last: Identifier? { members.last.flatMap { $0 == Self.nobody ? nil : $0 } }

    // MARK: In the database: their bytes, one after the other

    package var value: Value { .blob(members.flatMap(\.bytes)) }

    /// `nil` for NULL: the member's own doing.
    package init?(_ bytes: [UInt8]?) {
        guard let bytes else { return nil }
        members = stride(from: 0, to: bytes.count - 15, by: 16).compactMap {
            Identifier(bytes: Array(bytes[$0..<($0 + 16)]))
        }
    }
}

extension Act {
    /// The makers of what the caller makes for an account.
    package var makers: Makers {
        guard case .member(let caller) = caller, !caller.isAtMachine else { return .machine }
        return Makers(caller.id, after: caller.openedBy)
    }

    /// Whether the caller's word counts as the member's own. It does not from a session that still waits.
    package var isOwnWord: Bool {
        switch caller {
        case .nobody: false
        case .machine: true
        case .member(let member): !member.isWaiting
        }
    }
}
