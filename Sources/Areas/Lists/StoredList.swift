import KinKeeper
import KinModel
import KinStore

/// A list as it is stored, with its audience.
struct StoredList {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// The part that members who see the list are told.
    var wire: SharedList
    /// The audience, besides the owner.
    var sharedWith: SharedWith

    init(_ wire: SharedList, sharedWith: SharedWith) {
        self.wire = wire
        self.sharedWith = sharedWith
    }

    // MARK: Reading

    private static let columns = Columns<SharedList>(elsewhere: ["sections"])
    private static let selected = "l.number, l.sections, l.audience, l.household, " + columns.names(of: "l")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        let sections = row.text("sections").split(separator: "\n").map { JSON.string(String($0)) }
        wire = try Self.columns.read(row, ["sections": .array(sections)])
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Lists.shared.members(of: number, database)
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredList] {
        try database.rows("SELECT \(selected) FROM lists l " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredList(row, database)
        }
    }

    /// The lists of a choice that a member sees, newest first. Other lists are not looked at, however many there are.
    static func seen(
        by member: Identifier, _ choice: Lists.Choice, _ database: Database
    ) throws(StoreFailure) -> [StoredList] {
        var conditions = "l.number IN (SELECT list FROM list_sight WHERE member = ?)"
        var values: [Value] = [.id(member)]
        for word in choice.words {
            conditions += """
                 AND (instr(l.plain, ?) > 0 OR EXISTS (
                    SELECT 1 FROM list_items i WHERE i.owner_list = l.number AND i.removed_at IS NULL AND i.ticked = 0
                    AND instr(i.plain, ?) > 0))
                """
            values += [.text(word), .text(word)]
        }
        if let about = choice.about {
            conditions += " AND l.number IN (SELECT list FROM list_ties WHERE about = ?)"
            values.append(.text(about))
        }
        return try rows("WHERE \(conditions) ORDER BY l.id DESC LIMIT \(choice.limit)", values, database)
    }

    /// A list that the caller sees; 1404 for any other, whether it exists or not.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredList {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "JOIN list_sight s ON s.list = l.number WHERE s.member = ? AND l.id = ?", [.id(member), .id(id)],
                database
            ).first
        }
        guard let found else { throw Rejection.notFound("list", id.description, field: "list") }
        return found
    }

    /// A list that the caller may change.
    static func own(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredList {
        let list = try visible(act, id)
        try act.require(
            list.mayBeChanged(act), "Only its owner and admins change a list itself; its items are everybody's.")
        return list
    }

    /// Whether the caller may change the list itself.
    func mayBeChanged(_ act: Act) -> Bool { act.isOneself(wire.owner) || act.isAdministrator }

    /// The list with a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredList? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE l.number = ?", [.int(number)], database).first
        }
    }

    /// All lists that a member owns.
    static func owned(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredList] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE l.owner = ? ORDER BY l.id", [.id(member)], database)
        }
    }

    /// The lists about whose changes a member asked to be told.
    static func asked(by member: Identifier, _ act: Act) throws(Rejection) -> Set<Int64> {
        Set(try act.rows("SELECT list FROM list_asked WHERE member = ?", .id(member)) { row in row.int(0) })
    }

    // MARK: Writing

    /// Stores it, and tells those who see it and those who no longer do.
    mutating func save(isChanged: Bool, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        let more: [Value] = [.text(wire.name.lowercased()), .text(wire.sections.joined(separator: "\n"))]
        if isNew {
            try act.run(
                """
                INSERT INTO lists (\(Self.columns.names), plain, sections, epoch, audience)
                VALUES (\(Self.columns.placeholders), ?, ?, ?, '')
                """, values: Self.columns.values(of: wire) + more + [.text(ListBook.newEpoch(act))])
            number = try act.first("SELECT number FROM lists WHERE id = ?", .id(wire.id)) { row in row.int(0) } ?? 0
        } else {
            try act.run(
                "UPDATE lists SET \(Self.columns.assignments), plain = ?, sections = ? WHERE number = ?",
                values: Self.columns.values(of: wire) + more + [.int(number)])
        }
        try Lists.shared.save(sharedWith, of: number, act)
        let change = try Lists.shared.settle(number, of: wire.owner, sharedWith, act)
        try tell(change, isChanged: isChanged, isNew: isNew, act)
    }

    /// Takes its former name out of every row of the log. Members who were away are told by `list.changed`, which has all of
    /// the list.
    func forgetWords(_ act: Act) throws(Rejection) {
        try act.erase(about: Lists.about(wire.id), of: [SharedList.added, SharedList.changed, SharedList.shown])
    }

    /// Tells those who gain sight and those who lose it.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let about = Lists.about(wire.id)
        // A member who no longer sees the list is not told its earlier content, either, however long that member was
        // away.
        if !change.lost.isEmpty {
            try act.narrow(about: about, by: change.lost)
            // A member who sees it again later is told nothing of it without asking again.
            for entry in try act.roster.entries(in: change.lost) {
                try act.run("DELETE FROM list_asked WHERE list = ? AND member = ?", .int(number), .id(entry.id))
            }
        }
        if !isNew { try ListBook.seen(by: change.gained, notBy: change.lost, number, act) }
        if isChanged { try act.emit(SharedList.changed, .init(list: wire), about: about, to: change.kept) }
        try act.emit(isNew ? SharedList.added : SharedList.shown, .init(list: wire), about: about, to: change.gained)
        if !isNew, !change.gained.isEmpty {
            for item in try StoredItem.all(of: self, act) {
                // The event has no key: members who saw the item before keep what they were told.
                try act.emit(
                    ListItem.put, .init(item: item.wire), about: Lists.about(item.wire.key), to: change.gained)
            }
        }
        if !isNew, !change.lost.isEmpty {
            let gone = Set(try act.roster.entries(in: change.lost).map(\.id))
            try Lists.leaveTurns(gone, on: self, act)
        }
        // The event is about no list: it must outlive this one in the log, for members who are away until both are
        // gone. Inboxes hear of it, also where the list is lost because its reader moved.
        try act.emit(SharedList.hidden, .init(list: wire.id), about: "lists", to: change.lost, isHeard: true)
    }

    /// Removes it with its items and everything that is stored about them.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try Lists.shared.seers(of: number, act)
        let about = Lists.about(wire.id)
        // The rows about its audience and its items go with this row.
        try act.run("DELETE FROM lists WHERE number = ?", .int(number))
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)).union(seers))
        try act.erase(about: about)
        try act.emit(SharedList.removed, .init(list: wire.id), about: about, to: seers.subtracting(leaving))
    }
}
