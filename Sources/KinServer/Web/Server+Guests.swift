import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// The streams of guest links' pages.
extension Server {
    // MARK: For their door

    /// Why a connection may not have one more stream; `nil`: it may.
    func guestsFull(_ connection: Connection, link: String) -> GuestStreams.Full? {
        let full = guests.full(link: link, address: guestAddress(connection), limits)
        if full != nil { hitLimit("guest_streams") }
        return full
    }

    func guestCame(_ connection: Connection, link: String) {
        guests.begin(
            connection.key, link: link, address: guestAddress(connection), now: time.monotonicNanoseconds(), limits)
        // While its request was asked about, the connection was not read. Only by reading is it seen to leave.
        noteRoom(connection, true)
        planGuests()
    }

    /// The keeper has answered what its link shows, and until when.
    func guestWasAnswered(_ connection: Connection, until: Instant?) {
        let left = until.map { UInt64(max(0, $0.milliseconds(since: now))) &* 1_000_000 }
        guests.answered(connection.key, endsAt: left.map { time.monotonicNanoseconds() &+ $0 })
        planGuests()
    }

    /// It asks once more, a moment later.
    func guestComesBack(_ connection: Connection) {
        guests.postpone(connection.key)
        planGuests()
    }

    func guestLeft(_ connection: Connection) {
        guard guests.has(connection.key) else { return }
        guests.end(connection.key)
        planGuests()
    }

    /// As for other limits, this machine counts as no address.
    private func guestAddress(_ connection: Connection) -> String? {
        connection.isLocal ? nil : connection.address?.slowdownKey.description
    }

    // MARK: For the loop

    /// Something was committed. What the streams themselves asked is no news.
    func noteGuests(_ commit: Commit) {
        guard !guests.isEmpty else { return }
        let isNews =
            !commit.events.isEmpty || !commit.removed.isEmpty
            || commit.replies.contains { !guests.has($0.ticket.connection) }
        guard isNews else { return }
        guests.fellBehind()
        planGuests()
    }

    /// Does what is due for them.
    func serveGuests() {
        for due in guests.takeDue(time.monotonicNanoseconds(), limits) {
            guard let connection = connection(key: due.key), let exchange = connection.exchange,
                let door = exchange.door as? GuestStreamDoor
            else {
                guests.end(due.key)
                continue
            }
            door.goOn(due, Doorway(self, connection, exchange))
        }
        planGuests()
    }

    /// The daemon ends: a stream would not end by itself.
    func endGuests() {
        for key in guests.keys {
            guard let connection = connection(key: key), let exchange = connection.exchange else { continue }
            Doorway(self, connection, exchange).end()
        }
    }

    private func planGuests() {
        if let at = guests.next { timers.set(.guests, at: at) } else { timers.cancel(.guests) }
    }
}
