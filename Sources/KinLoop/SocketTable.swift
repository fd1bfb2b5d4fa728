/// The accepted sockets, each at its place; owns their descriptors.
struct SocketTable: ~Copyable {
    struct Place {
        var fd: Int32
        var generation: UInt32
        /// The events epoll was last asked for.
        var interest: UInt32
    }

    private var places: [Place] = []
    private var free: [UInt32] = []

    init() {}

    deinit {
        for place in places where place.fd >= 0 { Descriptor.close(place.fd) }
    }

    /// How many sockets are open.
    var count: Int { places.count - free.count }

    /// Gives a socket a place, and with it a token nobody had before.
    mutating func insert(_ descriptor: consuming Descriptor, interest: UInt32) -> Token {
        let fd = descriptor.release()
        guard let slot = free.popLast() else {
            places.append(Place(fd: fd, generation: 1, interest: interest))
            return Token(slot: UInt32(places.count - 1), generation: 1)
        }
        let former = places[Int(slot)].generation
        // 0 is left out: it marks the loop's own descriptors.
        let generation = former == .max ? 1 : former + 1
        places[Int(slot)] = Place(fd: fd, generation: generation, interest: interest)
        return Token(slot: slot, generation: generation)
    }

    /// The place a token names; `nil` when it has grown stale.
    subscript(token: Token) -> Place? {
        guard token.slot < places.count else { return nil }
        let place = places[Int(token.slot)]
        return place.generation == token.generation && place.fd >= 0 ? place : nil
    }

    mutating func setInterest(_ interest: UInt32, of token: Token) {
        precondition(self[token] != nil, "only open sockets have an interest")
        places[Int(token.slot)].interest = interest
    }

    /// Gives a socket's descriptor back to be closed; `nil` for a stale token.
    mutating func remove(_ token: Token) -> Descriptor? {
        guard let place = self[token] else { return nil }
        places[Int(token.slot)].fd = -1
        free.append(token.slot)
        return Descriptor(owning: place.fd)
    }
}
