import KinKeeper
import KinModel
import KinStore

/// What the checkers look up in the database themselves, beside what the daemon keeps.
extension SimulatedDaemon {
    /// Everybody in the family.
    func onlookers() throws(StoreFailure) -> [Onlooker] {
        try reader.rows("SELECT id, username, role, household FROM members") { row in
            Onlooker(
                id: row.identifier("id"), username: row.text("username"), role: row.text("role"),
                household: row.identifier("household"))
        }
    }

    /// What was due and is not done.
    func overdue(at clock: Instant) throws(StoreFailure) -> String? {
        try reader.first("SELECT kind, about, at FROM due WHERE at <= ?", .time(clock)) { row in
            "\(row.text("kind")) of \(row.text("about")) was due at \(row.instant("at"))"
        }
    }

    /// What arrives and is not whole yet: no more of it than was allowed, and at rest no file of one that is over. (A disk
    /// that removes nothing for a while leaves them till then.)
    func uploads(isAtRest: Bool) throws(StoreFailure) -> Finding? {
        struct Books {
            var count = 0
            var bytes = 0
        }
        func found(_ what: String) -> Finding { Finding(checker: "uploads", what: what) }
        var books: [Identifier: Books] = [:]
        var left = Set(try store.blobs.unfinished())
        let rows = try reader.rows("SELECT member, file, bytes_max FROM uploads") { row in
            (member: row.identifier("member"), file: row.text("file"), bytesMax: Int(row.int("bytes_max")))
        }
        for row in rows {
            books[row.member, default: Books()].count += 1
            books[row.member, default: Books()].bytes += row.bytesMax
            guard left.remove(row.file) != nil else { continue }
            let bytes = try store.blobs.readUnfinished(row.file, from: 0, count: .max).count
            if bytes > row.bytesMax { return found("an upload of \(row.bytesMax) bytes has \(bytes)") }
        }
        if let full = books.values.first(where: {
            $0.count > Limits.uploadsPerMemberMax || $0.bytes > Limits.fileBytesPerMember
        }) {
            return found("somebody has \(full.count) uploads of \(full.bytes) bytes")
        }
        if isAtRest, let file = left.first { return found("\(file) is there, and no upload is its own") }
        if isAtRest, let held = bodiesHeld { return found("nobody sends anything, and \(held) bytes of it are held") }
        return nil
    }

    // MARK: Faults

    /// Spoils what the checkers of books look at, after a turn of the keeper.
    func spoil(_ fault: Fault, _ events: [LogRow]) {
        var statements = world.areas.flatMap { $0.spoil(fault, events) }
        if fault == .forgottenUpload, turns % 16 == 0 { statements.append("DELETE FROM uploads") }
        guard !statements.isEmpty else { return }
        for sql in statements { _ = try? store.database.run(sql) }
        store.due.forget()
    }
}
