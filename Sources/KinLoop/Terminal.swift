/// The terminal a person sits at.
public enum Terminal {
    /// Whether a descriptor (0 input, 1 output, 2 errors) is a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool { false }
    /// Columns of the terminal on the output; `nil` when there is none.
    public static var width: Int? { nil }
    /// Asks for a password on the terminal, without showing it; from the input when that is no terminal. `nil` at the end of input.
    public static func readPassword(prompt: String) -> String? { nil }
}
