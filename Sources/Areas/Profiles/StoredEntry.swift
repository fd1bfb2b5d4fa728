import KinKeeper
import KinModel
import KinStore

/// An entry of a profile as it is stored: with whom it is shared.
struct StoredEntry {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// As whoever sees it is told.
    var wire: ProfileEntry
    /// With whom it is shared, beside its owner.
    var sharedWith: SharedWith

    init(_ wire: ProfileEntry, sharedWith: SharedWith) {
        self.wire = wire
        self.sharedWith = sharedWith
    }

    // MARK: Reading

    private static let columns = Columns<ProfileEntry>(called: ["member": "owner"])
    private static let selected = "e.number, e.audience, e.household, " + columns.names(of: "e")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        wire = try Self.columns.read(row)
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Profiles.shared.members(of: number, database)
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        try database.rows("SELECT \(selected) FROM profile_entries e " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredEntry(row, database)
        }
    }

    /// Those a member sees, of one member or of all, oldest first.
    static func seen(
        by member: Identifier, of owner: Identifier?, _ database: Database
    ) throws(StoreFailure) -> [StoredEntry] {
        try rows(
            "JOIN profile_sight s ON s.entry = e.number WHERE s.member = ? AND e.owner = coalesce(?, e.owner) ORDER BY e.id",
            [.id(member), Value(owner)], database)
    }

    /// The one of a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredEntry? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE e.number = ?", [.int(number)], database).first
        }
    }

    /// All that a member says.
    static func owned(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredEntry] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE e.owner = ? ORDER BY e.id", [.id(member)], database)
        }
    }

    /// One of the caller's own, or of a child that the caller speaks for; 1404 for others', whether or not they exist
    /// and whoever sees them.
    static func own(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredEntry {
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE e.id = ?", [.id(id)], database).first
        }
        guard let found, try Profiles.speaks(for: found.wire.member, act) else {
            throw Rejection.notFound("entry", id.description, field: "entry")
        }
        return found
    }

    /// One that the caller sees, or speaks for; 1404 for others.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredEntry {
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE e.id = ?", [.id(id)], database).first
        }
        guard let found else { throw Rejection.notFound("entry", id.description, field: "entry") }
        if try Profiles.speaks(for: found.wire.member, act) { return found }
        let isSeen = try act.first(
            "SELECT 1 FROM profile_sight WHERE entry = ? AND member = ?", .int(found.number), .id(try act.member.id)
        ) { row in row.int(0) }
        guard isSeen != nil else { throw Rejection.notFound("entry", id.description, field: "entry") }
        return found
    }

    // MARK: Writing

    /// Stores it, and tells those who see it and those who no longer do.
    mutating func save(isChanged: Bool, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        if isNew {
            try act.run(
                "INSERT INTO profile_entries (\(Self.columns.names), audience) VALUES (\(Self.columns.placeholders), '')",
                values: Self.columns.values(of: wire))
            number =
                try act.first("SELECT number FROM profile_entries WHERE id = ?", .id(wire.id)) { row in row.int(0) }
                ?? 0
        } else {
            try act.run(
                "UPDATE profile_entries SET \(Self.columns.assignments) WHERE number = ?",
                values: Self.columns.values(of: wire) + [.int(number)])
        }
        try Profiles.shared.save(sharedWith, of: number, act)
        let change = try Profiles.shared.settle(number, of: wire.member, sharedWith, act)
        try tell(change, isChanged: isChanged, isNew: isNew, act)
    }

    /// Tells those who gain sight and those who lose it.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let about = Profiles.about(wire.id)
        // A member who no longer sees the entry is not told its earlier content, either, however long that member was
        // away.
        if !change.lost.isEmpty { try act.narrow(about: about, by: change.lost) }
        if isChanged {
            // What it said before is in no row of the log any more; whoever was away is told of it by this alone.
            try act.erase(about: about, of: [ProfileEntry.added, ProfileEntry.changed, ProfileEntry.shown])
            try act.emit(ProfileEntry.changed, .init(entry: wire), about: about, to: change.kept)
        }
        try act.emit(
            isNew ? ProfileEntry.added : ProfileEntry.shown, .init(entry: wire), about: about, to: change.gained)
        // The event is about no entry: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(ProfileEntry.hidden, .init(entry: wire.id), about: "profiles", to: change.lost)
    }

    /// Removes it with all that is known about it.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try Profiles.shared.seers(of: number, act)
        // Who sees it goes with the row.
        try act.run("DELETE FROM profile_entries WHERE number = ?", .int(number))
        let about = Profiles.about(wire.id)
        try act.erase(about: about)
        try act.emit(ProfileEntry.removed, .init(entry: wire.id), about: about, to: seers.subtracting(leaving))
    }
}
