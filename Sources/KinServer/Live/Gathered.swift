import KinModel

/// What followers have next, put together once for all who stand at the same place, see the same and are wrapped alike:
/// with many followers a delivery is then little more than its share of one `send`. Measured with 1,000 followers and 16
/// events a turn, in CPU time per delivery: see Figures.
///
/// Belongs to the feed and is forgotten with its next change.
struct Gathered {
    /// The events after a position, for some followers.
    ///
    /// A class, for each delivery takes one: as a value all it refers to was retained each time.
    final class Run: Sendable {
        /// The position it begins after.
        let after: Int64
        /// One bit for each entry of the feed after it, lowest first: those that are in it.
        let mask: UInt64
        let envelope: Envelope
        /// The member it was first made for, where that one sees everything.
        let number: Int32?
        let bytes: [UInt8]
        /// How many events it holds.
        let count: Int

        /// Of no events at all.
        static let nothing = Run(after: 0, mask: 0, envelope: .line, number: nil, bytes: [])

        init(after: Int64, mask: UInt64, envelope: Envelope, number: Int32?, bytes: [UInt8]) {
            self.after = after
            self.mask = mask
            self.envelope = envelope
            self.number = number
            self.bytes = bytes
            count = mask.nonzeroBitCount
        }
    }

    /// The events that can be told apart in a run.
    static let entriesMax = 64
    /// Runs held at a time; who sees something else again is written to by itself.
    private static let runsMax = 8

    private(set) var runs: [Run] = []

    mutating func forget() {
        if !runs.isEmpty { runs.removeAll(keepingCapacity: true) }
    }

    /// The run that was made for this member at this place.
    func run(after: Int64, number: Int32, envelope: Envelope) -> Run? {
        for run in runs where run.after == after && run.number == number && run.envelope == envelope { return run }
        return nil
    }

    /// The run of these entries.
    func run(after: Int64, mask: UInt64, envelope: Envelope) -> Run? {
        for run in runs where run.after == after && run.mask == mask && run.envelope == envelope { return run }
        return nil
    }

    /// Keeps a run; false when there are too many.
    mutating func keep(_ run: Run) {
        if runs.count < Self.runsMax { runs.append(run) }
    }

    /// Whether another may be kept.
    var hasRoom: Bool { runs.count < Self.runsMax }
}

extension Feed {
    /// All that a follower who sees everything has next, where that was gathered already.
    func gathered(for follower: Followers.Place) -> Gathered.Run? {
        guard follower.isWhole, follower.cursor >= floor else { return nil }
        return gathered.run(after: follower.cursor, number: follower.number, envelope: follower.envelope)
    }

    /// All that a follower has next, wrapped for its transport; `nil` where it must be written event by event: too much
    /// at once, a reset in between, or too few who share it.
    mutating func gather(for following: Following, _ follower: Followers.Place, bytesMax: Int) -> Gathered.Run? {
        hold(.onlyWhoSeesItIsTold, follower.number == following.number)
        guard follower.cursor >= floor else { return nil }
        let first = index(after: follower.cursor)
        guard entries.count - first <= Gathered.entriesMax else { return nil }
        var mask: UInt64 = 0
        var bytes = 0
        for index in first..<entries.count where !entries[index].bytes.isEmpty && following.wants(entries[index]) {
            if entries[index].isReset { return nil }
            mask |= 1 << UInt64(index - first)
            bytes += entries[index].bytes.count
        }
        // Who has nothing next is the same as anybody else who has nothing.
        if mask == 0 { return .nothing }
        // What is written to each of them is its own.
        if follower.envelope == .foreign { return nil }
        if let run = gathered.run(after: follower.cursor, mask: mask, envelope: follower.envelope) { return run }
        guard bytes <= bytesMax, gathered.hasRoom else { return nil }
        var wrapped: [UInt8] = []
        wrapped.reserveCapacity(bytes + 64)
        for index in first..<entries.count where mask & 1 << UInt64(index - first) != 0 {
            write(index, follower.envelope, to: &wrapped)
        }
        let run = Gathered.Run(
            after: follower.cursor, mask: mask, envelope: follower.envelope,
            number: follower.isWhole ? follower.number : nil, bytes: wrapped)
        gathered.keep(run)
        return run
    }
}
