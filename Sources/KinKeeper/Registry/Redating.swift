public import KinModel
package import KinStore

/// A correction of the moments that were taken from a wrong clock. The columns that say when something was are moved by
/// the mechanism (``Table``). Areas correct the ends of what they grant for a time (``Area/Life/redated``).
public enum Redating: Sendable {
    /// The clock was behind since then: moments that seemed to lie in the future may have been right.
    case wasBehind(since: Instant)
    /// The clock was doubted from one moment until another: the moments between lie so many milliseconds later.
    case moved(since: Instant, until: Instant, by: Int64)
    /// A moment that lies after now becomes now.
    case toNow
}

extension Redating {
    /// Columns of the store's own tables.
    private static let store = [
        Table("log", dated: ["at"]), Table("ops", dated: ["at"]), Table("migrations", dated: ["at"]),
    ]

    /// Every column that says when something was, by the daemon's clock; with `phones` also by those of phones.
    package static func columns(of areas: [Area], phones: Bool) -> [(table: Table, column: String)] {
        (store + areas.flatMap(\.tables)).flatMap { table in
            (table.dated + (phones ? table.datedByPhones : [])).map { (table, $0) }
        }
    }

    /// Logs what happened, and does what follows from it. `since`: when the doubt began that is over now. Answers
    /// whether followers need a fresh view.
    package static func settle(_ clock: TrustedClock, doubtedSince since: Instant?, _ act: Act) throws(Rejection)
        -> Bool
    {
        guard clock.doubt == nil else { return false }
        let jump = clock.wasPutRight
        if let jump {
            act.note(.clock, "The clock was put right: it was \(jump.from) and is \(jump.to).")
        } else {
            act.note(.clock, "The clock is right again: it says \(clock.now). What fell due meanwhile is done now.")
        }
        let behindSince = min(since ?? .latest, jump?.from ?? .latest)
        if behindSince < clock.now { try tell(.wasBehind(since: behindSince), act) }
        guard let jump else { return false }
        if jump.to > jump.from {
            return try since.map { (since) throws(Rejection) in try move(since, jump, act) } ?? false
        }
        act.note(.clock, "What was dated later than \(act.now) is dated now.")
        try tell(.toNow, act)
        try act.replan([SharedThings.goOnDue], noLaterThan: act.now.adding(seconds: Limits.sharedLosingSeconds))
        for (table, column) in columns(of: act.areas, phones: true) {
            try act.run(
                "UPDATE OR IGNORE \(table.name) SET \(column) = ?1 WHERE \(column) > ?1",
                .time(table.rounded(act.now)))
        }
        return true
    }

    private static func tell(_ redating: Redating, _ act: Act) throws(Rejection) {
        for area in act.areas { try area.life.redated?(act, redating) }
    }

    /// Moves moments that were dated while the clock was doubted to the real time, as far as that is known now.
    /// Otherwise a session that was opened then could seem unused for a year. Answers whether there were any.
    private static func move(_ since: Instant, _ jump: TrustedClock.Jump, _ act: Act) throws(Rejection) -> Bool {
        let by = jump.to.milliseconds(since: jump.from)
        try tell(.moved(since: since, until: jump.from, by: by), act)
        var moved = 0
        for (table, column) in columns(of: act.areas, phones: false) {
            moved += try act.run(
                """
                UPDATE OR IGNORE \(table.name) SET \(column) = \(column) + ?1
                WHERE \(column) > ?2 AND \(column) <= ?3
                """, .int(by), .time(since), .time(jump.from))
        }
        return moved > 0
    }
}

extension TrustedClock {
    /// A sentence for people: the clock's fault, and its consequences. `nil` while there is no fault.
    package var sentence: String? {
        let why: String
        switch doubt {
        case nil: return nil
        case .jumped: why = "it jumped, and says \(reading.wall) where it should be \(now)"
        case .behind: why = "it says \(reading.wall), which is before the last event, of \(now)"
        case .ahead: why = "it says \(reading.wall), long after the last event, of \(now), and nothing has set it"
        }
        return """
            The clock is doubted: \(why). Until it is right nothing is deleted or ended by itself, and what has an end is \
            withheld. Set it, or say that it is right: kin clock trust.
            """
    }
}

extension TrustedClock.Kept {
    /// The clock that the last start wrote down; `nil` where none was ever written.
    package static func load(_ database: Database) throws(StoreFailure) -> Self? {
        try database.first(
            "SELECT moment, since_boot, boot, doubt, doubt_since, latest FROM clock JOIN log_state"
        ) { row in
            Self(
                moment: row.instant("moment"), sinceBoot: row.int("since_boot"), boot: row.text("boot"),
                doubt: row.optionalText("doubt").flatMap { TrustedClock.Doubt(rawValue: $0) },
                doubtSince: row.optionalInstant("doubt_since"), latest: row.instant("latest"))
        }
    }

    /// Writes it down, in the open transaction.
    package func save(_ database: Database) throws(StoreFailure) {
        try database.run(
            "INSERT OR REPLACE INTO clock (one, moment, since_boot, boot, doubt, doubt_since) VALUES (1,?,?,?,?,?)",
            .time(moment), .int(sinceBoot), .text(boot), Value(doubt?.rawValue), Value(doubtSince))
    }
}
