import KinModel
import KinStore

extension Map {
    /// Days a member may keep a history at most: ten years.
    private static let historyDaysMax: Int64 = 3650

    static let setSharing = Method.command(
        "sharing.set", "Shows the caller's position to everyone, or to nobody; sets how long positions are kept.",
        access: .signedIn,
        note: "About oneself only. Off until the member turns it on. state may be left out where historyDays is given.",
        [
            .optional("state", .oneOf(["on", "off"])),
            .optional("until", .nullable(.time), "With state on: when it ends by itself; without, it has no end."),
            .optional(
                "historyDays", .integer(0...historyDaysMax),
                "Days a position is kept for the member's own history; 0 keeps the latest only."),
        ],
        result: .object([.required("sharing", ownSharing)]), route: Route("PUT", "/api/sharing"),
        events: ["sharing.changed", "position", "position.hidden"],
        again: { (act, _) throws(Rejection) in try shownSharing(act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let until = params.optionalTime("until")
            let state = params.optionalString("state")
            guard state != nil || params.has("historyDays") else {
                throw Rejection(.params, "The parameter state is missing.", field: "state")
            }
            if let until {
                guard state == "on" else {
                    throw Rejection(.invalid, "until goes with state on.", field: "until")
                }
                guard until > act.now else {
                    throw Rejection(.invalid, "until is \(until), which is over; give a later time.", field: "until")
                }
            }
            var consent = try Consent.of(member.id, act)
            if let days = params.optionalInt("historyDays"), days != consent.historyDays {
                let isLess = days < consent.historyDays
                consent.historyDays = days
                try consent.save(act)
                if isLess { try forget(act) }
            }
            if state == "on" { try consent.turnOn(until: until, act) }
            if state == "off" { try consent.turnOff(act) }
            return .done(try shownSharing(act))
        }
    ).freeingRoom { $0.optionalString("state") == "off" }

    static let showSharing = Method.query(
        "sharing.show", "The caller's own sharing, and who sees the position while it is on.", access: .signedIn,
        result: .object([.required("sharing", ownSharing)]), route: Route("GET", "/api/sharing"),
        apply: { (act, _) throws(Rejection) in .done(try shownSharing(act)) })

    private static let ownSharing = Shape.object([
        .required("state", .oneOf(["on", "off"])), .optional("until", .time, "When it ends by itself."),
        .optional("paused", .bool, "True after a restore, until the member sets it again."),
        .required("historyDays", .integer(0...historyDaysMax)),
        .required(
            "seenBy",
            .list(
                .object([.required("id", .id), .required("displayName", .line(max: Limits.nameCharactersMax))]),
                max: Limits.membersMax),
            "Who sees the position while sharing is on."),
        .optional("others", .bool, "True for a guest: members out of the guest's sight see it as well."),
    ])

    private static func shownSharing(_ act: Act) throws(Rejection) -> JSON {
        let member = try act.member
        let found = try act.ask { (database) throws(StoreFailure) in try Consent.find(database, member.id) }
        let names = try self.names(act)
        let isGuest = member.role == .guest
        let seenBy: [JSON] = try act.roster.entries.compactMap { entry in
            // Consent does not widen a guest's own sight.
            guard entry.role != .guest, entry.id != member.id, !isGuest || entry.household == member.household,
                let name = names[entry.id]
            else { return nil }
            return ["id": .id(entry.id), "displayName": .string(name)]
        }
        let sharing = found?.sharing ?? .off
        return [
            "sharing": .object(leavingOut: [
                "state": sharing.isOn ? "on" : "off", "until": sharing.until.map { .time($0) },
                "paused": found?.isPaused == true ? true : nil,
                "historyDays": .int(found?.historyDays ?? Limits.historyDays), "seenBy": .array(seenBy),
                "others": isGuest ? true : nil,
            ])
        ]
    }

    /// What the member no longer wants kept goes now, and from the write-ahead log soon after.
    private static func forget(_ act: Act) throws(Rejection) {
        try Track.prune(act)
        act.keeper.store.requestTruncate(by: act.now.adding(seconds: Limits.truncateAfterDeletionSeconds))
    }

    /// The names people read, by member.
    static func names(_ act: Act) throws(Rejection) -> [Identifier: String] {
        let all = try act.rows(
            "SELECT id, display_name FROM members",
            map: { (row) throws(StoreFailure) in (row.identifier(0), row.text(1)) })
        return Dictionary(all) { first, _ in first }
    }
}
