import KinClient
import KinModel
import KinStore

/// What is asked after every step, and when all has come to rest.
extension World {
    /// Everything acknowledged is in the database, and nothing twice.
    func checkAcknowledged() throws(Finding) {
        guard let daemon else { return }
        tally.acknowledged = oracle.acknowledged.count
        tally.rows = oracle.rows.count
        for area in areas { tally.ofAreas.merge(area.counts) { $1 } }
        tally.browsed = browsers.map(\.wholeAnswers).reduce(0, +)
        tally.uploaded = uploaders.map(\.taken).reduce(0, +)
        tally.resumed = uploaders.map(\.resumed).reduce(0, +)
        tally.sentAway = gluttons.map(\.sentAway).reduce(0, +)
        tally.compared = clients.reduce(into: [:]) { all, client in all.merge(client.compared, uniquingKeysWith: +) }
        do throws(StoreFailure) {
            let gone = try daemon.gone(of: Set(oracle.acknowledged.values))
            for (op, username) in oracle.acknowledged.sorted(by: { $0.key < $1.key })
            where try !daemon.remembers(op) && !gone.contains(username) {
                throw .corrupt("an acknowledged command is gone: \(op)")
            }
            for area in areas {
                if let twice = try area.twice(daemon) { throw .corrupt("said twice: \(twice)") }
            }
        } catch { throw Finding(checker: "durability", what: "after a crash \(error.sentence)") }
    }

    /// A snapshot at the log's end equals a fresh one; false where it stands elsewhere.
    @discardableResult
    func check(_ snapshot: Snapshot, of client: SimulatedClient, at position: Int64) throws(Finding) -> Bool {
        guard let daemon else { return false }
        let fresh: (snapshot: Snapshot, position: Int64)?
        do throws(StoreFailure) { fresh = try daemon.snapshot(of: client.member) } catch { return false }
        guard let fresh, fresh.position == position else { return false }
        tally.snapshots += 1
        guard fresh.snapshot == snapshot else {
            throw Finding(
                checker: "snapshot",
                what:
                    "\(client.username) at \(position) holds \(snapshot.json.text), a fresh one is \(fresh.snapshot.json.text)"
            )
        }
        for area in areas { try area.check(snapshot, of: client) }
        return true
    }

    func stopped(_ client: SimulatedClient, _ why: Any) throws(Finding) {
        guard !leaving.contains(String(client.username.prefix { $0 != "/" })) else { return }
        throw Finding(checker: "stop", what: "\(client.username) was sent away: \(why)")
    }

    /// Heals everything and lets it come to rest: then everybody stands at the log's end and sees the same.
    public func settle() throws(Finding) {
        isSettling = true
        // A power that went while nobody wrote is noticed now.
        if disk.isOff { try crash() }
        disk.heal()
        // Whatever the clock showed, now it is right, and the daemon has seen it.
        time.show(milliseconds: time.trueMilliseconds())
        time.setSynchronised(true)
        try look()
        var patience = 6000
        for client in clients { client.stall(self, false) }
        while true {
            try turnEverything()
            for client in clients {
                client.stall(self, false)
                try client.step(self)
            }
            for commander in commanders { try commander.step(self) }
            for browser in browsers { try browser.step(self) }
            for uploader in uploaders { try uploader.step(self) }
            if patience % 4 == 0 { time.advance(milliseconds: 300) }
            patience -= 1
            let end = try end()
            let isQuiet =
                !commanders.contains(where: \.isBusy) && !browsers.contains(where: \.isBusy)
                && !uploaders.contains(where: \.isBusy) && clients.allSatisfy { $0.isAt(end) }
            // A client that left politely, and waits for nothing, has sent what the daemon still writes down. What is
            // held after so long is held for ever, as the books then say.
            if isQuiet, daemon?.bodiesHeld == nil || patience <= 0 { break }
            guard patience > 0 else {
                let late = clients.filter { !$0.isAt(end) }.map {
                    "\($0.username) at \($0.position.map { String($0) } ?? "nowhere") \($0.follower.state)"
                }
                throw Finding(
                    checker: "rest",
                    what:
                        "not at the end \(end): \(late), busy: \(commanders.filter(\.isBusy).map(\.username)), sending: \(uploaders.filter(\.isBusy).map(\.person.username))"
                )
            }
        }
        try checkAgreement()
        for client in clients where !client.isStopped {
            let end = try end()
            guard let snapshot = client.follower.snapshot, try check(snapshot, of: client, at: end) else { continue }
            client.rests(self, at: end)
        }
        try listAtRest()
        try checkAcknowledged()
        try checkRest()
    }

    /// Everybody lists what nothing else shows. While much happens and connections break, few lists of one kind come to
    /// the same client, and of those many cannot be compared: an event between them was superseded before it was told.
    private func listAtRest() throws(Finding) {
        var patience = 4000
        while clients.contains(where: \.isListing) {
            try turnEverything()
            for client in clients { try client.step(self) }
            if patience % 4 == 0 { time.advance(milliseconds: 300) }
            patience -= 1
            guard patience > 0 else {
                let late = clients.filter(\.isListing).map(\.username)
                throw Finding(checker: "rest", what: "lists are never answered: \(late)")
            }
        }
    }

    private func end() throws(Finding) -> Int64 {
        do throws(StoreFailure) { return try daemon?.position() ?? 0 } catch { return -1 }
    }

    // MARK: Books

    /// What the database counts is what is there.
    func checkBooks(isAtRest: Bool = false) throws(Finding) {
        guard let daemon else { return }
        tally.books += 1
        var wrong: [Finding] = []
        do throws(StoreFailure) {
            for area in areas.reversed() { if let finding = try area.books(self, daemon) { wrong.append(finding) } }
            if let finding = try daemon.uploads(isAtRest: isAtRest) { wrong.append(finding) }
        } catch { return }
        if let first = wrong.first { throw first }
    }

    /// What anybody was told.
    func check(_ message: [UInt8], to reader: Identifier?, _ name: String) throws(Finding) {
        for area in areas { try area.check(message, to: reader, name) }
    }

    /// All clients of one member see the same.
    private func checkAgreement() throws(Finding) {
        var seen: [Identifier: SimulatedClient] = [:]
        for client in clients where !client.isStopped {
            guard let other = seen.updateValue(client, forKey: client.member) else { continue }
            guard other.follower.snapshot == client.follower.snapshot else {
                throw Finding(
                    checker: "agreement", what: "\(other.username) and \(client.username) do not see the same")
            }
        }
    }

    /// At rest nothing is overdue.
    private func checkRest() throws(Finding) {
        // A turn of the keeper: whatever the clock did, what is due is done in it.
        try command("family.show", [:])
        // In it more may be written down of what somebody had sent who is gone. What is held for longer is held for ever.
        for _ in 0..<500 where daemon?.bodiesHeld != nil { try turnEverything() }
        try checkBooks(isAtRest: true)
        guard let daemon else { return }
        let late: String?
        do throws(StoreFailure) {
            let now = Instant(milliseconds: time.trueMilliseconds())
            var found = try daemon.overdue(at: now)
            for area in areas where found == nil { found = try area.overdue(daemon, at: now) }
            late = found
        } catch { return }
        if let late { throw Finding(checker: "deadline", what: late) }
    }
}
