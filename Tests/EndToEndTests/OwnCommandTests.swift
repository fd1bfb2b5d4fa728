import KinModel
import Testing

/// Contacts, profiles and settings by `kin` alone, against the real daemon.
@Suite struct OwnCommandTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func kin(_ person: String, _ words: String..., exits: Int32? = 0) throws -> [String] {
        let program = stage.start(["kin"] + words + ["--as", person])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        if let exits { #expect(program.status == exits, "\(words): \(program.said)") }
        return program.lines + program.said.split(separator: "\n").map { String($0) }
    }

    @Test func `contacts are added, found, changed and carried in and out`() throws {
        #expect(try kin("ada", "contacts").joined().contains("kin contacts add --last NAME"))
        let added = try kin(
            "ada", "contacts", "add", "--title", "Dr.", "--first", "Rosa", "--last", "Lind", "--category", "Doctors",
            "--phone", "work=+49 30 5550123", "--email", "rosa@example.org")
        #expect(added.last == "Rosa Lind is added.", "\(added)")
        #expect(try kin("bob", "contacts", "search", "0123").joined().contains("Rosa Lind"))
        let refused = try kin("bob", "contacts", "add", "--last", "Nobody", exits: nil).joined()
        #expect(refused.contains("admin"), "\(refused)")
        #expect(
            try kin("ada", "contacts", "edit", "Rosa", "--company", "Practice", "--title", "", "--birthday", "12.4.")
                .count == 1)
        let shown = try kin("bob", "contacts", "show", "Rosa")
        #expect(shown.contains { $0.contains("born on 12 April") }, "\(shown)")
        #expect(try kin("bob", "agenda", "2027-04-12", "--days", "1").joined().contains("Rosa Lind's birthday"))
        #expect(shown.contains { $0.contains("Practice") } && !shown.contains { $0.contains("Dr.") }, "\(shown)")

        // Of three cards the broken one is told of, and the others are taken.
        let file = stage.folder + "/cards.vcf"
        let cards = [
            "BEGIN:VCARD", "VERSION:4.0", "FN:Jo Bloom", "N:Bloom;Jo;;;", "TEL;TYPE=home:+49 40 1", "END:VCARD",
            "BEGIN:VCARD", "VERSION:3.0", "N:Weiß;Änne;;;", "FN:Änne Weiß", "END:VCARD", "BEGIN:VCARD",
            "VERSION:4.0", "TEL:nobody's", "", "",
        ]
        try Array(cards.joined(separator: "\r\n").utf8).write(file: file)
        let report = try kin("ada", "contacts", "import", file, exits: nil)
        #expect(report.last?.hasPrefix("New: 2, changed: 0, there already: 0") == true, "\(report)")
        #expect(report.contains { $0.hasPrefix("3 ") }, "\(report)")
        #expect(try kin("ada", "contacts", "import", file, exits: nil).last?.contains("there already: 2") == true)
        let out = stage.folder + "/out.vcf"
        #expect(try kin("ada", "contacts", "export", out) == ["3 contacts written."])
        let written = try stage.run("cat", out).lines
        #expect(written.filter { $0.hasPrefix("VERSION:4.0") }.count == 3 && written.contains { $0.contains("Änne") })
        #expect(try kin("ada", "contacts", "remove", "Bloom", "--yes").last == "Jo Bloom is removed.")
        #expect(try kin("ada", "contacts", "show", "Bloom", exits: nil).joined().contains("No contact has \"Bloom\"."))
    }

    @Test func `what somebody says of themselves is seen by whom they choose`() throws {
        #expect(try kin("bob", "profile").joined().contains("kin profile set about TEXT"))
        #expect(try kin("bob", "profile", "set", "about", "Bakes", "at", "night").last == "Kept; for everyone.")
        #expect(try kin("bob", "profile", "set", "birthday", "1984-02-29", "--for", "me").count == 1)
        #expect(try kin("bob", "profile", "add", "phone", "+49 151 1", "--label", "mobile", "--for", "ada").count == 1)
        let own = try kin("bob", "profile")
        #expect(own.count == 3 && own[0].contains("Bakes at night · for everyone"), "\(own)")
        let seen = try kin("ada", "profile", "bob")
        #expect(seen.count == 2 && !seen.joined().contains("1984") && seen.joined().contains("(mobile)"), "\(seen)")
        #expect(try kin("bob", "profile", "set", "birthday", "1984-02-30", exits: nil).joined().contains("birthday"))
        _ = try kin("bob", "profile")
        let number = String(try #require(own.first { $0.contains("151") }?.prefix { $0.isNumber }))
        #expect(try kin("bob", "profile", "share", number, "me").count == 1)
        #expect(try kin("ada", "profile", "bob").count == 1)
        _ = try kin("bob", "profile")
        #expect(try kin("bob", "profile", "remove", number) == ["Removed."])
    }

    @Test func `settings are one's own, and kin speaks by them at once`() throws {
        #expect(try kin("bob", "settings").count == 8)
        let left = try kin("bob", "settings", "set", "leave-out", "To-Decide,birthdays")
        #expect(left.contains { $0.hasPrefix("leave-out") && $0.hasSuffix("to-decide, birthdays") }, "\(left)")
        #expect(
            try kin("bob", "settings", "set", "leave-out", "family", exits: nil).joined()
                .contains("birthdays, to-decide"))
        _ = try kin("bob", "settings", "unset", "leave-out")
        let german = try kin("bob", "settings", "set", "language", "de")
        #expect(german.contains { $0.hasPrefix("language") && $0.hasSuffix("de") }, "\(german)")
        _ = try kin("bob", "settings", "set", "tabs", "map", "meetings")
        let both = try kin("bob", "settings", "set", "text-size", "20")
        #expect(both.contains { $0.hasSuffix("map, meetings") } && both.contains { $0.hasSuffix("20") }, "\(both)")
        #expect(try kin("bob", "settings", "set", "text-size", "900", exits: nil).joined().contains("text"))
        #expect(try kin("bob", "settings", "set", "zone", "Moon/Base", exits: nil).joined().contains("Moon/Base"))
        #expect(try !kin("ada", "settings").joined().contains("map, meetings"))
        let unset = try kin("bob", "settings", "unset", "tabs")
        #expect(!unset.joined().contains("map, meetings"), "\(unset)")
    }
}
