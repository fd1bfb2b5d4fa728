import Glibc
import KinLoop
import KinQR
import KinServer

/// What the daemon says: sentences to standard error, with journald's priorities when that is what listens.
enum Output {
    private static let isJournal = Machine.isJournal(2)

    static func note(_ level: NoteLevel, _ sentence: String) {
        let priority =
            switch level {
            case .error: "<3>"
            case .warning: "<4>"
            case .info: "<6>"
            }
        let line = (isJournal ? priority : "kinwired: ") + sentence + "\n"
        write(line, to: 2)
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

    /// What a person wants to know first.
    static func started(_ started: Started) {
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
        text += "Or found it here, in another terminal:  kin found\n\n"
        write(text, to: 1)
    }
}
