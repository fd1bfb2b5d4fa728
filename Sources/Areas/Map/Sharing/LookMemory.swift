import KinKeeper
import KinModel

/// The looks of today that are written down already, so that somebody who looks all day costs one row and no question
/// to the database. Belongs to the keeper; emptied when something was rolled back.
final class LookMemory: AreaMemory {
    /// One look that is written once a day.
    struct Look: Hashable {
        let viewer: Identifier
        let watched: Identifier
        let how: Looks.How
        let isAtMachine: Bool
    }

    private var day: Int64 = 0
    private var rollbacks = -1
    private var known: Set<Look> = []
    /// Viewers of whom everything that they can see is written down.
    private var settled: Set<Settled> = []

    /// Somebody who looks in one way.
    struct Settled: Hashable {
        let viewer: Identifier
        let how: Looks.How
        let isAtMachine: Bool
    }

    init() {}

    func turn(_ turn: Turn) {
        let day = turn.now.milliseconds / 86_400_000
        guard self.day != day || rollbacks != turn.rollbacks || known.count > Limits.looksRememberedMax else { return }
        self.day = day
        rollbacks = turn.rollbacks
        forget()
    }

    func forget() {
        known.removeAll(keepingCapacity: true)
        settled.removeAll(keepingCapacity: true)
    }

    /// Remembers a look; false when it was known.
    func remember(_ look: Look) -> Bool { known.insert(look).inserted }

    /// Whether everything the viewer sees is written down.
    func isSettled(_ viewer: Settled) -> Bool { settled.contains(viewer) }

    /// Everything the viewer sees is written down.
    func settle(_ viewer: Settled) { settled.insert(viewer) }

    /// Somebody can be seen who could not be before.
    func forgetSettled() { settled.removeAll(keepingCapacity: true) }
}
