import KinKeeper
import KinModel
import KinStore

/// What becomes of pictures when somebody leaves: some in each turn, so that nobody waits for thousands.
extension Pictures {
    /// Stands as the owner of pictures whose author has left.
    private static let nobody = Identifier(high: 0, low: 0)

    /// What others were shown stays, with its author's name; what nobody else sees goes.
    static func leaveBehind(_ member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.picturesPerTurnMax
        let some = try StoredPicture.all(of: member, atMost: most + 1, act)
        let leaving = try act.roster.only(member)
        for picture in some.prefix(most) {
            if try picture.seers(act).subtracting(leaving).isEmpty {
                try picture.remove(except: leaving, act)
            } else {
                try act.run(
                    "UPDATE pictures SET owner = ? WHERE number = ?", .id(nobody), .int(picture.number))
            }
        }
        try act.plan(leftBehind, about: member.description, at: some.count > most ? act.now : nil)
    }

    /// Somebody leaves and takes along what is theirs still.
    static func takeAlong(_ member: Identifier, _ act: Act) throws(Rejection) {
        // Of what was handed over some may be left that is decided on in the next turns.
        if try !act.isPlanned(leftBehind, about: member.description) { try removeAll(of: member, act) }
    }

    /// All that somebody has who leaves goes, some in each turn. Nobody else sees any of it from the first turn on: a row
    /// about its owner takes all of it out of sight, and who saw what goes with each picture.
    static func removeAll(of member: Identifier, _ act: Act) throws(Rejection) {
        // It was begun in this turn, and goes on in the next.
        guard try !act.isPlanned(leaverEnd, about: member.description) else { return }
        let most = Limits.picturesPerTurnMax
        let some = try StoredPicture.all(of: member, atMost: most + 1, act)
        let leaving = try act.roster.only(member)
        if some.count > most, !leaving.isEmpty {
            let everybody = Audience(try act.roster.entries.map(\.number))
            try tellOfLeaver(member, everybody.subtracting(leaving), act)
            // Nor does whoever comes in the meantime. What hangs somewhere is not taken down with that, but goes too.
            try act.run("INSERT OR IGNORE INTO picture_leavers (member) VALUES (?)", .id(member))
        }
        for picture in some.prefix(most) { try picture.remove(except: leaving, act) }
        if some.count <= most { try act.run("DELETE FROM picture_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: member.description, at: some.count > most ? act.now : nil)
    }

    /// Tells everybody who saw some of what somebody has who leaves that it is out of sight. It is looked up who saw more
    /// than a turn's, and nothing is written down of who sees what.
    private static func tellOfLeaver(
        _ leaver: Identifier, _ others: Audience, _ act: Act
    ) throws(Rejection) {
        var anew = Audience()
        for entry in try act.roster.entries(in: others) {
            let (owner, member, only) = (Value.id(leaver), Value.id(entry.id), Audience([entry.number]))
            // Not in an order: the index is read as far as there are so many, and no further.
            let seen = try act.rows(
                """
                SELECT p.id FROM pictures p CROSS JOIN picture_sight s
                WHERE p.owner = ?1 AND s.member = ?2 AND s.picture = p.number LIMIT \(Limits.picturesPerTurnMax + 1)
                """, owner, member
            ) { row in row.identifier(0) }
            guard seen.count > Limits.picturesPerTurnMax else {
                try tellHidden(seen.sorted(), to: only, act)
                continue
            }
            let named = try act.rows(
                """
                SELECT p.id FROM picture_people w JOIN pictures p ON p.number = w.picture
                JOIN picture_sight s ON s.picture = p.number AND s.member = ?2 WHERE w.member = ?2 AND p.owner = ?1
                """, owner, member
            ) { row in row.identifier(0) }
            try act.hooks.inbox?.remove(act, named.map { about($0) }, only)
            anew = anew.union(only)
        }
        try beginAnew(anew, act)
        // What others have found before is found anew.
        act.takeSightOfAll()
    }

    /// Somebody leaves, and is said to be in no picture any more, nor to think anything of one.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.picturesPerTurnMax
        // The member's own, if some are left, go soon or are decided on.
        let numbers = try act.rows(
            """
            SELECT w.picture FROM picture_people w JOIN pictures p ON p.number = w.picture
            WHERE w.member = ?1 AND \(isThere) ORDER BY w.picture
            LIMIT \(most + 1)
            """, .id(member)
        ) { row in row.int(0) }
        for number in numbers.prefix(most) {
            guard var picture = try StoredPicture.find(number, act) else { continue }
            picture.wire.people.removeAll { $0 == member }
            try picture.save(isChanged: true, act)
        }
        let isMore = try StoredPicture.takeBackLikes(of: member, atMost: max(0, most - numbers.count), act)
        try act.plan(namedEnd, about: member.description, at: isMore || numbers.count > most ? act.now : nil)
    }
}
