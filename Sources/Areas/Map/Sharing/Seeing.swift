import KinKeeper
package import KinModel
package import KinStore

/// How much one member may see of another. Every answer about positions follows it; checkers beside the daemon use it.
package struct Seeing: Hashable, Sendable {
    /// How much of where the other is.
    package let precision: Precision
    /// How much of where the other was.
    package let history: Precision

    /// Nothing.
    package static let nothing = Seeing(precision: .off, history: .off)

    /// Everybody who is seen, and by which of these members how much, in a reader's transaction.
    package static func all(
        by viewers: [Int32], _ database: Database
    ) throws(StoreFailure) -> [Identifier: [Int32: Seeing]] {
        var all: [Identifier: [Int32: Seeing]] = [:]
        _ = try database.rows(
            "SELECT s.member, v.viewers FROM sharing s JOIN sharing_versions v ON v.version = s.version WHERE s.is_on = 1"
        ) { (row) throws(StoreFailure) in
            let sight = Viewers(bytes: row.blob("viewers"))
            for viewer in viewers where sight.precision(for: viewer) != .off {
                all[row.identifier("member"), default: [:]][viewer] = Seeing(
                    precision: sight.precision(for: viewer), history: sight.historyPrecision(for: viewer))
            }
        }
        return all
    }
}
