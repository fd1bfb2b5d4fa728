import KinClient
import KinLoop
import KinWords

/// The next steps, each as a line that can be typed or opened as it stands.
struct NextSteps {
    private var steps: [(what: String, how: String)] = []

    /// Adds a step; `nil` leaves it out.
    mutating func add(_ what: String, _ how: String?) {
        if let how { steps.append((phrase(what), how)) }
    }

    /// Prints a blank line, a heading and the steps; nothing if there are none.
    func say(_ call: Invocation) {
        for line in lines(call.output.width) { call.output.say(line) }
    }

    /// A command that does not fit beside its sentence stands whole in the line below, so that it can be copied.
    func lines(_ room: Int?) -> [String] {
        guard !steps.isEmpty else { return [] }
        let width = steps.map { Plain.columns($0.what) }.max() ?? 0
        let isWide = steps.allSatisfy { width + 4 + Plain.columns($0.how) <= room ?? .max }
        return ["", phrase("next.steps")]
            + steps.flatMap { what, how in
                isWide
                    ? ["  \(Plain.padded(what, width))  \(how)"]
                    : [Plain.wrapped("  " + what, room, indent: 2), "    " + how]
            }
    }

    /// The words by which somebody called `kin`, with the socket and the member, which a saved sign-in does not give.
    static func kin(_ call: Invocation) -> String {
        var command = Machine.typed("kin")
        for option in ["socket", "url", "as"] {
            if let value = call.value(option) { command += " --\(option) \(Machine.quoted(value))" }
        }
        return command
    }
}
