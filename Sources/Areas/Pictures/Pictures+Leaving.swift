import KinKeeper
import KinModel
import KinStore

/// The pictures of a member who leaves. Some are handled in each turn, so that nobody waits for thousands.
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

    /// Removes the remaining pictures of a member who leaves and takes everything along.
    static func takeAlong(_ member: Identifier, _ act: Act) throws(Rejection) {
        // Some of the pictures that were handed over may be left; the next turns decide on them.
        if try !act.isPlanned(leftBehind, about: member.description) { try removeAll(of: member, act) }
    }

    /// Removes all pictures of a member who leaves, some in each turn. From the first turn on nobody else sees any of
    /// them: a row about their owner takes them out of sight. The rows of who saw a picture go with the picture.
    static func removeAll(of member: Identifier, _ act: Act) throws(Rejection) {
        // A removal that was begun in this turn goes on in the next.
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
            // The rows of who saw a picture stay until every member who saw one is found.
            if !rest.isEmpty { return try plan(rest, of: member, act) }
        }
        for picture in some.prefix(most) { try picture.remove(except: leaving, act) }
        if some.count <= most { try act.run("DELETE FROM picture_leavers WHERE member = ?", .id(member)) }
        try act.plan(leaverEnd, about: about, at: some.count > most ? act.now : nil)
    }

    /// Goes on after a member has left: it tells others, or removes pictures.
    static func goOn(_ about: String, _ act: Act) throws(Rejection) {
        let parts = about.split(separator: "/")
        guard let first = parts.first, let leaver = Identifier(first) else { return }
        let untold = parts.dropFirst().compactMap { Untold($0) }
        guard !untold.isEmpty else { return try removeAll(of: leaver, act) }
        try plan(try tell(untold, of: leaver, act), of: leaver, act)
    }

    /// A member who may have seen something of a member who has left; this is not known yet.
    private struct Untold {
        /// The member's number.
        let number: Int32
        /// The picture down to which the pictures that this member sees were looked through. None of the leaver's is
        /// among them.
        let before: Int64

        init(_ number: Int32, before: Int64 = .max) { (self.number, self.before) = (number, before) }

        /// Reads it in the form in which it is planned.
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

    /// Tells each member who saw a picture of a leaving member that it is out of sight. A turn may not be enough to
    /// find out who saw some. Then the next turns look further, and no list of who sees what is written.
    ///
    /// - Returns: the members of whom it is not known yet.
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
        // What was found for other members before is found anew.
        act.takeSightOfAll()
        return rest
    }

    /// Looks through what some members see, the newest first, as far as one turn goes. A member who saw few of the
    /// pictures is told of each. A member who saw many, or saw one and has more to be looked through, begins anew. A
    /// member who saw none is told nothing.
    ///
    /// - Returns: the members of whom it is not known yet.
    private static func tell(
        _ untold: [Untold], of leaver: Identifier, _ act: Act
    ) throws(Rejection) -> [Untold] {
        let most = Limits.picturesPerTurnMax
        let looked = max(most, Limits.picturesLookedPerTurn / max(1, untold.count))
        let entries = try act.roster.entries
        var (anew, rest) = (Audience(), [Untold]())
        for one in untold {
            // A member who has left meanwhile need not be told anything.
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

    /// A member leaves. Pictures no longer name the member, and the member's likes are taken back.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.picturesPerTurnMax
        // The member's own pictures, if some are left, are removed or decided on soon.
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
