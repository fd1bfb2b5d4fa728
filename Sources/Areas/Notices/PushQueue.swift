import KinCrypto
import KinKeeper
package import KinModel
import KinStore

/// The pushes that wait, a row for each browser and entry. They are in the database, so a restart forgets none. The
/// text is read from the inbox when a push is sent.
package enum PushQueue {
    /// Due work: something may be sent.
    static let due = "notice.push"
    private static let about = "notice/push"

    /// Whether a push is sent by itself, or together with others when there are many.
    enum Grade: Int64 {
        case ordinary
        /// It is sent by itself, however many there are.
        case urgent
        /// It is sent by itself, as long as there are not too many of them.
        case official

        init(_ entry: InboxEntry, _ act: Act) {
            let kind = entry.lines.last?["kind"]?.string.flatMap { act.inboxKinds[$0] }
            self = kind?.priority ?? 0 >= 5 ? .urgent : entry.isOfficial ? .official : .ordinary
        }

        /// Its weight among the notices that a device missed. If not all can be told, the heavier ones are.
        var weight: Int64 {
            switch self {
            case .ordinary: 0
            case .official: 1
            case .urgent: 2
            }
        }
    }

    // MARK: Filling it

    /// Queues an entry's push for a member's browsers.
    static func add(
        _ entry: Identifier, _ number: Int64, of member: Identifier, _ grade: Grade, _ hearing: Hearing, _ act: Act
    ) throws(Rejection) {
        let browsers = try act.rows("SELECT device FROM notice_subscriptions WHERE member = ?", .id(member)) { row in
            row.identifier(0)
        }
        let hearers = browsers.filter { !hearing.deaf.contains($0) }
        for device in hearers {
            try act.run(
                """
                INSERT INTO notice_pushes (device, entry, member, number, since, tries, next_at, flight, urgent)
                VALUES (?1, ?2, ?3, ?4, ?5, 0, ?5, 0, ?6)
                ON CONFLICT (device, entry) DO UPDATE SET number = ?4, since = ?5, tries = 0, next_at = ?5, flight = 0
                """, .id(device), .id(entry), .id(member), .int(number), .time(act.now), .int(grade.rawValue))
        }
        if !hearers.isEmpty { try act.plan(due, about: about, at: act.now) }
    }

    /// Queues a test of one browser.
    static func add(test device: Identifier, _ number: Int64, of member: Identifier, _ act: Act) throws(Rejection) {
        let added = try act.run(
            """
            INSERT OR REPLACE INTO notice_pushes (device, entry, member, number, since, tries, next_at, flight, urgent)
            SELECT device, device, member, ?2, ?3, 0, ?3, 0, 0 FROM notice_subscriptions WHERE device = ?1
            """, .id(device), .int(number), .time(act.now))
        if added > 0 { try act.plan(due, about: about, at: act.now) }
    }

    /// An entry no longer rings: its pushes that have not left are dropped.
    static func drop(_ entry: Identifier, of member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM notice_pushes WHERE member = ? AND entry = ?", .id(member), .id(entry))
    }

    // MARK: Emptying it

    /// One row that can leave now.
    package struct Waiting: Sendable {
        package let device: Identifier
        package let entry: Identifier
        let member: Identifier
        package let number: Int64
        let since: Instant
        let tries: Int
    }

    private static let columns = "SELECT device, entry, member, number, since, tries FROM notice_pushes"

    private static func waiting(_ row: borrowing Row) -> Waiting {
        Waiting(
            device: row.identifier("device"), entry: row.identifier("entry"), member: row.identifier("member"),
            number: row.int("number"), since: row.instant("since"), tries: Int(row.int("tries")))
    }

    /// Takes some pushes that can leave now. They are then on their way. If the daemon is restarted before a result
    /// comes, they leave again.
    static func take(_ act: Act) throws(Rejection) -> [Waiting] {
        let flight = act.memory(PushFlight.self).number(act)
        let found = try act.rows(
            """
            \(columns) WHERE flight != ?1 AND (next_at <= ?2 OR next_at > ?3) OR flight = ?1 AND next_at < ?4
            ORDER BY next_at, number LIMIT ?5
            """, .int(flight), .time(act.now), .time(act.now.adding(seconds: 2 * Limits.pushWaitSecondsMax)),
            .time(act.now.adding(seconds: -Limits.pushFlightSeconds)), .int(Int64(Limits.pushesAtOnce))
        ) { row in waiting(row) }
        for one in found {
            try act.run(
                "UPDATE notice_pushes SET flight = ?, next_at = ? WHERE device = ? AND entry = ?", .int(flight),
                .time(act.now), .id(one.device), .id(one.entry))
        }
        return found
    }

    /// If many pushes wait for a browser, the newest stay, and one push stands for the others.
    static func gather(_ act: Act) throws(Rejection) {
        try gather(.ordinary, above: Limits.noticesBesideBurst + 1, act)
        try gather(.official, above: Limits.noticesOfficialAtOnceMax, act)
    }

    private static func gather(_ grade: Grade, above most: Int, _ act: Act) throws(Rejection) {
        let grade = Value.int(grade.rawValue)
        // A push that already stands for others counts as one.
        let crowded = try act.rows(
            """
            SELECT device, member FROM notice_pushes WHERE urgent = ? AND entry != device
            GROUP BY device, member HAVING count(*) > ?
            """, grade, .int(Int64(most))
        ) { row in (device: row.identifier("device"), member: row.identifier("member")) }
        for one in crowded {
            let upTo = try act.first(
                """
                SELECT number FROM notice_pushes WHERE device = ? AND urgent = ? AND entry NOT IN (device, member)
                ORDER BY number DESC LIMIT 1 OFFSET ?
                """, .id(one.device), grade, .int(Int64(Limits.noticesBesideBurst))
            ) { row in row.int(0) }
            guard let upTo else { continue }
            try act.run(
                """
                DELETE FROM notice_pushes WHERE device = ? AND urgent = ? AND entry NOT IN (device, member)
                AND number <= ?
                """, .id(one.device), grade, .int(upTo))
            try act.run(
                """
                INSERT INTO notice_pushes (device, entry, member, number, since, tries, next_at, flight, urgent)
                VALUES (?1, ?2, ?2, ?3, ?4, 0, ?4, 0, 0)
                ON CONFLICT (device, entry) DO UPDATE SET number = max(number, ?3), next_at = ?4, flight = 0
                """, .id(one.device), .id(one.member), .int(upTo), .time(act.now))
        }
    }

    static func remove(_ one: Waiting, _ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM notice_pushes WHERE device = ? AND entry = ? AND number = ?", .id(one.device), .id(one.entry),
            .int(one.number))
    }

    /// Delays a push that could not be delivered now.
    static func delay(_ one: Waiting, to moment: Instant, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE notice_pushes SET tries = ?, next_at = ?, flight = 0 WHERE device = ? AND entry = ? AND number = ?
            """, .int(Int64(one.tries) + 1), .time(moment), .id(one.device), .id(one.entry), .int(one.number))
    }

    /// Plans the time at which the next push leaves.
    static func planNext(_ act: Act) throws(Rejection) {
        let next = try act.first("SELECT min(next_at) FROM notice_pushes") { row in row.optionalInstant(0) } ?? nil
        // Pushes on their way count too: the daemon may be restarted before their result comes.
        try act.plan(due, about: about, at: next.map { max($0, act.now.adding(seconds: Limits.pushLookSeconds)) })
    }

    /// The clock was put back: pushes planned by the wrong clock are looked at now.
    static func hurry(_ act: Act) throws(Rejection) {
        let moved = try act.run(
            "UPDATE notice_pushes SET next_at = ?1, flight = 0 WHERE next_at > ?1", .time(act.now))
        if moved > 0 { try act.plan(due, about: about, at: act.now) }
        try act.replan([due], noLaterThan: act.now.adding(seconds: Limits.pushLookSeconds))
    }

    /// Drops all pushes.
    static func clear(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM notice_pushes")
        try act.unplan(due, about: about)
    }
}

/// Identifies this start of the daemon. Pushes that left in an earlier start without a result leave again.
final class PushFlight: AreaMemory {
    private var drawn: Int64 = 0

    init() {}

    func turn(_ turn: Turn) {}
    func forget() {}

    func number(_ act: Act) -> Int64 {
        while drawn == 0 { drawn = Int64(act.randomNumber() >> 1) }
        return drawn
    }
}
