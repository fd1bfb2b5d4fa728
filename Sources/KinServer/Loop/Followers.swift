import KinLoop
import KinModel

/// All followers, with everything the fan-out must know of each, side by side in memory.
///
/// A delivery is one `send` and little else, so its other cost is the memory that is read. While a follower only gets
/// events, neither its connection nor its ``Following`` is touched. Measured with 1,000 followers: see Figures.
struct Followers {
    private(set) var places: [FollowerPlace] = []
    /// The connection at each place.
    private(set) var connections: [Connection] = []

    var count: Int { connections.count }

    /// Adds a connection, or replaces its former follow.
    mutating func put(_ connection: Connection, _ following: Following, _ envelope: Envelope) {
        let place = FollowerPlace(
            token: connection.token, cursor: following.cursor, number: following.number, envelope: envelope,
            isWhole: following.isWhole)
        if let former = connection.following {
            following.place = former.place
            places[former.place] = place
        } else {
            following.place = places.count
            places.append(place)
            connections.append(connection)
        }
    }

    /// Removes a follower; the last one moves to its place.
    mutating func remove(_ following: Following) {
        let lastPlace = places.removeLast()
        let last = connections.removeLast()
        guard following.place < places.count else { return }
        places[following.place] = lastPlace
        connections[following.place] = last
        last.following?.place = following.place
    }

    /// Says that it only gets events from here on: the fan-out need not look any further.
    mutating func rest(_ following: Following) {
        places[following.place].cursor = following.cursor
        places[following.place].isReady = true
    }

    /// Says that there is other work for it: from here on it is written to by itself.
    mutating func rouse(_ following: Following) {
        guard places[following.place].isReady else { return }
        places[following.place].isReady = false
        following.cursor = places[following.place].cursor
    }

    /// The events up to a position were made ready for it.
    mutating func move(_ index: Int, to position: Int64) {
        hold(.cursorsGoForward, position >= places[index].cursor)
        places[index].cursor = position
    }

    /// A follower's position.
    func cursor(_ following: Following) -> Int64 {
        let place = places[following.place]
        return place.isReady ? place.cursor : following.cursor
    }
}
