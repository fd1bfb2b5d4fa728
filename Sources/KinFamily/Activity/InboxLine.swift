import KinModel
import KinStore

/// One line of an entry as it is stored: what the kinds have in common, and three columns that each kind names its own
/// way.
struct InboxLine {
    let kind: InboxKind
    let at: Instant
    let by: Identifier?
    /// Whether it was at the machine, in the name of `by`.
    var isAtMachine = false
    /// How often the same happened in a row.
    var count: Int64 = 1
    /// A word or several, of the daemon's own.
    var word: String?
    /// A name somebody wrote, or a household's identifier.
    var name: String?
    /// A moment other than ``at``.
    var time: Instant?

    /// As the wire has it.
    var json: JSON {
        var line = JSON.object(leavingOut: [
            "kind": .string(kind.rawValue), "at": .time(at), "by": by.map { .id($0) },
            "atMachine": isAtMachine ? true : nil, "count": count > 1 ? .int(count) : nil,
        ])
        if let word, let field = wordField { line[field] = field == "changes" ? Self.list(word) : .string(word) }
        if let name { line[nameField] = nameField == "changes" ? Self.list(name) : .string(name) }
        if let time, let field = timeField { line[field] = .time(time) }
        if kind == .digest, let word { line["kinds"] = Digest(word).json }
        return line
    }

    private var wordField: String? {
        switch kind {
        case .voted: "reply"
        case .meetingChanged: "changes"
        case .goingChanged, .moveAnswered, .grownAnswered: "answer"
        case .roleChanged: "role"
        case .permissionChanged, .accountChanged, .quotaNear: "what"
        case .sharingChanged: "state"
        case .phoneSilent: "cause"
        case .sharingAsked: "precision"
        case .childSharing: "hold"
        case .placeAsked: "of"
        default: nil
        }
    }

    private var nameField: String {
        switch kind {
        case .arrived, .left, .placeAsked: "place"
        case .moveAsked, .moveAnswered: "household"
        case .sharingChanged: "changes"
        case .sharingAsked: "group"
        default: "device"
        }
    }

    private var timeField: String? {
        switch kind {
        case .deadlineNear: "deadline"
        case .phoneSilent: "last"
        case .digest: "since"
        case .sharingToConfirm: "until"
        case .arrived, .left: "since"
        case .accountChanged, .placeAsked: "until"
        default: nil
        }
    }

    private static func list(_ words: String) -> JSON {
        .array(words.split(separator: " ").map { .string(String($0)) })
    }

    /// The words of both, each once, in the order they came.
    static func merged(_ words: String?, _ more: String?) -> String? {
        guard let words, let more else { return more ?? words }
        let known = words.split(separator: " ")
        return (known + more.split(separator: " ").filter { !known.contains($0) }).joined(separator: " ")
    }

    /// How many entries of which kind a digest stands for, as `kind:count` with spaces between.
    struct Digest {
        private var counts: [InboxKind: Int64] = [:]

        init(_ text: String = "") {
            for part in text.split(separator: " ") {
                let pair = part.split(separator: ":")
                guard pair.count == 2, let kind = InboxKind(rawValue: String(pair[0])), let count = Int64(pair[1])
                else {
                    continue
                }
                add(kind, count)
            }
        }

        mutating func add(_ kind: InboxKind, _ count: Int64 = 1) { counts[kind, default: 0] += count }
        mutating func add(_ other: Digest) { for (kind, count) in other.counts { add(kind, count) } }

        /// How many entries in all.
        var total: Int64 { counts.values.reduce(0, +) }

        private var sorted: [(kind: InboxKind, count: Int64)] {
            InboxKind.allCases.compactMap { kind in counts[kind].flatMap { $0 > 0 ? (kind, $0) : nil } }
        }
        var text: String { sorted.map { "\($0.kind.rawValue):\($0.count)" }.joined(separator: " ") }
        var json: JSON {
            .array(sorted.map { ["kind": .string($0.kind.rawValue), "count": .int($0.count)] })
        }
    }

    static let columns = "kind, at, by, count, word, name, time, at_machine"

    init(
        kind: InboxKind, at: Instant, by: Identifier?, isAtMachine: Bool = false, word: String? = nil,
        name: String? = nil, time: Instant? = nil
    ) {
        self.kind = kind
        self.at = at
        self.by = by
        self.isAtMachine = isAtMachine
        self.word = word
        self.name = name
        self.time = time
    }

    /// From ``columns``, `first` being the number of the first.
    init?(_ row: borrowing Row, from first: Int32 = 0) {
        guard let kind = InboxKind(rawValue: row.text(first)) else { return nil }
        self.init(
            kind: kind, at: row.instant(first + 1), by: row.optionalIdentifier(first + 2),
            isAtMachine: row.bool(first + 7), word: row.optionalText(first + 4), name: row.optionalText(first + 5),
            time: row.optionalInstant(first + 6))
        count = row.int(first + 3)
    }
}
