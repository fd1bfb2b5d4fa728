import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// One piece of news as it is stored.
struct StoredNews {
    /// The news that are asked for.
    struct Choice: Sendable, Equatable {
        /// A piece of news that all of them are older than; `nil` for no such bound.
        var before: Identifier?
        /// The source that they are from; `nil` for any.
        var source: Identifier?
        /// Whether only starred news are asked for.
        var isStarred = false
        /// Words in lower case. Each must stand in the headline or the text.
        var words: [String] = []
        var limit: Int64 = 20
    }

    /// The small number that other tables name it by.
    let number: Int64
    /// The number of its source.
    let source: Int64
    /// The part that members who see it are told.
    let wire: NewsItem

    /// The `about` of the log's rows about it.
    var about: String { "news/\(wire.source)/\(wire.id)" }

    // MARK: Reading

    private static let columns = Columns<NewsItem>(
        called: ["read": "read_at", "changed": "changed_at"], elsewhere: ["source", "likes", "stars"])
    private static let selected = """
        SELECT n.number, n.source, o.id AS source_id, \(columns.names(of: "n"))
        FROM news_items n CROSS JOIN news_sources o
        """

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        number = row.int("number")
        source = row.int("source")
        var wire = try Self.columns.read(row, ["source": .id(row.identifier("source_id"))])
        wire.likes = try database.rows(
            "SELECT \(StoredLike.columns.names) FROM news_likes WHERE item = ? ORDER BY member", .int(number)
        ) { (row) throws(StoreFailure) in try StoredLike.columns.read(row) }
        wire.stars = try database.rows(
            "SELECT member FROM news_stars WHERE item = ? ORDER BY member", .int(number)
        ) { row in row.identifier(0) }
        self.wire = wire
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ act: Act
    ) throws(Rejection) -> [StoredNews] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows(selected + rest, values: values) { (row) throws(StoreFailure) in
                try StoredNews(row, database)
            }
        }
    }

    /// The news of a choice that a member sees, newest first. They are found by their age, so that the cost of a page
    /// depends on its length alone.
    static func seen(by member: Identifier, _ choice: Choice, _ act: Act) throws(Rejection) -> [StoredNews] {
        var conditions = "o.number = n.source AND s.member = ? AND s.source = n.source"
        var values: [Value] = [.id(member)]
        if let before = choice.before {
            conditions += " AND n.id < ?"
            values.append(.id(before))
        }
        if let source = choice.source {
            conditions += " AND n.source = (SELECT number FROM news_sources WHERE id = ?)"
            values.append(.id(source))
        }
        if choice.isStarred { conditions += " AND EXISTS (SELECT 1 FROM news_stars r WHERE r.item = n.number)" }
        for word in choice.words {
            conditions += " AND instr(n.plain, ?) > 0"
            values.append(.text(word))
        }
        return try rows(
            " CROSS JOIN news_sight s WHERE \(conditions) ORDER BY n.id DESC LIMIT \(choice.limit)", values, act)
    }

    /// A piece of news that the caller sees; 1404 for any other, whether it exists or not.
    static func visible(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredNews {
        let found = try rows(
            " CROSS JOIN news_sight s WHERE n.id = ? AND o.number = n.source AND s.member = ? AND s.source = n.source",
            [.id(id), .id(try act.member.id)], act)
        guard let found = found.first else { throw Rejection.notFound("piece of news", id.description, field: "item") }
        return found
    }

    // MARK: What members say

    /// Sets or removes a member's reaction, and tells the members who see it.
    func set(_ reaction: Like.Reaction?, of member: Identifier, _ act: Act) throws(Rejection) {
        if let reaction {
            try act.run(
                """
                INSERT OR REPLACE INTO news_likes (item, \(StoredLike.columns.names))
                VALUES (?, \(StoredLike.columns.placeholders))
                """, values: [.int(number)] + StoredLike.columns.values(of: Like(member: member, reaction: reaction)))
        } else {
            try act.run("DELETE FROM news_likes WHERE item = ? AND member = ?", .int(number), .id(member))
        }
        try act.emit(
            NewsItem.liked, .init(source: wire.source, item: wire.id, member: member, reaction: reaction),
            about: about, to: try News.shared.seers(of: source, act), key: "like/\(about)/\(member)")
    }

    /// Sets or removes a member's star, and tells the members who see it.
    func star(_ isStarred: Bool, by member: Identifier, _ act: Act) throws(Rejection) -> [Identifier] {
        if isStarred {
            try act.run("INSERT OR IGNORE INTO news_stars (item, member) VALUES (?, ?)", .int(number), .id(member))
        } else {
            try act.run("DELETE FROM news_stars WHERE item = ? AND member = ?", .int(number), .id(member))
        }
        let stars = (wire.stars.filter { $0 != member } + (isStarred ? [member] : [])).sorted()
        try act.emit(
            NewsItem.starred, .init(source: wire.source, item: wire.id, stars: stars), about: about,
            to: try News.shared.seers(of: source, act), key: "star/\(about)")
        return stars
    }

    /// Takes back all stars and reactions of a member.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        for item in try rows(
            " WHERE o.number = n.source AND n.number IN (SELECT item FROM news_likes WHERE member = ?)", [.id(member)],
            act)
        {
            try item.set(nil, of: member, act)
        }
        for item in try rows(
            " WHERE o.number = n.source AND n.number IN (SELECT item FROM news_stars WHERE member = ?)", [.id(member)],
            act)
        {
            _ = try item.star(false, by: member, act)
        }
        try act.run("DELETE FROM news_seen WHERE member = ?", .id(member))
    }

    // MARK: Taking

    /// The state of one piece before a reading.
    private struct Known {
        let number: Int64
        let digest: [UInt8]
        let isGone: Bool
    }

    /// Replaces the news of a source by those of its feed. Answers how many are new, and how many have changed.
    static func take(
        _ items: [FeedItem], of source: StoredSource, _ act: Act
    ) throws(Rejection) -> (added: Int, changed: Int) {
        var known: [[UInt8]: Known] = [:]
        _ = try act.rows("SELECT key, number, digest, gone_at FROM news_items WHERE source = ?", .int(source.number)) {
            row in
            known[row.blob("key")] = Known(
                number: row.int("number"), digest: row.blob("digest"), isGone: row.optionalInstant("gone_at") != nil)
        }
        var (added, changed) = (0, 0)
        for item in items {
            let key = Array(Digest.sha256(Array(item.key.utf8)))
            let words = [item.title, item.text ?? "", item.link ?? "", item.author ?? ""]
            let digest = Array(Digest.sha256(Array(words.joined(separator: "\u{0}").utf8)))
            let plain = [item.title, item.text ?? ""].joined(separator: "\n").lowercased()
            guard let old = known.removeValue(forKey: key) else {
                // A clock outside may be ahead: news with a later date count as having come now.
                let at = min(item.published ?? act.now, act.now)
                try act.run(
                    """
                    INSERT INTO news_items (id, source, key, digest, title, text, link, author, plain, at, read_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """, .id(Identifier(at: at, random: (act.randomNumber(), act.randomNumber()))),
                    .int(source.number), .blob(key), .blob(digest), .text(item.title), Value(item.text),
                    Value(item.link), Value(item.author), .text(plain), .time(at), .time(act.now))
                added += 1
                continue
            }
            if old.digest != digest {
                try act.run(
                    """
                    UPDATE news_items SET digest = ?, title = ?, text = ?, link = ?, author = ?, plain = ?,
                    changed_at = ?, gone_at = NULL WHERE number = ?
                    """, .blob(digest), .text(item.title), Value(item.text), Value(item.link), Value(item.author),
                    .text(plain), .time(act.now), .int(old.number))
                changed += 1
            } else if old.isGone {
                try act.run("UPDATE news_items SET gone_at = NULL WHERE number = ?", .int(old.number))
            }
        }
        for (_, old) in known where !old.isGone {
            try act.run("UPDATE news_items SET gone_at = ? WHERE number = ?", .time(act.now), .int(old.number))
        }
        try drop(
            """
            source = ?1 AND gone_at IS NOT NULL AND number NOT IN
            (SELECT number FROM news_items WHERE source = ?1 ORDER BY gone_at IS NOT NULL, id DESC LIMIT ?2)
            """, [.int(source.number), .int(Limits.newsOfSourceMax)], act)
        return (added, changed)
    }

    /// Removes news that their source has not shown for long; those that somebody starred are removed later.
    static func dropOld(_ act: Act) throws(Rejection) {
        try drop(
            """
            gone_at < ?1 AND (gone_at < ?2 OR NOT EXISTS (SELECT 1 FROM news_stars r WHERE r.item = news_items.number))
            """,
            [
                .time(act.now.adding(days: -Limits.newsGoneDays)),
                .time(act.now.adding(days: -Limits.newsStarredDays)),
            ], act)
    }

    /// Removes some news, and removes members' reactions to them from the log.
    private static func drop(_ condition: String, _ values: [Value], _ act: Act) throws(Rejection) {
        let gone = try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT number, id, (SELECT id FROM news_sources o WHERE o.number = news_items.source) AS source_id
                FROM news_items
                WHERE \(condition)
                """, values: values
            ) { row in
                (number: row.int("number"), about: "news/\(row.identifier("source_id"))/\(row.identifier("id"))")
            }
        }
        for one in gone {
            for member in try act.rows(
                "SELECT member FROM news_likes WHERE item = ?", .int(one.number), map: { row in row.identifier(0) })
            {
                try act.withdraw(key: "like/\(one.about)/\(member)")
            }
            try act.withdraw(key: "star/\(one.about)")
            try act.run("DELETE FROM news_items WHERE number = ?", .int(one.number))
        }
    }
}
