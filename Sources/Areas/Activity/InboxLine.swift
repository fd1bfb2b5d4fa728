import KinKeeper
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
            "kind": .string(kind.name), "at": .time(at), "by": by.map { .id($0) },
            "atMachine": isAtMachine ? true : nil, "count": count > 1 ? .int(count) : nil,
        ])
        if let word, let field = kind.word { line[field.name] = Self.value(word, field) }
        if let name, let field = kind.person { line[field.name] = Self.value(name, field) }
        if let time, let field = kind.time { line[field.name] = .time(time) }
        return line
    }

    /// The same for a digest, which has a count for each kind.
    func json(_ kinds: InboxKinds) -> JSON {
        var line = json
        if kind.name == InboxKind.digest.name, let word { line["kinds"] = Digest(word).json(kinds) }
        return line
    }

    private static func value(_ words: String, _ field: Field) -> JSON {
        if case .list = field.shape { list(words) } else { .string(words) }
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
        private var counts: [String: Int64] = [:]

        init(_ text: String = "") {
            for part in text.split(separator: " ") {
                let pair = part.split(separator: ":")
                guard pair.count == 2, let count = Int64(pair[1]) else { continue }
                add(String(pair[0]), count)
            }
        }

        mutating func add(_ kind: String, _ count: Int64 = 1) { counts[kind, default: 0] += count }
        mutating func add(_ other: Digest) { for (kind, count) in other.counts { add(kind, count) } }

        /// How many entries in all.
        var total: Int64 { counts.values.reduce(0, +) }

        var text: String {
            counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
                .joined(separator: " ")
        }
        func json(_ kinds: InboxKinds) -> JSON {
            .array(
                kinds.all.compactMap { kind in
                    counts[kind.name].flatMap { $0 > 0 ? ["kind": .string(kind.name), "count": .int($0)] : nil }
                })
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

    /// From ``columns``; `nil` for a kind of another version.
    init?(_ row: borrowing Row, _ kinds: InboxKinds) {
        guard let kind = kinds[row.text("kind")] else { return nil }
        self.init(
            kind: kind, at: row.instant("at"), by: row.optionalIdentifier("by"), isAtMachine: row.bool("at_machine"),
            word: row.optionalText("word"), name: row.optionalText("name"), time: row.optionalInstant("time"))
        count = row.int("count")
    }
}
