import KinKeeper
import KinModel
import KinStore

extension Map {
    static let setSharing = Method.command(
        "sharing.set", "Says who sees the caller's position, how much of it and until when; and how long it is kept.",
        access: .signedIn,
        note: """
            About oneself, or a child whose settings the caller holds; another parent of that child may narrow it. Off \
            until the member turns it on; without rules everyone sees the exact position and no history. A rule for a \
            group shows to those who are in it when it is made or confirmed; who comes later waits (sharing.admit). At \
            least one of state, rules and historyDays is given.
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
                "historyDays", OwnSharing.daysForm.shape,
                "Days a position is kept for the member's history; 0 keeps the latest only."),
            .optional(
                "confirms", .list(.id, max: Limits.membersMax),
                """
                With state on: the members who were shown to the caller. The rules for groups are for those of them; others \
                wait. Without it, switching on is for all who are there, and staying on changes nobody's sight.
                """),
            .optional("member", .id, "A child whose settings the caller holds or narrows; the caller if left out."),
        ],
        result: ChangedSharing.shape, route: Route("PUT", "/api/sharing"),
        events: [
            Sharing.changed, MemberSharing.asked, MemberSharing.ofChild, Position.seen, Position.hidden,
            Places.askedEvent,
        ],
        again: { (act, ids) throws(Rejection) in
            guard let member = ids.first else { throw Rejection.alreadyDone(nil) }
            try MemberSharing.checkMayShow(member, act)
            return try shownSharing(of: member, act)
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
            guard state == "on" || params["confirms"] == nil else {
                throw Rejection(.invalid, "confirms goes with state on.", field: "confirms")
            }
            let rules = try params["rules"]?.array.map { (rules) throws(Rejection) in try read(rules, act) }
            let days = params.optionalInt("historyDays")
            let caller = try act.member.id
            let member = params.optionalID("member") ?? caller
            let hand = try MemberSharing.hand(on: member, act)
            var sharing = try MemberSharing.of(member, act)
            switch hand {
            case .whole: break
            case .waiting(let parents):
                guard state == "off", rules == nil, days == nil else { throw MemberSharing.waits(for: parents) }
            case .narrowing(let holder):
                let isNarrower =
                    try rules.map { (rules) throws(Rejection) in try sharing.isNarrower(rules, act) } ?? true
                guard state != "on", days == nil, isNarrower else { throw MemberSharing.notHeld(by: holder) }
            }
            try sharing.freeIfGrown(act)
            try sharing.refuseWidening(isOn: state == "on", rules: rules, days: days, act)
            let before = try SharingSights(of: member, act)
            if let days, days != sharing.historyDays {
                let isLess = days < sharing.historyDays
                sharing.historyDays = days
                try sharing.save(act)
                if isLess { try forget(act) }
                if caller != member { try sharing.tell([.history], act) }
            }
            if state == "off" { try sharing.turnOff(act) }
            // A member who makes rules or switches on sees the places as they are now.
            let isConfirmed = hand == .whole && act.isOwnWord && (rules != nil || state == "on" && !sharing.isOn)
            if isConfirmed { try PlaceAgreements.confirmAll(of: sharing, act) }
            if let rules { try sharing.setRules(rules, isNarrower: hand != .whole || !act.isOwnWord, act) }
            if state == "on" { try sharing.turnOn(until: until, confirms: try confirmed(params, of: member, act), act) }
            if isConfirmed { try Stopover.stayChanged(member, act) }
            if case .narrowing = hand {
                try sharing.tellOfChild(state == "off" ? .off : .narrowed, to: try sharing.ofHolder(act), act)
            }
            return .done(try shownSharing(of: member, since: before, act), ids: [member])
        }
    ).freeingRoom { $0.optionalString("state") == "off" }

    /// The members who were shown before the confirmation: those that `confirms` names, and those out of a guest's
    /// sight, whom a guest cannot name and the screen calls others.
    private static func confirmed(_ params: Params, of member: Identifier, _ act: Act) throws(Rejection) -> Audience? {
        guard let ids = params["confirms"]?.array else { return nil }
        let shown = Set(ids.compactMap(\.identifier))
        let roster = try act.roster
        let own = roster[member]
        return Audience(
            roster.entries.filter { entry in
                shown.contains(entry.id) || (own?.role == .guest && entry.household != own?.household)
            }.map(\.number))
    }

    static let admitToSharing = Method.command(
        "sharing.admit", "Says whether somebody who came under a rule for a group sees what it shows.",
        access: .signedIn,
        note: "About oneself, or a child whose settings the caller holds. sharing.show lists who waits.",
        [
            .required("viewer", .id, "Who came."),
            .required(
                "admit", .bool,
                "True: the rules for groups are for them too. False: not, and nobody asks again until they leave and return."
            ),
            .optional("member", .id, "A child whose settings the caller holds; the caller if left out."),
        ],
        result: ChangedSharing.shape,
        route: Route("PUT", "/api/sharing/viewers/{viewer}"),
        events: [Sharing.changed, Position.seen, Position.hidden],
        again: { (act, ids) throws(Rejection) in
            guard let member = ids.first else { throw Rejection.alreadyDone(nil) }
            try MemberSharing.checkMayShow(member, act)
            return try shownSharing(of: member, act)
        },
        apply: { (act, params) throws(Rejection) in
            let viewer = try act.member(try params.id("viewer"), field: "viewer")
            let member = try MemberSharing.settings(of: params.optionalID("member"), toChange: true, act)
            guard viewer.id != member else {
                throw Rejection(.invalid, "Everybody sees the own position; name another member.", field: "viewer")
            }
            guard viewer.role != .guest, let entry = try act.roster[viewer.id] else {
                throw Rejection(
                    .conflict, "Guests see by a rule that names them, and by none for a group.", field: "viewer")
            }
            var sharing = try MemberSharing.of(member, act)
            guard sharing.isOn else {
                throw Rejection(
                    .conflict, "Sharing is off; switching it on is for those who are listed then.", field: "viewer")
            }
            try sharing.freeIfGrown(act)
            let before = try SharingSights(of: member, act)
            try sharing.answer(entry, admit: params["admit"]?.bool == true, act)
            return .done(try shownSharing(of: member, since: before, besides: viewer.id, act), ids: [member])
        }
    ).forOwnWord { $0["admit"]?.bool == true }

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
        access: .signedIn,
        note: "One's own, or that of a child whose settings the caller holds or might hold, or of an own child.",
        [.optional("member", .id, "A child whose settings the caller holds; the caller if left out.")],
        result: .object([.required("sharing", OwnSharing.shape)]), route: Route("GET", "/api/sharing"),
        apply: { (act, params) throws(Rejection) in
            let caller = try act.member.id
            let member = params.optionalID("member") ?? caller
            try MemberSharing.checkMayShow(member, act)
            return .done(try shownSharing(of: member, act))
        })

    /// The sharing, with the effect of a change on people. `besides`: a member whom the change was about.
    static func shownSharing(
        of member: Identifier, since before: SharingSights, besides: Identifier? = nil, _ act: Act
    ) throws(Rejection) -> JSON {
        let effect = try SharingSights(of: member, act).effect(since: before, besides: besides, act)
        return ChangedSharing(sharing: try OwnSharing(of: member, act), effect: effect).json
    }

    /// The sharing alone.
    static func shownSharing(of member: Identifier, _ act: Act) throws(Rejection) -> JSON {
        ChangedSharing(sharing: try OwnSharing(of: member, act)).json
    }

    /// What the member no longer wants kept goes now, and from the write-ahead log soon after.
    private static func forget(_ act: Act) throws(Rejection) {
        try Track.prune(act)
        act.truncateSoon()
    }

    /// The names people read, by member.
    static func names(_ act: Act) throws(Rejection) -> [Identifier: String] {
        let all = try act.rows(
            "SELECT id, display_name FROM members",
            map: { (row) throws(StoreFailure) in (row.identifier("id"), row.text("display_name")) })
        return Dictionary(all) { first, _ in first }
    }
}
