extension Offers {
    /// The script for fish 3 and newer.
    var fish: String {
        var lines = [
            "# kin's completion for fish, made by: kin completion fish",
            "function __kin_walk",
            "    # The command and the words after it: household:1/move",
            "    set -l tokens (commandline -opc)",
            "    set -l command",
            "    set -l walked",
            "    set -l count 0",
            "    set -l skips 0",
            "    for token in $tokens[2..-1]",
            "        if test $skips = 1",
            "            set skips 0",
            "            continue",
            "        end",
            "        switch $token",
            "            case '--*=*'",
            "            case '--*'",
            "                switch \"$command$token\"",
            "                    case \(valued.map { Self.fish($0.pattern) }.joined(separator: " "))",
            "                        set skips 1",
            "                end",
            "            case '-*'",
            "            case '*'",
            "                if test -z \"$command\"",
            "                    set command $token",
            "                else",
            "                    set walked \"$walked/$token\"",
            "                    set count (math $count + 1)",
            "                end",
            "        end",
            "    end",
            "    echo \"$command:$count$walked\"",
            "end",
            "function __kin_offers",
            "    switch (__kin_walk)",
            "        case ':0'",
        ]
        for command in commands {
            lines.append("            printf '%s\\t%s\\n' \(command.name) \(Self.fish(command.summary))")
        }
        for place in commands.flatMap({ places(of: $0) }) where !place.words.tokens.isEmpty {
            lines.append("        case \(Self.fish(place.pattern))")
            for word in place.words where word != .other { lines.append("            \(Self.offer(word))") }
        }
        lines += [
            "    end", "end", "function __kin_uses", "    string match -q -- \"$argv[1]:*\" (__kin_walk)", "end",
            "complete -c kin -f -a '(__kin_offers)'",
        ]
        for option in Option.everywhere { lines.append(Self.declared(option, of: nil)) }
        for command in commands {
            for option in command.options { lines.append(Self.declared(option, of: command)) }
        }
        return lines.joined(separator: "\n")
    }

    private static func offer(_ word: Usage.Word) -> String {
        switch word {
        case .typed(let choices): "printf '%s\\n' \(choices.joined(separator: " "))"
        case .looked(let name): "kin completion \(name) 2>/dev/null"
        case .file: "__fish_complete_path (commandline -ct)"
        case .folder: "__fish_complete_directories (commandline -ct)"
        case .other: ""
        }
    }

    private static func declared(_ option: Option, of command: Command?) -> String {
        var line = "complete -c kin"
        if let command { line += " -n '__kin_uses \(command.name)'" }
        line += " -l \(option.name) -d \(fish(option.summary(of: command)))"
        guard let value = option.value else { return line }
        let word = Usage.word(value)
        return line + (word == .other ? " -x" : " -x -a \(fish("(\(offer(word)))"))")
    }

    /// A text as a word of fish, whose single quotes know two escapes.
    private static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
