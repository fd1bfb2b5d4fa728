import KinKeeper
import KinLoop

/// The snapshots of all connections: who waits for one, how much room they take, and which came too early.
///
/// Confined to the loop's thread.
struct SnapshotDesk {
    /// Connections that need a snapshot and wait for room.
    let line = FairMailbox<Party, UInt64>()
    /// The same, to see who is in line already.
    private var waiting: Set<UInt64> = []
    /// The room that snapshots share.
    var room: SnapshotRoom
    /// Snapshots of a turn whose commit has not come yet, and those that wait for another message to be over.
    private var early: [Early] = []
    /// Whether the replies of a commit are being sent. Snapshots of the same turn wait for them.
    var isAnswering = false
    /// The moment at which the daemon's log last told of an area whose part was too large.
    private var outgrownToldAt: [String: UInt64] = [:]

    /// A snapshot that must wait.
    struct Early {
        let connection: UInt64
        let following: Following
        let made: SnapshotMade
    }

    init(_ limits: ServerLimits) {
        room = SnapshotRoom(bytesMax: limits.snapshotsBytesMax, pieceBytesMax: limits.snapshotPieceBytesMax)
    }

    /// Puts a connection in line, once.
    mutating func wait(_ connection: UInt64, _ party: Party) {
        guard waiting.insert(connection).inserted else { return }
        line.post(connection, of: party)
    }

    /// The next in line, where there is room for one more.
    mutating func next() -> UInt64? {
        guard room.hasRoom(early: early.count), let connection = line.take() else { return nil }
        waiting.remove(connection)
        return connection
    }

    /// Keeps a snapshot until it may be sent.
    mutating func keep(_ one: Early) { early.append(one) }

    var hasEarly: Bool { !early.isEmpty }

    /// Takes the snapshots that were kept.
    mutating func takeEarly() -> [Early] {
        defer { early = [] }
        return early
    }

    /// Whether the daemon's log should report that an area's part was left out: once an hour.
    mutating func isNews(_ area: String, now: UInt64) -> Bool {
        if let at = outgrownToldAt[area], now < at &+ 3_600_000_000_000 { return false }
        outgrownToldAt[area] = now
        return true
    }
}
