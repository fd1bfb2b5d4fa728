extension Offers {
    /// The script for zsh, as a file `_kin` in `$fpath`, or sourced after `compinit`.
    var zsh: String {
        var lines = [
            "#compdef kin",
            "# kin's completion for zsh, made by: kin completion zsh",
            "_kin() {",
            "    local cur=${words[CURRENT]} command= walked= option= offers= offer word",
            "    local -i count=0 i",
            "    local -a described found",
            "    for ((i = 2; i < CURRENT; i++)); do",
            "        word=${words[i]}",
            "        if [[ -n $option ]]; then option=; continue; fi",
            "        case $word in",
            "        (--*=*) ;;",
            "        (--*)",
            "            case $command$word in",
            "            (\(valued.map { Self.glob($0.pattern) }.joined(separator: "|"))) option=$word ;;",
            "            esac ;;",
            "        (-*) ;;",
            "        (*) if [[ -z $command ]]; then command=$word; else walked+=/$word; count+=1; fi ;;",
            "        esac",
            "    done",
            "    if [[ $cur == --*=* ]]; then",
            "        option=${cur%%=*}",
            "        compset -P '*='",
            "    fi",
            "    if [[ -n $option ]]; then",
            "        case $command$option in",
        ]
        for (pattern, word) in valued where word != .other {
            lines.append("        (\(Self.glob(pattern))) offers='\(word.token)' ;;")
        }
        lines += ["        esac", "    elif [[ $cur == -* ]]; then", "        case $command in"]
        for command in commands where !command.options.isEmpty {
            lines.append("        (\(command.name)) described=(\(Self.described(command.options, of: command))) ;;")
        }
        lines += [
            "        esac", "        described+=(\(Self.described(Option.everywhere, of: nil)))",
            "        _describe -o option described", "    elif [[ -z $command ]]; then", "        described=(",
        ]
        for command in commands { lines.append("            \(Self.quoted("\(command.name):\(command.summary)"))") }
        lines += [
            "        )", "        _describe command described", "    else", "        case $command:$count$walked in",
        ]
        for place in commands.flatMap({ places(of: $0) }) where !place.words.tokens.isEmpty {
            lines.append("        (\(Self.glob(place.pattern))) offers='\(place.words.tokens)' ;;")
        }
        lines += [
            "        esac",
            "    fi",
            "    for offer in ${=offers}; do",
            "        case $offer in",
            "        (@files) _files ;;",
            "        (@folders) _files -/ ;;",
            "        (@*) found=(${(f)\"$(${words[1]} completion ${offer#@} 2>/dev/null)\"}); compadd -a found ;;",
            "        (*) compadd -- $offer ;;",
            "        esac",
            "    done",
            "}",
            "if [[ ${funcstack[1]} == _kin ]]; then _kin \"$@\"; else compdef _kin kin; fi",
        ]
        return lines.joined(separator: "\n")
    }

    private static func described(_ options: [Option], of command: Command?) -> String {
        options.map { quoted("--\($0.name):\($0.summary(of: command))") }.joined(separator: " ")
    }
}
