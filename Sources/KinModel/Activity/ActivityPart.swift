/// A member's unread inbox entries, as a part of the snapshot.
public struct ActivityPart: SnapshotPart {
    /// What the looking member has not read.
    public var inbox = Inbox()

    /// Its name in the snapshot.
    public static let names = ["inbox"]

    /// Nothing unread.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) { inbox = json["inbox"].flatMap { Inbox($0) } ?? Inbox() }

    /// The inbox.
    public func json(_ name: String) -> JSON { inbox.json }

    /// Empties it.
    public mutating func clear(_ name: String) { inbox = Inbox() }

    /// What an event does to the inbox.
    public mutating func apply(_ event: Event, of me: Identifier?) { inbox.apply(event, of: me) }
}

extension Snapshot {
    /// What the looking member has not read.
    public var inbox: Inbox {
        get { self[ActivityPart.self].inbox }
        _modify { yield &self[ActivityPart.self].inbox }
    }
}
