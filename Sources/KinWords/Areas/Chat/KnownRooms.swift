package import KinModel

/// Rooms as one sees them: what each is called.
package struct KnownRooms: Known {
    private var rooms: [Identifier: Room] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for seen in snapshot.rooms.values { rooms[seen.room.id] = seen.room }
    }

    package mutating func learn(_ data: JSON) {
        if let room = data["room"].flatMap(Room.init) { rooms[room.id] = room }
    }

    fileprivate subscript(id: Identifier) -> Room? { rooms[id] }
}

extension Names {
    /// Whether a room is that of two.
    package func isDirect(_ room: Identifier) -> Bool { self[KnownRooms.self][room]?.kind == .direct }

    /// What a room is called: of two, after the other one.
    package func room(_ id: Identifier, _ reader: Reader) -> String {
        guard let room = self[KnownRooms.self][id] else { return reader.phrase("names.a-room") }
        return self.room(room, reader)
    }

    /// The same of a room that is at hand.
    package func room(_ room: Room, _ reader: Reader) -> String {
        if let name = room.name { return Plain.line(name) }
        let others = room.members.filter { $0 != me }
        switch room.kind {
        case .family: return reader.phrase("names.room.family")
        case .household: return room.household.map { household($0, reader) } ?? reader.phrase("names.a-room")
        case .direct, .group:
            if others.isEmpty { return reader.phrase("names.room.alone") }
            let named = others.prefix(3).map { member($0, reader) }.joined(separator: ", ")
            return others.count > 3 ? named + " …" : named
        }
    }
}
