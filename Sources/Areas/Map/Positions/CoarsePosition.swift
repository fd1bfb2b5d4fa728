import KinKeeper
import KinModel

/// The part of one member's position that coarse viewers see: a cell, and a time rounded down.
///
/// Its inputs are the cells and times of the points that ``CellJudge`` believes, never the place of a point within its
/// cell. So a coarse viewer cannot tell apart two walks through the same cells at the same times. A neighbouring cell
/// is told only when the member has been away from the told one for ``Limits/coarseDwellSeconds``, so that a member who
/// lives on a border does not go to and fro. A cell further away is told at once. While nothing changes, a newer time
/// is told once in ``Limits/coarseTimeSeconds``.
struct CoarsePosition: Equatable, Sendable {
    private(set) var cell: Cell
    /// When the member was there, rounded down; never goes back.
    private(set) var at: Instant
    /// Since when every point was in another cell that touches the one told.
    private(set) var awaySince: Instant?

    /// The first that is told.
    init(_ cell: Cell, at: Instant) {
        self.cell = cell
        self.at = Self.rounded(at)
    }

    /// As it was written down.
    init(cell: Cell, at: Instant, awaySince: Instant?) {
        self.cell = cell
        self.at = at
        self.awaySince = awaySince
    }

    /// A time as coarse viewers are told it.
    static func rounded(_ at: Instant) -> Instant {
        let step = Limits.coarseTimeSeconds * 1000
        let rest = at.milliseconds % step
        return at.adding(milliseconds: -(rest < 0 ? rest + step : rest))
    }

    /// Takes the next point in; `before` is the time of the one believed before it. Answers whether there is something to tell.
    mutating func take(_ next: Cell, at: Instant, before: Instant?) -> Bool {
        let rounded = max(Self.rounded(at), self.at)
        if next == cell {
            awaySince = nil
            guard rounded > self.at else { return false }
            self.at = rounded
            return true
        }
        let dwell = Limits.coarseDwellSeconds * 1000
        let since = awaySince ?? at
        let wasSilent = before.map { at.milliseconds(since: $0) >= dwell } ?? true
        guard wasSilent || !next.touches(cell) || at.milliseconds(since: since) >= dwell else {
            awaySince = since
            return false
        }
        cell = next
        awaySince = nil
        self.at = rounded
        return true
    }

    /// As its viewers see it.
    func position(of member: Identifier) -> Position {
        let middle = cell.middle
        return Position(member: member, lat: middle.lat, lon: middle.lon, at: at, precision: .coarse)
    }
}
