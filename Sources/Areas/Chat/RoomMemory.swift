import KinKeeper
import KinModel
import KinStore

/// Rooms as every message asks them. They are read anew as soon as anything is written to what they are read from.
final class RoomMemory: AreaMemory {
    /// By their identifiers. The newest message is not among what is remembered: it changes with each.
    var rooms = Remembered<Identifier, StoredRoom>(of: ["rooms", "room_named"], most: mostRooms)
    /// Who is in a room, by its number.
    var seers = Remembered<Int64, Audience>(of: ["rooms", "room_sight", "members"], most: mostRooms)

    private static let mostRooms = 256

    init() {}

    func turn(_ turn: Turn) {}

    func forget() {
        rooms.forget()
        seers.forget()
    }
}
