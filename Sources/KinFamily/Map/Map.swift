import KinModel
import KinStore

/// Where the family's members are, for whom they want to see it.
///
/// Two dots a member: the *own* one, which only the member sees, and the *shown* one, which exists while the member
/// shares. They differ when a phone delivers late what it saw while sharing was off: sharing is judged at the point's
/// own time and now, and the stricter wins.
enum Map {
    static let area = Area(
        "Map",
        migrations: migrations,
        methods: [
            report, latest, history, setSharing, showSharing, publish, publishPoints, listPhones, forgetPhone, ask,
        ],
        events: [
            EventType(
                "position", "A member is somewhere: to the member, and while sharing is on to everyone.",
                data: position, isLatestOnly: true),
            EventType(
                "position.hidden", "A member shares no longer: to all who saw the position.",
                data: .object([.required("member", .id)]), isLatestOnly: true),
            EventType(
                "sharing.changed", "The member's own sharing was switched, by the member or because it ended.",
                data: .object([.required("sharing", sharing)])),
            asked,
            EventType(
                "position.silent",
                "The member shares, but the phone has not reported for long; the member, once until it reports again.",
                data: .object([
                    .required("member", .id),
                    .optional("last", .time, "Of when the last position is, if there is one."),
                    .optional("cause", trouble, "The likeliest reason."),
                ])),
        ],
        due: [
            "upkeep": { (act, _) throws(Rejection) in
                try Track.prune(act)
                try PhoneCommands.prune(act)
                try OwnTracksTransition.prune(act)
            },
            Track.pruneDue: { (act, _) throws(Rejection) in try Track.prune(act) },
            Consent.endDue: { (act, about) throws(Rejection) in try Consent.fellDue(about, act) },
            Consent.silenceDue: { (act, about) throws(Rejection) in try Consent.checkSilence(about, act) },
            Consent.pauseDue: { (act, _) throws(Rejection) in try Consent.pauseAll(act) },
        ],
        endTimedGrants: { (act) throws(Rejection) in try Consent.endTimed(act) },
        deleteOwned: { (act, member) throws(Rejection) in try delete(act, member) },
        snapshotBytesMax: Limits.mapSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in try show(database, viewer, &snapshot) })

    /// A position on the wire.
    static let position = Shape.named(
        "Position",
        .object(
            [.required("member", .id)] + Point.measures + [
                .optional("movingSince", .time, "Since when the member is on the way; or else:"),
                .optional("stillSince", .time, "Since when the member is at one place. Neither: not known."),
            ]))

    /// A member's own sharing on the wire.
    static let sharing = Shape.named(
        "Sharing",
        .object([.required("state", .oneOf(["on", "off"])), .optional("until", .time, "When it ends by itself.")]))

    /// What a member sees: the own dot always, others' while they share; a guest sees the own alone.
    static func visible(
        _ database: Database, to member: Identifier, role: Role
    ) throws(StoreFailure) -> [Position] {
        try database.rows(
            """
            SELECT member, lat, lon, at, accuracy, altitude, speed, course, battery, charging, moving, since
            FROM latest_positions WHERE (shown = 0 AND member = ?1)
            OR (?2 AND shown = 1 AND member <> ?1 AND member IN (SELECT member FROM sharing WHERE is_on = 1))
            ORDER BY member
            """, .id(member), .bool(role != .guest), map: { (row) throws(StoreFailure) in Position(latest: row) })
    }

    /// Adds what a member sees of the map to a snapshot.
    private static func show(
        _ database: Database, _ viewer: Viewer, _ snapshot: inout Snapshot
    ) throws(StoreFailure) {
        guard viewer.view.contains(type: "position") else { return }
        for position in try visible(database, to: viewer.id, role: viewer.role) {
            snapshot.positions[position.member] = position
        }
        snapshot.sharing = try Consent.find(database, viewer.id)?.sharing ?? .off
    }

    /// What nobody else can own goes with its member, whatever becomes of the rest.
    private static func delete(_ act: Act, _ member: Identifier) throws(Rejection) {
        for table in ["latest_positions", "tracker_ids", "phones"] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        if let consent = try act.ask({ (database) throws(StoreFailure) in try Consent.find(database, member) }) {
            try act.run("DELETE FROM positions WHERE track = ?", .int(consent.track))
            try act.run("DELETE FROM position_devices WHERE track = ?", .int(consent.track))
            try act.run("DELETE FROM doubted_points WHERE track = ?", .int(consent.track))
            try act.run("DELETE FROM sharing WHERE track = ?", .int(consent.track))
        }
        try act.ask { (_) throws(StoreFailure) in
            try act.keeper.store.due.remove(kind: Consent.endDue, about: Dot.about(member))
            try act.keeper.store.due.remove(kind: Consent.silenceDue, about: Dot.about(member))
        }
        try act.erase(about: Dot.about(member))
    }
}

extension Position {
    /// From the columns member, lat, lon, at, accuracy, altitude, speed, course, battery.
    init(_ row: borrowing Row) {
        self.init(
            member: row.identifier(0), lat: row.double(1), lon: row.double(2), at: row.instant(3),
            accuracy: row.optionalDouble(4), altitude: row.optionalDouble(5), speed: row.optionalDouble(6),
            course: row.optionalDouble(7), battery: row.optionalDouble(8))
    }

    /// The same, and behind them charging, moving, since.
    init(latest row: borrowing Row) {
        let since = row.optionalInstant(11)
        self.init(
            member: row.identifier(0), lat: row.double(1), lon: row.double(2), at: row.instant(3),
            accuracy: row.optionalDouble(4), altitude: row.optionalDouble(5), speed: row.optionalDouble(6),
            course: row.optionalDouble(7), battery: row.optionalDouble(8),
            charging: row.optionalInt(9).map { $0 != 0 },
            motion: since.map { row.optionalInt(10) == 1 ? .moving(since: $0) : .still(since: $0) })
    }
}
