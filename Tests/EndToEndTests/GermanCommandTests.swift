import Glibc
import KinModel
import Testing

/// `kin` in German against the real daemon: what is sent is the same in every language, and what is said is German.
@Suite struct GermanCommandTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    @discardableResult
    private func kin(_ words: String..., as who: String = "ada", lang: String = "de", fails: Bool = false) throws
        -> [String]
    {
        let program = stage.start(["kin"] + words + ["--as", who, "--lang", lang])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect((program.status == 0) != fails, "\(words): \(program.said)")
        // Why something failed is on the standard error.
        return fails ? [program.said] : program.lines
    }

    /// How a German types the weekday of the day that follows in so many days.
    private func weekday(in days: Int) -> String {
        // The first day of Unix time was a Thursday.
        ["do", "fr", "sa", "so", "mo", "di", "mi"][(time(nil) / 86_400 + days) % 7]
    }

    @Test func `every command with a day or a time is understood by the daemon`() throws {
        try kin(
            "calendar", "add", "Chor", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly", "--until", "2027-06-30")
        try kin("calendar", "add", "Fahrt", "--day", "2027-03-04", "--days", "2")
        try kin("calendar", "add", "Zahnarzt", "--day", "24.12.")
        #expect(try kin("agenda", "1.3.2027", "--days", "14").contains { $0.contains("Chor") })
        #expect(try kin("agenda").count >= 1)
        #expect(try kin("calendar", "2027-03").first == "März 2027")
        try kin("calendar")
        try kin("calendar", "search", "Chor")
        try kin("calendar", "search", "nichts dergleichen")
        try kin("agenda", "2027-03-01", "--days", "14")
        #expect(try kin("free", "bob", "2027-03-02", "--days", "3").count == 1)
        try kin("free", "ada")
        try kin("calendar", "edit", "1", "--on", "2027-03-09", "--at", "20:00-21:00")
        let moved = try kin("agenda", "2027-03-09", "--days", "1")
        #expect(moved.contains { $0.contains("20:00–21:00") && $0.contains("Chor") }, "\(moved)")
        try kin("agenda", "2027-03-01", "--days", "14")
        let shown = try kin("calendar", "show", "1")
        #expect(
            shown.contains { $0.hasPrefix("Es wiederholt sich jede Woche") && $0.contains("bis 30. Juni 2027") },
            "\(shown)")
        #expect(shown.contains { $0.hasPrefix("Statt ") && $0.contains("20:00–21:00") }, "\(shown)")
        try kin("calendar", "answer", "1", "ja", "--on", "2027-03-02", fails: true)
        try kin("calendar", "rm", "1", "--on", "2027-03-16", "--yes")
        try kin("calendar", "rm", "1", "--from", "2027-03-23", "--yes")
        try kin("meet", "propose", "Kino", "--find", "3", "--with", "bob")
        // A weekday that is not today: its evening is still to come.
        try kin("meet", "propose", "Essen", "\(weekday(in: 3)) 18:00-20:00", "--with", "bob", "--deadline", "2h")
        try kin("meal")
        try kin("meal", "2027-03-01")
        try kin("meal", "plan", "morgen", "Suppe", "--slot", "Mittag")
        try Array("2027-03-03;Linsen\nbald;Fisch\n2027-03-03;Linsen\n".utf8).write(file: stage.folder + "/menu.csv")
        let menu = try kin("meal", "menu", "Schule", stage.folder + "/menu.csv").joined(separator: "\n")
        #expect(menu.contains("ist kein Tag; schreib 2026-11-24") && menu.contains("Es steht zweimal da."), "\(menu)")
        try kin("list", "new", "Einkauf")
        try kin("meal", "fill", "Einkauf", "2027-03-01", "--days", "3")
        try kin("list", "add", "Einkauf", "Brot", "--due", "morgen")
        #expect(try kin("list", "Einkauf").contains { $0.contains("Brot · bis ") && !$0.contains("-") })
        #expect(try kin("list", "suggest", "br") == ["Brot"])
        #expect(try kin("list", "suggest", "zimt") == ["Nichts auf deinen Listen beginnt so."])
        try kin("chat", "mute", "family", "--until", "morgen")
        try kin("sharing", "bob", "exact", "--until", "morgen")
        try kin("profile", "set", "birthday", "4.3.1985")
        try kin("inbox", "quiet", "22:00-7:00")
    }

    @Test func `what cannot be done is said in German, and without words of the wire`() throws {
        let file = try kin("pictures", "add", stage.folder + "/nix.jpg", fails: true).joined()
        #expect(file.contains("lässt sich nicht lesen: Diese Datei gibt es nicht."), "\(file)")
        for (words, said) in [
            (["invite", "revoke", "x"], "„x“ ist keine Kennung"), (["feed", "unlink", "1"], "„1“ ist keine Kennung"),
            (["sharing", "revoke", "1"], "„1“ ist keine Kennung"),
            (["meal", "plan", "morgen", "Suppe", "--slot", "brunch"], "ist keine Mahlzeit"),
            (["settings", "set", "text-size", "riesig"], "ist keine Zahl"),
            (["settings", "set", "week-start", "dienstag"], "es gibt: monday, saturday, sunday"),
            (["phone", "set", "Handy", "--waypoints", "on"], "Die Liste ist leer"),
            (["chat", "of", "bob"], "Mit wem ein Erwachsener redet, sieht sonst niemand."),
            (["map", "--data", stage.folder + "/none"], "Unter der Karte liegt kein Gebiet."),
        ] {
            let program = stage.start(["kin"] + words + ["--as", "ada", "--lang", "de"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            let all = (program.lines + [program.said]).joined(separator: "\n")
            #expect(all.contains(said) && !all.contains(" must be "), "\(words): \(all)")
        }
        #expect(try kin("settings", "set", "week-start", "montag").contains { $0.contains("monday") })
        #expect(try kin("settings", "set", "clock", "24").contains { $0.hasPrefix("clock") && $0.hasSuffix(" 24") })
        let broken = stage.folder + "/broken.ics"
        try stage.run("sh", "-c", "echo hello > \(broken)")
        #expect(try kin("calendar", "import", broken, fails: true).joined().contains("ist keine Kalenderdatei."))
        try stage.run("sh", "-c", "printf 'BEGIN:VCALENDAR\\r\\nBEGIN:VEVENT\\r\\nUID:1\\r\\n' > \(broken)")
        #expect(
            try kin("calendar", "import", broken).joined().contains("Termin 1 nicht übernommen: Die Datei bricht ab."))
        #expect(try kin("pictures", "--album", "Sommer") == ["Im Album Sommer ist kein Bild."])
    }

    @Test func `who would move out is asked first, and what is not confirmed says how`() throws {
        let asked = try kin("household", "found", "Eiche", as: "bob", fails: true).joined()
        #expect(asked.contains("Du ziehst damit aus Ockham aus und in Eiche ein."), "\(asked)")
        #expect(asked.contains("--yes"))
        #expect(try house.snapshot("bob").members.values.first { $0.username == "bob" }?.household != nil)
        try kin("household", "found", "Eiche", "--yes", as: "bob")
        try kin("list", "new", "Gepäck")
        #expect(try kin("list", "remove", "Gepäck", fails: true).joined().contains("häng --yes an"))
        let child = try kin("invite", "--kind", "child")
        #expect(child.contains("Die Einladung ist für ein Kind."), "\(child)")
        #expect(child.contains { $0.contains("kin join") && $0.contains("--as-child") }, "\(child)")
    }
}
