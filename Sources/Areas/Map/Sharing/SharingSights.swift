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
    func isInSight(_ entry: Roster.Entry) -> Bool { !isGuest || entry.household == household }

    // MARK: On the wire

    static let deciding = Shape.list(SharingRule.Viewer.shape, max: 2)
    private static let decidingSummary =
        "The rules that decide it: one, or two of which the least counts; none where none is about the member."

    private static let member: [Field] = [
        .required("id", .id), .required("displayName", .line(max: Limits.nameCharactersMax)),
    ]
    private static let sight = Viewers.Seen.fields.list

    /// Of those who see something.
    static let seenBy = Shape.list(
        .object(member + sight + [.required("rules", deciding, decidingSummary)]), max: Limits.membersMax)
    /// Of those who see nothing.
    static let notSeenBy = Shape.list(
        .object(member + [.required("rules", deciding, decidingSummary)]), max: Limits.membersMax)

    /// The people who see something, or those who see nothing: of either only those whom the member may know of.
    func json(seeing: Bool, _ names: [Identifier: String]) -> JSON {
        .array(
            people.compactMap { person in
                guard (person.seen.precision != .off) == seeing, isInSight(person.entry),
                    let name = names[person.entry.id]
                else { return nil }
                var json: JSON = ["id": .id(person.entry.id), "displayName": .string(name)]
                if seeing {
                    for (name, value) in person.seen.json.object?.members ?? [] { json[name] = value }
                }
                json["rules"] = .array(person.rules.map(\.json))
                return json
            })
    }

    // MARK: What a change did

    /// What a change did to people.
    static let effect = Field.optional(
        "effect",
        .list(
            .object(
                member + [
                    .required("changed", .bool, "Whether the member sees more, less or other than before."),
                    .required("before", .object(sight), "What the member saw."),
                    .required("now", .object(sight), "What the member sees; off for all while sharing is off."),
                    .required("rules", deciding, decidingSummary),
                ]),
            max: Limits.membersMax),
        """
        What it did: everybody who sees other than before, and those whom a changed rule is about who see the same, with the \
        rules that decide. Absent in the answer to a repeat.
        """)

    /// The difference to an earlier state. `besides` is a member whom the change was about, in addition to those of the
    /// changed rules.
    func effect(since before: SharingSights, besides: Identifier? = nil, _ act: Act) throws(Rejection) -> JSON {
        let names = try Map.names(act)
        let changed =
            rules.filter { !before.rules.contains($0) }
            + before.rules.filter { rule in
                !rules.contains { $0.viewer == rule.viewer }
            }
        let saw = Dictionary(before.people.map { ($0.entry.id, $0.seen) }) { first, _ in first }
        return .array(
            people.compactMap { person in
                let then = saw[person.entry.id] ?? .nothing
                let isMeant =
                    person.entry.id == besides || changed.contains { $0.viewer.isAbout(person.entry, household) }
                guard isMeant || person.seen != then, isInSight(person.entry), let name = names[person.entry.id] else {
                    return nil
                }
                return [
                    "id": .id(person.entry.id), "displayName": .string(name), "changed": .bool(person.seen != then),
                    "before": then.json, "now": person.seen.json,
                    "rules": .array(person.rules.map(\.json)),
                ]
            })
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
