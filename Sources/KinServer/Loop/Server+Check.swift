import KinLoop
import KinKeeper
import KinModel

extension Server {
    /// Bytes of requests' content that are in memory.
    package var bodyBytesHeld: Int { hall.bodyRoom.bytes }

    /// The count of planned moments, the daemon's own and those of connections.
    var momentsPlanned: Int { timers.count + connections.planned }

    /// The names of all limits that are exceeded right now; also whether the fan-out may be wrong about a follower.
    /// Always empty. For the simulation's checker.
    package var limitsBroken: [String] {
        var broken: [String] = []
        if requestsInFlight > limits.requestsMax { broken.append("requests") }
        if fanOut.feed.bytesHeld > limits.feedBytes { broken.append("feed bytes") }
        if workers.passwordsWaiting > Limits.passwordsAtOnce + Limits.passwordsWaitingMax { broken.append("passwords") }
        if workers.picturesWaiting > 1 + Limits.picturesWaitingMax { broken.append("pictures") }
        for connection in connections.open {
            // Bytes read and not parsed: one read more than a message.
            if connection.unread.count > max(limits.messageBytesMax, 1 << 20) + (1 << 17) {
                broken.append("unread bytes")
            }
            let unanswered = connection.answers.count + (connection.following?.waiting.count ?? 0)
            if unanswered > limits.requestsPerConnectionMax { broken.append("requests of a connection") }
            // A bound is noticed only once a message exceeds it. That message may be a piece of a snapshot, an answer,
            // or one read of the log.
            let largest = max(limits.snapshotPieceBytesMax, Limits.replayBytesPerTurn)
            if connection.pendingBytes > limits.outBytesMax + 2 * largest {
                broken.append("out bytes")
            }
        }
        let most = snapshots.room.bytesMax + (SnapshotRoom.askedMax + 1) * registry.snapshotBytesMax
        if snapshots.room.bytes > most { broken.append("snapshots") }
        for (index, place) in fanOut.followers.places.enumerated() {
            let connection = fanOut.followers.connections[index]
            let isRight =
                connection.following?.place == index && place.token == connection.token && !connection.isClosed
            // Between two turns a follower that is ready waits only for events.
            let isBusy =
                connection.isDirty || connection.life.isBlocked || connection.life.blockedAt != nil
                || connection.tls != nil
                || connection.pendingBytes > 0 || connection.life.isEnding || connection.following?.isPlain != true
                || connection.inPieces != nil
            if !isRight || place.isReady && (isBusy || isBehind(connection)) {
                broken.append("what the fan-out knows of a follower")
            }
        }
        return broken
    }

    /// Whether a follower was passed over: the feed has something for it, and no step will send that.
    private func isBehind(_ connection: Connection) -> Bool {
        guard let following = connection.following, !fanOut.isDue, !fanOut.isWaiting else { return false }
        let new = fanOut.feed.entries[fanOut.feed.index(after: fanOut.cursor(following))...]
        return new.contains { !$0.bytes.isEmpty && following.wants($0) }
    }

    /// Forgets all connections without a word, as a killed process does.
    package func abandon() { connections.removeAll() }
}
