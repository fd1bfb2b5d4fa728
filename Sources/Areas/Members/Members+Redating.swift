import KinKeeper
import KinModel
import KinStore

/// The tables of the area, and what follows for time-limited permissions when a clock was put right.
extension Members {
    static let tables = [
        Table("family", dated: ["founded_at"]), Table("households", dated: ["founded_at"]),
        Table("members", dated: ["joined_at", "password_exposed_at", "first_opened_at"]),
        // The number goes on from where it is: no number is ever used again.
        Table("member_numbers", isKept: true),
        Table("parents"), Table("partners"), Table("faces"), Table("moves", dated: ["at"]),
        Table("refused_moves", dated: ["at"]),
        Table("grown", dated: ["asked_at", "refused_at"]),
        Table("invites", dated: ["created_at"], ahead: ["expires_at"], givesWayIn: true),
        Table("links", ahead: ["expires_at"], givesWayIn: true),
        Table("sessions", dated: ["opened_at", "used_at"], ahead: ["waits_until"], givesWayIn: true),
        Table("app_passwords", dated: ["created_at", "used_at"], givesWayIn: true),
        Table("set_up_offers", ahead: ["expires_at"], givesWayIn: true),
        Table("known_devices", dated: ["at"]),
    ]

    static func redate(_ redating: Redating, _ act: Act) throws(Rejection) {
        switch redating {
        case .wasBehind: break
        case .moved(let since, _, let by):
            // Permissions that last a fixed time from when they were made.
            try act.run(
                """
                UPDATE invites SET expires_at = expires_at + ?1
                WHERE created_at > ?2 AND expires_at = created_at + ?3
                """, .int(by), .time(since), .int(Limits.inviteDays * 86_400_000))
            try act.run(
                "UPDATE links SET expires_at = expires_at + ?1 WHERE expires_at > ?2", .int(by),
                .time(since.adding(seconds: Limits.signInLinkSeconds)))
            // Otherwise a wait that began meanwhile would be over at once.
            let waits = since.adding(seconds: Limits.waitSeconds)
            try act.run(
                "UPDATE sessions SET waits_until = waits_until + ?1 WHERE waits_until > ?2", .int(by), .time(waits))
            try act.replan(Sessions.waitDue, after: waits, by: by)
        case .toNow:
            // A permission for a span lasts that span from now on.
            try act.run(
                "UPDATE invites SET expires_at = ?1 + expires_at - created_at WHERE created_at > ?1", .time(act.now))
            try act.run(
                "UPDATE links SET expires_at = ?1 WHERE expires_at > ?1",
                .time(act.now.adding(seconds: Limits.signInLinkSeconds)))
            // Whatever waits a fixed time waits no longer than that from now on.
            let wait = act.now.adding(seconds: Limits.waitSeconds)
            try act.run("UPDATE sessions SET waits_until = ?1 WHERE waits_until > ?1", .time(wait))
            try act.replan([Sessions.waitDue], noLaterThan: wait)
            try act.replan([grownDue], noLaterThan: act.now.adding(days: Limits.grownDays))
        }
    }
}
