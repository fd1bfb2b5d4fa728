package import KinKeeper
import KinModel
import KinStore

/// Where the family's members are, for whom they want to see it.
///
/// Each member has three latest positions. Only the member sees the *own* one. The *shown* one and the *coarse* one
/// exist while the member shares. The shown one differs from the own one when a phone delivers late what it recorded
/// while sharing was off: sharing is checked at the point's own time and now, and the stricter result counts. The
/// coarse one is a cell of about a kilometre, moved by cells and times alone (``CellJudge``); it may exist without the
/// other two. The member's rules decide who sees which position (``Viewers``).
package enum Map {
    /// Events about a member's exact position that do not tell where it is. They go when the position is forgotten; the
    /// member's own sharing and news in the member's inbox, which are about the same thing, stay.
    static let aboutExactPosition: [any EventDeclaration] = [Silence.event]

    package static let area = Area(
        "Map", view: "map", isForOwnWord: true, isForWalls: true,
        tables: tables,
        migrations: migrations,
        methods: [
            report, latest, history, export, setSharing, admitToSharing, showSharing, seenOf, holdSharing, Looks.list,
            Looks.followed, publish,
            publishPoints, listPhones, updatePhone, forgetPhone, ask, forget, source, setSource, tile,
        ]
            + GuestLinks.methods,
        events: [
            Position.seen.shaped(seen), Position.hidden, Position.deleted, Sharing.changed, MemberSharing.asked,
            MemberSharing.toConfirm, MemberSharing.ofChild, asked, Silence.event,
        ],
        due: [
            Track.pruneDue: { (act, _) throws(Rejection) in try Track.prune(act) },
            Track.judgeDue: { (act, about) throws(Rejection) in try Track.judgeAgain(about, act) },
            MemberSharing.ruleDue: { (act, about) throws(Rejection) in try MemberSharing.ruleFellDue(about, act) },
            GuestLinks.endDue: { (act, about) throws(Rejection) in try GuestLinks.fellDue(about, act) },
            MemberSharing.endDue: { (act, about) throws(Rejection) in try MemberSharing.fellDue(about, act) },
            MemberSharing.silenceDue: { (act, about) throws(Rejection) in try Silence.fellDue(about, act) },
            MemberSharing.confirmDue: { (act, about) throws(Rejection) in try MemberSharing.confirmFellDue(about, act)
            },
            MemberSharing.upgradeDue: { (act, _) throws(Rejection) in try MemberSharing.upgrade(act) },
        ],
        upkeep: { (act) throws(Rejection) in
            try Track.prune(act)
            try MemberSharing.prune(act)
            try PhoneCommands.prune(act)
            try OwnTracksTransition.prune(act)
        },
        told: rosterTold, shared: [Places.shared],
        inbox: inboxRules, inboxKinds: inboxKinds,
        memories: [LookMemory.self, TrackMemory.self, SharingMemory.self, Guesses<GuestLinks>.self],
        quotas: [.points],
        sums: [
            // Triggers count these as rows come and go: after ten years counting would take seconds.
            FamilySum("points") { (act) throws(Rejection) in
                try act.first("SELECT count FROM point_count") { row in row.int(0) } ?? 0
            }
        ],
        counters: [.pointsUnusable],
        hooks: Area.Hooks(
            guardian: { (act, child) throws(Rejection) in
                try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, child) }?.holder
            },
            followed: { (act, view) throws(Rejection) in
                if view.contains("map"), !Looks.isNoted(.live, act) { _ = try look(.live, act) }
            },
            position: { (act, member) throws(Rejection) in try LatestPositions(member, act).own }),
        life: Area.Life(
            clockDoubted: { (act) throws(Rejection) in try MemberSharing.clockDoubted(act) },
            deleteOwned: { (act, member) throws(Rejection) in try delete(act, member) },
            restored: { (act) throws(Rejection) in try MemberSharing.pauseAll(act) },
            redated: { (act, redating) throws(Rejection) in try redate(redating, act) }),
        snapshot: [
            .required("positions", .list(seen, max: Limits.membersMax), "The latest of each member in sight."),
            .required("sharing", Sharing.shape, "The looking member's own."),
        ],
        snapshotBytesMax: Limits.mapSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in try show(database, viewer, &snapshot) })

    /// Other members' acts that change who sees whom.
    private static let rosterTold: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Sharing.changed.name: { (act, told) throws(Rejection) in try Asking.sharingChanged(told, act) },
        Member.added.name: { (act, told) throws(Rejection) in try rosterChanged(told, moved: false, act) },
        Member.joined.name: { (act, told) throws(Rejection) in try rosterChanged(told, moved: false, act) },
        Member.moved.name: { (act, told) throws(Rejection) in
            try rosterChanged(told, moved: true, act)
            try MemberSharing.checkHolders(act)
        },
        Member.updated.name: { (act, told) throws(Rejection) in
            let changed = told[Member.updated]?.changed ?? []
            if changed.contains("role") { try rosterChanged(told, moved: false, act) }
            if ["role", "kind", "parents"].contains(where: { changed.contains($0) }) {
                try MemberSharing.checkHolders(act)
            }
        },
        Member.removed.name: { (act, told) throws(Rejection) in
            try MemberSharing.checkHolders(act)
            for sharing in try MemberSharing.all(act) { try sharing.settleQuestions(act) }
            // Lines that told of the member together with places.
            guard let member = told[Member.removed]?.member else { return }
            try act.hooks.inbox?.remove(act, ["stay/\(member)/%", "agreement/\(member)%"], nil)
        },
        Place.added.name: { (act, told) throws(Rejection) in try placesChanged(act, told) },
        Place.updated.name: { (act, told) throws(Rejection) in try placesChanged(act, told) },
        Place.shown.name: { (act, told) throws(Rejection) in try placesChanged(act, told) },
        Place.hidden.name: { (act, told) throws(Rejection) in try placesChanged(act, told) },
        Place.removed.name: { (act, told) throws(Rejection) in try placesChanged(act, told) },
    ]

    /// A place has another name or other seers, or is gone: members who are there are told of anew.
    private static func placesChanged(_ act: Act, _ told: Told) throws(Rejection) {
        try Waypoints.changed(for: told.audience, act)
        let members = try act.rows("SELECT member FROM stopovers ORDER BY member") { row in row.identifier(0) }
        for member in members { try Stopover.stayChanged(member, act) }
        if let data = told[Place.added] ?? told[Place.updated] ?? told[Place.shown] {
            try PlaceAgreements.placeChanged(data.place.id, act)
        }
    }

    /// A member came, `moved` or has another role, and so sees other places and members than before. Which members see
    /// which place is settled before this, because that decides what they are told about who is where. The areas are
    /// not told of the places' own events here.
    static func rosterChanged(_ told: Told, moved: Bool, _ act: Act) throws(Rejection) {
        let changed = told[Member.updated] ?? told[Member.moved]
        guard let member = (changed?.member ?? (told[Member.added] ?? told[Member.joined])?.member)?.id else { return }
        // A member with another role gets a fresh view of the family; one who moved is told.
        try MemberSharing.rosterChanged(fresh: moved ? Audience() : try act.roster.only(member), act)
        try Waypoints.changed(for: try act.roster.only(member), act)
    }

    /// Adds what a member sees of the map to a snapshot.
    private static func show(
        _ database: Database, _ viewer: Viewer, _ snapshot: inout Snapshot
    ) throws(StoreFailure) {
        let seen = try visible(database, to: viewer.id, number: viewer.number)
        seen.show(in: &snapshot, to: viewer.id)
        snapshot.sharing = try MemberSharing.find(database, viewer.id)?.wire ?? .off
    }

    /// Deletes what nobody else can own with its member, whatever becomes of the rest.
    private static func delete(_ act: Act, _ member: Identifier) throws(Rejection) {
        for table in [
            "latest_positions", "latest_coarse_positions", "cell_judges", "stopovers", "tracker_ids",
            "neutral_tracker_ids", "phones",
        ] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        // The rules of others for this member, and what the member was told of them.
        try act.run("DELETE FROM sharing_rules WHERE kind = 2 AND viewer = ?", .id(member))
        try act.run("UPDATE looks SET viewer = NULL WHERE viewer = ?", .id(member))
        if let sharing = try act.ask({ (database) throws(StoreFailure) in try MemberSharing.find(database, member) }) {
            try GuestLinks.endAll(of: sharing.track, act)
            for table in [
                "positions", "coarse_positions", "doubted_points", "position_devices", "looks", "sharing_rules",
                "sharing_versions", "sharing_groups",
                "sharing",
            ] {
                try act.run("DELETE FROM \(table) WHERE track = ?", .int(sharing.track))
            }
        }
        for kind in [MemberSharing.endDue, MemberSharing.ruleDue, MemberSharing.silenceDue, MemberSharing.confirmDue] {
            try act.unplan(kind, about: LatestPositions.about(member))
        }
        try act.erase(about: LatestPositions.about(member))
        let everybody = Audience(try act.roster.entries.map(\.number))
        try act.narrow(about: PlaceAgreements.about(member), by: everybody)
    }
}
