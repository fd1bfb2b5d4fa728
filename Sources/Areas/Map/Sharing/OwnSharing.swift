import KinKeeper
import KinModel
import KinStore

/// A member's sharing with all that its screen shows: to the member, and to adults who hold or may hold a child's.
struct OwnSharing: WireRecord {
    /// Somebody who came under a rule for a group.
    struct Waiting: WireRecord {
        let who: SharingSights.Named
        let group: MemberSharing.Asked.Group
        let precision: Precision
        let showsHistory: Bool

        static let fields = Fields(
            nil, Waiting.init(who:group:precision:showsHistory:), .all(of: \.who),
            .required("group", \.group, .word, "The group whose rule it is about."),
            .required("precision", \.precision, .word, "What they would see."),
            .required("history", \.showsHistory, .bool))
    }

    let isOn: Bool
    let until: Instant?
    let isPaused: Bool?
    let isUnreported: Bool?
    let historyDays: Int64
    let rules: [SharingRule]
    let seenBy: [SharingSights.Seer]
    let notSeenBy: [SharingSights.Unseeing]
    let hasOthers: Bool?
    let waiting: [Waiting]
    let declined: [SharingSights.Named]
    let confirmBy: Instant?
    let heldBy: Identifier?
    let heldUntil: Instant?
    let parents: [Identifier]?
    let mayHold: [Identifier]?
    let waitingPlaces: [PlaceAgreements.Waiting]?
    let links: Int64

    static let fields = Fields(
        nil,
        OwnSharing.init(
            isOn:until:isPaused:isUnreported:historyDays:rules:seenBy:notSeenBy:hasOthers:waiting:declined:confirmBy:
            heldBy:heldUntil:parents:mayHold:waitingPlaces:links:),
        .required("state", \.isOn, Sharing.onOrOff),
        .optional("until", \.until, .time, "When it ends by itself."),
        .optional("paused", \.isPaused, .bool, "True after a restore, until the member sets it again."),
        .optional(
            "unreported", \.isUnreported, .bool,
            "True of the caller's own while it is on and nothing is known of where the caller is: nobody sees anything yet."
        ),
        .required("historyDays", \.historyDays, daysForm, "Days a position is kept for the member's history."),
        .required(
            "rules", \.rules, .list(SharingRule.form, max: Limits.sharingRulesMax), "Those that have not ended."),
        .required(
            "seenBy", \.seenBy, .list(SharingSights.Seer.form, max: Limits.membersMax),
            "Who sees the position while sharing is on."),
        .required(
            "notSeenBy", \.notSeenBy, .list(SharingSights.Unseeing.form, max: Limits.membersMax),
            "Who sees nothing of it while sharing is on."),
        .optional(
            "others", \.hasOthers, .bool, "True for a guest: members out of the guest's sight see it as well."),
        .required(
            "waiting", \.waiting, .list(Waiting.form, max: Limits.membersMax),
            "Who came under a rule for a group and waits for an answer (sharing.admit); nobody while sharing is off."),
        .required(
            "declined", \.declined, .list(SharingSights.Named.form, max: Limits.membersMax), "Who was refused."),
        .optional(
            "confirmBy", \.confirmBy, .time,
            "Until when the rules for groups are to be confirmed (state on with confirms, or sharing.admit); then they end."
        ),
        .optional("heldBy", \.heldBy, .id, "The adult who holds these settings."),
        .optional(
            "heldUntil", \.heldUntil, .time, "Until when that adult is to say again that it holds them (sharing.hold)."),
        .optional(
            "parents", \.parents, .list(.id, max: Limits.membersMax),
            "Who is to decide who holds these settings now."),
        .optional(
            "mayHold", \.mayHold, .list(.id, max: Limits.membersMax),
            "Of a child, for others than the child: who may hold them."),
        .optional(
            "waitingPlaces", \.waitingPlaces, .list(PlaceAgreements.Waiting.form, max: Places.countMax),
            "Places that count for nobody who sees no coordinates until place.admit; absent for none."),
        .required("links", \.links, linksForm, "Guest links that are good (guestLink.list)."))

    /// Days a member may keep a history at most: ten years.
    static let daysForm = Form<Int64>.integer(0...3650)
    private static let linksForm = Form<Int64>.integer(0...Limits.guestLinksPerMemberMax)
}

extension OwnSharing {
    /// A member's, as it is now.
    init(of member: Identifier, _ act: Act) throws(Rejection) {
        let found = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
        let roster = try act.roster
        let names = try Map.names(act)
        // While it is off: who would see it once it is switched on.
        let sights = try SharingSights(of: member, asIfOn: true, act)
        // This follows from the rules alone: a guest must not learn whether there are others.
        let hasOthers =
            roster[member]?.role == .guest
            && sights.rules.contains { $0.viewer == .everyone && $0.precision != .off }
        let groups =
            try found.map { (found) throws(Rejection) in try SharingGroups.of(found.track, act) } ?? SharingGroups()
        let waiting =
            found?.isOn == true ? groups.waiting(sights.rules, of: member, in: roster, now: act.now) : []
        let waitingPlaces = try found.map { (sharing) throws(Rejection) in
            try PlaceAgreements.waiting(for: sharing, act)
        }
        let sharing = found?.wire ?? .off
        self.init(
            isOn: sharing.isOn, until: sharing.until, isPaused: found?.isPaused == true ? true : nil,
            isUnreported: try sharing.isOn ? Self.isUnreported(member, act) : nil,
            historyDays: found?.historyDays ?? Limits.historyDays, rules: sights.rules, seenBy: sights.seers(names),
            notSeenBy: sights.unseeing(names), hasOthers: hasOthers ? true : nil,
            waiting: waiting.compactMap { one -> Waiting? in
                guard let who = sights.named(one.entry, names) else { return nil }
                return Waiting(
                    who: who, group: one.kind == .household ? .household : .everyone, precision: one.seen.precision,
                    showsHistory: one.seen.showsHistory)
            },
            declined: roster.entries(in: groups.declined).compactMap { sights.named($0, names) },
            confirmBy: groups.until, heldBy: sharing.heldBy, heldUntil: found?.heldUntil,
            parents: try found?.parentsAsked(act), mayHold: try Self.mayHold(member, act),
            waitingPlaces: waitingPlaces.flatMap { $0.isEmpty ? nil : $0 },
            links: try found.map { (sharing) throws(Rejection) in try GuestLinks.count(sharing.track, act) } ?? 0)
    }

    /// Whether a member who asks about the own sharing has no position that others could see. It is no others' matter.
    private static func isUnreported(_ member: Identifier, _ act: Act) throws(Rejection) -> Bool? {
        guard act.caller.memberID == member else { return nil }
        let own = try act.first(
            "SELECT 1 FROM latest_positions WHERE member = ? AND shown = 0", .id(member)
        ) { _ in true }
        return own == nil ? true : nil
    }

    /// The members who may hold a child's settings, for those who look at them besides the child.
    private static func mayHold(_ member: Identifier, _ act: Act) throws(Rejection) -> [Identifier]? {
        guard let caller = act.caller.memberID, caller != member else { return nil }
        let child = try act.member(member)
        guard child.kind == .child else { return nil }
        return try MemberSharing.mayHold(child, act).map(\.id)
    }
}

/// The answer to a change of a member's sharing.
struct ChangedSharing: WireRecord {
    let sharing: OwnSharing
    /// `nil` in the answer to a repeat.
    var effect: [SharingSights.Effect]?

    static let fields = Fields(
        nil, ChangedSharing.init(sharing:effect:), .required("sharing", \.sharing, OwnSharing.form),
        .optional(
            "effect", \.effect, .list(SharingSights.Effect.form, max: Limits.membersMax),
            """
            What it did: everybody who sees other than before, and those whom a changed rule is about who see the same, with \
            the rules that decide. Absent in the answer to a repeat.
            """))
}
