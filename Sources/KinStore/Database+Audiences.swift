internal import KinCrypto

extension Database {
    /// The number that an audience is stored under. A new audience is written.
    func intern(_ audience: Audience) throws(StoreFailure) -> Int64 {
        if let number = audiences.number(of: audience) { return number }
        let digest = Digest.sha256(audience.bytes)
        if let number = try first("SELECT id FROM audiences WHERE digest = ?", .blob(digest), map: { $0.int(0) }) {
            audiences.remember(audience, as: number)
            return number
        }
        try run("INSERT INTO audiences (digest) VALUES (?)", .blob(digest))
        let number = lastInsertedRow
        for member in audience.members {
            try run(
                "INSERT INTO audience_members (audience, member) VALUES (?, ?)", .int(number), .int(Int64(member)))
        }
        audiences.remember(audience, as: number)
        return number
    }

    /// The count of stored audiences from which on unused ones are searched for.
    static let audiencesStoredMax = 1_024

    /// Deletes the audiences that no row of the log names, once there are many. A number is never used again, so what a
    /// reader has cached stays true.
    func forgetUnusedAudiences() throws(StoreFailure) {
        let stored = try first("SELECT count(*) FROM audiences") { Int($0.int(0)) } ?? 0
        guard stored > Self.audiencesStoredMax else { return }
        try run("DELETE FROM audiences WHERE id NOT IN (SELECT audience FROM log)")
        audiences.removeAll()
    }

    /// The audience stored under a number; nobody when there is none.
    func audience(_ number: Int64) throws(StoreFailure) -> Audience {
        if let known = audiences[number] { return known }
        var audience = Audience()
        try each("SELECT member FROM audience_members WHERE audience = ? ORDER BY member", .int(number)) { row in
            if let member = Int32(exactly: row.int(0)), member >= 1, member <= Audience.memberMax {
                audience.insert(member)
            }
            return true
        }
        audiences.remember(audience, as: number)
        return audience
    }
}
