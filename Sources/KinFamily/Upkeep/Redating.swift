import KinModel
import KinStore

/// What happens when the clock begins to be doubted, is trusted again or was put right; and the one repair it takes where
/// a wrong clock was believed: whatever claims to be from after now is dated now.
enum Redating {
    /// Columns that say when something was, by the daemon's clock: never later than now.
    static let own: [(table: String, column: String)] = [
        ("log", "at"), ("ops", "at"), ("marks", "at"), ("migrations", "at"), ("announcements", "at"), ("inbox", "at"),
        ("inbox_lines", "at"), ("family", "founded_at"), ("households", "founded_at"), ("members", "joined_at"),
        ("members", "password_exposed_at"), ("sessions", "opened_at"), ("sessions", "used_at"),
        ("known_devices", "at"), ("app_passwords", "created_at"), ("app_passwords", "used_at"),
        ("sharing", "since"), ("sharing_versions", "since"), ("phones", "since"), ("phones", "contact"),
        ("phone_commands", "added"), ("position_asks", "at"), ("looks", "first_at"), ("looks", "last_at"),
        ("invites", "created_at"), ("guest_links", "made_at"), ("house", "last_backup_at"),
        ("members", "first_opened_at"), ("moves", "at"), ("refused_moves", "at"), ("grown", "asked_at"),
        ("grown", "refused_at"),
    ]

    /// The same by the clocks of phones, which need not be wrong with it.
    static let phones: [(table: String, column: String)] = [
        ("phones", "place"), ("latest_positions", "at"), ("latest_positions", "since"),
        ("latest_positions", "rest_at"), ("cell_judges", "at"), ("cell_judges", "doubted_at"),
        ("cell_judges", "shown_at"), ("stopovers", "at"), ("coarse_dots", "at"), ("coarse_dots", "away_since"),
        ("coarse_positions", "at"), ("stays", "since"), ("stays", "start"), ("stays", "last"),
        ("doubted_points", "at"),
    ]

    static let columns = own + phones

    /// Times that are told rounded down to a quarter of an hour.
    private static let rounded: Set = ["coarse_dots", "coarse_positions", "stopovers"]

    /// Says what happened, and does what it takes. `since`: when the doubt began that is over now. Answers whether
    /// followers need a fresh view.
    static func settle(_ clock: TrustedClock, doubtedSince since: Instant?, _ act: Act) throws(Rejection) -> Bool {
        guard clock.doubt == nil else { return false }
        let jump = clock.wasPutRight
        if let jump {
            act.note(.clock, "The clock was put right: it was \(jump.from) and is \(jump.to).")
        } else {
            act.note(.clock, "The clock is right again: it says \(clock.now). What fell due meanwhile is done now.")
        }
        // Points that seemed to be from the future may have been right, and the daemon's clock behind.
        let behindSince = min(since ?? .latest, jump?.from ?? .latest)
        if behindSince < clock.now {
            try act.ask { (_) throws(StoreFailure) in
                try act.keeper.store.due.add(
                    at: clock.now, kind: Track.judgeDue, about: String(behindSince.milliseconds))
            }
        }
        guard let jump else { return false }
        if jump.to > jump.from {
            return try since.map { (since) throws(Rejection) in try move(since, jump, act) } ?? false
        }
        act.note(.clock, "What was dated later than \(act.now) is dated now.")
        try redate(act)
        return true
    }

    /// Moves what was dated while the clock was doubted to when it really was, as far as that is known now: or a session
    /// that was opened then would be unused for a year already. Answers whether there was anything.
    private static func move(_ since: Instant, _ jump: TrustedClock.Jump, _ act: Act) throws(Rejection) -> Bool {
        let by = Value.int(jump.to.milliseconds(since: jump.from))
        let (from, to) = (Value.time(since), Value.time(jump.from))
        // What is good for a time of the daemon's own, from when it was made.
        try act.run(
            "UPDATE invites SET expires_at = expires_at + ?1 WHERE created_at > ?2 AND expires_at = created_at + ?3",
            by,
            from, .int(Limits.inviteDays * 86_400_000))
        try act.run(
            "UPDATE links SET expires_at = expires_at + ?1 WHERE expires_at > ?2", by,
            .time(since.adding(seconds: Limits.signInLinkSeconds)))
        // Else a wait that began meanwhile would be over at once.
        let waits = Value.time(since.adding(seconds: Limits.waitSeconds))
        try act.run("UPDATE sessions SET waits_until = waits_until + ?1 WHERE waits_until > ?2", by, waits)
        try act.run(
            "UPDATE due SET at = at + ?1 WHERE kind = ?3 AND at > ?2", by, waits, .text(Sessions.waitDue))
        act.keeper.store.due.forget()
        var moved = 0
        for (table, column) in own {
            moved += try act.run(
                "UPDATE OR IGNORE \(table) SET \(column) = \(column) + ?1 WHERE \(column) > ?2 AND \(column) <= ?3",
                by,
                from, to)
        }
        return moved > 0
    }

    /// Dates now what claims to be from later. What was granted for so long lasts as long from now on.
    private static func redate(_ act: Act) throws(Rejection) {
        let now = Value.time(act.now)
        try act.run("UPDATE invites SET expires_at = ?1 + expires_at - created_at WHERE created_at > ?1", now)
        try act.run(
            "UPDATE links SET expires_at = ?1 WHERE expires_at > ?1",
            .time(act.now.adding(seconds: Limits.signInLinkSeconds)))
        try act.run("UPDATE guest_links SET until = ?1 + until - made_at WHERE made_at > ?1", now)
        // Rules do not say when they were made: not before what the member's rules came to last.
        try act.run(
            """
            UPDATE sharing_rules AS r SET until = ?1 + until - v.since
            FROM (SELECT track, max(since) AS since FROM sharing_versions GROUP BY track) AS v
            WHERE v.track = r.track AND v.since > ?1 AND r.until > v.since
            """, now)
        try act.run("UPDATE sharing SET until = ?1 + until - since WHERE since > ?1", now)
        // Points are dated by phones: those that cannot be true any more are kept apart, with others of that kind.
        try act.run(
            "UPDATE positions SET quality = ?2 WHERE at > ?1 AND quality <> ?2",
            .time(act.now.adding(seconds: Limits.futureSecondsMax)), .int(PointQuality.clock.rawValue))
        for (table, column) in columns {
            let moment = rounded.contains(table) ? CoarseDot.rounded(act.now) : act.now
            try act.run("UPDATE OR IGNORE \(table) SET \(column) = ?1 WHERE \(column) > ?1", .time(moment))
        }
        try act.run("UPDATE looks SET day = ?1 WHERE day > ?1", .int(act.now.milliseconds / 86_400_000))
        // What waits for a time of the daemon's own waits no longer than that from now on.
        let wait = Value.time(act.now.adding(seconds: Limits.waitSeconds))
        try act.run("UPDATE sessions SET waits_until = ?1 WHERE waits_until > ?1", wait)
        try act.run("UPDATE due SET at = ?1 WHERE kind = ?2 AND at > ?1", wait, .text(Sessions.waitDue))
        try act.run(
            "UPDATE due SET at = ?1 WHERE kind = ?2 AND at > ?1", .time(act.now.adding(days: Limits.grownDays)),
            .text(Members.grownDue))
        act.keeper.store.due.forget()
        // What the daemon put down for itself looks again now, and puts itself down anew.
        for kind in [Consent.silenceDue, Consent.ruleDue, Track.pruneDue, MeetingWords.rebuildDue] {
            try act.run("UPDATE due SET at = ?1 WHERE kind = ?2 AND at > ?1", now, .text(kind))
        }
        for consent in try Consent.all(act) {
            guard let until = consent.until else { continue }
            try act.ask { (_) throws(StoreFailure) in
                try act.keeper.store.due.add(at: until, kind: Consent.endDue, about: Dot.about(consent.member))
            }
        }
    }
}

extension TrustedClock {
    /// What is wrong with it and what that means, for people; `nil` while nothing is.
    var sentence: String? {
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
    /// What the last start left behind; `nil` where nothing was ever written.
    static func load(_ database: Database) throws(StoreFailure) -> Self? {
        try database.first(
            "SELECT moment, since_boot, boot, doubt, doubt_since, latest FROM clock JOIN log_state"
        ) { row in
            Self(
                moment: row.instant(0), sinceBoot: row.int(1), boot: row.text(2),
                doubt: row.optionalText(3).flatMap { TrustedClock.Doubt(rawValue: $0) },
                doubtSince: row.optionalInstant(4), latest: row.instant(5))
        }
    }

    /// Writes it down, in the open transaction.
    func save(_ database: Database) throws(StoreFailure) {
        try database.run(
            "INSERT OR REPLACE INTO clock (one, moment, since_boot, boot, doubt, doubt_since) VALUES (1,?,?,?,?,?)",
            .time(moment), .int(sinceBoot), .text(boot), Value(doubt?.rawValue), Value(doubtSince))
    }
}
