import KinCodec
import KinKeeper
import KinModel
import KinWords

/// On the pages that set something up: what was set up there before, each with the button that ends it.
extension Pages {
    /// What a page sets up.
    enum KeptSort: String {
        case password = "endPassword"
        case feed = "endFeed"
        case phone = "endPhone"

        /// The method that lists them, and what holds them in its answer.
        fileprivate var list: (method: String, name: String) {
            switch self {
            case .password: ("appPassword.list", "appPasswords")
            case .feed: ("calendar.feeds", "feeds")
            case .phone: ("notice.list", "devices")
            }
        }

        /// The method that ends one, and the parameter that names it.
        fileprivate var end: (method: String, name: String) {
            switch self {
            case .password: ("appPassword.revoke", "appPassword")
            case .feed: ("calendar.removeFeed", "feed")
            case .phone: ("notice.remove", "device")
            }
        }
    }

    /// Asks what there is of some sorts. `path`: the page's form; `counts`: whether one belongs on this page.
    static func withKept(
        _ person: Person, _ sorts: [KeptSort], at path: String, _ visit: Visit, counts: @escaping (JSON) -> Bool,
        _ rows: [HTML] = [], then: @escaping (HTML?) -> Step
    ) -> Step {
        guard let sort = sorts.first else { return then(keptCard(person.words, rows, at: path)) }
        return .ask(sort.list.method, [:], .token(person.token)) { result in
            var rows = rows
            // A visitor who may not see them has none to end here.
            if case .success(let found) = result {
                rows += (found[sort.list.name]?.array ?? []).filter(counts).map {
                    keptRow(person.words, sort, $0, now: visit.now)
                }
            }
            return withKept(
                person, Array(sorts.dropFirst()), at: path, visit, counts: counts, rows, then: then)
        }
    }

    /// Ends what a button named; `nil` where none was pressed. Goes back to the page.
    static func endKept(_ typed: FormFields, _ visit: Visit, back path: String) -> Step? {
        for sort in [KeptSort.password, .feed, .phone] {
            guard let id = typed[sort.rawValue] else { continue }
            return withPerson(visit) { person in
                asking(person, sort.end.method, [sort.end.name: .string(id)], back: path) { _ in
                    .show(Page.redirect(to: path))
                }
            }
        }
        return nil
    }

    private static func keptCard(_ words: PageWords, _ rows: [HTML], at path: String) -> HTML? {
        rows.isEmpty
            ? nil
            : """
            <section class="card" id="kept">\(words.heading("page.kept.title"))\(words.paragraph("page.kept.what"))\
            <form method="post" action="\(path)"><ul>
            \(rows)</ul></form></section>

            """
    }

    private static func keptRow(_ words: PageWords, _ sort: KeptSort, _ one: JSON, now: Instant) -> HTML {
        let name = one["device"]?.string ?? one["name"]?.string ?? ""
        let used = (one["usedAt"] ?? one["used"] ?? one["taken"])?.instant
        let when =
            used.map { words("page.kept.used", ["age": "\(words.reader.age($0, now: now))"]) }
            ?? words("page.kept.unused")
        return """
            <li>\(words("page.kept.row", ["name": HTML.written(name), "when": when]))
            <button class="quiet small" name="\(sort.rawValue)" value="\(one["id"]?.string ?? "")" \
            aria-label="\(words.text("page.kept.end-it", ["name": Unseen.cleaned(name)]))">\(words("page.kept.end"))</button></li>

            """
    }
}
