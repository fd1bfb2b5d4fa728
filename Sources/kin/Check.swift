import KinModel
import KinWords

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
    /// The finding, followed by advice unless it is good.
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

    var stateShown: String { Plain.padded(phrase("doctor.state.\(state.rawValue)"), 8) }

    /// The check in one line. On a narrow terminal the line breaks behind the check's name.
    func line(_ width: Int?) -> String {
        if let width, width < 60 {
            return Plain.wrapped("\(stateShown) \(name): \(Plain.line(sentence))", width, indent: 4)
        }
        let lead = "\(stateShown) \(Plain.padded(name, 18)) "
        return Plain.wrapped(lead + Plain.line(sentence), width, indent: 28)
    }

    var json: JSON { ["name": .string(name), "state": .string(state.rawValue), "sentence": .string(sentence)] }
}
