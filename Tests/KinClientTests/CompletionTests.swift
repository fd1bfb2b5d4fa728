import KinWords
import Testing

@testable import kin

@Suite struct CompletionTests {
    @Test func `a way to call a command is read from its help`() {
        #expect(Usage("household move MEMBER HOUSEHOLD").words == [.typed(["move"]), .member, .household])
        #expect(Usage("role MEMBER admin|head").words == [.member, .typed(["admin", "head"])])
        #expect(Usage("invite [create] [--household NAME] [--role ROLE]").words == [.typed(["create"])])
        #expect(Usage("tail [--since CURSOR|10m] [--name NAME]").words == [])
        #expect(Usage("import FILE.gpx [--speed N | --at-once] [--keep-times]").words == [.file])
        #expect(
            Usage("member remove MEMBER --keep hand-over|delete [--to MEMBER]").words == [.typed(["remove"]), .member])
        #expect(Usage("announce TEXT…") == Usage("announce TEXT…"))
        #expect(Usage("announce TEXT…").repeats)
        #expect(Usage("announce < FILE").words == [])
    }

    @Test func `each place has its offers, typed words before wildcards`() {
        let places = Offers().places(of: .household)
        #expect(
            places.first { $0.pattern == "household:0" }?.words.tokens
                == "list found rename move requests admit refuse")
        #expect(places.first { $0.pattern == "household:1/move" }?.words == [.member])
        #expect(places.first { $0.pattern == "household:2/move/*" }?.words == [.household])
    }

    /// A program that stands for kin where the scripts ask it for names.
    private func inShell(_ body: (String) -> Void) {
        Tree.temporary { folder in
            Tree.write(
                "#!/bin/sh\ntest \"$2\" = members && printf 'ada\\nbob\\n' || printf 'Oak\\nThe Elms\\n'\n",
                folder + "/kin")
            _ = Tree.output(of: "chmod +x \(folder)/kin")
            body(folder)
        }
    }

    /// What is typed, and what the shells offer.
    private static let typed: [(words: [String], offers: [String])] = [
        (["hou"], ["household"]),
        (["household", ""], ["list", "found", "rename", "move", "requests", "admit", "refuse"]),
        (["household", "move", "b"], ["bob"]), (["household", "move", "bob", "O"], ["Oak"]),
        (["--as", "ada", "role", "bob", "g"], ["guest"]), (["role", ""], ["ada", "bob"]),
        (["invite", "--role", "he"], ["head"]), (["restore", "x", "--ver"], ["--verify"]), (["--as", "a"], ["ada"]),
        (["pictures", "add", "a.jpg", "--for", "h"], ["household"]), (["post", "Soup", "--for", "e"], ["everyone"]),
        (["meal", "sh"], ["show"]), (["post", "share", "1", "--te"], ["--text"]),
    ]

    @Test func `bash completes commands, words, options and names`() {
        inShell { folder in
            Tree.write(Offers().bash, folder + "/kin.bash")
            for (words, offers) in Self.typed {
                let line = (["kin"] + words).map { "'\($0)'" }.joined(separator: " ")
                let said = Tree.output(
                    of: """
                        PATH="\(folder):$PATH" bash -c '. \(folder)/kin.bash; COMP_WORDS=("$@"); \
                        COMP_CWORD=$(($# - 1)); _kin; printf "%s\\n" "${COMPREPLY[@]}"' bash \(line)
                        """)
                #expect(said.split(separator: "\n").map { String($0) } == offers, "\(words)")
            }
            let said = Tree.output(
                of: """
                    PATH="\(folder):$PATH" bash -c '. \(folder)/kin.bash; COMP_WORDS=(kin household rename T); \
                    COMP_CWORD=3; _kin; printf "%s\\n" "${COMPREPLY[@]}"'
                    """)
            #expect(said == "The\\ Elms\n", "blanks are quoted")
        }
    }

    @Test(.enabled(if: Tree.hasProgram("fish"), "fish is not installed"))
    func `fish completes the same, with what it is for`() {
        inShell { folder in
            Tree.write(Offers().fish, folder + "/kin.fish")
            for (words, offers) in Self.typed {
                let line = (["kin"] + words).joined(separator: " ")
                let said = Tree.output(
                    of: """
                        HOME=\(folder) PATH="\(folder):$PATH" fish --no-config -c 'source \(folder)/kin.fish; \
                        complete -C "\(line)"'
                        """)
                let offered = said.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
                #expect(offered.sorted() == offers.sorted(), "\(words): \(said)")
            }
        }
    }

    @Test(.enabled(if: Tree.hasProgram("zsh"), "zsh is not installed"))
    func `zsh completes the same`() {
        inShell { folder in
            Tree.write(Offers().zsh, folder + "/_kin")
            #expect(Tree.output(of: "zsh -n \(folder)/_kin") == "")
            for (words, offers) in Self.typed {
                let line = (["kin"] + words).map { "'\($0)'" }.joined(separator: " ")
                // zsh's own functions, which fill the list, stand aside for ones that print what they are given.
                let said = Tree.output(
                    of: """
                        PATH="\(folder):$PATH" zsh -f -c 'compdef() { }; _describe() { print -l -- ${described%%:*} }
                        compadd() { if [[ $1 == -a ]]; then print -l -- $found; else print -- $2; fi }
                        words=("$@"); CURRENT=$#; source \(folder)/_kin; _kin' zsh \(line)
                        """)
                let prefix = words.last ?? ""
                let offered = said.split(separator: "\n").map { String($0) }.filter { $0.hasPrefix(prefix) }
                #expect(offered == offers, "\(words): \(said)")
            }
        }
    }

    @Test func `scripts are made in both languages and hold every command and option`() {
        for language in Language.allCases {
            Language.$current.withValue(language) {
                for script in [Offers().bash, Offers().zsh, Offers().fish] {
                    for command in Command.all {
                        #expect(script.contains(command.name))
                        for option in command.options { #expect(script.contains(option.name)) }
                    }
                }
            }
        }
    }
}
