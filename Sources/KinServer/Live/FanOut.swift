import KinKeeper
import KinLoop
import KinModel
import KinStore

/// The log's end in memory and all who follow it: what is committed once becomes one write to each of them.
///
/// Confined to the loop's thread.
struct FanOut {
    var feed: Feed
    /// Connections that follow.
    var followers = Followers()
    /// Members among them who see the map, for those who are seen.
    private var lookers = Lookers()
    /// The same of those who follow at the machine in a member's name.
    private var lookersAtMachine = Lookers()
    /// Pieces of the log that are being read for who fell off the feed.
    var reads = LogReads()
    /// Events wait for those of the next commit before they are written to the followers.
    private(set) var isWaiting = false
    /// All who follow are written to at this turn's end.
    private(set) var isDue = false
    /// Followers that must be written to by themselves.
    private var others: [Connection] = []
    /// Counts the follows, so that each has a number of its own.
    private var followsBegun: UInt64 = 0
    private let outBytesMax: Int
    private let followersToWaitFor: Int

    init(_ feed: Feed, _ limits: ServerLimits) {
        self.feed = feed
        outBytesMax = limits.outBytesMax
        followersToWaitFor = limits.followersToWaitFor
    }

    // MARK: Who follows

    /// The number of a follow that begins.
    mutating func nextFollow() -> UInt64 {
        followsBegun += 1
        return followsBegun
    }

    /// Puts a connection among the followers, or another follow in the place of its former one.
    mutating func begin(_ connection: Connection, _ following: Following) {
        guard let envelope = connection.envelope else { return }
        if let former = connection.following { looks(former, false) }
        followers.put(connection, following, envelope)
        connection.following = following
        looks(following, true)
    }

    /// Takes a connection from among them.
    mutating func end(_ connection: Connection) {
        guard let following = connection.following else { return }
        connection.following = nil
        looks(following, false)
        followers.remove(following)
    }

    /// A connection begins to follow the map, or does so no longer. Whoever acts at the machine in a member's name looks as
    /// the machine.
    private mutating func looks(_ following: Following, _ begins: Bool) {
        guard following.seesMap else { return }
        switch (following.isAtMachine, begins) {
        case (false, true): lookers.came(following.number)
        case (false, false): lookers.went(following.number)
        case (true, true): lookersAtMachine.came(following.number)
        case (true, false): lookersAtMachine.went(following.number)
        }
    }

    /// Who is shown a position for the first time on this day.
    mutating func firstLooks(_ row: LogRow, day: Int64) -> [(viewers: Audience, isAtMachine: Bool)] {
        var looks: [(Audience, Bool)] = []
        if let first = lookers.first(row, day: day) { looks.append((first, false)) }
        if let first = lookersAtMachine.first(row, day: day) { looks.append((first, true)) }
        return looks
    }

    /// Where a follower stands.
    func cursor(_ following: Following) -> Int64 { followers.cursor(following) }

    // MARK: When

    /// Has every follower written to. With many followers that is the dearest thing there is, so where more is being
    /// committed already, it waits for that and goes out in the same write: once, and a millisecond at most. (Sixteen
    /// commands in flight came as one and fifteen; now they are one write to each follower.)
    ///
    /// - Returns: When the wait that begins here is over.
    mutating func plan(now: UInt64, moreIsComing: Bool) -> UInt64? {
        guard followers.count >= followersToWaitFor, moreIsComing, !isWaiting else {
            due()
            return nil
        }
        isWaiting = true
        return now &+ Self.waitNanoseconds
    }

    private static let waitNanoseconds: UInt64 = 1_000_000

    /// Has every follower written to at this turn's end.
    mutating func due() {
        isWaiting = false
        isDue = true
    }

    // MARK: Writing

    /// Connections that a round of writing has something to do for besides.
    struct Round {
        /// Their sockets failed.
        var gone: [Connection] = []
        /// Their sockets take no more, and what they did not take is made ready.
        var blocked: [Connection] = []
    }

    /// Writes to all who follow. Who was written to already has nothing left, or waits for the next turn.
    ///
    /// To those who are ready it passes on bytes that all who see the same share: nothing is copied but what a socket does
    /// not take.
    mutating func write(_ network: any Network, _ counters: inout ServerCounters) -> Round {
        isDue = false
        var round = Round()
        for index in 0..<followers.count {
            let follower = followers.places[index]
            guard follower.isReady else {
                others.append(followers.connections[index])
                continue
            }
            if follower.cursor >= feed.last { continue }
            guard let run = gather(index, follower) else {
                others.append(followers.connections[index])
                continue
            }
            if run.bytes.isEmpty {
                followers.move(index, to: feed.last)
                continue
            }
            switch unsafe run.bytes.withUnsafeBytes({ unsafe network.write(follower.token, $0) }) {
            case .bytes(let count):
                followers.move(index, to: feed.last)
                counters.bytesOut &+= count
                counters.deliveries += run.count
                if count < run.bytes.count {
                    followers.connections[index].out = Array(run.bytes[count...])
                    round.blocked.append(followers.connections[index])
                }
            case .wouldBlock: round.blocked.append(followers.connections[index])
            case .failed: round.gone.append(followers.connections[index])
            }
        }
        return round
    }

    /// What a follower has next, from the bytes shared; `nil` where it must be written to by itself.
    private mutating func gather(_ index: Int, _ follower: Followers.Place) -> Gathered.Run? {
        if let run = feed.gathered(for: follower) { return run }
        guard let following = followers.connections[index].following else { return nil }
        return feed.gather(for: following, follower, bytesMax: outBytesMax)
    }

    /// Those that must be written to by themselves; their memory comes back with ``returned(_:)``.
    mutating func takeOthers() -> [Connection] {
        defer { others = [] }
        return others
    }

    /// Keeps the room of a list that is filled anew in each round.
    mutating func returned(_ list: consuming [Connection]) {
        list.removeAll(keepingCapacity: true)
        others = list
    }
}

/// Pieces of the log on their way from the reader, and what went out of sight meanwhile: rows read before that must not
/// be sent after it.
struct LogReads {
    private(set) var underWay = 0
    /// Positions that left the log.
    private var removed: Set<Int64> = []
    /// Those that only some may see any longer, and who still may.
    private var narrowed: [Int64: Audience] = [:]

    mutating func begin() { underWay += 1 }

    mutating func end() {
        underWay -= 1
        guard underWay == 0 else { return }
        removed.removeAll()
        narrowed.removeAll()
    }

    mutating func note(_ commit: Commit) {
        guard underWay > 0 else { return }
        removed.formUnion(commit.removed)
        narrowed.merge(commit.narrowed) { $1 }
    }

    /// A row as it may be sent now; `nil` where it may not.
    func now(_ row: LogRow) -> LogRow? {
        if removed.contains(row.position) { return nil }
        return narrowed[row.position].map { row.narrowed(to: $0) } ?? row
    }
}
