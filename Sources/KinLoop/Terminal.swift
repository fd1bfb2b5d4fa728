import CLinux
import Glibc

/// The terminal a person sits at.
public enum Terminal {
    /// Whether a descriptor (0 input, 1 output, 2 errors) is a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal on the output; `nil` when there is none.
    public static var width: Int? {
        let columns = Int(kin_terminal_width(STDOUT_FILENO))
        return columns > 0 ? columns : nil
    }

    /// Asks for a password on the terminal without showing it, or takes a line of the input when that is no terminal.
    ///
    /// `nil` at the end of input, on control-C, and for more than 4 kB.
    public static func readPassword(prompt: String) -> String? {
        guard isTerminal(STDIN_FILENO) else { return readLine(STDIN_FILENO) }
        // The echo is off before the prompt: an answer typed at once must be neither shown nor lost.
        var former = termios()
        guard unsafe kin_terminal_silence(STDIN_FILENO, &former) >= 0 else { return nil }
        defer { _ = unsafe kin_terminal_restore(STDIN_FILENO, &former) }
        // On the errors' descriptor, since the output may be another program's input.
        let prompt = Array(prompt.utf8)
        _ = unsafe write(STDERR_FILENO, prompt, prompt.count)
        return readLine(STDIN_FILENO)
    }

    /// One line, byte by byte: what follows it belongs to the next reader.
    static func readLine(_ fd: Int32) -> String? {
        var line: [UInt8] = []
        while line.count <= 4_096 {
            var byte: UInt8 = 0
            let count = unsafe read(fd, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            switch byte {
            case 3: return nil
            case UInt8(ascii: "\n"):
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            default: line.append(byte)
            }
        }
        return nil
    }
}
