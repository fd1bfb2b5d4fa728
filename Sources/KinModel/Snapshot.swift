/// Everything a member sees at one cursor. At every `upto`, a snapshot with the events since applied equals a fresh
/// snapshot: ``apply(_:)`` is the norm for every client.
///
/// It is a list of parts, one an area, and knows nothing of what they hold.
public struct Snapshot: Sendable {
    /// The parts, in the order in which they are written.
    package static let kinds: [any SnapshotPart.Type] = Areas.parts

    /// The member who looks.
    public var me: Identifier?

    /// Parts that do not hold everything that the member sees, by their names in ``json``. A query of the area lists
    /// what was left out, and it also comes with its next event.
    public var more: Set<String> = []

    /// Parts that are missing because they are outside the view or had no room, by their names in ``json``. Events
    /// change nothing there.
    public private(set) var absent: Set<String> = []

    /// One of each kind, in their order.
    private var parts: [any SnapshotPart]

    /// The names that belong to a view; the others are in every snapshot.
    public static let namesOfViews = kinds.flatMap { $0.names }
    private static let namesInEveryView = kinds.flatMap { $0.namesInEveryView }

    /// An empty one.
    public init() { parts = Self.kinds.map { $0.init() } }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let object = json.object else { return nil }
        me = json["me"]?.identifier
        parts = Self.kinds.map { $0.init(json) }
        more = Set((json["more"]?.array ?? []).compactMap(\.string))
        absent = Set(Self.namesOfViews.filter { object[$0] == nil })
    }

    /// The part of a kind. It is changed in place, without copying. A part of a kind that is in no list is added after
    /// the others: it is written, and nobody reads it.
    public subscript<Part: SnapshotPart>(_ kind: Part.Type) -> Part {
        get { parts.lazy.compactMap { $0 as? Part }.first ?? Part() }
        _modify {
            if !parts.contains(where: { $0 is Part }) { parts.append(Part()) }
            let index = parts.firstIndex { $0 is Part } ?? 0
            var part = (parts[index] as? Part) ?? Part()
            // Held once while it is changed: what it keeps is not copied.
            parts[index] = Part()
            defer { parts[index] = part }
            yield &part
        }
    }

    /// Takes parts out: they lie outside the view, or have no room.
    public mutating func leaveOut(_ names: some Sequence<String>) {
        absent.formUnion(names)
        clearAbsent()
    }

    private mutating func clearAbsent() {
        for index in parts.indices {
            for name in type(of: parts[index]).names where absent.contains(name) { parts[index].clear(name) }
        }
    }

    /// Arrays sorted by identifier, so that equal snapshots are equal bytes.
    public var json: JSON {
        var all: JSON = [:]
        for name in names { all[name] = part(name) }
        return all
    }

    /// The names of its members, in their order.
    public var names: [String] {
        let chosen = parts.flatMap { type(of: $0).names }
        return Self.namesInEveryView + ["me"] + chosen.filter { !absent.contains($0) } + (more.isEmpty ? [] : ["more"])
    }

    /// One of its members as JSON, by its name.
    public func part(_ name: String) -> JSON {
        if name == "me" { return me.map { .id($0) } ?? .null }
        if name == "more" { return .array(more.sorted().map { .string($0) }) }
        for part in parts where type(of: part).names.contains(name) || type(of: part).namesInEveryView.contains(name) {
            return part.json(name)
        }
        preconditionFailure("no snapshot has a part \(name)")
    }

    /// Applies an event to the member's view. Unknown types change nothing: a newer daemon may send them.
    public mutating func apply(_ event: Event) {
        for index in parts.indices { parts[index].apply(event, of: me) }
        if !absent.isEmpty { clearAbsent() }
    }
}

extension Snapshot: Hashable {
    /// Equal when the same is seen.
    public static func == (left: Self, right: Self) -> Bool {
        left.me == right.me && left.more == right.more && left.absent == right.absent
            && left.parts.count == right.parts.count && zip(left.parts, right.parts).allSatisfy { $0.isEqual($1) }
    }
    /// By all that is seen.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(me)
        hasher.combine(more)
        hasher.combine(absent)
        for part in parts { part.hash(into: &hasher) }
    }
}
