package import KinKeeper
import KinModel
import KinStore

/// The people of the family: households, members, relations, invites, sessions.
package enum Members {
    /// The quota of display names that one member changes in a day.
    static let displayNames = Quota("displayNames")

    package static let area = Area(
        "Members", view: "members", isForWalls: true,
        tables: tables,
        migrations: migrations,
        methods: [showSetUp, found, showFamily, renameFamily, close]
            + [foundHousehold, renameHousehold, moveHousehold, admit, removeHousehold]
            + Invites.methods
            + [join, add, list, showMember, update, setPicture, removePicture, picture, setRole, relate, remove]
            + [requests, askGrown, answerGrown] + Walls.methods
            + Sessions.methods + [Passwords.change, Passwords.reset] + AppPasswords.methods + SetUpOffers.methods + [
                principal, principals,
            ],
        events: events,
        due: [
            grownDue: { (act, about) throws(Rejection) in try becameGrown(about, act) },
            Sessions.waitDue: { (act, about) throws(Rejection) in try Sessions.waitFellDue(about, act) },
        ],
        upkeep: { (act) throws(Rejection) in try prune(act) },
        told: [
            // The question is answered: it leaves the inboxes of those who could have answered it.
            Move.answered.name: { (act, told) throws(Rejection) in
                try act.settle(moveAsked, about: told.about) { (line, _) throws(Rejection) in
                    line.name == told[Move.answered]?.household.description
                }
            },
            Grown.answered.name: { (act, told) throws(Rejection) in try act.settle(grownAsked, about: told.about) },
        ],
        inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            // Guests know whoever lives with them.
            "member": { (act, id, viewer) throws(Rejection) in
                if id == viewer.id || viewer.role != .guest { return true }
                return try act.roster[id].map { $0.household == viewer.household }
            }
        ],
        memories: [SignInSlowdown.self, SessionMemory.self, Guesses<AppPasswords>.self],
        quotas: [.pictures, displayNames],
        blobs: { (database) throws(StoreFailure) in
            try database.rows("SELECT picture FROM members WHERE picture IS NOT NULL") { row in row.text(0) }
        },
        hooks: Area.Hooks(
            credentials: Area.Credentials(
                resolve: { (credential, method, act) throws(Rejection) in
                    try Sessions.resolve(credential, for: method, act)
                },
                isOutlived: { (cursor, session, act) throws(Rejection) in
                    try Sessions.isOfWait(cursor, of: session, act)
                }),
            portrait: Area.PortraitHook(
                work: { (act, bytes) throws(Rejection) in
                    let most = Limits.picturesPerDayMax
                    let isLeft = try Quota.pictures.take(1, of: most, for: try act.member.id, act)
                    return isLeft ? PictureWork.squarePicture(bytes) : nil
                },
                put: { (work, member, act) throws(Rejection) in try put(work, for: member, act) },
                face: { (act, member) throws(Rejection) in
                    try act.first("SELECT jpeg FROM faces WHERE member = ?", .id(member)) { row in row.blob(0) }
                }),
            setUpLink: { (act) throws(Rejection) in try makeSetUpLink(act) }),
        life: Area.Life(redated: { (act, redating) throws(Rejection) in try redate(redating, act) }),
        snapshot: [
            .required("households", .list(Household.shape, max: Limits.householdsMax)),
            .required("members", .list(Member.shape, max: Limits.membersMax)),
        ],
        everySnapshot: [
            .required("family", .nullable(Family.shape), "Null before it is founded."),
            .required("me", .nullable(.id), "The member who looks."),
        ],
        snapshotBytesMax: Limits.membersSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in try show(database, viewer, &snapshot) })

    /// Fills in the area's part of a member's snapshot.
    private static func show(_ database: Database, _ viewer: Viewer, _ snapshot: inout Snapshot) throws(StoreFailure) {
        snapshot.family = try People.family(database)
        snapshot.me = viewer.id
        guard viewer.view.contains("members") else { return }
        let sight = Sight(role: viewer.role, household: viewer.household)
        for household in try People.households(database, in: sight) { snapshot.households[household.id] = household }
        for member in try People.members(database, in: sight) { snapshot.members[member.id] = member }
    }

    /// Removes what expired or was unused for too long.
    private static func prune(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM invites WHERE expires_at <= ?", .time(act.now))
        try Move.prune(act)
        try SetUpOffers.prune(act)
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
