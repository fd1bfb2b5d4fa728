/// A member's view of one area, as a part of the snapshot. It is in the area's folder beside the values that it holds,
/// declares accessors of ``Snapshot`` for them, and has one line in ``Areas``.
public protocol SnapshotPart: Sendable, Hashable {
    /// The names of its members in the snapshot's object that a view chooses, in their order.
    static var names: [String] { get }
    /// The names of its members that are there in every view. They come before everything a view chooses.
    static var namesInEveryView: [String] { get }

    /// Nothing seen.
    init()
    /// Reads its members of a snapshot's object; one that is not there is empty.
    init(_ snapshot: JSON)

    /// One of its members as JSON, by its name. Arrays are sorted by identifier, so that equal parts are equal bytes.
    func json(_ name: String) -> JSON
    /// Empties what one of its names stands for: it lies outside the view, or has no room.
    mutating func clear(_ name: String)
    /// Applies an event to it: its own area's events, and others' that concern it. Unknown types change nothing. `me`
    /// is the member whose snapshot it is.
    mutating func apply(_ event: Event, of me: Identifier?)
}

extension SnapshotPart {
    /// None, for most.
    public static var namesInEveryView: [String] { [] }

    func isEqual(_ other: any SnapshotPart) -> Bool { (other as? Self) == self }
}

extension JSON {
    /// A list of values sorted by the identifiers they are kept under.
    static func sorted<Value>(_ values: [Identifier: Value], _ json: (Value) -> JSON) -> JSON {
        .array(values.sorted { $0.key < $1.key }.map { json($0.value) })
    }
}
