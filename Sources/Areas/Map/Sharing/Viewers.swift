import KinKeeper
import KinModel
import KinStore

/// Who sees a member and how much, member by member: the result of rules at a time. Once written down it never changes;
/// points name it by its version.
struct Viewers: Equatable, Sendable {
    /// Those who see each precision, by ``Precision/rank``; nobody is in two of them, and nobody under `off`.
    private var audiences = [Audience](repeating: Audience(), count: Precision.allCases.count)
    /// Those of them who may look at the history.
    private(set) var history = Audience()

    /// Nobody sees anything.
    static let nobody = Viewers()

    private init() {}

    /// Everybody who sees this much and no more.
    subscript(precision: Precision) -> Audience { audiences[precision.rank] }

    /// Everybody who sees anything.
    var all: Audience { audiences.reduce(Audience()) { $0.union($1) } }

    /// How much one member sees.
    func precision(for number: Int32) -> Precision {
        Precision.allCases.first { audiences[$0.rank].contains(number) } ?? .off
    }

    /// How much of the history one member sees.
    func historyPrecision(for number: Int32) -> Precision { history.contains(number) ? precision(for: number) : .off }

    /// Those who see less than they did with others, or nothing any more.
    func losing(from before: Viewers) -> Audience {
        var losing = Audience()
        var rest = all
        for precision in Precision.allCases {
            // Who saw this much and now sees neither as much nor more.
            losing = losing.union(before[precision].subtracting(rest))
            rest = rest.subtracting(self[precision])
        }
        return losing
    }

    /// Those who see more or less than they did with others.
    func differing(from before: Viewers) -> Audience {
        var found = history.subtracting(before.history).union(before.history.subtracting(history))
        for precision in Precision.allCases {
            let (one, other) = (self[precision], before[precision])
            found = found.union(one.subtracting(other)).union(other.subtracting(one))
        }
        return found
    }

    // MARK: From rules

    /// The result of rules. The most specific rule that has not ended decides: a rule for the member before one for the
    /// household before one for everyone. Rules for groups apply to the agreed members of ``SharingGroups``. Guests see
    /// only by a rule that names them.
    init(_ rules: [SharingRule], _ groups: SharingGroups, of watched: Identifier, in roster: Roster, now: Instant) {
        let household = roster[watched]?.household
        for entry in roster.entries where entry.id != watched {
            let seen = Self.seen(by: groups.candidate(entry, household: household), among: rules, now: now)
            guard seen.precision != .off else { continue }
            audiences[seen.precision.rank].insert(entry.number)
            if seen.showsHistory { history.insert(entry.number) }
        }
    }

    /// For each member the lesser of what both results show.
    func least(_ other: Viewers, in roster: Roster) -> Viewers {
        var least = Viewers()
        for entry in roster.entries {
            let precision = min(precision(for: entry.number), other.precision(for: entry.number))
            guard precision != .off else { continue }
            least.audiences[precision.rank].insert(entry.number)
            if history.contains(entry.number), other.history.contains(entry.number) {
                least.history.insert(entry.number)
            }
        }
        return least
    }

    /// The members of a family who see more in any way than before.
    func gaining(on before: Viewers, in roster: Roster) -> Audience {
        Audience(
            roster.entries.map(\.number).filter { number in
                precision(for: number) > before.precision(for: number)
                    || historyPrecision(for: number) > before.historyPrecision(for: number)
            })
    }

    /// Who might see a member, with all that decides how much.
    struct Candidate: Hashable, Sendable {
        /// `nil` for somebody whom no rule names.
        var id: Identifier?
        var isGuest = false
        var isInHousehold = false
        var isAgreedInHousehold = false
        var isAgreedInEveryone = false
    }

    /// What a viewer sees.
    struct Seen: WireRecord {
        let precision: Precision
        let showsHistory: Bool
        /// When that ends by itself.
        let until: Instant?

        static let nothing = Seen(precision: .off, showsHistory: false, until: nil)

        static let fields = Fields<Seen>(
            nil,
            { (precision: Precision, until: Instant?, history: Bool) in
                Seen(precision: precision, showsHistory: history, until: until)
            },
            .required("precision", \.precision, .word),
            .optional("until", \.until, .time, "When that ends by itself."),
            .required("history", \.showsHistory, .bool, "Whether the history may be looked at too."))

        init(precision: Precision, showsHistory: Bool, until: Instant?) {
            self.precision = precision
            self.showsHistory = showsHistory && precision != .off
            self.until = until
        }

        init(_ rule: SharingRule) {
            self.init(precision: rule.precision, showsHistory: rule.showsHistory, until: rule.until)
        }

        var historyPrecision: Precision { showsHistory ? precision : .off }

        /// Whether nothing of it is more than of another.
        func isAtMost(_ other: Seen) -> Bool {
            precision <= other.precision && historyPrecision <= other.historyPrecision
        }

        /// The lesser of both.
        func least(_ other: Seen) -> Seen {
            Seen(
                precision: min(precision, other.precision), showsHistory: showsHistory && other.showsHistory,
                until: [until, other.until].compactMap(\.self).min())
        }
    }

    /// The sight that the rules give a viewer at a time, and the rules that decide it.
    struct Judged: Equatable, Sendable {
        let seen: Seen
        /// One, or two of which the lesser counts; none where no rule is about the viewer.
        let rules: [SharingRule.Viewer]
    }

    /// The sight that the rules give a viewer at a time. A viewer who is not agreed to under the deciding rule gets the
    /// least of that rule and of the next wider one, if agreed to there: never more than before joining the smaller
    /// group.
    static func judged(by viewer: Candidate, among rules: [SharingRule], now: Instant) -> Judged {
        func find(_ viewer: SharingRule.Viewer) -> SharingRule? {
            rules.first { $0.viewer == viewer && $0.holds(at: now) }
        }
        if let id = viewer.id, let named = find(.member(id)) { return Judged(seen: Seen(named), rules: [named.viewer]) }
        guard !viewer.isGuest else { return Judged(seen: .nothing, rules: []) }
        let everyone = find(.everyone).map { Seen($0) }
        guard viewer.isInHousehold, let household = find(.household).map({ Seen($0) }) else {
            guard let everyone else { return Judged(seen: .nothing, rules: []) }
            return Judged(seen: viewer.isAgreedInEveryone ? everyone : .nothing, rules: [.everyone])
        }
        if viewer.isAgreedInHousehold { return Judged(seen: household, rules: [.household]) }
        guard viewer.isAgreedInEveryone, let everyone else { return Judged(seen: .nothing, rules: [.household]) }
        return Judged(seen: household.least(everyone), rules: [.household, .everyone])
    }

    /// The same, without saying why.
    static func seen(by viewer: Candidate, among rules: [SharingRule], now: Instant) -> Seen {
        judged(by: viewer, among: rules, now: now).seen
    }

    // MARK: In the database

    /// The sets one after the other, each after two bytes that say how long it is.
    var bytes: [UInt8] {
        (audiences.dropFirst() + [history]).flatMap { audience in
            let bytes = audience.bytes
            return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }

    /// From the form that ``bytes`` has; nobody where it is cut short.
    init(bytes: [UInt8]) {
        var rest = bytes[...]
        func next() -> Audience {
            guard rest.count >= 2, let high = rest.popFirst(), let low = rest.popFirst() else { return Audience() }
            let count = Int(high) << 8 | Int(low)
            defer { rest = rest.dropFirst(count) }
            return Audience(bytes: rest.prefix(count))
        }
        for precision in Precision.allCases.dropFirst() { audiences[precision.rank] = next() }
        history = next()
    }
}
