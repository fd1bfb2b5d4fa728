import KinModel
import Testing

@testable import KinWords

/// The message files: what both languages say, and that it is said.
@Suite struct MessageTests {
    /// Keys that are put together where they are used, by what they begin with.
    private static let families = [
        "weekday.", "month.", "rank.", "trouble.", "answer.", "button.", "change.", "kinds.", "inbox.quota.",
        "event.like.",
        "inbox.child-",
        "inbox.sharing-by-", "inbox.sharing-asked-", "page.app.", "page.commands.", "page.trust.", "page.who.links.",
        "meal.slot.", "alarm.", "event.alarm.", "inbox.alarm-overdue.", "profile.kind.", "direction.", "event.item.",
        "event.calendar.shared.", "calendar.trouble.", "news.trouble.", "page.calendar.", "event.entry.answered.",
        "inbox.calendar-shared.",
        "inbox.entry-answered.", "search.kind.",
    ]
    /// The page's own, of those that are put together in its modules.
    private static let pageFamilies = [
        "web.alarm.do.", "web.alarm.mine.", "web.alarm.mine-overdue.", "web.alarm.answer.",
        "web.cal.answer.", "web.cal.category.", "web.cal.invitee.", "web.cal.part.", "web.cal.privacy.",
        "web.cal.repeat.", "web.cal.right-to.", "web.cal.right.", "web.cal.said.", "web.cal.scope.", "web.cal.status.",
        "web.cal.view.", "web.chat.about.", "web.chat.mute.",
        "web.gallery.category.", "web.gallery.layout.",
        "web.grade.", "web.kind.", "web.language.", "web.like.", "web.list.for.",
        "web.dish.outcome.", "web.list.kind.", "web.looks.", "web.meal.eats.", "web.meal.slot.",
        "web.meetings.",
        "web.place.",
        "web.profile.",
        "web.rank.", "web.rules.kind.", "web.rules.ring.", "web.search.kind.", "web.size.", "web.tab.", "web.theme.",
    ]

    private static let sources = ["KinWords", "KinServer", "kin"].flatMap { Tree.files(below: "Sources/" + $0) }
        .filter { $0.hasSuffix(".swift") }.map { Tree.text($0) }

    /// Keys that stand in the page's modules.
    private static let namedInPage = {
        let modules = Tree.files(below: "Sources/KinWeb/App").filter { $0.hasSuffix(".js") }.map { Tree.text($0) }
        return Set(modules.flatMap { $0.matches(of: /"([a-z][a-zA-Z0-9.-]*)"/).map { String($0.output.1) } })
    }()

    /// Keys that stand in the sources as they are.
    private static let named: Set<String> = {
        var keys: Set<String> = []
        for source in sources {
            for match in source.matches(of: /"([a-z][a-zA-Z0-9-]*(?:\.[a-zA-Z0-9-]+)*)"/) {
                keys.insert(String(match.output.1))
            }
        }
        return keys
    }()

    @Test func `a program does not start without an area that Package.swift lists`() async {
        AreaWords.check()
        await #expect(processExitsWith: .failure) { AreaWords.check(areas: AreaWords.all.count - 1) }
    }

    @Test func `both languages say the same things with the same values`() {
        let (english, german) = (Language.english.phrases, Language.german.phrases)
        #expect(Set(english.keys).subtracting(german.keys).sorted() == [])
        #expect(Set(german.keys).subtracting(english.keys).sorted() == [])
        for phrases in [english, german] { #expect(Set(phrases.keys).count == phrases.keys.count, "a key twice") }
        for key in english.keys {
            #expect(english[key]?.placeholders == german[key]?.placeholders, "\(key)")
            #expect(Self.tags(english[key]) == Self.tags(german[key]), "\(key)")
        }
    }

    /// The markup of a page's text, in any order.
    private static func tags(_ phrase: Phrase?) -> [String] {
        let text = (phrase?.parts ?? []).map { part in
            switch part {
            case .text(let text): text
            case .value(let name): "{\(name)}"
            case .form(let name, let one, let other): "{\(name)|\(one)|\(other)}"
            }
        }
        return text.joined().matches(of: /<[^>]*>/).map { String($0.output) }.sorted()
    }

    @Test func `every text that is said is in the files, and none in the files is never said`() {
        let known = Set(Language.english.phrases.keys)
        // The page says a key of an area in its own words where `web.` stands before it.
        let unsaid = known.subtracting(Self.named).filter { key in
            let isPages = key.hasPrefix("web.")
            let own = isPages ? String(key.dropFirst("web.".count)) : key
            if isPages, Self.namedInPage.contains(own) || known.contains(own) { return false }
            return !(isPages ? Self.pageFamilies : Self.families).contains { key.hasPrefix($0) }
        }
        #expect(unsaid.sorted() == [])
        for file in Tree.files(below: "Sources/KinWeb/App").filter({ $0.hasSuffix(".js") }) {
            for match in Tree.text(file).matches(of: /\bt\("([a-z][a-zA-Z0-9.-]*)"/) {
                let key = String(match.output.1)
                #expect(known.contains(key) || known.contains("web." + key), "\(key) in \(file)")
            }
        }
        for source in Tree.files(below: "Sources/KinWords").filter({ $0.hasSuffix(".swift") }).map({ Tree.text($0) }) {
            for match in source.matches(of: /phrase\(\s*"([^"\\]+)"/) {
                #expect(known.contains(String(match.output.1)), "\(match.output.1)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `the family's page names no command of a terminal, but where an admin opens that part`(language: Language) {
        for key in language.phrases.keys where key.hasPrefix("web.") {
            let text = language.phrases[key]?.filled([:], in: language) ?? ""
            #expect(text.firstMatch(of: /(?:^|[ (“„:])kin (?!is\b|ist\b)[a-z]+/) == nil, "\(key): \(text)")
        }
        for file in Tree.files(below: "Sources/KinWeb/App").filter({ $0.hasSuffix(".js") }) {
            for line in Tree.text(file).split(separator: "\n") where line.contains("\"kin ") {
                #expect(line.contains("terminal(\"kin "), "\(file): \(line)")
            }
        }
        #expect(Tree.text("Sources/KinWeb/App/base.js").contains("terminal = command => me()?.role === \"admin\" ?"))
    }

    @Test(arguments: Language.allCases)
    func `that nobody shows where they are is said in the same words everywhere`(language: Language) throws {
        let phrases = language.phrases
        let plain = try #require(phrases["web.home.nobody-shows"]).filled([:], in: language)
        for key in ["web.home.show-first", "web.home.ask-first"] {
            #expect(try #require(phrases[key]).filled([:], in: language).hasPrefix(plain), "\(key)")
        }
    }

    @Test func `what is put together is there for every value`() {
        let known = Language.english.phrases
        var keys: [String] = []
        keys += (1...7).map { "weekday.\($0)" } + (1...12).map { "month.\($0)" }
        keys += ["admin", "head", "member", "guest"].map { "rank.\($0)" }
        keys += Vote.Answer.allCases.map { "answer.\($0.rawValue)" }
        keys += Meeting.Updated.Change.allCases.map { "change.\($0.rawValue)" }
        keys += Sharing.Changed.Change.allCases.map { "inbox.sharing-by-\($0.rawValue)" }
        keys += ["points", "operations", "pictures", "displayNames", "places", "meetings"].map { "inbox.quota.\($0)" }
        keys += ["household", "everyone"].map { "inbox.sharing-asked-\($0)" }
        keys += ["held", "given", "waits", "narrowed", "off"].flatMap {
            ["inbox.child-\($0)", "inbox.child-\($0)-own"]
        }
        keys += ["plain", "warned", "trusted", "shared"].map { "web.grade.\($0)" }
        for key in keys { #expect(known[key] != nil, "\(key)") }
    }

    @Test func `each part of the snapshot has words`() {
        #expect(AreaWords.all.count == Snapshot.kinds.count)
        for words in AreaWords.all {
            #expect(Phrases(words.messages(.english)).keys == Phrases(words.messages(.german)).keys)
            #expect(!Phrases(words.messages(.english)).keys.isEmpty)
        }
    }

    @Test func `values and forms go into their places`() {
        let phrase = Phrase("{name} has {n} {n|child|children}.")
        #expect(phrase.filled(["name": "Ada", "n": 1], in: .english) == "Ada has 1 child.")
        #expect(phrase.filled(["name": "{n}", "n": 3], in: .english) == "{n} has 3 children.")
        #expect(phrase.placeholders == ["name", "n"])
        #expect(Phrase("no { such").filled([:], in: .german) == "no { such")
    }

    @Test func `a file is read as it is written`() {
        let file = "# for the reader\na.b = one\n  two\nc = x\\ny = z\n\nno text\nä = ü\nlast = end"
        let phrases = Phrases(MessageFile(Array("z = first\n".utf8)), MessageFile(Array(file.utf8)))
        #expect(phrases.keys == ["a.b", "c", "last", "z", "ä"])
        #expect(phrases["a.b"]?.filled([:], in: .english) == "one two")
        #expect(phrases["c"]?.filled([:], in: .english) == "x\ny = z")
        #expect(phrases["ä"]?.filled([:], in: .english) == "ü")
        #expect(phrases["last"]?.filled([:], in: .english) == "end")
        for key in ["", "a", "a.b.", "zz", "no text"] { #expect(phrases[key] == nil, "\(key)") }
        let none = Phrases([])
        #expect(none.keys == [] && none["a"] == nil)
    }
}
