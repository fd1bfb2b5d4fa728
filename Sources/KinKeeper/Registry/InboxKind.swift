public import KinModel

/// What a line of an inbox says; clients make the sentence. Declared by the area whose events it tells of, with what its
/// three columns are called on the wire.
public struct InboxKind: Sendable {
    /// Its name on the wire, such as `invited`.
    public let name: String
    /// Official messages stand apart: never merged, never muted, never held back.
    public var isOfficial = false
    /// Whether a member may ask not to be told of such.
    public var isMutable: Bool { !isOfficial && !isOfDaemon }
    /// Made by inboxes themselves.
    public var isOfDaemon = false
    /// Whether it tells where somebody is or was, which no session is told that waits.
    public var tellsOfPositions = false
    /// Whether the words of lines that become one are put together.
    public var mergesWords = false
    /// Whether the identifier of its entry tells no more of the time than the day.
    public var isDatedByDay = false
    /// Whether it waits in the inbox until somebody looks, and never rings a phone.
    public var isQuiet = false
    /// How loud it rings, as ntfy has it; `nil`: as official messages or as others do.
    public var priority: Int64?
    /// A word or several, of the daemon's own.
    public var word: Field?
    /// A name somebody wrote, or an identifier.
    public var person: Field?
    /// A moment other than the line's own.
    public var time: Field?

    /// A kind of line.
    public init(
        _ name: String, isOfficial: Bool = false, isOfDaemon: Bool = false, tellsOfPositions: Bool = false,
        mergesWords: Bool = false, isDatedByDay: Bool = false, isQuiet: Bool = false,
        priority: Int64? = nil, word: Field? = nil, name person: Field? = nil,
        time: Field? = nil
    ) {
        self.name = name
        self.isOfficial = isOfficial
        self.isOfDaemon = isOfDaemon
        self.tellsOfPositions = tellsOfPositions
        self.mergesWords = mergesWords
        self.isDatedByDay = isDatedByDay
        self.isQuiet = isQuiet
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

    /// The kinds of some areas; a name is one kind's.
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

    /// The kind of a name; `nil` for one of another version.
    public subscript(name: String) -> InboxKind? { byName[name] }

    /// Kinds that a member may mute.
    public var mutable: [InboxKind] { all.filter(\.isMutable) }

    /// What a line can hold besides what all have: each name once, with what it means for which kinds.
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
    /// The same field, which may hold what another of its name holds as well.
    package func widened(by other: Field) -> Field {
        var summary = summary
        if !other.summary.isEmpty, !summary.contains(other.summary) { summary += " " + other.summary }
        guard case .oneOf(let words) = shape, case .oneOf(let more) = other.shape else {
            return .optional(name, shape, summary)
        }
        return .optional(name, .oneOf(words + more.filter { !words.contains($0) }), summary)
    }
}
