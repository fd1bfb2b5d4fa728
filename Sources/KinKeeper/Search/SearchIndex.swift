import KinModel
import KinStore

/// The index of words: a row of `searched` and one of `search_words` for each thing that is found. Their number is the
/// thing's place in time (``place(of:)``), so that the newest come first without sorting.
enum SearchIndex {
    /// Due work that puts the parts of the index together, which hold deleted words until then.
    static let mergeDue = "search.merge"
    /// Due work that takes in what was there before the index, a step at a time.
    static let fillDue = "search.fill"
    /// The beginning of that work.
    static let fillAll = "all"
    /// The first part of an `about` that names one kind alone.
    static let alone = "alone"
    /// How many things have a place in the same millisecond.
    private static let placesPerMillisecond: Int64 = 1 << 15

    /// The first place of a moment.
    static func place(of moment: Instant) -> Int64 { moment.milliseconds * placesPerMillisecond }

    /// The moment of a place.
    static func moment(of place: Int64) -> Instant {
        Instant(milliseconds: place >= 0 ? place / placesPerMillisecond : ~(~place / placesPerMillisecond))
    }

    // MARK: Kept up

    /// Brings in what an act changed. Its rows were noted by the store, whatever changed them.
    static func settle(_ act: Act) throws(Rejection) {
        let rows = act.database.takeChangedRows()
        guard !rows.isEmpty else { return }
        for changed in rows {
            guard let searched = act.keeper.registry.searched[changed.table] else { continue }
            if try waits(changed.number, searched, act) { continue }
            try settle(searched, changed.number, act)
        }
        try takeInMany(act)
    }

    /// What the index has of a thing.
    private struct Known {
        let place: Int64
        let id: Identifier
        let author: Identifier?
        let within: String?
        let isDay: Bool
        let title: String
        let text: String
        let kinds: String
    }

    /// Brings in what a row says now.
    static func settle(_ searched: Searched, _ number: Int64, _ act: Act) throws(Rejection) {
        var thing = try act.ask { (database) throws(StoreFailure) in try searched.read(database, number) }
        if let found = thing {
            thing?.title = plain(found.title)
            thing?.text = plain(found.text)
        }
        let known = try act.first(
            """
            SELECT s.place, s.id, s.author, s.within, w.title, w.text, s.is_day, w.kind
            FROM searched s CROSS JOIN search_words w ON w.rowid = s.place WHERE s.kind = ? AND s.number = ?
            """, .text(searched.kind), .int(number)
        ) { row in
            Known(
                place: row.int("place"), id: row.identifier("id"), author: row.optionalIdentifier("author"),
                within: row.optionalText("within"), isDay: row.int("is_day") != 0, title: row.text("title"),
                text: row.text("text"),
                kinds: row.text("kind"))
        }
        guard let thing, !(thing.title + thing.text).allSatisfy(\.isWhitespace) else {
            if let known { try remove(known, isForGood: true, act) }
            return
        }
        if let known {
            let isSame = known.title.hasSameBytes(as: thing.title) && known.text.hasSameBytes(as: thing.text)
            if isSame, moment(of: known.place) == thing.at, known.kinds.hasSameBytes(as: kinds(searched, thing)) {
                if known.id != thing.id || known.author != thing.author || known.within != thing.within
                    || known.isDay != thing.isDay
                {
                    try act.run(
                        "UPDATE searched SET id = ?, author = ?, within = ?, is_day = ? WHERE place = ?", .id(thing.id),
                        Value(thing.author), Value(thing.within), .bool(thing.isDay), .int(known.place))
                }
                return
            }
            try remove(known, isForGood: !isSame, act)
        }
        try put(thing, searched, number, act)
    }

    private static func put(
        _ thing: Searched.Thing, _ searched: Searched, _ number: Int64, _ act: Act
    ) throws(Rejection) {
        let place = try freePlace(at: thing.at, act)
        try act.run(
            "INSERT INTO searched (place, kind, number, id, author, within, is_day) VALUES (?,?,?,?,?,?,?)",
            .int(place), .text(searched.kind), .int(number), .id(thing.id), Value(thing.author), Value(thing.within),
            .bool(thing.isDay))
        let words = thing.title + " " + thing.text
        let spelled = Spelling.withoutUmlauts(words)
        try act.run(
            "INSERT INTO search_words (rowid, title, text, spelled, kind) VALUES (?,?,?,?,?)", .int(place),
            .text(thing.title), .text(thing.text), .text(spelled.hasSameBytes(as: words) ? "" : spelled),
            .text(kinds(searched, thing)))
    }

    /// What stands for the kind in the index: the kind, and the group of what is in one.
    private static func kinds(_ searched: Searched, _ thing: Searched.Thing) -> String {
        searched.kind + (thing.group.map { " " + searched.word(of: $0) } ?? "")
    }

    private static func remove(_ known: Known, isForGood: Bool, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM searched WHERE place = ?", .int(known.place))
        try act.run("DELETE FROM search_words WHERE rowid = ?", .int(known.place))
        if isForGood { try mergeSoon(act) }
    }

    /// A place of a moment that nothing has yet.
    private static func freePlace(at moment: Instant, _ act: Act) throws(Rejection) -> Int64 {
        var first = place(of: moment)
        while true {
            let last =
                try act.first(
                    "SELECT max(place) FROM searched WHERE place >= ? AND place < ?", .int(first),
                    .int(first + placesPerMillisecond)
                ) { row in row.optionalInt(0) } ?? nil
            guard let last else { return first }
            if last + 1 < first + placesPerMillisecond { return last + 1 }
            first += placesPerMillisecond
        }
    }

    /// A text without control characters, two of which mark hits.
    private static func plain(_ text: String) -> String {
        // These are one byte each in UTF-8.
        guard text.utf8.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\n") }) else { return text }
        func isPlain(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x20 || scalar == "\n" }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : " " }))
    }

    // MARK: Removed for good

    /// After a deletion: SQLite before 3.42 leaves the words of deleted rows in the index until its parts are put together.
    private static func mergeSoon(_ act: Act) throws(Rejection) {
        try act.plan(mergeDue, about: "search", at: act.now.adding(seconds: Limits.searchMergeSeconds))
    }

    /// Puts some of the parts together, and goes on a moment later while there are more.
    static func merge(_ act: Act) throws(Rejection) {
        let before = try changes(act)
        try act.run(
            "INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)",
            .int(-Int64(Limits.searchPagesPerTurn)))
        // The command itself counts as one change (FTS5, 'merge').
        if try changes(act) - before >= 2 { try mergeSoon(act) } else { act.truncateSoon() }
    }

    private static func changes(_ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT total_changes()") { row in row.int(0) } ?? 0
    }

    /// Makes the index anew, after every table was emptied.
    static func rebuild(_ act: Act) throws(Rejection) {
        try act.run("INSERT INTO search_words (search_words) VALUES ('rebuild')")
        act.truncateSoon()
    }

    // MARK: What was there before

    /// Takes in the next things of a kind. `about` is the kind and the number of the last thing that was taken in; the kinds
    /// behind that one follow, unless ``alone`` stands before it. What was taken in is in the same transaction as where to go
    /// on, so that nothing is left out after a power loss.
    static func fill(_ about: String, _ act: Act) throws(Rejection) {
        let kinds = act.keeper.registry.searchedKinds
        var parts = about.split(separator: "/")
        let isAlone = parts.first.map { String($0) } == alone
        if isAlone { parts.removeFirst() }
        var (index, last) = (0, Int64(0))
        if about != fillAll {
            guard parts.count == 2, let number = Int64(parts[1]),
                let known = kinds.firstIndex(where: { $0.kind == parts[0] })
            else { return }
            (index, last) = (known, number)
        }
        var left = Limits.searchFilledPerTurn
        while index < kinds.count {
            let searched = kinds[index]
            let numbers = try act.rows(
                "SELECT rowid FROM \(searched.table) WHERE rowid > ? ORDER BY rowid LIMIT \(left)", .int(last)
            ) { row in row.int(0) }
            for number in numbers { try settle(searched, number, act) }
            left -= numbers.count
            if left == 0, let last = numbers.last {
                let next = "\(searched.kind)/\(last)"
                return try act.plan(fillDue, about: isAlone ? "\(alone)/\(next)" : next, at: act.now)
            }
            if isAlone { return }
            (index, last) = (index + 1, 0)
        }
    }

    /// Whether there is still something to be taken in.
    static func isFilling(_ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT 1 FROM due WHERE kind = ? LIMIT 1", .text(fillDue)) { _ in true } ?? false
    }
}
