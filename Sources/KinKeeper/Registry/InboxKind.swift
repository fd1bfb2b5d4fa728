public import KinModel

/// A kind of line in the inbox; clients make the sentence. The area whose events it tells of declares it, with the
/// names of its three columns on the wire.
public struct InboxKind: Sendable {
    /// Its name on the wire, such as `invited`.
    public let name: String
    /// Official messages stand apart: never merged, never muted, never held back.
    public var isOfficial = false
    /// Whether a member may mute this kind.
    public var isMutable: Bool { !isOfficial && !isOfDaemon }
    /// Whether the inboxes make it themselves.
    public var isOfDaemon = false
    /// Whether it tells where somebody is or was. A waiting session is not told such lines.
    public var tellsOfPositions = false
    /// Whether the words of lines are put together when the lines are merged.
    public var mergesWords = false
    /// Whether the identifier of its entry reveals only the day, not the time.
    public var isDatedByDay = false
    /// Whether it only waits in the inbox, and never rings a phone.
    public var isQuiet = false
    /// Whether it rings only while it asks something of the member.
    public var ringsWhileAsked = false
    /// The loudness of its ring, as a priority of ntfy; `nil`: as official messages ring, or as others do.
    public var priority: Int64?
    /// The first column: one or several words of the daemon's own.
    public var word: Field?
    /// The second column: a name that somebody wrote, or an identifier.
    public var person: Field?
    /// The third column: a moment other than the line's own.
    public var time: Field?

    /// A kind of line.
    public init(
        _ name: String, isOfficial: Bool = false, isOfDaemon: Bool = false, tellsOfPositions: Bool = false,
        mergesWords: Bool = false, isDatedByDay: Bool = false, isQuiet: Bool = false,
        ringsWhileAsked: Bool = false, priority: Int64? = nil, word: Field? = nil, name person: Field? = nil,
        time: Field? = nil
    ) {
        self.name = name
        self.isOfficial = isOfficial
        self.isOfDaemon = isOfDaemon
        self.tellsOfPositions = tellsOfPositions
        self.mergesWords = mergesWords
        self.isDatedByDay = isDatedByDay
        self.isQuiet = isQuiet
        self.ringsWhileAsked = ringsWhileAsked
        self.priority = priority
        self.word = word
        self.person = person
        self.time = time
    }
}

/// Every kind of line that the areas declare.
public struct InboxKinds: Sendable {
    /// In the order of their areas.
    public let all: [InboxKind]
    private let byName: [String: InboxKind]

    /// The kinds of some areas. No two kinds have the same name.
    public init(_ areas: [Area]) {
        var all: [InboxKind] = []
        var known: [String: InboxKind] = [:]
        for kind in areas.flatMap(\.inboxKinds) {
            precondition(known[kind.name] == nil, "two kinds of inbox lines are called \(kind.name)")
            known[kind.name] = kind
            all.append(kind)
        }
        self.all = all
        byName = known
    }

    /// The kind with a name; `nil` for a kind of another version.
    public subscript(name: String) -> InboxKind? { byName[name] }

    /// Kinds that a member may mute.
    public var mutable: [InboxKind] { all.filter(\.isMutable) }

    /// Kinds that only wait in the inbox, unless a member has them ring.
    public var quiet: [InboxKind] { all.filter { $0.isQuiet && $0.isMutable } }

    /// The fields that a line can have besides those of all lines: each name once, with its meaning for each kind.
    public var fields: [Field] {
        var found: [Field] = []
        var kinds: [String: [String]] = [:]
        for kind in all {
            for field in [kind.word, kind.person, kind.time].compactMap(\.self) {
                kinds[field.name, default: []].append(kind.name)
                if let index = found.firstIndex(where: { $0.name == field.name }) {
                    found[index] = found[index].widened(by: field)
                } else {
                    found.append(field)
                }
            }
        }
        return found.map { field in
            .optional(
                field.name, field.shape, "\((kinds[field.name] ?? []).joined(separator: ", ")): \(field.summary)")
        }
    }
}

extension Field {
    /// The field, widened to hold what another field of the same name may hold.
    package func widened(by other: Field) -> Field {
        var summary = summary
        if !other.summary.isEmpty, !summary.contains(other.summary) { summary += " " + other.summary }
        guard case .oneOf(let words) = shape, case .oneOf(let more) = other.shape else {
            return .optional(name, shape, summary)
        }
        return .optional(name, .oneOf(words + more.filter { !words.contains($0) }), summary)
    }
}
