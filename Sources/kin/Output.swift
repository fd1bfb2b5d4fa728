import Glibc
import KinLoop
import KinModel
import KinWords

/// The output of a command. If its reader has gone away (EPIPE), the program ends quietly, as is usual in pipes.
final class Output {
    /// The descriptor to which it writes; it is not closed.
    private let out: Int32
    private let err: Int32
    let isTerminal: Bool
    /// Whether the terminal shows more than ASCII.
    var isUTF8 = Language.isUTF8()
    var isColoured: Bool
    /// Whether lines can be written anew: on a terminal whose cursor can go up.
    let canRewrite: Bool
    /// It is called once when the reader has gone away, before the program ends.
    var onGone: (() -> Void)?

    static var standard: Output { Output(out: 1, err: 2) }

    init(out: Int32, err: Int32) {
        self.out = out
        self.err = err
        isTerminal = Terminal.isTerminal(out)
        let term = Machine.environment("TERM") ?? ""
        canRewrite = isTerminal && term != "dumb" && !term.isEmpty
        isColoured = isTerminal && (Machine.environment("NO_COLOR") ?? "").isEmpty && term != "dumb"
    }

    /// The columns into which lines are fitted; `nil` if nobody reads on a terminal.
    var width: Int? { isTerminal ? Terminal.width : nil }

    /// The number of lines of the terminal; 24 if it is not known.
    var height: Int {
        // This is a `winsize`: rows, columns, and two fields that nothing fills (tty_ioctl(4)).
        var size: [UInt16] = [0, 0, 0, 0]
        guard ioctl(out, UInt(TIOCGWINSZ), &size) == 0, size[0] > 0 else { return 24 }
        return Int(size[0])
    }

    /// Prints a line, or several.
    func say(_ text: String) { write(Array(shown(text).utf8) + [0x0A], to: out) }

    /// Prints characters as they are, including line ends and sequences that move the cursor.
    func show(_ text: String) { if !text.isEmpty { write(Array(shown(text).utf8), to: out) } }

    /// Prints the lines of a screen.
    func say(_ lines: [String]) { for line in lines { say(line) } }

    private func shown(_ text: String) -> String { isTerminal && !isUTF8 ? Plain.ascii(text) : text }

    /// Prints a message as it is.
    func say(_ bytes: [UInt8]) { write(bytes + [0x0A], to: out) }

    /// Prints an answer of the daemon, for scripts.
    func say(_ json: JSON) { say(json.bytes) }

    /// Prints a line about the progress, which is not part of the result. On a terminal it breaks between words.
    func warn(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            Plain.wrapped(String($0), canDraw ? Terminal.width : nil, indent: 0)
        }
        write(Array(lines.joined(separator: "\n").utf8) + [0x0A], to: err)
    }

    /// Writes to the terminal alone, without a line end: a progress bar, or a question.
    func draw(_ text: String) { write(Array(text.utf8), to: err) }

    /// Whether a person sees what is drawn.
    var canDraw: Bool { Terminal.isTerminal(err) }

    /// The text with emphasis for a terminal: an SGR code such as `1` (bold) or `2` (faint).
    func styled(_ text: String, _ code: String) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitUntilWritable(descriptor)
            } else if errno != EINTR {
                // The reader is gone. A caller that must store something stores it before it writes.
                let isGone = errno == EPIPE
                guard descriptor == out else { return }
                onGone?()
                exit(isGone ? ExitCode.ok.rawValue : ExitCode.failed.rawValue)
            }
        }
    }

    private func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }
}
