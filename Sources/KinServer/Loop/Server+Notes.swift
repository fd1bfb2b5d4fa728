import KinKeeper
import KinLoop
import KinModel

/// The daemon's own log: a line per notable thing, and of what comes in floods a few lines a minute and a sum.
extension Server {
    /// Every limit by the name it is counted under.
    static let limitNames = [
        "bodies_bytes", "connections", "connections_per_address", "connections_per_member", "first_byte", "handshake",
        "handshake_steps", "idle", "line_bytes", "message_bytes", "passwords", "picture_files", "pictures", "requests",
        "sign_in",
        "silence",
        "slow_message", "slow_request", "snapshots", "stuck",
    ]

    /// Counts that a limit was reached, and says so in the log: once, and after a minute how often.
    func hitLimit(_ name: String) {
        precondition(Self.limitNames.contains(name), "the limit \(name) is in the list")
        counters.limitsHit[name, default: 0] += 1
        tell(.limit, "The limit \(name) was reached.", per: name)
    }

    /// Writes a line.
    func tell(_ notable: Notable, _ sentence: String) {
        switch notable {
        // Strangers bring these about, as often as they like.
        case .signInRefused, .signInSlowed, .secretExposed, .phone, .connection: tell(notable, sentence, per: "")
        default: write(notable, sentence)
        }
    }

    private func write(_ notable: Notable, _ sentence: String) {
        let level: NoteLevel =
            switch notable.level {
            case .error: .error
            case .warning: .warning
            case .info: .info
            }
        note(level, "\(notable.rawValue): \(sentence)")
    }

    private func tell(_ notable: Notable, _ sentence: String, per detail: String) {
        let most = notable == .limit ? 1 : limits.linesPerMinuteMax
        if told.isEmpty { timers.set(.notes, at: time.monotonicNanoseconds() &+ 60_000_000_000) }
        let key = Told(notable: notable, detail: detail)
        told[key, default: 0] += 1
        if told[key, default: 0] <= most { write(notable, sentence) }
    }

    /// A minute is over: says how much was left out of the log.
    func sumUp() {
        for (key, count) in told.sorted(by: {
            ($0.key.notable.rawValue, $0.key.detail) < ($1.key.notable.rawValue, $1.key.detail)
        }) {
            if key.notable == .limit, count > 1 {
                write(.limit, "The limit \(key.detail) was reached \(count - 1) more times within a minute.")
            } else if key.notable != .limit, count > limits.linesPerMinuteMax {
                write(key.notable, "\(count - limits.linesPerMinuteMax) more of these within a minute.")
            }
        }
        told.removeAll()
    }

    /// What was told within the minute.
    struct Told: Hashable {
        let notable: Notable
        let detail: String
    }
}
