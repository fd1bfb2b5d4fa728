import KinModel

/// One line of `kin doctor`.
struct Check: Equatable {
    enum State: String {
        case ok
        case warning
        case failed
        case skipped
    }

    let name: String
    let state: State
    /// What was found and, unless it is well, what to do.
    let sentence: String

    static func ok(_ name: String, _ sentence: String) -> Check { Check(name: name, state: .ok, sentence: sentence) }
    static func warning(_ name: String, _ sentence: String) -> Check {
        Check(name: name, state: .warning, sentence: sentence)
    }
    static func failed(_ name: String, _ sentence: String) -> Check {
        Check(name: name, state: .failed, sentence: sentence)
    }
    static func skipped(_ name: String, _ sentence: String) -> Check {
        Check(name: name, state: .skipped, sentence: sentence)
    }

    var json: JSON { ["name": .string(name), "state": .string(state.rawValue), "sentence": .string(sentence)] }
}
