import KinKeeper
import KinModel
import KinStore

/// A calendar that is read outside: at which address, when next, and how it went. Only who added it sees the address.
struct Subscription {
    typealias Trouble = FamilyCalendar.Trouble

    /// The number of its calendar.
    let calendar: Int64
    let id: Identifier
    /// Who added it.
    let owner: Identifier
    /// `https://…`; often a secret.
    var address: String
    /// What the server calls the state that was read last.
    var validators: String?
    /// A digest of what was read last, and the zone of its owner then. Empty: something was written of a reading and told to
    /// nobody, and the rest of it was not.
    var digest: [UInt8]?
    /// Seconds from one reading to the next.
    var everySeconds: Int64
    /// When it is read next. While it is being read: when it is tried again, should no result come.
    var next: Instant
    /// When it was asked for last, by whomever.
    var asked: Instant?
    /// When it was last found as it is here.
    var refreshed: Instant?
    /// Readings that failed since then.
    var tries: Int64
    /// When the first of them failed.
    var failing: Instant?
    /// Why the last one failed.
    var trouble: Trouble?
    /// Whether who added it was told.
    var isTold: Bool
    /// Events of the last reading that were not taken: too old, too many, or none that can be read.
    var leftOut: Int64

    // MARK: Rows

    private static let selected = """
        SELECT s.calendar, c.id, c.owner, s.address, s.validators, s.digest, s.every, s.next_at, s.asked, s.refreshed,
        s.tries, s.failing, s.trouble, s.is_told, s.left_out
        FROM calendar_subscriptions s JOIN calendars c ON c.number = s.calendar
        """

    private init?(_ row: borrowing Row) {
        guard let owner = row.optionalIdentifier("owner") else { return nil }
        calendar = row.int("calendar")
        id = row.identifier("id")
        self.owner = owner
        address = row.text("address")
        validators = row.optionalText("validators")
        digest = row.optionalBlob("digest")
        everySeconds = row.int("every")
        next = row.instant("next_at")
        asked = row.optionalInstant("asked")
        refreshed = row.optionalInstant("refreshed")
        tries = row.int("tries")
        failing = row.optionalInstant("failing")
        trouble = row.optionalWord("trouble")
        isTold = row.bool("is_told")
        leftOut = row.int("left_out")
    }

    private static func rows(_ rest: String, _ values: Value..., of act: Act) throws(Rejection) -> [Subscription] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows(selected + " " + rest, values: values) { row in Subscription(row) }.compactMap(\.self)
        }
    }

    /// All of them, by their calendars.
    static func all(_ act: Act) throws(Rejection) -> [Int64: Subscription] {
        Dictionary(try rows("", of: act).map { ($0.calendar, $0) }) { one, _ in one }
    }

    /// That of a calendar.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> Subscription? {
        try rows("WHERE c.id = ?", .id(id), of: act).first
    }

    /// The one that is to be read now. A moment that a clock put back leaves far ahead counts as come.
    static func due(_ act: Act) throws(Rejection) -> Subscription? {
        try rows(
            "WHERE s.next_at <= ?1 OR s.next_at > ?2 ORDER BY s.next_at, s.calendar LIMIT 1", .time(act.now),
            .time(act.now.adding(seconds: 2 * Limits.subscriptionSecondsMax)), of: act
        ).first
    }

    /// A calendar is read at this address from now on.
    static func add(_ address: String, to calendar: StoredCalendar, _ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO calendar_subscriptions (calendar, address, every, next_at, tries, is_told, left_out)
            VALUES (?, ?, ?, ?, 0, 0, 0)
            """, .int(calendar.number), .text(address), .int(Limits.subscriptionSeconds),
            .time(act.now.adding(seconds: Limits.subscriptionFirstSeconds)))
        try planNext(act)
    }

    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE calendar_subscriptions SET address = ?, validators = ?, digest = ?, every = ?, next_at = ?, asked = ?,
            refreshed = ?, tries = ?, failing = ?, trouble = ?, is_told = ?, left_out = ? WHERE calendar = ?
            """, .text(address), Value(validators), Value(digest), .int(everySeconds), .time(next), Value(asked),
            Value(refreshed), .int(tries), Value(failing), Value(trouble?.rawValue), .bool(isTold), .int(leftOut),
            .int(calendar))
        try Self.planNext(act)
    }

    // MARK: When

    static let due = "calendar.outside"
    private static let about = "calendars/outside"

    /// Has the next one be read in time; none while no admin allows it.
    static func planNext(_ act: Act) throws(Rejection) {
        guard try isAllowed(act) else { return try act.unplan(due, about: about) }
        let next = try act.first("SELECT min(next_at) FROM calendar_subscriptions") { row in row.optionalInstant(0) }
        try act.plan(due, about: about, at: (next ?? nil).map { max($0, act.now) })
    }

    /// Whether an admin allows that calendars are read outside.
    static func isAllowed(_ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT is_on FROM calendar_outside") { row in row.bool(0) } ?? false
    }

    /// It is being read. Until a result comes, or the daemon was restarted and some time is over, nobody reads it again.
    mutating func begin(_ seconds: Int64, _ act: Act) throws(Rejection) {
        asked = act.now
        next = act.now.adding(seconds: seconds)
        try save(act)
    }

    /// Whether a part of a reading was written and told to nobody.
    var isBegun: Bool { digest?.isEmpty == true }

    /// A part of a reading was written. Whatever comes, the next reading takes the whole file.
    mutating func begins() { (validators, digest) = (nil, []) }

    /// It was read, or is as it was.
    mutating func succeeded(_ act: Act) {
        refreshed = act.now
        next = act.now.adding(seconds: everySeconds)
        (tries, failing, trouble, isTold) = (0, nil, nil, false)
    }

    /// It could not be read. It is tried again ever more seldom. After a day who added it is to be told: that is answered
    /// once.
    mutating func failed(_ why: Trouble, retryAfter: Int64?, _ act: Act) -> Bool {
        tries += 1
        let since = failing ?? act.now
        failing = since
        trouble = why
        let wait = Limits.subscriptionRetrySeconds << min(tries - 1, 10)
        next = act.now.adding(seconds: min(max(wait, retryAfter ?? 0), Limits.subscriptionRetrySecondsMax))
        let end = since.adding(seconds: Limits.subscriptionToldSeconds)
        guard !isTold else { return false }
        isTold = act.now >= end
        if !isTold { next = min(next, end) }
        return isTold
    }

    // MARK: What is told of it

    static let addressShape = Shape.text(max: OutsideAddress.bytesMax)
    static let shape = Shape.named(
        "Subscription",
        .object([
            .required("calendar", .id),
            .optional("address", addressShape, "For who added it alone."),
            .optional("refreshed", .time, "When it was last found as it is here; absent: never yet."),
            .required("next", .time, "When it is read next."),
            .required("every", .integer(1...Limits.subscriptionSecondsMax), "Seconds from one reading to the next."),
            .optional(
                "trouble", Form<Trouble>.word.shape,
                "Why it could not be read anew; what was read last stays. Absent: it could."),
            .optional("since", .time, "Since when it could not."),
            .required(
                "leftOut", .integer(0...Int64.max),
                "Events there that are not shown: too old, too many, too large, or not understood."),
        ]))

    func json(to reader: Identifier) -> JSON {
        .object(leavingOut: [
            "calendar": .id(id), "address": reader == owner ? .string(address) : nil,
            "refreshed": refreshed.map { .time($0) }, "next": .time(next), "every": .int(everySeconds),
            "trouble": trouble.map { .string($0.rawValue) }, "since": failing.map { .time($0) },
            "leftOut": .int(leftOut),
        ])
    }

    // MARK: Addresses

    /// An address as it is asked: `webcal://` stands for `https://`.
    static func read(address text: String, _ act: Act) throws(Rejection) -> String {
        try OutsideAddress.read(
            text, secure: ["webcal", "webcals"],
            wrong: "A calendar's address begins with https:// or webcal://; copy it whole from where it is offered.",
            act)
    }
}
