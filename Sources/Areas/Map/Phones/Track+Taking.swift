import KinKeeper
import KinModel
import KinStore

/// Taking points in: they are judged and kept, move the positions, and decide which members are at which place.
extension Track {
    /// Points on their way in, in the order of their times. A long batch takes several turns of the keeper: each turn
    /// brings some into the history, and the last moves the positions and the places, once.
    struct Batch: Sendable {
        let points: [Point]
        /// Whether the history takes them; else they only move the positions and the places.
        let isKept: Bool
        /// How many are in the history.
        private(set) var done = 0
        /// Where the member was last, once all of it is in.
        fileprivate(set) var own: Position?
        fileprivate var judge: PointJudge?
        /// Those of them that may move something, by their index.
        fileprivate var seen: [Seen] = []

        /// The facts about a point that the last turn needs.
        fileprivate struct Seen {
            let index: Int
            /// Whether it is good by its exact position; for cells the result may differ.
            let isGood: Bool
            /// The number of its device, where the history knows it.
            let device: Int64?
            let isMeasured: Bool
            let isShown: Bool
            /// Whether the history keeps it.
            let isKept: Bool
        }

        init(_ points: [Point], isKept: Bool = true) {
            self.points = Track.inOrder(points)
            self.isKept = isKept
        }

        fileprivate mutating func next() -> Range<Int> {
            let some = points.indices[done...].prefix(Limits.itemsPerTurn)
            done = some.endIndex
            return some
        }

        fileprivate var isWhole: Bool { done == points.count }
    }

    /// Takes the next points of a batch in: into the history, and with the last of them to the positions and the places
    /// where they are newer. Late ones fill the history only, repeated ones change nothing, and absurd ones are kept
    /// apart. Answers whether it was all of the batch.
    static func take(_ batch: inout Batch, of member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        var sharing = try MemberSharing.of(member, act)
        var latest = try LatestPositions(member, act)
        var sight = Judge(sharing)
        var judge =
            if let judge = batch.judge { judge } else { try PointJudge.of(sharing.track, last: latest.own, act) }
        let isPhone = if case .member(let caller) = act.caller { caller.appPassword != nil } else { false }
        let oldest = act.now.adding(days: -sharing.historyDays)
        var devices: [String: Int64] = [:]
        let track = sharing.track
        for index in batch.next() {
            let point = batch.points[index]
            let name = point.device ?? ""
            if sharing.historyDays > 0, devices[name] == nil {
                devices[name] = try device(name, of: sharing.track, act)
            }
            let number = devices[name]
            let isMeasured = isPhone || point.accuracy != nil
            let quality = try judge.judge(
                point, from: number, isMeasured: isMeasured, now: act.now
            ) { (at) throws(Rejection) in try PointJudge.upTo(at, track, act) }
            // Such a point cannot be judged yet. A member who keeps no history would never get it back.
            let isWaiting = quality == .clock && act.isClockDoubted
            let isKept =
                batch.isKept && (sharing.historyDays > 0 || isWaiting) && (point.at >= oldest || act.isClockDoubted)
            let judgement = try sight.judge(point.at, act)
            if isKept {
                try keep(point, quality, judgement, track: sharing.track, device: number ?? 0, act)
                if sharing.historyDays == 0 { try keepNewest(of: sharing.track, act) }
            }
            guard quality.hasCell else { continue }
            batch.seen.append(
                Batch.Seen(
                    index: index, isGood: quality == .good, device: number, isMeasured: isMeasured,
                    isShown: judgement.isShown, isKept: isKept))
        }
        batch.judge = judge
        guard batch.isWhole else { return false }
        try judge.save(sharing.track, act)
        let before = latest.own
        var moving: [Point] = []
        for seen in batch.seen {
            let point = batch.points[seen.index]
            // Sharing may have been switched since the first turn: the stricter counts.
            let judgement = try sight.judge(point.at, act)
            let isShown = seen.isShown && judgement.isShown
            if seen.isGood {
                if before.map({ point.at > $0.at }) ?? true, moving.last.map({ point.at > $0.at }) ?? true {
                    moving.append(point)
                }
                latest.take(point, isShown: isShown)
            }
            let cell = CellJudge.Seen(cell: Cell(lat: point.lat, lon: point.lon), at: point.at, device: seen.device)
            let told = latest.take(cell, isMeasured: seen.isMeasured, isShown: isShown)
            if seen.isKept, let told { try keep(told, judgement, track: sharing.track, act) }
        }
        try latest.settle(sharing, act)
        if latest.hasOwnMoved, let own = latest.own { for hear in act.hooks.moved { try hear(act, own) } }
        batch.own = latest.own
        for decided in try Stays.take(moving[...], of: member, wasSeen: before != nil, act) {
            try Arrivals.tell(decided, of: member, act)
        }
        if latest.hasShownMoved, Stopover.isWanted(sharing.viewers), let shown = latest.shown {
            try Stopover.settle(member, at: shown.at, sharing.viewers, isWhole: false, act)
        }
        if sharing.isSilent, latest.hasOwnMoved { try sharing.isHeardAgain(act) }
        return true
    }

    /// The same as a method's outcome. Once all of the batch is in, `answer` makes the result from the last position.
    static func take(
        _ batch: Batch, of member: Identifier, _ act: Act, answer: (Position?) throws(Rejection) -> JSON
    ) throws(Rejection) -> Outcome {
        var batch = batch
        guard try take(&batch, of: member, act) else { return .later(.rest(after: batch.done, carrying: batch)) }
        return .done(try answer(batch.own))
    }

    /// Takes a few points in, in this turn.
    static func take(
        _ points: [Point], of member: Identifier, isKept: Bool = true, _ act: Act
    ) throws(Rejection) {
        var batch = Batch(points, isKept: isKept)
        while try !take(&batch, of: member, act) {}
    }

    /// By their times; those of one moment as they came.
    fileprivate static func inOrder(_ points: [Point]) -> [Point] {
        guard zip(points, points.dropFirst()).contains(where: { $0.at > $1.at }) else { return points }
        return points.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}
