import KinModel
import KinStore

extension Map {
    /// Days a member may keep a history at most: ten years.
    private static let historyDaysMax: Int64 = 3650

    static let setSharing = Method.command(
        "sharing.set", "Says who sees the caller's position, how much of it and until when; and how long it is kept.",
        access: .signedIn,
        note: """
            About oneself, or a child whose settings the caller holds. Off until the member turns it on; without rules \
            everyone sees the exact position and no history. At least one of state, rules and historyDays is given.
            """,
        [
            .optional("state", .oneOf(["on", "off"]), "The master switch."),
            .optional("until", .nullable(.time), "With state on: when it ends by itself; without, it has no end."),
            .optional(
                "rules", .list(SharingRule.shape, max: Limits.sharingRulesMax),
                """
                All rules, in the place of those before. One that names a member decides for that member, else one for \
                the household, else one for everyone; whom none is about sees nothing. Guests are meant by name only.
                """),
            .optional(
                "historyDays", .integer(0...historyDaysMax),
                "Days a position is kept for the member's history; 0 keeps the latest only."),
            .optional("member", .id, "A child whose settings the caller holds; the caller if left out."),
        ],
        result: .object([.required("sharing", ownSharing)]), route: Route("PUT", "/api/sharing"),
        events: ["sharing.changed", "position", "position.hidden"],
        again: { (act, ids) throws(Rejection) in
            try shownSharing(of: try Consent.settings(of: ids.first, toChange: false, act), act)
        },
        apply: { (act, params) throws(Rejection) in
            let until = params.optionalTime("until")
            let state = params.optionalString("state")
            guard state != nil || params.has("historyDays") || params.has("rules") else {
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
            let rules = try params["rules"]?.array.map { (rules) throws(Rejection) in try read(rules, act) }
            let member = try Consent.settings(of: params.optionalID("member"), toChange: true, act)
            var consent = try Consent.of(member, act)
            if let days = params.optionalInt("historyDays"), days != consent.historyDays {
                let isLess = days < consent.historyDays
                consent.historyDays = days
                try consent.save(act)
                if isLess { try forget(act) }
            }
            if state == "off" { try consent.turnOff(act) }
            if let rules { try consent.setRules(rules, act) }
            if state == "on" { try consent.turnOn(until: until, act) }
            return .done(try shownSharing(of: member, act), ids: [member])
        }
    ).freeingRoom { $0.optionalString("state") == "off" }

    /// Rules whose members the caller sees, one for each viewer.
    private static func read(_ list: [JSON], _ act: Act) throws(Rejection) -> [SharingRule] {
        var rules: [SharingRule] = []
        for (index, json) in list.enumerated() {
            let path = "rules[\(index)]."
            let rule = try SharingRule(json.object ?? JSON.Object(), path: path, now: act.now)
            if case .member(let id) = rule.viewer { _ = try act.member(id, field: path + "viewer") }
            guard !rules.contains(where: { $0.viewer == rule.viewer }) else {
                throw Rejection(
                    .invalid, "\(path)viewer has a rule before this one; give one for each.", field: path + "viewer")
            }
            rules.append(rule)
        }
        return rules
    }

    static let showSharing = Method.query(
        "sharing.show", "Who sees the caller's position while sharing is on, how much of it and until when.",
        access: .signedIn, note: "One's own, or that of a child whose settings the caller holds.",
        [.optional("member", .id, "A child whose settings the caller holds; the caller if left out.")],
        result: .object([.required("sharing", ownSharing)]), route: Route("GET", "/api/sharing"),
        apply: { (act, params) throws(Rejection) in
            let member = try Consent.settings(of: params.optionalID("member"), toChange: false, act)
            return .done(try shownSharing(of: member, act))
        })

    static let ownSharing = Shape.object([
        .required("state", .oneOf(["on", "off"])), .optional("until", .time, "When it ends by itself."),
        .optional("paused", .bool, "True after a restore, until the member sets it again."),
        .required("historyDays", .integer(0...historyDaysMax)),
        .required("rules", .list(SharingRule.shape, max: Limits.sharingRulesMax), "Those that have not ended."),
        .required(
            "seenBy",
            .list(
                .object([
                    .required("id", .id), .required("displayName", .line(max: Limits.nameCharactersMax)),
                    .required("precision", .oneOf(SharingRule.precisions.map(\.rawValue))),
                    .optional("until", .time, "When that ends by itself."),
                    .required("history", .bool, "Whether the history may be looked at too."),
                ]),
                max: Limits.membersMax),
            "Who sees the position while sharing is on."),
        .optional("others", .bool, "True for a guest: members out of the guest's sight see it as well."),
        .optional("heldBy", .id, "The adult who holds these settings."),
        .required("links", .integer(0...Limits.guestLinksPerMemberMax), "Guest links that are good (guestLink.list)."),
    ])

    static func shownSharing(of member: Identifier, _ act: Act) throws(Rejection) -> JSON {
        let found = try act.ask { (database) throws(StoreFailure) in try Consent.find(database, member) }
        let roster = try act.roster
        let rules = try (found?.rules(act) ?? SharingRule.first).filter { $0.holds(at: act.now) }
        let names = try self.names(act)
        let own = roster[member]
        let isGuest = own?.role == .guest
        // Said of the rules, not of the members: whether there are others is not for a guest to know.
        let hasOthers = isGuest && rules.contains { $0.viewer == .everyone && $0.precision != .off }
        let withheld = act.isClockDoubted && found?.isOn == true ? found?.viewers : nil
        let seenBy: [JSON] = roster.entries.compactMap { entry in
            let rule = Viewers.rule(for: entry, among: rules, household: own?.household, now: act.now)
            guard entry.id != member, let rule, rule.precision != .off, let name = names[entry.id] else { return nil }
            // Consent does not widen a guest's own sight.
            guard !isGuest || entry.household == own?.household else { return nil }
            // While the clock is doubted, what has an end is withheld.
            let precision = withheld.map { min($0.precision(for: entry.number), rule.precision) } ?? rule.precision
            guard precision != .off else { return nil }
            return .object(leavingOut: [
                "id": .id(entry.id), "displayName": .string(name), "precision": .string(precision.rawValue),
                "until": rule.until.map { .time($0) }, "history": .bool(rule.showsHistory),
            ])
        }
        let sharing = found?.sharing ?? .off
        return [
            "sharing": .object(leavingOut: [
                "state": sharing.isOn ? "on" : "off", "until": sharing.until.map { .time($0) },
                "paused": found?.isPaused == true ? true : nil,
                "historyDays": .int(found?.historyDays ?? Limits.historyDays), "rules": .array(rules.map(\.json)),
                "seenBy": .array(seenBy), "others": hasOthers ? true : nil,
                "heldBy": sharing.heldBy.map { .id($0) },
                "links": .int(
                    try found.map { (consent) throws(Rejection) in try GuestLinks.count(consent.track, act) } ?? 0),
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
