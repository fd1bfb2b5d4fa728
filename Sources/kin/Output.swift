import Glibc
import KinLoop
import KinModel
import KinWords

/// Where a command's words go. A reader that went away (EPIPE) ends the program quietly, as pipes have it.
final class Output {
    /// To a descriptor; the number is not closed.
    private let out: Int32
    private let err: Int32
    let isTerminal: Bool
    /// Whether the terminal shows more than ASCII.
    var isUTF8 = Language.isUTF8()
    var isColoured: Bool
    /// Whether lines can be written anew: a terminal that the cursor goes up in.
    let canRewrite: Bool
    /// Called once when the reader went away, before the program ends.
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

    /// Columns to fit lines into; `nil` when nobody reads on a terminal.
    var width: Int? { isTerminal ? Terminal.width : nil }

    /// Lines of the terminal; 24 where it does not say.
    var height: Int {
        // A `winsize`: rows, columns, and two that nobody fills (tty_ioctl(4)).
        var size: [UInt16] = [0, 0, 0, 0]
        guard ioctl(out, UInt(TIOCGWINSZ), &size) == 0, size[0] > 0 else { return 24 }
        return Int(size[0])
    }

    /// A line, or several.
    func say(_ text: String) { write(Array(shown(text).utf8) + [0x0A], to: out) }

    /// Characters as they are, with line ends and what moves the cursor among them.
    func show(_ text: String) { if !text.isEmpty { write(Array(shown(text).utf8), to: out) } }

    /// Lines of a screen.
    func say(_ lines: [String]) { for line in lines { say(line) } }

    private func shown(_ text: String) -> String { isTerminal && !isUTF8 ? Plain.ascii(text) : text }

    /// A message, as it is.
    func say(_ bytes: [UInt8]) { write(bytes + [0x0A], to: out) }

    /// An answer of the daemon's, for scripts.
    func say(_ json: JSON) { say(json.bytes) }

    /// A line about the progress, which is not the result; on a terminal it breaks between words.
    func warn(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            Plain.wrapped(String($0), canDraw ? Terminal.width : nil, indent: 0)
        }
        write(Array(lines.joined(separator: "\n").utf8) + [0x0A], to: err)
    }

    /// On the terminal only, without a line's end: a progress bar, a question.
    func draw(_ text: String) { write(Array(text.utf8), to: err) }

    /// Whether a person sees what is drawn.
    var canDraw: Bool { Terminal.isTerminal(err) }

    /// Emphasis for terminals: an SGR code such as `1` (bold) or `2` (faint).
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
                // Nobody reads any more. A caller that must keep something keeps it before it writes.
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
