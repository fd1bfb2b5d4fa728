import KinKeeper
import KinModel
import KinStore

/// What becomes of pictures when somebody leaves: some in each turn, so that nobody waits for thousands.
extension Pictures {
    /// Stands as the owner of pictures whose author has left.
    static let nobody = Identifier(high: 0, low: 0)

    /// Pictures that others were shown stay, with the author's name; pictures that nobody else sees are removed.
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
        let about = member.description
        guard try !act.isPlanned(leaverEnd, about: about), try !act.isPlanned(leaverEnd, under: about) else { return }
        let most = Limits.picturesPerTurnMax
        let some = try StoredPicture.all(of: member, atMost: most + 1, act)
        let leaving = try act.roster.only(member)
        if some.count > most, !leaving.isEmpty {
            let everybody = Audience(try act.roster.entries.map(\.number))
            let rest = try tellOfLeaver(member, everybody.subtracting(leaving), act)
            // A member who joins meanwhile sees none of it either. Pictures that hang in something are not taken down
            // by this row, but are removed too.
            try act.run("INSERT OR IGNORE INTO picture_leavers (member) VALUES (?)", .id(member))
            // Until everybody who saw a picture is found, the rows that say who saw it stay.
            if !rest.isEmpty { return try plan(rest, of: member, act) }
        }
        for picture in some.prefix(most) { try picture.remove(except: leaving, act) }
        if some.count <= most { try act.run("DELETE FROM picture_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: about, at: some.count > most ? act.now : nil)
    }

    /// Goes on with somebody who has left: with telling others, or with removing.
    static func goOn(_ about: String, _ act: Act) throws(Rejection) {
        let parts = about.split(separator: "/")
        guard let first = parts.first, let leaver = Identifier(first) else { return }
        let untold = parts.dropFirst().compactMap { Untold($0) }
        guard !untold.isEmpty else { return try removeAll(of: leaver, act) }
        try plan(try tell(untold, of: leaver, act), of: leaver, act)
    }

    /// A member of whom it is not known yet whether they saw something of somebody who has left.
    private struct Untold {
        /// The member's number.
        let number: Int32
        /// What they see was looked at down to this picture; nothing of the leaver's is among that.
        let before: Int64

        init(_ number: Int32, before: Int64 = .max) { (self.number, self.before) = (number, before) }

        /// As it is planned.
        init?(_ text: Substring) {
            let words = text.split(separator: "-")
            guard words.count == 2, let number = Int32(words[0]), let before = Int64(words[1]) else { return nil }
            self.init(number, before: before)
        }

        var text: String { "\(number)-\(before)" }
    }

    private static func plan(_ untold: [Untold], of leaver: Identifier, _ act: Act) throws(Rejection) {
        let about = ([leaver.description] + untold.map(\.text)).joined(separator: "/")
        try act.plan(leaverEnd, about: about, at: act.now)
    }

    /// Tells each member who saw a picture of somebody who leaves that it is out of sight. Those who saw more than fits
    /// in one turn are found by looking, and no list of who sees what is written.
    ///
    /// - Returns: those of whom it is not known yet.
    private static func tellOfLeaver(
        _ leaver: Identifier, _ others: Audience, _ act: Act
    ) throws(Rejection) -> [Untold] {
        let entries = try act.roster.entries(in: others)
        for entry in entries {
            let named = try act.rows(
                """
                SELECT p.id FROM picture_people w JOIN pictures p ON p.number = w.picture
                JOIN picture_sight s ON s.picture = p.number AND s.member = ?2 WHERE w.member = ?2 AND p.owner = ?1
                """, .id(leaver), .id(entry.id)
            ) { row in row.identifier(0) }
            try act.hooks.inbox?.remove(act, named.map { about($0) }, Audience([entry.number]))
        }
        let rest = try tell(entries.map { Untold($0.number) }, of: leaver, act)
        if !rest.isEmpty {
            // Members who were away are not told about pictures that went out of sight.
            let logged = try act.logged(
                about: about(), types: [Picture.added, Picture.updated, Picture.shown],
                containing: "\"author\":\"\(leaver)\"")
            try act.erase(rows: logged.map(\.position))
        }
        // What others have found before is found anew.
        act.takeSightOfAll()
        return rest
    }

    /// Looks through what some members see, the newest first, as far as a turn goes. Who saw little is told of each picture;
    /// who saw much, or something and there is more to be looked through, begins anew; who saw nothing is told nothing.
    ///
    /// - Returns: those of whom it is not known yet.
    private static func tell(
        _ untold: [Untold], of leaver: Identifier, _ act: Act
    ) throws(Rejection) -> [Untold] {
        let most = Limits.picturesPerTurnMax
        let looked = max(most, Limits.picturesLookedPerTurn / max(1, untold.count))
        let entries = try act.roster.entries
        var (anew, rest) = (Audience(), [Untold]())
        for one in untold {
            // Who has left meanwhile needs to be told nothing.
            guard let entry = entries.first(where: { $0.number == one.number }) else { continue }
            var (seen, count, last) = ([Identifier](), 0, one.before)
            try act.ask { (database) throws(StoreFailure) in
                try database.each(
                    """
                    SELECT p.id, p.number, p.owner = ?1 AS is_owned FROM (
                        SELECT picture FROM picture_sight WHERE member = ?2 AND picture < ?3
                        ORDER BY picture DESC LIMIT \(looked)) s
                    CROSS JOIN pictures p WHERE p.number = s.picture
                    """, .id(leaver), .id(entry.id), .int(one.before)
                ) { (row) throws(StoreFailure) in
                    (count, last) = (count + 1, row.int("number"))
                    if row.bool("is_owned") { seen.append(row.identifier("id")) }
                    return seen.count <= most
                }
            }
            let only = Audience([entry.number])
            if seen.count > most || !seen.isEmpty && count == looked {
                anew = anew.union(only)
            } else if count == looked {
                rest.append(Untold(one.number, before: last))
            } else {
                try tellHidden(seen.sorted(), to: only, act)
            }
        }
        try beginAnew(anew, act)
        return rest
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
