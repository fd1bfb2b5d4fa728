import KinClient
import KinLoop
import KinWords

/// What comes next, each as a line that can be typed or opened as it stands.
struct NextSteps {
    private var steps: [(what: String, how: String)] = []

    /// Adds one; `nil` leaves it out.
    mutating func add(_ what: String, _ how: String?) {
        if let how { steps.append((phrase(what), how)) }
    }

    /// A blank line, a heading and the steps; nothing where there are none.
    func say(_ call: Invocation) {
        for line in lines(call.output.width) { call.output.say(line) }
    }

    /// A command that does not fit beside its sentence stands below it, whole, so that it can be copied.
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

    /// The way in which somebody typed `kin`, with what a saved sign-in does not say: the socket and the member.
    static func kin(_ call: Invocation) -> String {
        var command = Machine.typed("kin")
        for option in ["socket", "url", "as"] {
            if let value = call.value(option) { command += " --\(option) \(Machine.quoted(value))" }
        }
        return command
    }
}
