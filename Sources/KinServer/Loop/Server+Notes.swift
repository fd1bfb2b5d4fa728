import KinKeeper
import KinLoop
import KinModel

/// The daemon's own log: a line for each notable event. Events that may come in floods get a few lines a minute and
/// then a sum.
extension Server {
    /// Every limit by the name it is counted under.
    static let limitNames = [
        "bodies_bytes", "connections", "connections_per_address", "connections_per_member", "first_byte",
        "guest_streams", "handshake", "handshake_steps", "idle", "line_bytes", "message_bytes", "passwords",
        "picture_files", "pictures", "requests", "sign_in", "silence", "slow_message", "slow_request",
        "snapshots", "stuck",
    ]

    /// Counts that a limit was reached, and logs it: once, and after a minute how often.
    func hitLimit(_ name: String) {
        precondition(Self.limitNames.contains(name), "the limit \(name) is in the list")
        counters.limitsHit[name, default: 0] += 1
        if diary.tellLimit(name) { planSum() }
    }

    /// Writes a line.
    func tell(_ notable: Notable, _ sentence: String) {
        if diary.tell(notable, sentence) { planSum() }
    }

    private func planSum() { timers.set(.notes, at: time.monotonicNanoseconds() &+ 60_000_000_000) }
}
