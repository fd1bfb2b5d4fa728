import KinKeeper

/// The daemon's own log: a line for each notable event. Events that may come in floods get a few lines a minute and
/// then a sum.
struct Diary {
    private let note: (NoteLevel, String) -> Void
    private let linesPerMinuteMax: Int
    /// The number of lines within this minute, for events that may come in floods.
    private var told: [Told: Int] = [:]

    /// What was told within the minute.
    private struct Told: Hashable {
        let notable: Notable
        let detail: String
    }

    init(linesPerMinuteMax: Int, note: @escaping (NoteLevel, String) -> Void) {
        self.linesPerMinuteMax = linesPerMinuteMax
        self.note = note
    }

    /// Writes a line.
    ///
    /// - Returns: Whether a minute begins with it, at whose end ``sumUp()`` is due.
    mutating func tell(_ notable: Notable, _ sentence: String) -> Bool {
        switch notable {
        // Strangers can cause these as often as they like.
        case .signInRefused, .signInSlowed, .secretExposed, .phone, .connection:
            return tell(notable, sentence, per: "", most: linesPerMinuteMax)
        default:
            write(notable, sentence)
            return false
        }
    }

    /// Writes that a limit was reached: once a minute.
    mutating func tellLimit(_ name: String) -> Bool {
        tell(.limit, "The limit \(name) was reached.", per: name, most: 1)
    }

    private mutating func tell(_ notable: Notable, _ sentence: String, per detail: String, most: Int) -> Bool {
        let begins = told.isEmpty
        let key = Told(notable: notable, detail: detail)
        told[key, default: 0] += 1
        if told[key, default: 0] <= most { write(notable, sentence) }
        return begins
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

    /// A minute is over: writes how much was left out of the log.
    mutating func sumUp() {
        for (key, count) in told.sorted(by: {
            ($0.key.notable.rawValue, $0.key.detail) < ($1.key.notable.rawValue, $1.key.detail)
        }) {
            if key.notable == .limit, count > 1 {
                write(.limit, "The limit \(key.detail) was reached \(count - 1) more times within a minute.")
            } else if key.notable != .limit, count > linesPerMinuteMax {
                write(key.notable, "\(count - linesPerMinuteMax) more of these within a minute.")
            }
        }
        told.removeAll()
    }
}
