import KinModel

/// What members took of their shares of today and is not written down yet (``Quota/slack``).
final class QuotaMemory: AreaMemory {
    struct Key: Hashable {
        let member: Identifier
        let what: String
    }

    struct Taken {
        /// The day in UTC, counted from 1970.
        let day: Int64
        var unwritten: Int64 = 0
        /// What was written down besides when the tables were in that state.
        var written: Int64 = 0
        var state: TableState?
    }

    private(set) var taken: [Key: Taken] = [:]

    /// Members come and go: this is more than a family has.
    private static let most = 8 * Limits.membersMax

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { taken = [:] }

    func keep(_ one: Taken, of key: Key) {
        if taken.count >= Self.most { forget() }
        taken[key] = one
    }

    /// What all members took of something on a day and is not written down yet.
    func unwritten(of what: String, on day: Int64) -> Int64 {
        taken.reduce(0) { $0 + ($1.key.what == what && $1.value.day == day ? $1.value.unwritten : 0) }
    }
}
