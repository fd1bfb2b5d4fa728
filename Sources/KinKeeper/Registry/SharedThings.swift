package import KinModel
package import KinStore

/// The things of an area that people share as ``SharedWith`` says. An area declares them (``Area/shared``). From then
/// on it is told which members gain and lose sight of which thing, whatever the cause. The area tells those members,
/// with `shown` and `hidden`.
///
/// Three of the area's own tables hold them. The table of the things has the columns `number`, `id`, `owner`,
/// `audience` and `household`. The second has the named members. The third has the members who see a thing: the
/// audience of its events as it was last, so that gain and loss are found by comparison.
public struct SharedThings: Sendable {
    /// The change of a thing's audience: the members who see it from now on, and those who no longer do.
    package struct Change: Equatable {
        /// Members who come to see it. They are told the whole thing: `shown`.
        package let gained: Audience
        /// Members who no longer see it. They are told that it is gone: `hidden`.
        package let lost: Audience
        /// Members who saw it and still see it.
        package let kept: Audience
    }

    /// The things' table.
    private let table: String
    /// The column with a thing's number in the other two tables.
    private let column: String
    /// The table of named members. Its columns are `column` and `member`.
    private let members: String
    /// The table of who sees what. Its columns are `member` and `column`.
    private let sight: String
    /// Whether guests see only their own and what names them, and nothing by their household.
    private let isForGuestsByName: Bool
    /// A condition on a row `t` of the things' table: those that nobody sees any more, since they are about to go. Whoever
    /// reads the things for somebody asks it too.
    private let gone: String
    /// A condition on a row `t` of the things' table and a member `?1` who loses sight of it: whether something goes with
    /// that which does not come back with it, such as what was said before in a room, or a turn at what stands on a list.
    /// Such a thing is never taken before the change by which it is lost.
    private let lostForGood: String
    /// Tells who gained and who lost sight of a thing, by its number, because the family changed.
    private let changed: @Sendable (Act, Int64, Change) throws(Rejection) -> Void

    /// The things of a table. `changed` is called with a thing's number when members come or move, or become guests or
    /// cease to be.
    package init(
        _ table: String, column: String, members: String, sight: String, isForGuestsByName: Bool = false,
        gone: String = "FALSE", lostForGood: String = "FALSE",
        changed: @escaping @Sendable (Act, _ number: Int64, Change) throws(Rejection) -> Void
    ) {
        self.table = table
        self.column = column
        self.members = members
        self.sight = sight
        self.isForGuestsByName = isForGuestsByName
        self.gone = gone
        self.lostForGood = lostForGood
        self.changed = changed
    }

    /// The SQL of the two tables beside the things' own, for the migration that makes that one.
    package static func sql(_ table: String, column: String, members: String, sight: String) -> String {
        """
        CREATE TABLE \(members) (
            \(column) INTEGER NOT NULL REFERENCES \(table) (number) ON DELETE CASCADE, member BLOB NOT NULL,
            PRIMARY KEY (\(column), member)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE \(sight) (
            member BLOB NOT NULL, \(column) INTEGER NOT NULL REFERENCES \(table) (number) ON DELETE CASCADE,
            PRIMARY KEY (member, \(column))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX \(sight)_\(column) ON \(sight) (\(column));
        """
    }

    // MARK: One thing

    /// The members who are named for a thing.
    package func members(of number: Int64, _ database: Database) throws(StoreFailure) -> [Identifier] {
        try database.rows("SELECT member FROM \(members) WHERE \(column) = ? ORDER BY member", .int(number)) { row in
            row.identifier(0)
        }
    }

    /// Writes down with whom a thing is shared. Who sees it is another question: ``settle(_:of:_:_:)``.
    package func save(_ with: SharedWith, of number: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE \(table) SET audience = ?, household = ? WHERE number = ?", .text(with.word),
            Value(with.household), .int(number))
        try act.run("DELETE FROM \(members) WHERE \(column) = ?", .int(number))
        guard case .members(let named) = with else { return }
        for member in named {
            try act.run(
                "INSERT OR IGNORE INTO \(members) (\(column), member) VALUES (?,?)", .int(number), .id(member))
        }
    }

    /// The members who see a thing, as written down.
    package func seers(of number: Int64, _ act: Act) throws(Rejection) -> Audience {
        let roster = try act.roster
        // Of what is about to go it stays written down who saw it, and nobody does.
        let seers = try act.rows(
            """
            SELECT s.member FROM \(sight) s JOIN \(table) t ON t.number = s.\(column)
            WHERE s.\(column) = ? AND NOT (\(gone))
            """, .int(number)
        ) { row in row.identifier(0) }
        return Audience(seers.compactMap { roster[$0]?.number })
    }

    /// Settles who sees a thing that is new, is shared with others, or has another owner. Writes down who sees it now,
    /// and answers who gains and who loses sight.
    package func settle(
        _ number: Int64, of owner: Identifier, _ with: SharedWith, _ act: Act
    ) throws(Rejection) -> Change {
        let roster = try act.roster
        let before = try seers(of: number, act)
        let now = Audience(roster.entries.filter { sees($0, with, of: owner) }.map(\.number))
        let change = Change(
            gained: now.subtracting(before), lost: before.subtracting(now), kept: before.intersection(now))
        for entry in roster.entries(in: change.gained.union(change.lost)) {
            try write(entry.id, sees: now.contains(entry.number), number, act)
        }
        return change
    }

    private func sees(_ entry: Roster.Entry, _ with: SharedWith, of owner: Identifier) -> Bool {
        if isForGuestsByName, entry.role == .guest, with.household != nil { return entry.id == owner }
        return with.includes(entry, of: owner)
    }

    private func write(_ member: Identifier, sees: Bool, _ number: Int64, _ act: Act) throws(Rejection) {
        if sees {
            try act.run("INSERT INTO \(sight) (member, \(column)) VALUES (?,?)", .id(member), .int(number))
        } else {
            try act.run("DELETE FROM \(sight) WHERE member = ? AND \(column) = ?", .id(member), .int(number))
        }
    }

    // MARK: The family changes

    /// The mechanism's answers to events about the family.
    package var told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] {
        let moved: @Sendable (Act, Told) throws(Rejection) -> Void = { (act, told) throws(Rejection) in
            if let member = told.subject { try rosterChanged(member, act) }
        }
        return [
            Member.added.name: moved, Member.joined.name: moved, Member.moved.name: moved,
            Member.updated.name: { (act, told) throws(Rejection) in
                if told[Member.updated]?.changed.contains("role") == true { try moved(act, told) }
            },
        ]
    }

    /// The mechanism's answers to them that come after every area's own.
    package var toldLast: [String: @Sendable (Act, Told) throws(Rejection) -> Void] {
        [
            // Nobody lives there any more, so that nobody loses sight of anything.
            Household.removed.name: { (act, told) throws(Rejection) in
                guard let household = told[Household.removed]?.household else { return }
                try act.run(
                    "UPDATE \(table) SET audience = ?, household = NULL WHERE audience = 'household' AND household = ?",
                    .text(SharedWith.nobody.word), .id(household))
            }
        ]
    }

    /// Settles the things whose sight changes because a member came, moved, or has another role. What the member no longer
    /// sees goes at once; more than a few were taken before (``Act/losingFirst(_:role:household:)``). What the member comes
    /// to see follows in turns, the newest first.
    package func rosterChanged(_ member: Identifier, _ act: Act) throws(Rejection) {
        guard let entry = try act.roster[member] else { return }
        for number in try lost(by: entry, atMost: .max, act) { try tell(number, to: entry, sees: false, act) }
        try gain(entry, act)
    }

    /// Things that somebody sees, and would not see as this entry says who they are. `isAhead`: the change is not made yet,
    /// so that what would not come back is left out.
    package func lost(
        by entry: Roster.Entry, atMost most: Int, isAhead: Bool = false, _ act: Act
    ) throws(Rejection) -> [Int64] {
        // Who is no guest sees what is for everyone, and is named as before.
        let losable = entry.role == .guest ? "TRUE" : "t.audience = 'household'"
        let spared = isAhead ? "(\(lostForGood))" : "FALSE"
        return try act.ask { (database) throws(StoreFailure) in
            var lost: [Int64] = []
            try database.each(
                """
                SELECT \(asked) FROM \(sight) s CROSS JOIN \(table) t
                WHERE s.member = ?1 AND t.number = s.\(column) AND \(losable) AND NOT (\(gone)) AND NOT \(spared)
                ORDER BY s.\(column)
                """, .id(entry.id)
            ) { (row) throws(StoreFailure) in
                if try !sees(entry, row) { lost.append(row.int("number")) }
                return lost.count < most
            }
            return lost
        }
    }

    /// Takes sight of things from somebody.
    package func take(_ numbers: some Sequence<Int64>, from entry: Roster.Entry, _ act: Act) throws(Rejection) {
        for number in numbers { try tell(number, to: entry, sees: false, act) }
    }

    /// Gives a member sight of the things that come into sight and are older than `end`, the newest first, as many as a
    /// turn takes. `isUntold`: something that came into sight in an earlier turn was too old to be told.
    private func gain(
        _ entry: Roster.Entry, before end: Identifier? = nil, isUntold: Bool = false, _ act: Act
    ) throws(Rejection) {
        let (looked, most) = (Limits.sharedLookedPerTurn, Limits.sharedGainedPerTurn)
        var (gained, ids): ([Int64], [Identifier]) = ([], [])
        try act.ask { (database) throws(StoreFailure) in
            try database.each(
                """
                SELECT \(asked), t.id,
                EXISTS (SELECT 1 FROM \(sight) s WHERE s.member = ?1 AND s.\(column) = t.number) AS is_seen
                FROM \(table) t WHERE t.id < ?2 AND NOT (\(gone)) ORDER BY t.id DESC LIMIT \(looked)
                """, .id(entry.id), .id(end ?? Identifier(high: .max, low: .max))
            ) { (row) throws(StoreFailure) in
                ids.append(row.identifier("id"))
                guard !row.bool("is_seen") else { return true }
                if try sees(entry, row) { gained.append(row.int("number")) }
                return gained.count < most
            }
        }
        for number in gained.reversed() { try tell(number, to: entry, sees: true, act) }
        let isUntold = isUntold || end != nil && !gained.isEmpty
        if let last = ids.last, ids.count == looked || gained.count == most {
            let about = "\(table)/\(entry.id)/\(last)" + (isUntold ? "/untold" : "")
            try act.plan(Self.goOnDue, about: about, at: act.now)
        } else if isUntold {
            // A snapshot that was made in between may not say that there is more.
            try act.reset(try act.roster.only(entry.id))
        }
    }

    /// The condition on a row `t` of the things' table that says whether member `?1` sees it.
    private var asked: String {
        """
        t.number, t.owner, t.audience, t.household,
        EXISTS (SELECT 1 FROM \(members) m WHERE m.\(column) = t.number AND m.member = ?1) AS is_named
        """
    }

    private func sees(_ entry: Roster.Entry, _ row: borrowing Row) throws(StoreFailure) -> Bool {
        let isNamed = row.bool("is_named")
        let with = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in isNamed ? [entry.id] : []
        }
        return sees(entry, with, of: row.identifier("owner"))
    }

    /// Writes down that a member sees a thing or does not, and tells the member.
    private func tell(_ number: Int64, to entry: Roster.Entry, sees: Bool, _ act: Act) throws(Rejection) {
        let only = try act.roster.only(entry.id)
        let kept = try seers(of: number, act).subtracting(only)
        try write(entry.id, sees: sees, number, act)
        try changed(
            act, number, Change(gained: sees ? only : Audience(), lost: sees ? Audience() : only, kept: kept))
    }

    // MARK: In turns

    /// The name of work that is due while a member comes to see more than was told so far, or has left and is still
    /// written down.
    static let goOnDue = "shared.goOn"

    /// The `about` of that work where everything of a member is to be settled.
    static func all(of member: Identifier) -> String { "*/\(member)" }

    /// Goes on with a member.
    func goOn(_ about: String, _ act: Act) throws(Rejection) {
        let parts = about.split(separator: "/")
        guard parts.count >= 2, parts[0] == "*" || parts[0] == table, let member = Identifier(String(parts[1]))
        else { return }
        guard let entry = try act.roster[member] else { return try forget(member, act) }
        let end = parts.count > 2 ? Identifier(String(parts[2])) : nil
        try gain(entry, before: end, isUntold: parts.last == "untold", act)
    }

    /// The name of work that is due once: an older version showed guests things that were for their household, and this
    /// one does not.
    package static let guestsByNameDue = "shared.guestsByName"

    /// Guests saw things by their household, and a migration took them out of sight. This takes what guests were told of
    /// them: rows of the log, entries of inboxes, and what their clients hold. `about` is what the log's rows about these
    /// things begin with.
    package func takeFromGuests(about: String, _ act: Act) throws(Rejection) {
        let guests = try act.roster.entries.filter { $0.role == .guest }
        guard !guests.isEmpty else { return }
        let all = Audience(guests.map(\.number))
        // A fresh snapshot says all that they see of these things: no row of the log is needed before it.
        try act.narrow(about: about, by: all)
        for guest in guests {
            let hidden = try act.rows(
                """
                SELECT t.id FROM \(table) t WHERE t.audience = 'household' AND t.owner <> ?1
                AND NOT EXISTS (SELECT 1 FROM \(sight) s WHERE s.member = ?1 AND s.\(column) = t.number) ORDER BY t.id
                """, .id(guest.id)
            ) { row in row.identifier(0) }
            try act.hooks.inbox?.remove(act, hidden.map { about + $0.description }, Audience([guest.number]))
        }
        try act.reset(all)
    }

    /// Removes a member who leaves the family from every list of named members, and from everything they saw: as much as a
    /// turn takes, and the rest in the next ones. Nobody is that member any more.
    package func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM \(members) WHERE member = ?", .id(member))
        let most = Limits.sharedForgottenPerTurn
        let count = try act.run(
            """
            DELETE FROM \(sight) WHERE member = ?1 AND \(column) IN (
                SELECT \(column) FROM \(sight) WHERE member = ?1 ORDER BY \(column) LIMIT \(most))
            """, .id(member))
        if count == most { try act.plan(Self.goOnDue, about: "\(table)/\(member)", at: act.now) }
    }
}
