import KinKeeper
import KinModel
import KinStore

/// Rooms as every message asks them. They are read anew as soon as anything is written to what they are read from, but by
/// a new message.
final class RoomMemory: AreaMemory {
    /// By their identifiers. Their newest messages are remembered apart, for they change with each.
    var rooms = Remembered<Identifier, StoredRoom>(of: ["rooms", "room_named"], most: mostRooms)
    /// The members of a room, by its number.
    var seers = Remembered<Int64, Audience>(of: ["rooms", "room_sight", "members"], most: mostRooms)

    /// The newest message that there ever was in a room, by the room's number.
    var last = Remembered<Int64, Identifier>(of: ["rooms", "messages"], most: mostRooms)
    /// At most how many messages of a room are not counted yet in the rows of those who are in it, by the room's number.
    var uncounted = Remembered<Int64, Int64>(of: ["rooms"], most: mostRooms)
    /// What those who say something in a room are asked for with each message.
    var speaking = Remembered<Speaker, Speaking>(of: ["room_own"], most: mostRooms)
    /// Those of whom it is written down that they said something in a room. After a member's first message none writes
    /// there, so this outlives what is remembered of ``speaking``.
    var speakers = Remembered<Speaker, Bool>(of: ["room_speakers"], most: mostRooms)

    /// Somebody who says something in a room.
    struct Speaker: Hashable {
        let room: Identifier
        let author: Identifier
    }

    /// What is known of somebody who says something in a room.
    struct Speaking {
        /// The own state in the room.
        var stand: OwnStand?
        /// The room's newest message when that was so.
        var last: Identifier?
        /// The moment until which no inbox tells again that this member said something in this room. It ends sooner when
        /// a member of the room mutes it, joins or leaves, or reads what is new: each of these writes to the table, or is a
        /// message of that member.
        var quiet: Instant?
    }

    private static let mostRooms = 256

    init() {}

    func turn(_ turn: Turn) {}

    func forget() {
        rooms.forget()
        seers.forget()
        last.forget()
        uncounted.forget()
        speaking.forget()
        speakers.forget()
    }
}
