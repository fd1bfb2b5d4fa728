import KinModel
import KinStore

/// One search over everything that areas say is found by its words (``Searched``).
///
/// A hit is shown only where its area says, in the turn of the answer, that the caller sees it. Hits come by their time.
/// A rank would count how often a word stands in rows that the caller does not see, and so would a total.
package enum Search {
    /// The area of the search, with the kinds that the other areas declare.
    private static func area(of areas: [Area]) -> Area {
        Area(
            "Search",
            tables: [Table("searched"), Table("search_words")],
            // `place` is the time in milliseconds times 2^15 and a number: the order of hits. `number` is the row's in
            // its area's table. `spelled` has the words with ae for ä, where that is another spelling.
            migrations: [
                Migration(
                    number: 63, name: "one index of words", tables: ["searched", "search_words", "due"],
                    sql: """
                        CREATE TABLE searched (
                            place INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER NOT NULL, id BLOB NOT NULL,
                            author BLOB, within TEXT, is_day INTEGER NOT NULL, UNIQUE (kind, number)
                        ) STRICT;
                        CREATE VIRTUAL TABLE search_words USING fts5(
                            title, text, spelled, kind, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3',
                            columnsize = 0
                        );
                        INSERT INTO due (at, kind, about) VALUES (0, '\(SearchIndex.fillDue)', '\(SearchIndex.fillAll)');
                        """),
                // What is one to six characters long is looked up as a word is; of all others the rows of all words that
                // begin so are put together first. A message's room stands in `kind`, beside the kind.
                Migration(
                    number: 88, name: "an index of beginnings and groups", tables: ["searched", "search_words", "due"],
                    sql: """
                        DROP TABLE search_words;
                        DELETE FROM searched;
                        CREATE VIRTUAL TABLE search_words USING fts5(
                            title, text, spelled, kind, tokenize = 'unicode61 remove_diacritics 2',
                            prefix = '1 2 3 4 5 6', columnsize = 0
                        );
                        DELETE FROM due WHERE kind = '\(SearchIndex.fillDue)';
                        INSERT INTO due (at, kind, about) VALUES (0, '\(SearchIndex.fillDue)', '\(SearchIndex.fillAll)');
                        """),
            ],
            methods: [find(areas)], events: [],
            due: [
                Keeper.memoryWork: { (act, _) throws(Rejection) in try SearchIndex.takeInDue(act) },
                SearchIndex.mergeDue: { (act, _) throws(Rejection) in try SearchIndex.merge(act) },
                SearchIndex.fillDue: { (act, about) throws(Rejection) in try SearchIndex.fill(about, act) },
            ],
            dueInDoubt: [SearchIndex.mergeDue, SearchIndex.fillDue], memories: [SearchWaiting.self],
            life: Area.Life(
                wiped: { (act) throws(Rejection) in try SearchIndex.rebuild(act) },
                redated: { (act, redating) throws(Rejection) in
                    if case .toNow = redating {
                        try act.replan([SearchIndex.mergeDue, SearchIndex.fillDue], noLaterThan: act.now)
                    }
                },
                settled: { (act) throws(Rejection) in try SearchIndex.settle(act) }))
    }

    /// The area before the other areas' declarations are known.
    package static var area: Area {
        var area = area(of: [])
        area.completed = { (areas) in self.area(of: areas) }
        return area
    }

    private static let highlight = Shape.list(.integer(0...4096), max: 2)

    private static func hit(_ kinds: [String]) -> Shape {
        .object([
            .required("kind", .oneOf(kinds)),
            .required("id", .id),
            .required("at", .time, "When it was written; of what is planned, when it begins for the first time."),
            .optional("isDay", .bool, "true: it is on a whole day, the day of at in universal time."),
            .optional("author", .id),
            .optional("within", .token(max: 100), "What it belongs to, such as room/ with an identifier."),
            .optional("title", .text(max: Limits.hitTitleCharactersMax + 2)),
            .required("titleHighlights", .list(highlight, max: 100), "As highlights, in the title."),
            .optional("snippet", .text(max: Limits.snippetCharactersMax + 2), "The text around the first match."),
            .required(
                "highlights", .list(highlight, max: 100),
                "Where matches begin and end in the snippet, in UTF-16 code units; none where another spelling matched."
            ),
        ])
    }

    private static func find(_ areas: [Area]) -> Method {
        let kinds = areas.flatMap(\.searched).map(\.kind).sorted()
        let closed = Set(areas.filter(\.isForOwnWord).flatMap(\.searched).map(\.kind))
        return Method.query(
            "search.find",
            "Everything the caller sees that has these words, the latest first; ä is found by a and by ae.",
            access: .signedIn, note: "what the caller sees",
            [
                .required(
                    "words", .line(max: Limits.findCharactersMax),
                    "All of these words, or words that begin so; at most \(Limits.findWordsMax) are looked for."),
                .optional("kinds", .list(.oneOf(kinds), max: 32), "Only what is of one of these."),
                .optional("until", .time, "Only what was before this."),
                .optional("before", .token(max: 80), "The next of the page before."),
                .optional("limit", .integer(1...Limits.hitsPerAnswerMax), "20 if left out."),
            ],
            result: .object([
                .required("hits", .list(hit(kinds), max: Int(Limits.hitsPerAnswerMax))),
                .optional(
                    "next", .token(max: 80), "There may be more: give it as before. A page before it may be short."),
                .required(
                    "isWhole", .bool,
                    "false: what was there before this search is still being taken in, and may be missing."),
            ]),
            route: Route("GET", "/api/search"), isSlow: true,
            apply: { (act, params) throws(Rejection) in
                if case .failed(let sentence)? = act.work { throw Rejection(.unavailable, sentence, retryAfter: 1) }
                if case .refused(let sentence)? = act.work { throw Rejection(.tooLarge, sentence) }
                let question = try SearchQuestion(params, act)
                guard let query = question.query else { return try answer([], next: nil, act) }
                guard var read = act.work?.made(SearchRead.self) else {
                    try SearchIndex.takeIn(act)
                    return .later(SearchRead(query: query, before: question.before))
                }
                // Judged anew in each turn: what was in sight when the search began may not be any more.
                read.kept = try seen(read.kept + read.fresh, closed, act)
                read.fresh = []
                guard read.isWhole || read.kept.count > question.limit else { return .later(read) }
                let page = read.kept.prefix(question.limit)
                var hits: [Hit] = []
                for row in page { if let hit = try Hit(row, act) { hits.append(hit) } }
                var next: String?
                if read.kept.count > page.count, let last = page.last {
                    next = try cursor(behind: last.place, act)
                } else if read.from != .min {
                    next = SearchQuestion.cursor(SearchIndex.moment(of: read.from))
                }
                return try answer(hits, next: next, act)
            })
    }

    private static func answer(_ hits: [Hit], next: String?, _ act: Act) throws(Rejection) -> Outcome {
        .done(
            .object(leavingOut: [
                "hits": .array(hits.map(\.json)), "next": next.map { .string($0) },
                "isWhole": .bool(try isWhole(act)),
            ]))
    }

    /// Those of the rows that the caller sees, as their areas say.
    private static func seen(
        _ rows: [SearchRead.Row], _ closed: Set<String>, _ act: Act
    ) throws(Rejection) -> [SearchRead.Row] {
        let member = try act.member
        var numbers: [String: [Int64]] = [:]
        for row in rows where !(member.isWaiting && closed.contains(row.kind)) {
            numbers[row.kind, default: []].append(row.number)
        }
        var seen: [String: Set<Int64>] = [:]
        for searched in act.keeper.registry.searchedKinds {
            guard let asked = numbers[searched.kind] else { continue }
            seen[searched.kind] = try searched.seen(act, asked)
        }
        return rows.filter { seen[$0.kind]?.contains($0.number) == true }
    }

    /// A thing that was found.
    private struct Hit {
        let json: JSON

        /// `nil` where the row says something else than when it was found.
        init?(_ row: SearchRead.Row, _ act: Act) throws(Rejection) {
            let json =
                try act.first(
                    """
                    SELECT s.id, s.author, s.within, s.kind, s.number, w.title, w.text, s.is_day FROM searched s
                    CROSS JOIN search_words w ON w.rowid = s.place WHERE s.place = ?
                    """, .int(row.place)
                ) { stored -> JSON? in
                    guard stored.int("number") == row.number, stored.text("kind").hasSameBytes(as: row.kind),
                        stored.text("title").hasSameBytes(as: row.title.text),
                        stored.text("text").hasSameBytes(as: row.text.text)
                    else { return nil }
                    let title = row.title.piece(characters: Limits.hitTitleCharactersMax)
                    let text = row.text.piece(characters: Limits.snippetCharactersMax)
                    return .object(leavingOut: [
                        "kind": .string(row.kind), "id": .id(stored.identifier("id")),
                        "at": .time(SearchIndex.moment(of: row.place)),
                        "isDay": stored.int("is_day") != 0 ? true : nil,
                        "author": stored.optionalIdentifier("author").map { .id($0) },
                        "within": stored.optionalText("within").map { .string($0) },
                        "title": title.text.isEmpty ? nil : .string(title.text),
                        "titleHighlights": Self.json(title.matches),
                        "snippet": text.text.isEmpty ? nil : .string(text.text),
                        "highlights": Self.json(text.matches),
                    ])
                } ?? nil
            guard let json else { return nil }
            self.json = json
        }

        private static func json(_ matches: [Range<Int>]) -> JSON {
            .array(matches.prefix(100).map { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] })
        }
    }
}
