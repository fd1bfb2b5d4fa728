import KinModel

/// The next bytes for followers, put together once for all that are at the same position, see the same and have the
/// same envelope. With many followers a delivery is then little more than one `send`. Measured with 1,000 followers and
/// 16 events a turn, in CPU time per delivery: see Figures.
///
/// It belongs to the feed, and is dropped at the feed's next change.
struct Gathered {
    /// The events after a position, for some followers.
    ///
    /// A class, because each delivery refers to one: of a struct, everything it refers to was retained each time.
    final class Run: Sendable {
        /// The position it begins after.
        let after: Int64
        /// One bit for each of the feed's entries after it, lowest first: set for the entries that are in the run.
        let mask: UInt64
        let envelope: Envelope
        /// The member for whom it was first made, where that member follows everything.
        let number: Int32?
        let bytes: [UInt8]
        /// How many events it holds.
        let count: Int

        /// The run of no events.
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

    /// The most entries that a run can tell apart.
    static let entriesMax = 64
    /// Runs held at a time. A follower that sees yet something else is written to by itself.
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
    /// The next run for a follower of everything, where it was gathered already.
    func gathered(for follower: FollowerPlace) -> Gathered.Run? {
        guard follower.isWhole, follower.cursor >= floor else { return nil }
        return gathered.run(after: follower.cursor, number: follower.number, envelope: follower.envelope)
    }

    /// The next run for a follower, in its envelope. `nil` where it must be written event by event: too much at once, a
    /// reset in between, or too few followers that share it.
    mutating func gather(for following: Following, _ follower: FollowerPlace, bytesMax: Int) -> Gathered.Run? {
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
        // Everybody who has nothing next shares one run.
        if mask == 0 { return .nothing }
        // In another protocol each follower's bytes are its own.
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
