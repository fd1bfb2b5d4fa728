import KinKeeper
import KinLoop
import KinModel

/// Every open connection by its token, how many there may be (in all, for each address, and for each member), when each
/// is looked at again, and which of them have something to send or are closed in this turn.
///
/// Confined to the loop's thread.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private(set) var count = 0
    /// The number of connections of each remote address.
    private(set) var perAddress: [IPAddress: Int] = [:]
    /// The number of connections signed in as each member, from remote addresses.
    private(set) var perMember: [Identifier: Int] = [:]
    /// When each connection's life must be looked at again.
    private var deadlines = Timers<Token>()
    /// Connections that are written to at the turn's end.
    private var dirty: [Connection] = []
    /// Connections that were closed in this turn; they leave the table at its end.
    private(set) var closed: [Connection] = []
    private let connectionsMax: Int
    private let perAddressMax: Int
    private let perMemberMax: Int

    init(_ limits: ServerLimits) {
        connectionsMax = limits.connectionsMax
        perAddressMax = limits.connectionsPerAddressMax
        perMemberMax = limits.connectionsPerMemberMax
    }

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

    /// Whether the last one is one too many.
    var isOverfull: Bool { count > connectionsMax }

    /// Takes one out that is closed.
    private mutating func remove(_ connection: Connection) {
        deadlines.cancel(connection.token)
        forgetMember(connection)
        forgetAddress(connection)
        slots[Int(connection.token.slot)] = nil
        count -= 1
    }

    /// Takes out all, closed or not.
    mutating func removeAll() { slots = [] }

    // MARK: Within a turn

    /// Whether some are to be written to at the turn's end.
    var hasDirty: Bool { !dirty.isEmpty }

    /// Has a connection written to at the turn's end; false where that is so already.
    mutating func markDirty(_ connection: Connection) -> Bool {
        guard !connection.isDirty else { return false }
        connection.isDirty = true
        dirty.append(connection)
        return true
    }

    /// Takes the connections that are to be written to.
    mutating func takeDirty() -> [Connection] {
        defer { dirty = [] }
        return dirty
    }

    /// Notes that a connection was closed.
    mutating func close(_ connection: Connection) { closed.append(connection) }

    /// The turn is over: takes out what was closed in it.
    mutating func reap() {
        for connection in closed { remove(connection) }
        closed.removeAll(keepingCapacity: true)
    }

    // MARK: Moments

    /// How many connections wait for a moment.
    var planned: Int { deadlines.count }

    /// Plans when a connection is looked at again, in place of the moment it had; `nil` for never.
    mutating func plan(_ connection: Connection, at moment: UInt64?) {
        if let moment { deadlines.set(connection.token, at: moment) } else { deadlines.cancel(connection.token) }
    }

    /// The next moment of all.
    var next: UInt64? { mutating get { deadlines.next } }

    /// Takes the connection whose moment came first, where it is not after `now`.
    mutating func popDue(now: UInt64) -> Connection? {
        while let token = deadlines.popDue(now: now) {
            if let connection = self[token] { return connection }
        }
        return nil
    }

    /// The time to wait for the next moment, in whole milliseconds rounded up; `nil` when nothing is planned.
    mutating func timeoutMilliseconds(now: UInt64) -> Int? { deadlines.timeoutMilliseconds(now: now) }

    // MARK: Of an address

    /// Counts a connection at its address; answers whether it is one too many there.
    mutating func isOneTooMany(atAddressOf connection: Connection) -> Bool {
        countAtAddress(connection) > perAddressMax
    }

    private mutating func countAtAddress(_ connection: Connection) -> Int {
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

    /// Whether a member has more connections than may be, from elsewhere than this machine.
    func isOneTooMany(of member: Identifier) -> Bool { perMember[member, default: 0] > perMemberMax }

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
