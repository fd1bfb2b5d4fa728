import KinFamily

extension Server {
    /// Every limit that is exceeded right now, by name: none, ever. For the simulation's checker.
    package var limitsBroken: [String] {
        var broken: [String] = []
        if requestsInFlight > limits.requestsMax { broken.append("requests") }
        if feed.bytesHeld > limits.feedBytes { broken.append("feed bytes") }
        if passwordsWaiting > Limits.passwordsAtOnce + Limits.passwordsWaitingMax { broken.append("passwords") }
        for case let connection? in connections where !connection.isClosed {
            // What was read and not parsed: one reading beyond a message.
            if connection.unread.count > max(limits.messageBytesMax, 1 << 20) + (1 << 17) {
                broken.append("unread bytes")
            }
            let unanswered = connection.answers.count + (connection.following?.waiting.count ?? 0)
            if unanswered > limits.requestsPerConnectionMax { broken.append("requests of a connection") }
            // One message beyond the bound is what it takes to notice it; a snapshot, an answer, or what was read of the
            // log in one go may be that message.
            let largest = max(limits.snapshotBytesMax, Limits.replayBytesPerTurn)
            if connection.pendingBytes > limits.outBytesMax + 2 * largest {
                broken.append("out bytes")
            }
        }
        return broken
    }

    /// Forgets all connections without a word, as a killed process does.
    package func abandon() { connections = [] }
}
