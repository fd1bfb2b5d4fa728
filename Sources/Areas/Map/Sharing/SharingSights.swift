import KinKeeper
import KinModel
import KinStore

/// The result of one member's sharing for each person of the family, and the rules that decide it. Every answer about
/// sharing uses this, and it uses the same rules and sets as events do. So no screen differs from what is then told.
struct SharingSights {
    /// One person of the family.
    struct Person {
        let entry: Roster.Entry
        /// What the person sees, until when too.
        let seen: Viewers.Seen
        /// The deciding rules: one, or two of which the lesser counts; none where no rule is about the person.
        let rules: [SharingRule.Viewer]
    }

    let member: Identifier
    let isOn: Bool
    /// The rules that have not ended.
    let rules: [SharingRule]
    /// Everybody but the member.
    private(set) var people: [Person] = []
    /// Whether the member is a guest, who is told of nobody in another household; and the member's own.
    private let isGuest: Bool
    private let household: Identifier?

    /// The result now. `asIfOn`: while sharing is off, the result of switching it on.
    init(of member: Identifier, asIfOn: Bool = false, _ act: Act) throws(Rejection) {
        self.member = member
        let found = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
        let roster = try act.roster
        isOn = found?.isOn ?? false
        isGuest = roster[member]?.role == .guest
        household = roster[member]?.household
        rules = try (found?.rules(act) ?? SharingRule.first).filter { $0.holds(at: act.now) }
        var groups =
            try found.map { (found) throws(Rejection) in try SharingGroups.of(found.track, act) } ?? SharingGroups()
        if !isOn { groups.confirm(rules, of: member, in: roster, now: act.now) }
        // While the clock is doubted, what has an end is withheld.
        let withheld = act.isClockDoubted && isOn ? found?.viewers : nil
        for entry in roster.entries where entry.id != member {
            let judged = Viewers.judged(
                by: groups.candidate(entry, household: household), among: rules, now: act.now)
            var seen = isOn || asIfOn ? judged.seen : .nothing
            if let withheld {
                let precision = min(seen.precision, withheld.precision(for: entry.number))
                let showsHistory = seen.showsHistory && withheld.history.contains(entry.number)
                seen = Viewers.Seen(precision: precision, showsHistory: showsHistory, until: seen.until)
            }
            let until = seen.precision == .off ? nil : [seen.until, found?.until].compactMap(\.self).min()
            people.append(
                Person(
                    entry: entry,
                    seen: Viewers.Seen(precision: seen.precision, showsHistory: seen.showsHistory, until: until),
                    rules: judged.rules))
        }
    }

    /// Sharing does not widen a guest's own sight.
    private func isInSight(_ entry: Roster.Entry) -> Bool { !isGuest || entry.household == household }

    // MARK: On the wire

    private static let deciding = Form.list(SharingRule.Viewer.form, max: 2)
    private static let decidingSummary =
        "The rules that decide it: one, or two of which the least counts; none where none is about the member."

    /// Somebody of the family, by the name that people read.
    struct Named: WireRecord {
        let id: Identifier
        let displayName: String

        static let fields = Fields(
            nil, Named.init(id:displayName:), .required("id", \.id, .id),
            .required("displayName", \.displayName, .name))
    }

    /// Somebody who sees something.
    struct Seer: WireRecord {
        let who: Named
        let seen: Viewers.Seen
        let rules: [SharingRule.Viewer]

        static let fields = Fields(
            nil, Seer.init(who:seen:rules:), .all(of: \.who), .all(of: \.seen),
            .required("rules", \.rules, deciding, decidingSummary))
    }

    /// Somebody who sees nothing.
    struct Unseeing: WireRecord {
        let who: Named
        let rules: [SharingRule.Viewer]

        static let fields = Fields(
            nil, Unseeing.init(who:rules:), .all(of: \.who), .required("rules", \.rules, deciding, decidingSummary))
    }

    /// Somebody by name, if the member may know of them.
    func named(_ entry: Roster.Entry, _ names: [Identifier: String]) -> Named? {
        guard isInSight(entry), let name = names[entry.id] else { return nil }
        return Named(id: entry.id, displayName: name)
    }

    /// The people of whom the member may know, by their names.
    private func known(_ names: [Identifier: String]) -> [(person: Person, who: Named)] {
        people.compactMap { person in named(person.entry, names).map { (person: person, who: $0) } }
    }

    /// Those of them who see something.
    func seers(_ names: [Identifier: String]) -> [Seer] {
        known(names).filter { $0.person.seen.precision != .off }.map {
            Seer(who: $0.who, seen: $0.person.seen, rules: $0.person.rules)
        }
    }

    /// Those of them who see nothing.
    func unseeing(_ names: [Identifier: String]) -> [Unseeing] {
        known(names).filter { $0.person.seen.precision == .off }.map {
            Unseeing(who: $0.who, rules: $0.person.rules)
        }
    }

    // MARK: What a change did

    /// What a change did to somebody.
    struct Effect: WireRecord {
        let who: Named
        let isChanged: Bool
        let before: Viewers.Seen
        let now: Viewers.Seen
        let rules: [SharingRule.Viewer]

        static let fields = Fields(
            nil, Effect.init(who:isChanged:before:now:rules:), .all(of: \.who),
            .required("changed", \.isChanged, .bool, "Whether the member sees more, less or other than before."),
            .required("before", \.before, Viewers.Seen.form, "What the member saw."),
            .required("now", \.now, Viewers.Seen.form, "What the member sees; off for all while sharing is off."),
            .required("rules", \.rules, deciding, decidingSummary))
    }

    /// The difference to an earlier state. `besides` is a member whom the change was about, in addition to those of the
    /// changed rules.
    func effect(since before: SharingSights, besides: Identifier? = nil, _ act: Act) throws(Rejection) -> [Effect] {
        let changed =
            rules.filter { !before.rules.contains($0) }
            + before.rules.filter { rule in
                !rules.contains { $0.viewer == rule.viewer }
            }
        let saw = Dictionary(before.people.map { ($0.entry.id, $0.seen) }) { first, _ in first }
        return known(try Map.names(act)).compactMap { person, who -> Effect? in
            let then = saw[who.id] ?? .nothing
            let isMeant = who.id == besides || changed.contains { $0.viewer.isAbout(person.entry, household) }
            guard isMeant || person.seen != then else { return nil }
            return Effect(
                who: who, isChanged: person.seen != then, before: then, now: person.seen, rules: person.rules)
        }
    }
}

extension SharingRule.Viewer: WireValue {
    static let shape = Shape.either(.id, .oneOf(["household", "everyone"]))

    init?(_ json: JSON) {
        switch json.string {
        case "everyone": self = .everyone
        case "household": self = .household
        default:
            guard let id = json.identifier else { return nil }
            self = .member(id)
        }
    }

    var json: JSON {
        switch self {
        case .everyone: "everyone"
        case .household: "household"
        case .member(let id): .id(id)
        }
    }

    /// Whether a rule for this is about somebody, in the family of a member of that household.
    func isAbout(_ entry: Roster.Entry, _ household: Identifier?) -> Bool {
        switch self {
        case .everyone: entry.role != .guest
        case .household: entry.role != .guest && entry.household == household
        case .member(let id): entry.id == id
        }
    }
}

extension Map {
    static let seenOf = Method.query(
        "sharing.seen", "How much the caller sees of where a member is.", access: .signedIn,
        note: """
            The member's rules for others are nobody's to know: off is answered alike where sharing is off and where \
            nothing of it is for the caller.
            """,
        [.required("member", .id)],
        result: .object([
            .required("precision", .oneOf(SharingRule.precisions.map(\.rawValue))),
            .required("history", .bool, "Whether the history may be looked at too."),
        ]),
        route: Route("GET", "/api/sharing/seen/{member}"),
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member")).id
            let caller = try act.member
            if member == caller.id { return .done(["precision": "exact", "history": true]) }
            let found = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
            let viewers = found?.isOn == true ? found?.viewers : nil
            return .done([
                "precision": .string((viewers?.precision(for: caller.number) ?? .off).rawValue),
                "history": .bool(viewers?.history.contains(caller.number) ?? false),
            ])
        }
    ).forOwnWord()
}
