/// The rooms that one member is in, with what is new there. Messages are asked for.
public struct ChatPart: SnapshotPart {
    /// Rooms, by identifier.
    public var rooms: [Identifier: SeenRoom] = [:]

    /// Its name in the snapshot.
    public static let names = ["rooms"]

    /// No room.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for seen in (json["rooms"]?.array ?? []).compactMap(SeenRoom.init) { rooms[seen.room.id] = seen }
    }

    /// The rooms.
    public func json(_ name: String) -> JSON { .sorted(rooms, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { rooms = [:] }

    /// What an event says of a room, or of what is new there.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Room.opened] ?? event[Room.shown] {
            rooms[data.room.id] = SeenRoom(room: data.room)
        } else if let data = event[Room.updated] {
            // A member who was away may hear of the room by this alone.
            rooms[data.room.id, default: SeenRoom(room: data.room)].room = data.room
        } else if let data = event[Room.hidden] {
            rooms[data.room] = nil
        } else if let data = event[Room.read] {
            rooms[data.room]?.own = data.own
            rooms[data.room]?.last = data.last
        } else if let message = event[Message.sent]?.message {
            rooms[message.room]?.last = LastMessage(message)
            if message.author == me {
                rooms[message.room]?.own.unread = 0
                rooms[message.room]?.own.upTo = message.id
            } else {
                rooms[message.room]?.own.unread += 1
            }
        } else if let message = event[Message.updated]?.message, rooms[message.room]?.last?.id == message.id {
            rooms[message.room]?.last = LastMessage(message)
        }
    }
}

extension Snapshot {
    /// Rooms that the member is in, by identifier.
    public var rooms: [Identifier: SeenRoom] {
        get { self[ChatPart.self].rooms }
        _modify { yield &self[ChatPart.self].rooms }
    }
}
