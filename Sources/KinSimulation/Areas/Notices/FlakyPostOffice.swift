import KinKeeper
import Synchronization

/// A push service that is not always there: it answers as the dice that it was given last say.
final class FlakyPostOffice: OutsideDesk, Sendable {
    private struct State: Sendable {
        var dice: Dice?
        var taken: [[UInt8]] = []
        var isDown = false
    }
    private let state = Mutex(State())

    /// From here on its answers are thrown; until then it takes everything.
    func beFlaky(_ seed: UInt64) { state.withLock { $0.dice = Dice(seed: seed) } }
    func beWell() { state.withLock { $0.dice = nil } }
    func beDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    /// What it took since somebody asked.
    func takenSince() -> [[UInt8]] {
        state.withLock { state in
            defer { state.taken = [] }
            return state.taken
        }
    }

    /// Whether the daemon dies before it hears what came of it; never while all is well.
    func isDaemonToDie(_ dice: inout Dice) -> Bool { state.withLock { $0.dice != nil } && dice.once(in: 15) }

    func send(_ letter: OutsideLetter) -> OutsideAnswer {
        state.withLock { state in
            if state.isDown { return .failed("fcm.googleapis.com cannot be reached.") }
            switch state.dice?.below(10) {
            case 0: return .failed("fcm.googleapis.com fell silent; try again later.")
            case 1: return .answered(status: 503, retryAfterSeconds: nil)
            case 2: return .answered(status: 429, retryAfterSeconds: 60)
            case 3: return .answered(status: 301, retryAfterSeconds: nil)
            default:
                state.taken.append(letter.content)
                return .answered(status: 201, retryAfterSeconds: nil)
            }
        }
    }
}
