import KinModel
import KinStore

/// Who is in the family: households, members, relations, invites, sessions.
enum Members {
    static let area = Area(
        "Members",
        migrations: migrations,
        methods: [showSetUp, found, showFamily, close]
            + [foundHousehold, renameHousehold, moveHousehold, admit, removeHousehold]
            + Invites.methods
            + [join, add, list, showMember, update, setPicture, removePicture, picture, setRole, relate, remove]
            + [requests, askGrown, answerGrown]
            + Sessions.methods + [Passwords.change, Passwords.reset] + AppPasswords.methods,
        events: events,
        due: [
            "upkeep": { (act, _) throws(Rejection) in try prune(act) },
            grownDue: { (act, about) throws(Rejection) in try becameGrown(about, act) },
            Sessions.waitDue: { (act, about) throws(Rejection) in try Sessions.waitFellDue(about, act) },
        ],
        blobs: { (database) throws(StoreFailure) in
            try database.rows("SELECT picture FROM members WHERE picture IS NOT NULL") { row in row.text(0) }
        },
        snapshotBytesMax: Limits.membersSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in try show(database, viewer, &snapshot) })

    /// Who is in the family, for audiences.
    static func roster(_ database: Database) throws(StoreFailure) -> Roster {
        Roster(
            try database.rows("SELECT id, number, role, household FROM members ORDER BY number") {
                (row) throws(StoreFailure) in
                guard let role = Role(rawValue: row.text(2)), let number = Int32(exactly: row.int(1)) else {
                    throw .corrupt("a member has no role or number that this program knows")
                }
                return Roster.Entry(id: row.identifier(0), number: number, role: role, household: row.identifier(3))
            })
    }

    /// What expired or was unused too long goes.
    private static func prune(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM invites WHERE expires_at <= ?", .time(act.now))
        try Move.prune(act)
        try act.run("DELETE FROM links WHERE expires_at <= ?", .time(act.now))
        let long = act.now.adding(days: -Limits.sessionDays)
        let unused = try act.rows("SELECT id FROM sessions WHERE used_at <= ?", .time(long)) { row in row.identifier(0)
        }
        for session in unused {
            try Sessions.end(session, act)
            act.revoke(.session(session))
        }
        let forgotten = act.now.adding(days: -Limits.knownDeviceDays)
        try act.run("DELETE FROM known_devices WHERE at <= ?", .time(forgotten))
    }
}
