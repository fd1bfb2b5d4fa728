/// The words that completion offers in each place, from the declarations of commands and options.
struct Offers {
    /// A place after a command: the pattern of the words before it, in the shells' own language. The first that fits
    /// counts.
    struct Place {
        /// `household:1/move`, `household:2/move/*`.
        let pattern: String
        let words: [Usage.Word]
    }

    let commands: [Command]

    init(_ commands: [Command] = Command.all) { self.commands = commands }

    /// The places of a command. Patterns without wildcards come first.
    func places(of command: Command) -> [Place] {
        var found: [String: [Usage.Word]] = [:]
        var order: [String] = []
        for usage in command.usage.map({ Usage($0) }) {
            for (index, word) in usage.words.enumerated() {
                for path in Self.paths(usage.words[..<index]) {
                    let pattern = "\(command.name):\(index)\(path)"
                    if found[pattern] == nil { order.append(pattern) }
                    if !found[pattern, default: []].contains(word) { found[pattern, default: []].append(word) }
                }
            }
        }
        let places = order.map { Place(pattern: $0, words: found[$0] ?? []) }
        return places.filter { !$0.pattern.contains("*") } + places.filter { $0.pattern.contains("*") }
    }

    /// Options that take a value, with the value's word. Those of every command stand under `*`.
    var valued: [(pattern: String, word: Usage.Word)] {
        commands.flatMap { command in
            command.options.filter { $0.value != nil }.map {
                ("\(command.name)--\($0.name)", Usage.word($0.value ?? ""))
            }
        } + Option.everywhere.filter { $0.value != nil }.map { ("*--\($0.name)", Usage.word($0.value ?? "")) }
    }

    /// Each way in which the words can be typed: `/move/*`.
    private static func paths(_ words: ArraySlice<Usage.Word>) -> [String] {
        words.reduce([""]) { paths, word in
            let steps: [String]
            if case .typed(let choices) = word { steps = choices } else { steps = ["*"] }
            return paths.flatMap { path in steps.map { "\(path)/\($0)" } }
        }
    }
}

extension Usage.Word {
    /// The word for the scripts: literal words as they are, `@member` for one that must be asked for or looked up.
    var token: String {
        switch self {
        case .typed(let choices): choices.joined(separator: " ")
        case .looked(let word): "@\(word)"
        case .file: "@files"
        case .folder: "@folders"
        case .other: ""
        }
    }
}

extension [Usage.Word] {
    var tokens: String { map(\.token).filter { !$0.isEmpty }.joined(separator: " ") }
}
