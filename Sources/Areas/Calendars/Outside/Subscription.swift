import KinKeeper
import KinModel
import KinStore

/// The subscription of a calendar from outside: its address, the time of the next reading, and the result of the last
/// one. Only the member who added it sees the address.
struct Subscription {
    typealias Trouble = FamilyCalendar.Trouble

    /// The number of its calendar.
    let calendar: Int64
    /// The part that members who read the calendar are told: everything except the address.
    var wire: Told
    /// The member who added it.
    let owner: Identifier
    /// `https://…`; often a secret.
    var address: String
    /// The server's validators of the state that was read last.
    var validators: String?
    /// A digest of the content that was read last, with the owner's zone at that time. It is empty if a part of a
    /// reading was written without telling members, and the rest was not written.
    var digest: [UInt8]?
    /// The time of the last request, whoever asked for it.
    var asked: Instant?
    /// The number of readings that failed since the last one that succeeded.
    var tries: Int64
    /// Whether the member who added it was told of the failures.
    var isTold: Bool

    /// The identifier of its calendar.
    var id: Identifier { wire.calendar }

    // MARK: Rows

    private static let selected = """
        SELECT s.calendar, c.id, c.owner, s.address, s.validators, s.digest, s.asked, s.tries, s.is_told,
        \(Told.columns.names(of: "s"))
        FROM calendar_subscriptions s JOIN calendars c ON c.number = s.calendar
        """

    private init?(_ row: borrowing Row) throws(StoreFailure) {
        guard let owner = row.optionalIdentifier("owner") else { return nil }
        calendar = row.int("calendar")
        self.owner = owner
        address = row.text("address")
        validators = row.optionalText("validators")
        digest = row.optionalBlob("digest")
        asked = row.optionalInstant("asked")
        tries = row.int("tries")
        isTold = row.bool("is_told")
        wire = try Told.columns.read(row, ["calendar": .id(row.identifier("id"))])
    }

    private static func rows(_ rest: String, _ values: Value..., of act: Act) throws(Rejection) -> [Subscription] {
        try act.ask { (database) throws(StoreFailure) in
            try database.rows(selected + " " + rest, values: values) { (row) throws(StoreFailure) in
                try Subscription(row)
            }.compactMap(\.self)
        }
    }

    /// All subscriptions, by their calendars.
    static func all(_ act: Act) throws(Rejection) -> [Int64: Subscription] {
        Dictionary(try rows("", of: act).map { ($0.calendar, $0) }) { one, _ in one }
    }

    /// The subscription of a calendar.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> Subscription? {
        try rows("WHERE c.id = ?", .id(id), of: act).first
    }

    /// The subscription that is to be read now. If the clock was put back, a planned time that now lies far ahead
    /// counts as come.
    static func due(_ act: Act) throws(Rejection) -> Subscription? {
        try rows(
            "WHERE s.next_at <= ?1 OR s.next_at > ?2 ORDER BY s.next_at, s.calendar LIMIT 1", .time(act.now),
            .time(act.now.adding(seconds: 2 * Limits.subscriptionSecondsMax)), of: act
        ).first
    }

    /// Adds a subscription: a calendar is read at this address from now on.
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
            UPDATE calendar_subscriptions SET \(Told.columns.assignments), address = ?, validators = ?, digest = ?,
            asked = ?, tries = ?, is_told = ? WHERE calendar = ?
            """,
            values: Told.columns.values(of: wire) + [
                .text(address), Value(validators), Value(digest), Value(asked), .int(tries), .bool(isTold),
                .int(calendar),
            ])
        try Self.planNext(act)
    }

    // MARK: When

    static let due = "calendar.outside"
    private static let about = "calendars/outside"

    /// Plans the next reading; nothing is planned while no admin allows it.
    static func planNext(_ act: Act) throws(Rejection) {
        guard try isAllowed(act) else { return try act.unplan(due, about: about) }
        let next = try act.first("SELECT min(next_at) FROM calendar_subscriptions") { row in row.optionalInstant(0) }
        try act.plan(due, about: about, at: (next ?? nil).map { max($0, act.now) })
    }

    /// Whether an admin allows that calendars are read outside.
    static func isAllowed(_ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT is_on FROM calendar_outside") { row in row.bool(0) } ?? false
    }

    /// Notes that it is being read. Nobody reads it again until a result comes. If none comes, for instance because the
    /// daemon was restarted, it is read again after some time.
    mutating func begin(_ seconds: Int64, _ act: Act) throws(Rejection) {
        asked = act.now
        wire.next = act.now.adding(seconds: seconds)
        try save(act)
    }

    /// Whether a part of a reading was written without telling members.
    var isBegun: Bool { digest?.isEmpty == true }

    /// Notes that a part of a reading was written. Whatever happens, the next reading takes the whole file.
    mutating func begins() { (validators, digest) = (nil, []) }

    /// Notes a reading that succeeded, whether or not something has changed.
    mutating func succeeded(_ act: Act) {
        wire.refreshed = act.now
        wire.next = act.now.adding(seconds: wire.every)
        recovered()
    }

    /// Notes that its trouble is over.
    mutating func recovered() {
        (tries, isTold) = (0, false)
        (wire.trouble, wire.since) = (nil, nil)
    }

    /// Notes a reading that failed. It is tried again less and less often. Answers, once, that the member who added it
    /// is to be told after a day of failures.
    mutating func failed(_ why: Trouble, retryAfter: Int64?, _ act: Act) -> Bool {
        tries += 1
        let since = wire.since ?? act.now
        wire.since = since
        wire.trouble = why
        let wait = Limits.subscriptionRetrySeconds << min(tries - 1, 10)
        wire.next = act.now.adding(seconds: min(max(wait, retryAfter ?? 0), Limits.subscriptionRetrySecondsMax))
        let end = since.adding(seconds: Limits.subscriptionToldSeconds)
        guard !isTold else { return false }
        isTold = act.now >= end
        if !isTold { wire.next = min(wire.next, end) }
        return isTold
    }

    // MARK: What is told of it

    /// The subscription in the form for members who read the calendar.
    struct Told: WireRecord {
        let calendar: Identifier
        var address: String?
        var refreshed: Instant?
        /// The time of the next reading. While it is being read, the time at which it is tried again if no result
        /// comes.
        var next: Instant
        var every: Int64
        var trouble: Trouble?
        var since: Instant?
        var leftOut: Int64

        static let fields = Fields(
            "Subscription", Told.init(calendar:address:refreshed:next:every:trouble:since:leftOut:),
            .required("calendar", \.calendar, .id),
            .optional("address", \.address, addressForm, "For who added it alone."),
            .optional(
                "refreshed", \.refreshed, .time, "When it was last found as it is here; absent: never yet."),
            .required("next", \.next, .time, "When it is read next."),
            .required(
                "every", \.every, Form<Int64>.integer(1...Limits.subscriptionSecondsMax),
                "Seconds from one reading to the next."),
            .optional(
                "trouble", \.trouble, .word,
                "Why it could not be read anew; what was read last stays. Absent: it could."),
            .optional("since", \.since, .time, "Since when it could not."),
            .required(
                "leftOut", \.leftOut, Form<Int64>.integer(0...Int64.max),
                "Events there that are not shown: too old, too many, too large, or not understood."))

        /// The columns of `calendar_subscriptions`, which has its calendar's number. The address is not told to all.
        static let columns = Columns<Told>(
            called: ["next": "next_at", "since": "failing"], elsewhere: ["calendar", "address"])
    }

    static let addressForm = Form.text(max: OutsideAddress.bytesMax)

    func json(to reader: Identifier) -> JSON {
        var told = wire
        told.address = reader == owner ? address : nil
        return told.json
    }

    // MARK: Addresses

    /// Reads an address; `webcal://` stands for `https://`.
    static func read(address text: String, _ act: Act) throws(Rejection) -> String {
        try OutsideAddress.read(
            text, secure: ["webcal", "webcals"],
            wrong: "A calendar's address begins with https:// or webcal://; copy it whole from where it is offered.",
            act)
    }
}
