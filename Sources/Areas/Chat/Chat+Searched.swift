import KinKeeper

extension Chat {
    /// A message is found by its words and the captions of its pictures, by members of the room, from the message on with
    /// which they joined.
    static let searched = Searched(
        "message", table: "messages", within: "room", isTakenInLater: true,
        row: """
            SELECT m.id, m.at, m.author, r.id, NULL,
            iif(m.pictures = 0 AND m.spot_name IS NULL, m.text,
                trim(coalesce(m.text || char(10), '') || coalesce(m.spot_name || char(10), '') || coalesce(
                    (SELECT group_concat(o.caption, char(10)) FROM (
                        SELECT caption FROM message_pictures WHERE message = m.number ORDER BY place) o), ''), char(10))),
            m.in_room
            FROM messages m JOIN rooms r ON r.number = m.in_room WHERE m.number = ?1
            """,
        hidden: "SELECT number FROM rooms WHERE number NOT IN (SELECT room FROM room_sight WHERE member = ?1)",
        sight: """
            SELECT m.number FROM json_each(?1) j CROSS JOIN messages m ON m.number = j.value
            CROSS JOIN room_own o ON o.room = m.in_room AND o.member = ?2
            CROSS JOIN room_sight s ON s.member = ?2 AND s.room = m.in_room WHERE m.id > o.since AND \(isThere)
            """)

    /// Rooms are found by their names, by who is in them; a room without a name is not found.
    static let searchedRooms = Searched(
        "room", table: "rooms",
        row: "SELECT id, NULL, NULL, NULL, name, NULL FROM rooms WHERE number = ?1",
        sight: """
            SELECT s.room FROM json_each(?1) j CROSS JOIN room_sight s ON s.member = ?2 AND s.room = j.value
            """)
}
