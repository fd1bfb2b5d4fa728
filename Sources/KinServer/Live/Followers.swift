import KinLoop
import KinModel

/// All who follow, for the fan-out: what it has to know of each of them side by side.
///
/// A delivery is one `send` and little else, so what it costs besides is memory that is looked at: of a connection and of
/// what it follows it touches nothing as long as there is nothing to do there but to pass events on. Measured with 1,000
/// followers: see Figures.
struct Followers {
    /// What the fan-out knows of a follower.
    struct Place {
        /// Its socket.
        let token: Token
        /// While it is ready: everything up to here was made ready for it. Else its ``Following`` says where it stands.
        var cursor: Int64
        let number: Int32
        /// How its connection wraps messages, which is so for as long as it follows.
        let envelope: Envelope
        /// Whether it asked for everything its member may see.
        let isWhole: Bool
        /// Nothing waits for it but events, and its socket takes them as they are.
        var isReady = false
    }

    private(set) var places: [Place] = []
    /// Of each place, whose it is.
    private(set) var connections: [Connection] = []

    var count: Int { connections.count }

    /// Puts a connection among them, or another follow in the place of its former one.
    mutating func put(_ connection: Connection, _ following: Following, _ envelope: Envelope) {
        let place = Place(
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

    /// Takes one from among them; the last one takes its place.
    mutating func remove(_ following: Following) {
        let lastPlace = places.removeLast()
        let last = connections.removeLast()
        guard following.place < places.count else { return }
        places[following.place] = lastPlace
        connections[following.place] = last
        last.following?.place = following.place
    }

    /// Nothing waits for it any more: the fan-out may pass events on to it without looking any further.
    mutating func rest(_ following: Following) {
        places[following.place].cursor = following.cursor
        places[following.place].isReady = true
    }

    /// There is something to do for it besides: from here on it is written to by itself.
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

    /// Where one stands.
    func cursor(_ following: Following) -> Int64 {
        let place = places[following.place]
        return place.isReady ? place.cursor : following.cursor
    }
}
