extension Offers {
    /// The script for bash 4 and newer.
    var bash: String {
        var lines = [
            "# kin's completion for bash, made by: kin completion bash",
            "_kin() {",
            "    local cur=${COMP_WORDS[COMP_CWORD]} command= path= option= offers= offer word",
            "    local -i count=0 i",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            "        word=${COMP_WORDS[i]}",
            "        if [[ -n $option ]]; then",
            "            [[ $word == '=' ]] || option=",
            "            continue",
            "        fi",
            "        case $word in",
            "        --*)",
            "            case $command$word in",
            "            \(valued.map { Self.glob($0.pattern) }.joined(separator: " | "))) option=$word ;;",
            "            esac ;;",
            "        -*) ;;",
            "        *) if [[ -z $command ]]; then command=$word; else path+=/$word count+=1; fi ;;",
            "        esac",
            "    done",
            "    [[ $cur == '=' ]] && cur=",
            "    if [[ -n $option ]]; then",
            "        case $command$option in",
        ]
        for (pattern, word) in valued where word != .other {
            lines.append("        \(Self.glob(pattern))) offers='\(word.token)' ;;")
        }
        lines += ["        esac", "    elif [[ $cur == -* ]]; then", "        case $command in"]
        for command in commands where !command.options.isEmpty {
            lines.append("        \(command.name)) offers='\(Self.options(command.options))' ;;")
        }
        lines += [
            "        esac", "        offers+=' \(Self.options(Option.everywhere))'", "    elif [[ -z $command ]]; then",
            "        offers='\(commands.map(\.name).joined(separator: " "))'", "    else",
            "        case $command:$count$path in",
        ]
        for place in commands.flatMap({ places(of: $0) }) where !place.words.tokens.isEmpty {
            lines.append("        \(Self.glob(place.pattern))) offers='\(place.words.tokens)' ;;")
        }
        lines += [
            "        esac",
            "    fi",
            "    COMPREPLY=()",
            "    for offer in $offers; do",
            "        case $offer in",
            "        @files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;",
            "        @folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;",
            "        @*)",
            "            while IFS= read -r word; do",
            "                [[ $word == \"$cur\"* ]] && COMPREPLY+=(\"$(printf %q \"$word\")\")",
            "            done < <(\"${COMP_WORDS[0]}\" completion \"${offer#@}\" 2>/dev/null) ;;",
            "        \"$cur\"*) COMPREPLY+=(\"$offer\") ;;",
            "        esac",
            "    done",
            "}",
            "complete -F _kin kin",
        ]
        return lines.joined(separator: "\n")
    }

    /// A pattern with its wildcards, all else as it is.
    static func glob(_ pattern: String) -> String {
        pattern.split(separator: "*", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "'\($0)'" }
            .joined(separator: "*")
    }

    static func options(_ options: [Option]) -> String { options.map { "--\($0.name)" }.joined(separator: " ") }

    /// A text as a word of the Bourne shells.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
