import KinKeeper
import KinLoop
import KinModel
import KinStore

/// The end of the log in memory, and all followers: what is committed once becomes one write to each of them.
///
/// Confined to the loop's thread.
struct FanOut {
    var feed: Feed
    /// What cursors are made of and read by.
    let epochs: Epochs
    /// The first position that the log still has.
    private var firstKept: Int64
    /// Connections that follow.
    var followers = Followers()
    /// Those of them that speak another protocol than ours.
    var subscriptions = Subscriptions()
    /// Members who follow the map now. Members whose positions are shown can ask who looked.
    private var lookers = Lookers()
    /// The same for followers at the machine in a member's name.
    private var lookersAtMachine = Lookers()
    /// Pieces of the log that are being read for followers that fell off the feed.
    var reads = LogReads()
    /// Whether events wait for those of the next commit before they are written.
    private(set) var isWaiting = false
    /// Whether all followers are written to at the end of this turn.
    private(set) var isDue = false
    /// Followers that must be written to by themselves.
    private var others: [Connection] = []
    /// Counts the follows, so that each has its own number.
    private var followsBegun: UInt64 = 0
    private let outBytesMax: Int
    private let followersToWaitFor: Int

    init(_ feed: Feed, _ limits: ServerLimits, _ epochs: Epochs, firstKept: Int64) {
        self.feed = feed
        self.epochs = epochs
        self.firstKept = firstKept
        outBytesMax = limits.outBytesMax
        followersToWaitFor = limits.followersToWaitFor
    }

    // MARK: Who follows

    /// The number of a follow that begins.
    mutating func nextFollow() -> UInt64 {
        followsBegun += 1
        return followsBegun
    }

    /// Adds a connection to the followers, or replaces its former follow.
    mutating func begin(_ connection: Connection, _ following: Following) {
        guard let envelope = connection.envelope else { return }
        if let former = connection.following { looks(former, false) }
        followers.put(connection, following, envelope)
        connection.following = following
        looks(following, true)
    }

    /// Removes a connection from the followers.
    mutating func end(_ connection: Connection) {
        guard let following = connection.following else { return }
        connection.following = nil
        looks(following, false)
        followers.remove(following)
    }

    /// Notes that a connection begins to follow the map, or ends that. A follower at the machine in a member's name
    /// counts as the machine.
    private mutating func looks(_ following: Following, _ begins: Bool) {
        guard following.seesMap else { return }
        switch (following.isAtMachine, begins) {
        case (false, true): lookers.came(following.number)
        case (false, false): lookers.went(following.number)
        case (true, true): lookersAtMachine.came(following.number)
        case (true, false): lookersAtMachine.went(following.number)
        }
    }

    /// The members who are shown a position for the first time on this day.
    mutating func firstLooks(_ row: LogRow, day: Int64) -> [(viewers: Audience, isAtMachine: Bool)] {
        var looks: [(Audience, Bool)] = []
        if let first = lookers.first(row, day: day) { looks.append((first, false)) }
        if let first = lookersAtMachine.first(row, day: day) { looks.append((first, true)) }
        return looks
    }

    /// A follower's position.
    func cursor(_ following: Following) -> Int64 { followers.cursor(following) }

    // MARK: What

    /// Takes what was committed: it is encoded once, for all.
    mutating func take(_ commit: Commit) {
        firstKept = commit.firstKept
        reads.note(commit)
        feed.publish(
            commit.events, removed: commit.removed, narrowed: commit.narrowed, through: commit.through, epochs: epochs)
    }

    /// Whether the feed alone has everything after a position.
    func reaches(_ position: Int64) -> Bool { position >= max(feed.floor, firstKept) }

    // MARK: When

    /// Has every follower written to. With many followers this is the most expensive work there is. So where more is
    /// being committed already, the write waits for that, once, and for a millisecond at most. (Sixteen commands in
    /// flight came as one and fifteen; now they are one write to each follower.)
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

    /// Connections that need more work after a round of writing.
    struct Round {
        /// Their sockets failed.
        var gone: [Connection] = []
        /// Their sockets took only a part; the rest is kept for them.
        var blocked: [Connection] = []
    }

    /// Writes to all followers. A connection that was written to already has nothing left, or waits for the next turn.
    ///
    /// Followers that are ready get bytes that are shared by all who see the same. Only what a socket does not take is
    /// copied.
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

    /// The next shared bytes for a follower; `nil` where it must be written to by itself.
    private mutating func gather(_ index: Int, _ follower: FollowerPlace) -> Gathered.Run? {
        if let run = feed.gathered(for: follower) { return run }
        guard let following = followers.connections[index].following else { return nil }
        return feed.gather(for: following, follower, bytesMax: outBytesMax)
    }

    /// The connections that must be written to by themselves; ``returned(_:)`` gives the list's memory back.
    mutating func takeOthers() -> [Connection] {
        defer { others = [] }
        return others
    }

    /// Keeps the memory of a list that is filled anew in each round.
    mutating func returned(_ list: consuming [Connection]) {
        list.removeAll(keepingCapacity: true)
        others = list
    }
}

/// Pieces of the log on their way from the reader, and rows that went out of sight meanwhile. A row that was read
/// before it was hidden must not be sent after.
struct LogReads {
    private(set) var underWay = 0
    /// Positions that left the log.
    private var removed: Set<Int64> = []
    /// Positions whose audience got smaller, each with the audience it has now.
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
