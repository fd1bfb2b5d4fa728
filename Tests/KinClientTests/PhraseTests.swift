import KinWords
import Testing

@testable import kin

@Suite struct PhraseTests {
    private static func sources() -> [String] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        return Tree.swiftFiles(below: root + "/Sources/kin").map { Tree.text($0) }
    }

    /// Keys that are put together where they are used.
    private static var assembled: Set<String> {
        var keys: Set = ["option.--version"]
        for command in Command.all {
            keys.insert("\(command.name).summary")
            keys.insert("\(command.name).details")
            for option in command.options + Option.everywhere {
                keys.formUnion(["\(command.name).--\(option.name)", "option.--\(option.name)"])
            }
            for text in command.usage + (command.options + Option.everywhere).compactMap(\.value) {
                for match in text.matches(of: /[A-Z]{2,}/) { keys.insert("word.\(match.output)") }
            }
        }
        for code in ExitCode.allCases { keys.insert("exit.\(code.rawValue)") }
        for role in ["admin", "head", "member", "guest"] { keys.insert("rank.\(role).may") }
        for state in ["ok", "warning", "failed", "skipped"] { keys.insert("doctor.state.\(state)") }
        for group in CommandGroup.allCases { keys.insert("help.group.\(group.rawValue)") }
        for row in ["family", "urls", "clients", "followers", "log", "disk", "certificate", "backup", "clock", "used"] {
            keys.insert("status.\(row)")
        }
        for kind in ["webSocket", "lines", "serverSentEvents", "ndjson", "http", "unix"] {
            keys.insert("status.clients.\(kind)")
        }
        for step in ["page", "phone", "invite"] { keys.insert("found.next.\(step)") }
        keys.formUnion(["status.certificate.own", "status.certificate.given"])
        for doubt in ["ahead", "behind", "jumped"] { keys.insert("status.clock.\(doubt)") }
        for area in CommandArea.all {
            for name in area.used.today + area.used.inAll { keys.insert("status.used.\(name)") }
        }
        for group in ["household", "everyone"] {
            keys.insert("sharing.waits-\(group)")
        }
        return keys
    }

    /// Keys that stand in the sources as they are.
    private static var named: Set<String> {
        var keys: Set<String> = []
        for source in sources() {
            for match in source.matches(of: /"([a-z][a-zA-Z0-9-]*(?:\.[a-zA-Z0-9-]+)*)"/) {
                keys.insert(String(match.output.1))
            }
            for match in source.matches(of: /Table\(([^)]*)\)/) {
                for heading in match.output.1.matches(of: /"([a-z-]+)"/) { keys.insert("column.\(heading.output.1)") }
            }
        }
        return keys
    }

    @Test func `both languages say the same things with the same values`() {
        let (english, german) = (Language.english.own, Language.german.own)
        #expect(Set(english.keys).subtracting(german.keys).sorted() == [])
        #expect(Set(german.keys).subtracting(english.keys).sorted() == [])
        for phrases in [english, german] { #expect(Set(phrases.keys).count == phrases.keys.count, "a key twice") }
        for key in english.keys {
            #expect(english[key]?.placeholders == german[key]?.placeholders, "\(key)")
        }
    }

    @Test func `every text that is said is in the files, and none in the files is never said`() {
        let own = Set(Language.english.own.keys)
        let known = own.union(Language.english.phrases.keys)
        #expect(own.isDisjoint(with: Language.english.phrases.keys))
        let families = [
            "agenda.answer.", "alarm.answer.", "calendar.answered.", "calendar.invitee.", "calendar.month.",
            "calendar.privacy.",
            "calendar.right.", "calendar.scope.", "calendar.status.", "chat.about.", "dish.outcome.", "inbox.day.",
            "list.kind.",
            "meal.eats.", "meet.kind.",
            "meet.view.", "phone.for.", "place.kind.", "search.kind.",
        ]
        let unsaid = own.subtracting(Self.named).subtracting(Self.assembled)
            .filter { key in !families.contains { key.hasPrefix($0) } }
        #expect(unsaid.sorted() == [])
        for source in Self.sources() {
            for match in source.matches(of: /phrase\(\s*"([^"\\]+)"/) {
                #expect(known.contains(String(match.output.1)), "\(match.output.1)")
            }
            for match in source.matches(of: /Table\(([^)]*)\)/) where !match.output.1.contains(":") {
                for heading in match.output.1.matches(of: /"([a-z-]+)"/) {
                    #expect(known.contains("column.\(heading.output.1)"), "\(heading.output.1)")
                }
            }
        }
        for command in Command.all {
            #expect(known.contains("\(command.name).summary"))
            for option in command.options {
                let isSaid =
                    known.contains("\(command.name).--\(option.name)") || known.contains("option.--\(option.name)")
                #expect(isSaid, "\(command.name) --\(option.name)")
            }
        }
        for option in Option.everywhere { #expect(known.contains("option.--\(option.name)")) }
        for code in ExitCode.allCases { #expect(known.contains("exit.\(code.rawValue)")) }
    }

    @Test(arguments: CommandArea.all.map(\.name)) func `an area's words are in its folder, the same in both languages`(
        name: String
    ) throws {
        let area = try #require(CommandArea.all.first { $0.name == name })
        let (english, german) = (Phrases(area.messages(.english)), Phrases(area.messages(.german)))
        #expect(!english.keys.isEmpty)
        #expect(english.keys.sorted() == german.keys.sorted())
        for command in area.commands { #expect(english["\(command.name).summary"] != nil, "\(command.name)") }
        for kind in area.inboxKinds { #expect(Language.english.phrases["kinds.\(kind)"] != nil, "\(kind)") }
        for sum in area.used.today + area.used.inAll { #expect(english["status.used.\(sum)"] != nil, "\(sum)") }
    }

    @Test(arguments: [
        ([:], Language.english), (["LANG": "de_DE.UTF-8"], .german), (["LANG": "de"], .german),
        (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"], .english),
        (["LANG": "fr_FR.UTF-8", "LC_ALL": "de_AT"], .german), (["LC_ALL": "", "LANG": "de_CH@euro"], .german),
        (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], .english), (["LANG": "den_XX"], .english),
        (["LANG": "POSIX"], .english),
    ])
    func `the environment says the language as POSIX has it`(variables: [String: String], expected: Language) {
        #expect(Language { variables[$0] } == expected)
        #expect(Language.isUTF8 { ["LC_CTYPE": "en_US.utf8", "LANG": "C"][$0] })
        #expect(!Language.isUTF8 { ["LC_ALL": "C", "LANG": "de_DE.UTF-8"][$0] })
    }

    @Test func `help in both languages fits into a narrow terminal, and is German in German`() {
        for language in Language.allCases {
            Language.$current.withValue(language) {
                for text in Command.all.map({ Help.text(of: $0, width: 60) }) + [Help.overview(width: 60)] {
                    for line in text.split(separator: "\n") { #expect(Plain.columns(String(line)) <= 60, "\(line)") }
                }
            }
        }
        let german = Language.$current.withValue(.german) { Help.text(of: .restore) }
        #expect(german.contains("Aufruf: kin restore DATEI --data ORDNER"))
        #expect(german.contains("--as MITGLIED"))
    }
}
