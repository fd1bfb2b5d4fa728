import KinKeeper
import KinModel
import KinStore

/// The members of a group to whom a rule applies (``SharingGroups``), as acts, moves and time change them.
extension MemberSharing {
    /// Due work that ends what was not confirmed in time; its `about` is ``LatestPositions/about(_:)``.
    static let confirmDue = "sharing.confirm"

    static let asked = EventType(
        "sharing.asked",
        "Somebody came under a rule for a group and sees nothing by it yet: to the member, and to who holds the settings.",
        Asked.self)

    /// The member who joined a group, and the sight that this member would get.
    struct Asked: WireRecord {
        /// The group whose rule it is.
        enum Group: String, CaseIterable { case household, everyone }

        let member: Identifier
        let viewer: Identifier
        let group: Group
        let precision: Precision

        static let fields = Fields(
            nil, Asked.init(member:viewer:group:precision:),
            .required("member", \.member, .id, "Whose position it is."),
            .required("viewer", \.viewer, .id, "Who came."),
            .required("group", \.group, .word),
            .required("precision", \.precision, .word, "What the rule would show them."))
    }

    static let toConfirm = EventType(
        "sharing.toConfirm",
        "Rules for groups, or a hold, are to be confirmed: to the member, and to who holds the settings.",
        ToConfirm.self)

    /// The member whose rules are meant, and how long they hold.
    struct ToConfirm: WireRecord {
        let member: Identifier
        let until: Instant

        static let fields = Fields(
            nil, ToConfirm.init(member:until:),
            .required("member", \.member, .id, "Whose position it is."),
            .required("until", \.until, .time, "When it ends without an answer."))
    }

    /// Makes the sets from the members who are there, or from those of `only`, and shows them the position.
    mutating func confirm(_ only: Audience?, wasOn: Bool, _ act: Act) throws(Rejection) {
        var groups = try SharingGroups.of(track, act)
        groups.confirm(try rules(act), of: member, in: try act.roster, now: act.now, only: only)
        try take(groups, wasOn: wasOn, act)
    }

    /// Takes other sets in the place of those before.
    private mutating func take(_ groups: SharingGroups, wasOn: Bool = true, _ act: Act) throws(Rejection) {
        try groups.save(track, act)
        try resolve(wasOn: wasOn, act)
        try askAboutNew(act)
    }

    /// Nobody is agreed to while sharing is off.
    func forgetGroups(_ act: Act) throws(Rejection) {
        var groups = try SharingGroups.of(track, act)
        groups.forget()
        try groups.save(track, act)
    }

    /// Answers for one viewer.
    mutating func answer(_ viewer: Roster.Entry, admit: Bool, _ act: Act) throws(Rejection) {
        var groups = try SharingGroups.of(track, act)
        let before = groups
        let household = try act.roster[member]?.household
        let deciding = SharingGroups.deciding(
            for: viewer, among: try rules(act), household: household, now: act.now)
        if admit { groups.admit(viewer, deciding) } else { groups.decline(viewer, deciding) }
        guard groups != before else { return }
        try take(groups, act)
        try tell([.viewers], act)
    }

    /// The roster changed. A member who left a group leaves its sets. A member who would see more by the change waits.
    func leaveGroups(_ act: Act) throws(Rejection) {
        let before = try SharingGroups.of(track, act)
        var groups = before
        let roster = try act.roster
        if act.keeps(.returnersAreNewcomers) { groups.leave(member, in: roster) }
        if isOn, version != nil, act.keeps(.leaversSeeNoMore) {
            let now = Viewers(try rules(act), groups, of: member, in: roster, now: act.now)
            // Members who live with the member now have come and not left. Only the household's own set keeps them out.
            let come = act.keeps(.returnersAreNewcomers) ? Audience() : housemates(in: roster)
            groups.drop(now.gaining(on: viewers, in: roster).subtracting(come))
        }
        if groups != before { try groups.save(track, act) }
    }

    private func housemates(in roster: Roster) -> Audience {
        let household = roster[member]?.household
        return Audience(roster.entries.filter { $0.household == household }.map(\.number))
    }

    /// Asks about members who wait and were not asked about before.
    func askAboutNew(_ act: Act) throws(Rejection) {
        try settleQuestions(act)
        guard isOn else { return }
        var groups = try SharingGroups.of(track, act)
        let roster = try act.roster
        let waiting = groups.waiting(try rules(act), of: member, in: roster, now: act.now)
        let numbers = Audience(waiting.map(\.entry.number))
        guard numbers != groups.asked else { return }
        let new = waiting.filter { !groups.asked.contains($0.entry.number) }
        groups.asked = numbers
        try groups.save(track, act)
        for one in new {
            // A guest is asked about nobody out of sight.
            let isSeen = roster[member].map { $0.role != .guest || $0.household == one.entry.household } ?? false
            let audience = (isSeen ? roster.only(member) : Audience()).union(try ofHolder(act))
            try ask(about: one, to: audience, act)
        }
    }

    /// The holder of the settings.
    func ofHolder(_ act: Act) throws(Rejection) -> Audience {
        try holder.map { (id) throws(Rejection) in try act.roster.only(id) } ?? Audience()
    }

    // MARK: What is to be confirmed until a time

    /// Plans the moment at which unconfirmed agreements end.
    func scheduleConfirmation(_ act: Act) throws(Rejection) {
        let next = [try SharingGroups.of(track, act).until, heldUntil].compactMap(\.self).min()
        try act.plan(Self.confirmDue, about: LatestPositions.about(member), at: next)
    }

    /// Ends what should have been confirmed and was not: nobody sees anything by it any more, and a child is no longer
    /// held.
    static func confirmFellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let member = Identifier(about.split(separator: "/").last ?? ""),
            var sharing = try act.ask({ (database) throws(StoreFailure) in try find(database, member) })
        else { return }
        var groups = try SharingGroups.of(sharing.track, act)
        if groups.expire(now: act.now) {
            // The list of waiting members shows them; no separate question is asked about each.
            groups.asked = groups.asked.union(
                Audience(
                    groups.waiting(try sharing.rules(act), of: member, in: try act.roster, now: act.now)
                        .map(\.entry.number)))
            try sharing.take(groups, act)
            try sharing.tell([.viewers], act)
        }
        if let until = sharing.heldUntil, until <= act.now { try sharing.holderLeft(act) }
        try sharing.scheduleConfirmation(act)
        try sharing.settleQuestions(act)
    }

    // MARK: Families from before

    /// Due work of the first turn after the upgrade. Rules for groups hold for the members who saw by them until now,
    /// for ``Limits/confirmationDays`` days. So does a hold by a member who may hold. Nobody new sees anything.
    static let upgradeDue = "sharing.upgrade"

    static func upgrade(_ act: Act) throws(Rejection) {
        let until = act.now.adding(days: Limits.confirmationDays)
        for var sharing in try all(act) {
            if sharing.isOn { try sharing.agreeToThoseWhoSaw(until: until, act) }
            if sharing.holder != nil { try sharing.askHolder(until: until, act) }
            let isOpen = try SharingGroups.of(sharing.track, act).until != nil || sharing.heldUntil != nil
            guard isOpen else { continue }
            try sharing.scheduleConfirmation(act)
            try act.emit(
                MemberSharing.toConfirm, .init(member: sharing.member, until: until),
                about: LatestPositions.about(sharing.member),
                to: try act.roster.only(sharing.member).union(try sharing.ofHolder(act)), isHeard: true)
        }
    }

    private mutating func agreeToThoseWhoSaw(until: Instant, _ act: Act) throws(Rejection) {
        let (rules, roster) = (try rules(act), try act.roster)
        let household = roster[member]?.household
        var all = SharingGroups()
        all.confirm(rules, of: member, in: roster, now: act.now)
        // Sharing from before there were versions showed what its rules say.
        let seen = version == nil ? Viewers(rules, all, of: member, in: roster, now: act.now) : viewers
        var groups = SharingGroups()
        for entry in roster.entries where entry.id != member {
            let known = Viewers.Seen(
                precision: seen.precision(for: entry.number),
                showsHistory: seen.historyPrecision(for: entry.number) != .off, until: nil)
            for kind in SharingGroups.deciding(for: entry, among: rules, household: household, now: act.now) {
                guard let rule = rules.first(where: { $0.viewer == kind }), Viewers.Seen(rule).isAtMost(known),
                    rule.precision != .off
                else { continue }
                groups[kind].agreed.insert(entry.number)
                groups[kind].unconfirmed.insert(entry.number)
                groups[kind].until = until
            }
        }
        let waiting = groups.waiting(rules, of: member, in: roster, now: act.now)
        groups.asked = Audience(waiting.map(\.entry.number))
        try take(groups, act)
    }
}
