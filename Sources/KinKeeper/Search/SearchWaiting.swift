import KinModel

/// Rows that are not in the index yet, in the order in which they came. Only the daemon's memory has them, since a list in
/// the database would cost each command what the index costs. Which rows wait is found there: those with greater numbers
/// than all of their kind in the index.
final class SearchWaiting: AreaMemory {
    /// A row of a kind.
    struct Row: Hashable {
        let kind: String
        let number: Int64
    }

    /// The rows; some may be gone by now.
    private(set) var rows: [Row] = []
    /// Whether these are all that wait. Not at the start, and not after a rollback, which may have taken rows out of the
    /// index again.
    private(set) var isWhole = false
    /// When they are taken in, by the clock that nobody can set; at the start at once.
    private(set) var due: Instant? = .earliest
    private var known: Set<Row> = []
    /// The moment of the turn in which the last one came.
    private var last: Instant?
    private var rollbacks = -1

    init() {}

    func turn(_ turn: Turn) {
        guard turn.rollbacks != rollbacks else { return }
        rollbacks = turn.rollbacks
        isWhole = false
    }

    func forget() { _ = takeAll() }

    /// Notes a row that came in a turn.
    func add(_ row: Row, at moment: Instant, _ uptime: Instant) {
        last = moment
        guard known.insert(row).inserted else { return }
        rows.append(row)
        if due == nil { wait(from: uptime) }
    }

    /// Says which rows wait. Those that came in other turns than the daemon remembers follow the ones that it does.
    func complete(_ found: [Row], _ uptime: Instant) {
        let waiting = Set(found)
        rows = rows.filter(waiting.contains) + found.filter { !known.contains($0) }
        known = waiting
        isWhole = true
        if rows.isEmpty { due = nil } else if due == nil { wait(from: uptime) }
    }

    /// They wait for as long again.
    func wait(from uptime: Instant) { due = uptime.adding(seconds: Limits.searchWaitingSeconds) }

    /// Whether the last of them came in the turn of this moment.
    func has(of moment: Instant) -> Bool { !rows.isEmpty && last == moment }

    /// Hands them over: from here on none waits.
    func takeAll() -> [Row] {
        defer { (rows, known, last, due) = ([], [], nil, nil) }
        return rows
    }
}
