import CLinux
import Glibc

/// The terminal's input key by key and without an echo, until ``putBack()``. Control-C is a key like others then and raises
/// no signal, so that nobody is left behind with a terminal that shows nothing.
public final class TerminalKeys {
    private var former = termios()
    private var isOn = false

    /// `nil` where the input is no terminal.
    public init?() {
        guard Terminal.isTerminal(STDIN_FILENO), unsafe kin_terminal_keys(STDIN_FILENO, &former) >= 0 else {
            return nil
        }
        isOn = true
    }

    /// The terminal is as it was before.
    public func putBack() {
        guard isOn else { return }
        isOn = false
        _ = unsafe kin_terminal_restore(STDIN_FILENO, &former)
    }

    deinit { putBack() }
}
