import KinKeeper
import KinLoop
import KinModel

/// Every open connection by its token, and their number: in all, for each address, and for each member.
///
/// Confined to the loop's thread.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private(set) var count = 0
    /// The number of connections of each remote address.
    private(set) var perAddress: [IPAddress: Int] = [:]
    /// The number of connections signed in as each member, from remote addresses.
    private(set) var perMember: [Identifier: Int] = [:]

    /// The connections that are not closed.
    var open: some Sequence<Connection> {
        slots.lazy.compactMap { $0 }.filter { !$0.isClosed }
    }

    subscript(token: Token) -> Connection? {
        let slot = Int(token.slot)
        guard slot < slots.count, let connection = slots[slot], connection.token == token, !connection.isClosed
        else { return nil }
        return connection
    }

    /// By the number that stands in tickets and jobs.
    subscript(key key: UInt64) -> Connection? {
        self[Token(slot: UInt32(truncatingIfNeeded: key), generation: UInt32(truncatingIfNeeded: key >> 32))]
    }

    mutating func insert(_ connection: Connection) {
        let slot = Int(connection.token.slot)
        while slots.count <= slot { slots.append(nil) }
        slots[slot] = connection
        count += 1
    }

    /// Takes one out that is closed.
    mutating func remove(_ connection: Connection) {
        forgetMember(connection)
        forgetAddress(connection)
        slots[Int(connection.token.slot)] = nil
        count -= 1
    }

    /// Takes out all, closed or not.
    mutating func removeAll() { slots = [] }

    // MARK: Of an address

    /// Counts a connection at its address; returns the number there.
    @discardableResult mutating func countAtAddress(_ connection: Connection) -> Int {
        guard let key = connection.address?.slowdownKey else { return 0 }
        if !connection.isCountedForAddress {
            connection.isCountedForAddress = true
            perAddress[key, default: 0] += 1
        }
        return perAddress[key, default: 0]
    }

    /// Counts a connection at its address no longer.
    mutating func forgetAddress(_ connection: Connection) {
        guard connection.isCountedForAddress, let key = connection.address?.slowdownKey else { return }
        connection.isCountedForAddress = false
        perAddress.countDown(key)
    }

    // MARK: Of a member

    /// Counts a connection as its member's. A program on this machine may open thousands; those do not count, so that
    /// the member's phones keep their share.
    mutating func countAtMember(_ connection: Connection) {
        guard let member = connection.identity?.member, !connection.isLocal, !connection.isCountedForMember else {
            return
        }
        connection.isCountedForMember = true
        perMember[member, default: 0] += 1
    }

    /// Counts a connection as its member's no longer.
    mutating func forgetMember(_ connection: Connection) {
        guard let identity = connection.identity else { return }
        connection.identity = nil
        guard connection.isCountedForMember else { return }
        connection.isCountedForMember = false
        perMember.countDown(identity.member)
    }
}

extension Dictionary where Value == Int {
    /// Subtracts one under this key, and removes the key at zero.
    fileprivate mutating func countDown(_ key: Key) {
        let left = self[key, default: 1] - 1
        self[key] = left > 0 ? left : nil
    }
}
