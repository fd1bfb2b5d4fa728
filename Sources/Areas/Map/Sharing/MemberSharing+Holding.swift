import KinKeeper
import KinModel
import KinStore

/// A child's settings in the hands of an adult of its household, who is a parent or brought it in. The child sees that,
/// and is told what the holder does. Meanwhile its own switch does nothing. An adult's settings are nobody else's.
extension MemberSharing {
    /// A caller's rights over a member's settings.
    enum Hand: Equatable {
        /// All: they are the caller's own, or the caller holds them.
        case whole
        /// Nothing that shows anybody more: a parent, while another adult holds them. It has the holder's name.
        case narrowing(holder: String)
        /// Only switching off: a child whose holder is gone, until another parent decides. It has the parents' names.
        case waiting(parents: String)
    }

    /// The settings that a caller means and may see or change: the caller's own unless somebody holds them, and those
    /// that the caller holds.
    static func settings(
        of asked: Identifier?, toChange: Bool, _ act: Act
    ) throws(Rejection) -> Identifier {
        let caller = try act.member.id
        let member = asked ?? caller
        if member == caller, !toChange { return member }
        switch try hand(on: member, act) {
        case .whole: return member
        case .narrowing(let holder): throw notHeld(by: holder)
        case .waiting(let parents): throw waits(for: parents)
        }
    }

    /// The caller's rights over a member's settings; refused where there are none.
    static func hand(on asked: Identifier, _ act: Act) throws(Rejection) -> Hand {
        let caller = try act.member.id
        let member = try act.member(asked)
        let sharing = try act.ask { (database) throws(StoreFailure) in try find(database, asked) }
        // Whatever the row says: nobody holds an adult's settings.
        let holder = member.kind == .child ? sharing?.holder : nil
        if holder == caller { return .whole }
        guard asked != caller else {
            if let holder {
                throw Rejection(
                    .forbidden, "\(try name(of: holder, act)) holds your sharing; ask them to change it.")
            }
            guard member.kind == .child, sharing?.waitsForParent == true else { return .whole }
            let parents = try mayHold(member, act)
            return parents.isEmpty ? .whole : .waiting(parents: try names(of: parents.map(\.id), act))
        }
        guard member.kind == .child else {
            throw Rejection(.forbidden, "Only adults themselves say who sees where they are.", field: "member")
        }
        let adult = try act.member(caller)
        if let holder, isParent(adult, of: member) { return .narrowing(holder: try name(of: holder, act)) }
        throw Rejection(
            .forbidden, "You do not hold this member's sharing; a parent can, or who brought the child in.",
            field: "member")
    }

    static func notHeld(by holder: String) -> Rejection {
        Rejection(
            .forbidden, "Only \(holder), who holds it, can widen who sees where this child is.", field: "member")
    }

    static func waits(for parents: String) -> Rejection {
        Rejection(.forbidden, "Who held your sharing is gone; ask \(parents) who is to have it now.")
    }

    /// Refuses unless the caller may see a member's settings: callers who may change them may, and those who might hold
    /// them.
    static func checkMayShow(_ asked: Identifier, _ act: Act) throws(Rejection) {
        let caller = try act.member.id
        guard asked != caller else { return }
        let child = try act.member(asked)
        let adult = try act.member(caller)
        if child.kind == .child, isParent(adult, of: child) { return }
        if try mayHold(adult, child, act) { return }
        _ = try hand(on: asked, act)
    }

    static func name(of member: Identifier, _ act: Act) throws(Rejection) -> String {
        try act.ask { (database) throws(StoreFailure) in try People.member(member, database) }?.displayName
            ?? "another adult"
    }

    private static func names(of members: [Identifier], _ act: Act) throws(Rejection) -> String {
        var names: [String] = []
        for member in members { names.append(try name(of: member, act)) }
        return names.joined(separator: " or ")
    }

    // MARK: Who may

    /// Whether somebody is a grown parent of a member, in whichever household.
    static func isParent(_ adult: Member, of child: Member) -> Bool {
        adult.kind == .adult && adult.role != .guest && child.parents.contains(adult.id)
    }

    /// Whether somebody may hold a member's settings.
    static func mayHold(_ adult: Member, _ child: Member, _ act: Act) throws(Rejection) -> Bool {
        guard adult.kind == .adult, adult.role != .guest, child.kind == .child, adult.household == child.household
        else {
            return false
        }
        if child.parents.contains(adult.id) || !act.keeps(.holdersAreParents) { return true }
        return try People.bringer(of: child.id, act) == adult.id
    }

    /// Everybody who may hold a child's settings.
    static func mayHold(_ child: Member, _ act: Act) throws(Rejection) -> [Roster.Entry] {
        var adults: [Roster.Entry] = []
        for entry in try act.roster.entries where entry.household == child.household && entry.id != child.id {
            let adult = try act.ask { (database) throws(StoreFailure) in try People.member(entry.id, database) }
            if let adult, try mayHold(adult, child, act) { adults.append(entry) }
        }
        return adults
    }

    /// The adults who are asked which of them holds a child's settings; `nil` where nothing is to be decided.
    func parentsAsked(_ act: Act) throws(Rejection) -> [Identifier]? {
        guard waitsForParent, let child = try child(act) else { return nil }
        return try Self.mayHold(child, act).map(\.id)
    }

    // MARK: What a parent may do who does not hold them

    /// Whether new rules show nobody more than the current ones: neither now nor after any of them has ended, and
    /// neither to agreed viewers nor to possible ones.
    func isNarrower(_ new: [SharingRule], _ act: Act) throws(Rejection) -> Bool {
        Self.isNarrower(new, than: try rules(act), from: act.now)
    }

    /// The same, of values alone.
    static func isNarrower(_ new: [SharingRule], than old: [SharingRule], from now: Instant) -> Bool {
        let named = Set(
            (old + new).compactMap { rule in if case .member(let id) = rule.viewer { id } else { nil } })
        func has(_ viewer: SharingRule.Viewer) -> Bool { old.contains { $0.viewer == viewer } }
        let times = [now] + (old + new).compactMap(\.until).filter { $0 > now }
        var candidates: [Viewers.Candidate] = []
        for id in named.map(Optional.some) + [nil] {
            for bits in 0..<16 {
                candidates.append(
                    Viewers.Candidate(
                        id: id, isGuest: bits & 1 != 0, isInHousehold: bits & 2 != 0,
                        isAgreedInHousehold: bits & 4 != 0, isAgreedInEveryone: bits & 8 != 0))
            }
        }
        for time in times {
            for candidate in candidates {
                let before = Viewers.seen(by: candidate, among: old, now: time)
                // A rule that was not there before is nobody's until somebody is agreed to.
                var after = candidate
                if !has(.household) { after.isAgreedInHousehold = false }
                if !has(.everyone) { after.isAgreedInEveryone = false }
                var admitted = candidate
                (admitted.isAgreedInHousehold, admitted.isAgreedInEveryone) = (true, true)
                guard Viewers.seen(by: after, among: new, now: time).isAtMost(before),
                    Viewers.seen(by: admitted, among: new, now: time)
                        .isAtMost(Viewers.seen(by: admitted, among: old, now: time))
                else { return false }
            }
        }
        return true
    }

    /// An adult who uses the own settings takes them back, whatever the row says.
    mutating func freeIfGrown(_ act: Act) throws(Rejection) {
        guard holder != nil || waitsForParent, try child(act)?.kind == .adult else { return }
        try hold(by: nil, act)
    }

    // MARK: Who does

    static let ofChild = EventType(
        "sharing.child",
        "Who holds a child's sharing is another, or a parent narrowed it: to the adults it concerns, and the child.",
        OfChild.self)

    /// A change of a child's settings.
    enum ChildNews: String, CaseIterable { case held, given, waits, narrowed, off }

    /// The child whose settings these are, what happened to them, and who did it.
    struct OfChild: WireRecord {
        let member: Identifier
        let what: ChildNews
        let holder: Identifier?

        static let fields = Fields(
            nil, OfChild.init(member:what:holder:),
            .required("member", \.member, .id, "The child."),
            .required(
                "what", \.what, .word,
                """
                held: somebody holds it now; given: it is the child's own; waits: who held it is gone, and a parent is \
                to decide; narrowed, off: another parent changed it.
                """),
            .optional("holder", \.holder, .id, "held: who."))
    }

    /// Takes a child's settings, hands them over, or gives them to the child. Links that the child made end when
    /// somebody takes the settings.
    mutating func hold(by holder: Identifier?, _ act: Act) throws(Rejection) {
        guard holder != self.holder || waitsForParent || heldUntil != nil else { return }
        var concerned = try ofHolder(act)
        if waitsForParent, let child = try child(act) {
            concerned = concerned.union(Audience(try Self.mayHold(child, act).map(\.number)))
        }
        let isOther = holder != self.holder || waitsForParent
        self.holder = holder
        heldUntil = nil
        waitsForParent = false
        try save(act)
        try scheduleConfirmation(act)
        try settleQuestions(act)
        guard isOther else { return }
        try askHolderAnew(act)
        if holder != nil { try GuestLinks.endAll(of: track, act) }
        try tell([.holder], act)
        try tellOfChild(
            holder == nil ? .given : .held, to: concerned.union(try ofHolder(act)), act)
    }

    private func child(_ act: Act) throws(Rejection) -> Member? {
        try act.ask { (database) throws(StoreFailure) in try People.member(member, database) }
    }

    /// Tells these adults, and the child where its own `sharing.changed` does not say it.
    func tellOfChild(_ what: ChildNews, to adults: Audience, _ act: Act) throws(Rejection) {
        let isForChild = what == .given || what == .waits
        let own = isForChild ? try act.roster.only(member) : Audience()
        try act.emit(
            Self.ofChild, .init(member: member, what: what, holder: holder), about: LatestPositions.about(member),
            to: adults.union(own), isHeard: true)
    }

    /// Called when a member moved, left, grew up, has another role or is no longer a parent. A member who may no longer
    /// hold settings stops holding them. An adult has the own settings; a child's sharing pauses until somebody
    /// decides.
    static func checkHolders(_ act: Act) throws(Rejection) {
        for var sharing in try all(act) where sharing.holder != nil || sharing.waitsForParent {
            guard let child = try sharing.child(act) else { continue }
            guard child.kind == .child else {
                try sharing.hold(by: nil, act)
                continue
            }
            if let holder = sharing.holder {
                let adult = try act.ask { (database) throws(StoreFailure) in try People.member(holder, database) }
                if let adult, try mayHold(adult, child, act) { continue }
                try sharing.holderLeft(act)
            } else if try mayHold(child, act).isEmpty {
                try sharing.hold(by: nil, act)
            } else {
                try sharing.settleQuestions(act)
            }
        }
    }

    /// The holder of a child's settings is gone, or did not confirm the hold. Nobody sees the child until another
    /// parent decides, or the child where there is none.
    mutating func holderLeft(_ act: Act) throws(Rejection) {
        guard let child = try child(act) else { return }
        let left = holder
        let parents = try Self.mayHold(child, act).filter { $0.id != left || heldUntil != nil }
        holder = nil
        heldUntil = nil
        waitsForParent = !parents.isEmpty
        try save(act)
        if isOn { try turnOff(isPaused: true, act) }
        try settleQuestions(act)
        try tell([.holder], act)
        try tellOfChild(waitsForParent ? .waits : .given, to: Audience(parents.map(\.number)), act)
    }

    /// A hold from before there were rules about holders. A holder who may hold is asked again; any other hold ends.
    mutating func askHolder(until: Instant, _ act: Act) throws(Rejection) {
        guard let holder, let child = try child(act) else { return }
        guard child.kind == .child else { return try hold(by: nil, act) }
        let adult = try act.ask { (database) throws(StoreFailure) in try People.member(holder, database) }
        guard let adult, try Self.mayHold(adult, child, act) else { return try holderLeft(act) }
        heldUntil = until
        try save(act)
    }
}

extension Map {
    static let holdSharing = Method.command(
        "sharing.hold", "Takes a child's sharing settings into an adult's hands, hands them over, or gives them back.",
        access: .family,
        note: """
            Adults of the child's household who are a parent or brought the child in take what nobody holds; while \
            somebody holds it, only that one hands it over or gives it back.
            """,
        [
            .required("member", .id, "The child."),
            .required("hold", .bool, "True: the caller holds them from now on. False: they are the child's own again."),
            .optional("to", .id, "With hold true, by who holds them: another adult who may hold them from now on."),
        ],
        result: ChangedSharing.shape,
        route: Route("PUT", "/api/members/{member}/sharing/holder"),
        events: [Sharing.changed, MemberSharing.ofChild],
        again: { (act, ids) throws(Rejection) in
            guard let child = ids.first else { throw Rejection.alreadyDone(nil) }
            try MemberSharing.checkMayShow(child, act)
            return try shownSharing(of: child, act)
        },
        apply: { (act, params) throws(Rejection) in
            let child = try act.member(try params.id("member"))
            let caller = try act.member(try act.member.id)
            var sharing = try MemberSharing.of(child.id, act)
            let before = try SharingSights(of: child.id, act)
            func done() throws(Rejection) -> Outcome {
                .done(try shownSharing(of: child.id, since: before, act), ids: [child.id])
            }
            if sharing.holder != caller.id, let holder = sharing.holder, child.kind == .child,
                act.keeps(.holdersHandOver)
            {
                let name = try MemberSharing.name(of: holder, act)
                throw Rejection(
                    .forbidden, "\(name) holds this child's sharing; only they can hand it over.", field: "member")
            }
            try act.require(
                try MemberSharing.mayHold(caller, child, act),
                "Only a parent who lives with the child, or who brought it in, holds its sharing.")
            guard params["hold"]?.bool == true else {
                guard !params.has("to") else {
                    throw Rejection(.invalid, "to goes with hold true.", field: "to")
                }
                try sharing.hold(by: nil, act)
                return try done()
            }
            guard let to = params.optionalID("to"), to != caller.id else {
                try sharing.hold(by: caller.id, act)
                return try done()
            }
            let next = try act.member(to, field: "to")
            try act.require(sharing.holder == caller.id, "Nobody holds this child's sharing; take it first.")
            guard try MemberSharing.mayHold(next, child, act) else {
                throw Rejection(
                    .conflict, "Only a parent who lives with the child, or who brought it in, holds its sharing.",
                    field: "to")
            }
            try sharing.hold(by: next.id, act)
            return try done()
        }
    ).forOwnWord()
}
