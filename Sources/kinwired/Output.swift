import Glibc
import KinKeeper
import KinLoop
import KinModel
import KinQR
import KinServer

/// What the daemon says: sentences to standard error, a line each.
struct Output: Sendable {
    /// How a line is written.
    enum Form: Sendable {
        /// With journald's priority; it puts the time there itself.
        case journal
        /// With the time in front.
        case text
        /// An object: `{"at","level","event"?,"text"}`.
        case json
    }

    let form: Form

    /// The form that `--log` names; otherwise the one that suits the reader.
    init(log: String?) { form = log == "json" ? .json : Machine.isJournal(2) ? .journal : .text }

    /// What is wrong with the command line, for who typed it.
    static func wrong(_ sentence: String) {
        write((Machine.isJournal(2) ? "<3>" : "kinwired: ") + sentence + "\n", to: 2)
    }

    func note(_ level: NoteLevel, _ sentence: String) {
        let (priority, word) =
            switch level {
            case .error: ("<3>", "error")
            case .warning: ("<4>", "warning")
            case .info: ("<6>", "info")
            }
        let line =
            switch form {
            case .journal: priority + sentence
            case .text: "\(Self.now) kinwired: \(sentence)"
            case .json: Self.object(word, sentence)
            }
        Self.write(line + "\n", to: 2)
    }

    private static var now: Instant {
        Instant(milliseconds: SystemTime().wallMilliseconds())
    }

    /// For lines that have a word in `Logs.md`, that word stands before the colon and is the event.
    private static func object(_ level: String, _ sentence: String) -> String {
        let parts = sentence.split(separator: ":", maxSplits: 1).map { String($0) }
        let event = parts.first.flatMap { parts.count == 2 && Notable(rawValue: $0) != nil ? $0 : nil }
        let text = event == nil ? sentence : String(parts[1].drop { $0 == " " })
        return JSON.object(leavingOut: [
            "at": .time(now), "level": .string(level), "event": event.map { .string($0) }, "text": .string(text),
        ]).text
    }

    /// Unbuffered, so that a line is whole in the journal and there before a crash.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// `kin found` as it is typed on this machine. It has the path of `kin` where `PATH` does not lead to it, the
    /// socket where `kin` would not find it, and the user who may open it.
    private static func command(_ started: Started) -> String {
        let isService = Machine.effectiveUserID != 0 && Machine.environment("STATE_DIRECTORY") != nil
        let socket = started.unixPath.flatMap { $0 == Flags.defaultSocket ? nil : " --socket \(Machine.quoted($0))" }
        return (isService ? "sudo " : "") + Machine.typed("kin") + " found" + (socket ?? "")
    }

    /// What a person wants to know first.
    func started(_ started: Started) {
        note(.info, started.sentence)
        for address in started.addresses { note(.info, "Listening on \(address).") }
        for address in started.metrics { note(.info, "Metrics are at http://\(address)/metrics.") }
        if let path = started.unixPath { note(.info, "Listening on \(path).") }
        guard let link = started.setUpLink else { return }
        let place = started.isOnlyHere ? "in a browser of this machine" : "on a phone or computer"
        var text = """

            No family lives here yet. Open this link \(place) to found it (it works once):

              \(link)


            """
        // A code is for a phone's camera, which cannot read files and cannot reach loopback.
        if !started.isOnlyHere, isatty(1) == 1, let code = QRCode(link) { text += code.halfBlocks + "\n" }
        text += "Or found it here, in another terminal:\n\n  \(Self.command(started))\n\n"
        Self.write(text, to: 1)
    }
}
