public import KinModel
import KinStore

/// One member's share of something that belongs to all, such as the disk or the room of a snapshot. Every member has a
/// quota of their own, so that nobody stops another by using up theirs. A member is told once four fifths are gone. Nobody
/// else is told: admins see the family's sums. The area that hands the thing out declares the quota.
public struct Quota: Sendable {
    /// Its name, as the member is told it.
    public let name: String
    /// The name of the family's sum for today, where the quota is for a day.
    public let today: String?
    /// How many uses of a day stand in memory only, before all are written down at once. A daemon that is killed forgives
    /// them. For what is used often, one by one, with a share that is much larger.
    let slack: Int64

    /// A quota.
    public init(_ name: String, today: String? = nil, slack: Int64 = 0) {
        self.name = name
        self.today = today
        self.slack = slack
    }

    /// Bytes of commands (`op`) remembered in a day.
    package static let operations = Quota("operations", today: "operationBytesToday")

    /// The event by which a member is told.
    package static let near = EventType(
        "quota.near", "Four fifths of what is for one member are used; to that member, once as it comes to that.",
        Near.self)

    /// The quota, how much of it is used, and how much there is.
    package struct Near: WireRecord {
        package let what: String
        package let used: Int64
        package let most: Int64

        package static let fields: Fields<Near> = fields(what: .any)

        /// The fields of that, where the names of all quotas are known.
        package static func fields(what: Shape) -> Fields<Near> {
            let amount = Form.integer(0...Int64.max)
            return Fields(
                nil, Near.init(what:used:most:),
                .required("what", \.what, .text(what)),
                .required("used", \.used, amount, "How many of them; of operations, bytes."),
                .required("most", \.most, amount, "How many there may be, counted alike."))
        }
    }

    // MARK: By the day

    /// Where uses of a day are written down.
    private static let written = TableSet(["used_today"])

    /// Takes an amount of a member's share of today (by UTC). If less is left, it takes nothing and answers false.
    public func take(_ amount: Int64, of most: Int64, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        guard amount <= most else { return false }
        if slack > 0 { return try takeInMemory(amount, of: most, for: member, act) }
        guard let used = try write(amount, of: most, for: member, act) else { return false }
        try tell(member, before: used - amount, after: used, of: most, act)
        return true
    }

    /// Takes it in memory, and writes down what was taken there when it has become enough.
    private func takeInMemory(
        _ amount: Int64, of most: Int64, for member: Identifier, _ act: Act
    ) throws(Rejection) -> Bool {
        let (memory, key) = (act.memory(QuotaMemory.self), QuotaMemory.Key(member: member, what: name))
        let today = Self.day(act.now)
        var taken = memory.taken[key] ?? QuotaMemory.Taken(day: today)
        // What is left of a day before is forgiven with it.
        if taken.day != today { taken = QuotaMemory.Taken(day: today) }
        if taken.state != act.state(of: Self.written) {
            let written =
                try act.first(
                    "SELECT used FROM used_today WHERE member = ? AND what = ? AND day = ?", .id(member), .text(name),
                    .int(today)
                ) { row in row.int(0) } ?? 0
            // What was written down and taken back with a refusal was used all the same: else a refusal each time that it is
            // written down would forgive all of it.
            taken.unwritten += max(0, taken.written - written)
            taken.written = written
        }
        let before = taken.written + taken.unwritten
        guard before <= most - amount else { return false }
        taken.unwritten += amount
        if taken.unwritten >= slack, let used = try write(taken.unwritten, of: most, for: member, act) {
            (taken.written, taken.unwritten) = (used, 0)
        }
        taken.state = act.state(of: Self.written)
        memory.keep(taken, of: key)
        try tell(member, before: before, after: before + amount, of: most, act)
        return true
    }

    /// Adds to what is written down; answers how much that is then, or `nil` where less is left.
    private func write(
        _ amount: Int64, of most: Int64, for member: Identifier, _ act: Act
    ) throws(Rejection) -> Int64? {
        try act.rows(
            """
            INSERT INTO used_today (member, what, day, used) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET day = excluded.day, used = iif(day = excluded.day, used, 0) + excluded.used
            WHERE iif(day = excluded.day, used, 0) <= ?5 - excluded.used RETURNING used
            """, .id(member), .text(name), .int(Self.day(act.now)), .int(amount), .int(most)
        ) { row in row.int(0) }.first
    }

    /// The refusal when today's share is used up.
    public static func usedUp(_ sentence: String, _ act: Act, field: String? = nil) -> Rejection {
        let tomorrow = Instant(milliseconds: (day(act.now) + 1) * 86_400_000)
        let wait = max(1, Int((tomorrow.milliseconds(since: act.now) + 999) / 1000))
        return Rejection(.slowDown, sentence, field: field, retryAfter: wait)
    }

    private static func day(_ now: Instant) -> Int64 { now.milliseconds / 86_400_000 }

    // MARK: For all

    /// Tells a member whose use reaches four fifths.
    public func tell(
        _ member: Identifier, before: Int64, after: Int64, of most: Int64, _ act: Act
    ) throws(Rejection) {
        let near = most - most / 5
        guard before < near, after >= near else { return }
        try act.emit(
            Self.near, .init(what: name, used: after, most: most), about: "quota/\(name)",
            to: try act.roster.only(member))
    }

    /// Removes the days before.
    package static func prune(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM used_today WHERE day < ?", .int(day(act.now)))
    }

    /// How much of it all members together used today.
    fileprivate func sum(_ act: Act) throws(Rejection) -> Int64 {
        let today = Self.day(act.now)
        let written = try act.first(
            "SELECT sum(used) FROM used_today WHERE day = ? AND what = ?", .int(today), .text(name)
        ) { row in row.optionalInt(0) }
        return (written.flatMap(\.self) ?? 0) + act.memory(QuotaMemory.self).unwritten(of: name, on: today)
    }
}

/// The use of something by the whole family, for its admins. It says nothing about a single member.
public struct FamilySum: Sendable {
    /// Its name in `daemon.status`.
    public let name: String
    /// Counts it. The cost does not grow with the age of the family.
    public let count: @Sendable (Act) throws(Rejection) -> Int64

    /// A sum.
    public init(_ name: String, count: @escaping @Sendable (Act) throws(Rejection) -> Int64) {
        self.name = name
        self.count = count
    }

    /// The sums of all areas.
    package static func all(_ areas: [Area]) -> [FamilySum] {
        let today = areas.flatMap(\.quotas).compactMap { quota in
            quota.today.map { name in FamilySum(name) { (act) throws(Rejection) in try quota.sum(act) } }
        }
        return today + areas.flatMap(\.sums)
    }
}
