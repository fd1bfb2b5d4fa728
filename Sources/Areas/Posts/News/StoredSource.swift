import KinKeeper
import KinModel
import KinStore

/// A source of news as it is stored: its address, the time of the next reading, the result of the last one, and the
/// members who see its news. It belongs to the family, not to the admin who added it.
struct StoredSource {
    typealias Trouble = NewsSource.Trouble

    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The part that members who see its news are told.
    var wire: NewsSource
    /// The name that an admin gave it.
    var name: String? {
        didSet { wire.name = name ?? title }
    }
    /// The name that it has itself.
    var title: String? {
        didSet { wire.name = name ?? title }
    }
    /// `https://…`; it may be a secret.
    var address: String
    /// The audience of its news.
    var sharedWith: SharedWith
    /// The server's validators of the state that was read last.
    var validators: String?
    /// A digest of the content that was read last.
    var digest: [UInt8]?
    /// Seconds from one reading to the next.
    var everySeconds: Int64
    /// The time of the next reading. While it is being read, the time at which it is tried again if no result comes.
    var next: Instant
    /// The time of the last request, whoever asked for it.
    var asked: Instant?
    /// The time of the last reading that succeeded.
    var refreshed: Instant?
    /// Readings that failed since then.
    var tries: Int64 = 0
    /// Whether admins were told of the failures.
    var isTold = false

    var id: Identifier { wire.id }

    /// The `about` of the log's rows about it. Rows about its news begin with it.
    var about: String { "news/\(id)" }

    init(_ id: Identifier, address: String, name: String?, sharedWith: SharedWith, now: Instant) {
        wire = NewsSource(id: id, name: name)
        self.address = address
        self.name = name
        self.sharedWith = sharedWith
        everySeconds = Limits.newsSeconds
        next = now.adding(seconds: Limits.newsFirstSeconds)
    }

    // MARK: Rows

    private static let columns = Columns<NewsSource>(called: ["since": "failing"], elsewhere: ["name"])
    private static let selected = """
        SELECT number, name, title, address, audience, household, validators, digest, every, next_at, asked, refreshed,
        tries, is_told, \(columns.names) FROM news_sources
        """

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        name = row.optionalText("name")
        title = row.optionalText("title")
        address = row.text("address")
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try News.shared.members(of: number, database)
        }
        validators = row.optionalText("validators")
        digest = row.optionalBlob("digest")
        everySeconds = row.int("every")
        next = row.instant("next_at")
        asked = row.optionalInstant("asked")
        refreshed = row.optionalInstant("refreshed")
        tries = row.int("tries")
        isTold = row.bool("is_told")
        wire = try Self.columns.read(row)
        wire.name = name ?? title
    }

    private static func rows(_ rest: String, _ values: Value..., of act: Act) throws(Rejection) -> [StoredSource] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows(selected + " " + rest, values: values) { (row) throws(StoreFailure) in
                try StoredSource(row, database)
            }
        }
    }

    /// All sources, in the order in which they were added.
    static func all(_ act: Act) throws(Rejection) -> [StoredSource] { try rows("ORDER BY id", of: act) }

    /// The sources whose news a member sees.
    static func seen(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredSource] {
        try rows("WHERE number IN (SELECT source FROM news_sight WHERE member = ?) ORDER BY id", .id(member), of: act)
    }

    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredSource? {
        try rows("WHERE id = ?", .id(id), of: act).first
    }

    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredSource? {
        try rows("WHERE number = ?", .int(number), of: act).first
    }

    /// The source that an admin names; 1404 if there is none.
    static func named(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredSource {
        guard let found = try find(id, act) else {
            throw Rejection.notFound("source of news", id.description, field: "source")
        }
        return found
    }

    /// The source that is to be read now. If the clock was put back, a planned time that now lies far ahead counts as
    /// come.
    static func due(_ act: Act) throws(Rejection) -> StoredSource? {
        try rows(
            "WHERE next_at <= ?1 OR next_at > ?2 ORDER BY next_at, number LIMIT 1", .time(act.now),
            .time(act.now.adding(seconds: 2 * Limits.newsSecondsMax)), of: act
        ).first
    }

    /// The members who see its news.
    func seers(_ act: Act) throws(Rejection) -> Audience { try News.shared.seers(of: number, act) }

    // MARK: Writing

    /// Stores a new source, and tells the members who see its news.
    mutating func add(_ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO news_sources (id, owner, name, address, audience, every, next_at, tries, is_told, made_at)
            VALUES (?, ?, ?, ?, '', ?, ?, 0, 0, ?)
            """, .id(id), .id(News.nobody), Value(name), .text(address), .int(everySeconds), .time(next),
            .time(act.now))
        number = try act.first("SELECT number FROM news_sources WHERE id = ?", .id(id)) { row in row.int(0) } ?? 0
        try share(act)
        try News.planNext(act)
    }

    /// Stores the audience of its news, and tells members who gained or lost sight of them.
    func share(_ act: Act) throws(Rejection) {
        try News.shared.save(sharedWith, of: number, act)
        try tell(try News.shared.settle(number, of: News.nobody, sharedWith, act), act)
    }

    /// Tells members who gain sight of the source and members who lose it. No event has the news themselves: a member
    /// who sees more or fewer lists them again.
    func tell(_ change: SharedThings.Change, _ act: Act) throws(Rejection) {
        if !change.lost.isEmpty { try act.narrow(about: about, by: change.lost) }
        try act.emit(NewsSource.added, .init(source: wire), about: about, to: change.gained)
        // The event is about no source: it must outlive this one in the log.
        try act.emit(NewsSource.hidden, .init(source: id), about: "news", to: change.lost, isHeard: true)
    }

    /// Stores it. `before` is the state that members were told last. Members who see its news are told if it has
    /// changed.
    func save(toldBefore before: NewsSource, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE news_sources SET \(Self.columns.assignments), name = ?, title = ?, address = ?, validators = ?,
            digest = ?, every = ?, next_at = ?, asked = ?, refreshed = ?, tries = ?, is_told = ? WHERE number = ?
            """,
            values: Self.columns.values(of: wire) + [
                Value(name), Value(title), .text(address), Value(validators), Value(digest), .int(everySeconds),
                .time(next), Value(asked), Value(refreshed), .int(tries), .bool(isTold), .int(number),
            ])
        try News.planNext(act)
        guard wire != before else { return }
        try act.emit(
            NewsSource.changed, .init(source: wire), about: about, to: try seers(act), key: about)
    }

    /// Removes it with its news and all reactions to them.
    func remove(_ act: Act) throws(Rejection) {
        let seers = try seers(act)
        try act.settle(News.stopped, about: about)
        try act.run("DELETE FROM news_sources WHERE number = ?", .int(number))
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)))
        try act.erase(about: about)
        try act.emit(NewsSource.removed, .init(source: id), about: "news", to: seers, isHeard: true)
        try News.planNext(act)
        act.truncateSoon()
    }

    // MARK: When

    /// Notes that it is being read. Nobody reads it again until a result comes. If none comes, for instance because the
    /// daemon was restarted, it is read again after some time.
    mutating func begin(_ act: Act) throws(Rejection) {
        asked = act.now
        next = act.now.adding(seconds: Limits.newsFlightSeconds)
        try save(toldBefore: wire, act)
    }

    /// Reads it at another address from now on. The time of the last request stays, so that a change of address makes
    /// nobody ask more often.
    mutating func move(to address: String, _ act: Act) {
        self.address = address
        (validators, digest) = (nil, nil)
        recovered()
        next = act.now.adding(seconds: Limits.newsFirstSeconds)
        act.truncateSoon()
    }

    /// Notes a reading that succeeded, whether or not something has changed.
    mutating func succeeded(_ act: Act) {
        refreshed = act.now
        next = act.now.adding(seconds: everySeconds)
        recovered()
    }

    /// Notes that its trouble is over.
    private mutating func recovered() {
        (tries, isTold) = (0, false)
        (wire.trouble, wire.since) = (nil, nil)
    }

    /// Notes a reading that failed. It is tried again less and less often. Answers, once, that admins are to be told
    /// after a day of failures.
    mutating func failed(_ why: Trouble, retryAfter: Int64?, _ act: Act) -> Bool {
        tries += 1
        let since = wire.since ?? act.now
        wire.since = since
        wire.trouble = why
        let wait = Limits.newsRetrySeconds << min(tries - 1, 10)
        next = act.now.adding(seconds: min(max(wait, retryAfter ?? 0), Limits.newsRetrySecondsMax))
        let end = since.adding(seconds: Limits.newsToldSeconds)
        guard !isTold else { return false }
        isTold = act.now >= end
        if !isTold { next = min(next, end) }
        return isTold
    }

    // MARK: For admins

    /// The source as it is told. The address, the audience and the times are for admins only.
    private struct Told: WireRecord {
        let source: NewsSource
        var address: String?
        var audience: JSON?
        var refreshed: Instant?
        var next: Instant?
        var every: Int64?

        static let fields = Fields(
            nil, Told.init(source:address:audience:refreshed:next:every:), .all(of: \.source),
            .optional("address", \.address, .text(max: OutsideAddress.bytesMax), "For admins, as the others."),
            .optional("audience", \.audience, .json(SharedWith.shape), "Who sees its news."),
            .optional("refreshed", \.refreshed, .time, "When it was last found as it is here; absent: never yet."),
            .optional("next", \.next, .time, "When it is read next."),
            .optional(
                "every", \.every, Form<Int64>.integer(1...Limits.newsSecondsMax),
                "Seconds from one reading to the next."))
    }

    /// The source as admins are told it.
    static let shape = Told.shape

    func json(_ act: Act) -> JSON {
        guard act.isAdministrator else { return Told(source: wire).json }
        return Told(
            source: wire, address: address, audience: sharedWith.json, refreshed: refreshed, next: next,
            every: everySeconds
        ).json
    }
}
