import KinKeeper
import KinModel
import KinStore

/// News from outside, beside what the family itself tells: sources that admins name by the address of a feed, and their news,
/// which members like and are interested in. The rules stand in the documentation's page News.
enum News {
    /// The owner of sources: they belong to the family, and to no member.
    static let nobody = Identifier(high: 0, low: 0)

    static let methods = [
        list, show, like, star, see, sources, subscribe, update, remove, refresh, allowOutside, readOutside,
    ]
    static let events: [any EventDeclaration] = [
        NewsSource.added, NewsSource.changed, NewsSource.hidden, NewsSource.removed, NewsSource.stopped,
        NewsSource.read, NewsItem.liked, NewsItem.starred, NewsItem.seen,
    ]
    static let tables = [
        Table("news_sources", dated: ["made_at", "asked", "refreshed", "failing"], ahead: ["next_at"]),
        Table("news_named"), Table("news_sight"),
        Table("news_items", dated: ["at", "read_at", "changed_at", "gone_at"]), Table("news_likes"),
        Table("news_stars"), Table("news_seen", dated: ["up_to"]), Table("news_outside"),
    ]

    /// `name` is an admin's, `title` the source's own. `key` is a digest of the key by which a piece of news is known,
    /// `digest` one of its words, `plain` the text that is searched. `gone_at` is the moment since which the source no
    /// longer shows it.
    static let migrations = [
        Migration(
            number: 59, name: "news from outside",
            tables: [
                "news_sources", "news_named", "news_sight", "news_items", "news_likes", "news_stars", "news_seen",
                "news_outside",
            ],
            sql: """
                CREATE TABLE news_sources (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, name TEXT, title TEXT,
                    site TEXT, address TEXT NOT NULL, audience TEXT NOT NULL, household BLOB, mark TEXT, digest BLOB,
                    every INTEGER NOT NULL, next_at INTEGER NOT NULL, asked INTEGER, refreshed INTEGER,
                    tries INTEGER NOT NULL, failing INTEGER, trouble TEXT, is_told INTEGER NOT NULL,
                    made_at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX news_sources_by_next ON news_sources (next_at);
                """ + "\n"
                    + SharedThings.sql("news_sources", column: "source", members: "news_named", sight: "news_sight")
                    + "\n"
                        + """
                        CREATE TABLE news_items (
                            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
                            source INTEGER NOT NULL REFERENCES news_sources (number) ON DELETE CASCADE, key BLOB NOT NULL,
                            digest BLOB NOT NULL, title TEXT NOT NULL, text TEXT, link TEXT, author TEXT, plain TEXT NOT NULL,
                            at INTEGER NOT NULL, read_at INTEGER NOT NULL, changed_at INTEGER, gone_at INTEGER,
                            UNIQUE (source, key)
                        ) STRICT;
                        CREATE INDEX news_items_by_source ON news_items (source, id);
                        CREATE INDEX news_items_by_reading ON news_items (read_at);
                        CREATE INDEX news_items_gone ON news_items (gone_at) WHERE gone_at IS NOT NULL;
                        CREATE TABLE news_likes (
                            item INTEGER NOT NULL REFERENCES news_items (number) ON DELETE CASCADE, member BLOB NOT NULL,
                            reaction TEXT NOT NULL, PRIMARY KEY (item, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX news_likes_by_member ON news_likes (member);
                        CREATE TABLE news_stars (
                            item INTEGER NOT NULL REFERENCES news_items (number) ON DELETE CASCADE, member BLOB NOT NULL,
                            PRIMARY KEY (item, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX news_stars_by_member ON news_stars (member);
                        CREATE TABLE news_seen (member BLOB NOT NULL PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                        CREATE TABLE news_outside (is_on INTEGER NOT NULL) STRICT;
                        """),
        // The validators of HTTP are not the marks that clients keep (`live.mark`).
        Migration(
            number: 82, name: "validators of news from outside", tables: ["news_sources"],
            sql: "ALTER TABLE news_sources RENAME COLUMN mark TO validators;"),
    ]

    /// Tells the mechanism how to find the members who see a source. Guests see news only where the source names them.
    static let shared = SharedThings(
        "news_sources", column: "source", members: "news_named", sight: "news_sight", isForGuestsByName: true
    ) { (act, number, change) throws(Rejection) in try StoredSource.find(number, act)?.tell(change, act) }

    /// Whether a member knows a source. Members who see its news do, and so do admins, who are told why it cannot be
    /// read.
    static func sees(_ act: Act, _ source: Identifier, _ member: Roster.Entry) throws(Rejection) -> Bool? {
        try act.first(
            """
            SELECT ?3 OR EXISTS (SELECT 1 FROM news_sight s WHERE s.source = o.number AND s.member = ?2)
            FROM news_sources o WHERE o.id = ?1
            """, .id(source), .id(member.id), .bool(member.role == .admin)
        ) { row in row.bool(0) }
    }

    static let stopped = InboxKind(
        "newsStopped",
        word: .optional(
            "trouble", .oneOf(NewsSource.Trouble.allCases.map(\.rawValue)), "why it could not be read."))

    static let inboxRule = InboxRule(
        NewsSource.stopped, stopped, .audience, by: { _ in nil }, word: { $0.trouble.rawValue }, isForDoerToo: true)

    // MARK: When

    static let due = "news.outside"
    private static let about = "news/outside"

    /// Plans the reading of the next source; nothing is planned while no admin allows it.
    static func planNext(_ act: Act) throws(Rejection) {
        guard try isAllowed(act) else { return try act.unplan(due, about: about) }
        let next = try act.first("SELECT min(next_at) FROM news_sources") { row in row.optionalInstant(0) }
        try act.plan(due, about: about, at: (next ?? nil).map { max($0, act.now) })
    }

    /// Whether an admin allows that news are read outside.
    static func isAllowed(_ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT is_on FROM news_outside") { row in row.bool(0) } ?? false
    }

    /// Removes news that were kept long enough. While the clock is doubted, it removes nothing.
    static func upkeep(_ act: Act) throws(Rejection) {
        guard !act.isClockDoubted else { return }
        try StoredNews.dropOld(act)
    }
}
