import KinWords

/// A command line taken apart. Options may stand anywhere, as `--name value` or `--name=value`; `--` ends them.
struct Arguments: Equatable {
    /// The command's name; `nil` if there is none.
    var command: String?
    var words: [String] = []
    /// Values by option; a flag has one empty value.
    var values: [String: [String]] = [:]

    init() {}

    /// Reads a command line. `options` gives the options of a command by its name, and throws if there is no such
    /// command.
    init(_ texts: [String], options: (String) throws(Problem) -> [Option]) throws(Problem) {
        var rest = texts[...]
        var known = Option.everywhere + [.flag("version")]
        var isEnded = false
        while let text = rest.popFirst() {
            if isEnded || text == "-" || !text.hasPrefix("-") || Self.isNumber(text) {
                if command == nil {
                    command = text
                    known += try options(text)
                } else {
                    words.append(text)
                }
                continue
            }
            if text == "--" {
                isEnded = true
                continue
            }
            try take(text == "-h" ? "--help" : text, &rest, known)
        }
    }

    private mutating func take(_ text: String, _ rest: inout ArraySlice<String>, _ known: [Option]) throws(Problem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard text.hasPrefix("--"), let option = known.first(where: { $0.name == name }) else {
            // For an option that stands before the command, the command is not known yet.
            let advice = command.map { "kin \($0) --help" } ?? "kin --help"
            throw .usage(phrase("usage.no-option", ["option": Plain.line(String(parts[0])), "advice": advice]))
        }
        if option.value == nil {
            guard parts.count == 1 else { throw .usage(phrase("usage.no-value", ["name": name])) }
            values[name, default: []].append("")
            return
        }
        if parts.count == 2 {
            values[name, default: []].append(String(parts[1]))
        } else if let value = rest.popFirst() {
            values[name, default: []].append(value)
        } else {
            throw .usage(phrase("usage.needs-value", ["name": name, "shown": option.shown]))
        }
    }

    /// Whether a word that begins with a minus is a number, and no option.
    private static func isNumber(_ text: String) -> Bool {
        text.hasPrefix("-") && text.dropFirst().first?.isNumber == true && Double(text) != nil
    }
}
