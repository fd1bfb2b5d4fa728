import KinGeo
import KinKeeper
import KinModel
import KinStore

/// A place as it is stored: with whom it is shared. The members of `wire` are read as if they were its own.
@dynamicMemberLookup
struct StoredPlace {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// As whoever sees it is told.
    var wire: Place
    /// With whom it is shared, beside its owner.
    var sharedWith: SharedWith

    init(_ wire: Place, sharedWith: SharedWith) {
        self.wire = wire
        self.sharedWith = sharedWith
    }

    subscript<Value>(dynamicMember path: KeyPath<Place, Value>) -> Value { wire[keyPath: path] }

    subscript<Value>(dynamicMember path: WritableKeyPath<Place, Value>) -> Value {
        get { wire[keyPath: path] }
        set { wire[keyPath: path] = newValue }
    }

    /// The household it is for, or whose home it is.
    var household: Identifier? { sharedWith.household ?? wire.homeOf }

    /// Where it is.
    var centre: Coordinate { Coordinate(lat: wire.lat, lon: wire.lon) }
    /// The circle people arrive in; `nil` where arriving is not noticed.
    var circle: Circle? { wire.kind == .place ? wire.radius.map { Circle(centre: centre, radius: $0) } : nil }

    // MARK: Reading

    private static let columns = Columns<Place>()
    static let selected = "p.number, p.audience, p.household, " + columns.names(of: "p")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        wire = try Self.columns.read(row)
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Places.shared.members(of: number, database)
        }
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredPlace] {
        try database.rows("SELECT \(selected) FROM places p " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredPlace(row, database)
        }
    }

    /// The one of a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredPlace? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE p.number = ?", [.int(number)], database).first
        }
    }

    /// All there are, oldest first.
    static func all(_ act: Act) throws(Rejection) -> [StoredPlace] {
        try act.ask { (database) throws(StoreFailure) in try rows("ORDER BY p.id", [], database) }
    }

    /// Those a member sees, oldest first.
    static func seen(by member: Identifier, _ database: Database) throws(StoreFailure) -> [StoredPlace] {
        try rows("JOIN place_sight s ON s.place = p.number WHERE s.member = ? ORDER BY p.id", [.id(member)], database)
    }

    /// Those of some places that a member sees, without their notes.
    static func seen(
        by member: Identifier, among some: [Identifier], _ database: Database
    ) throws(StoreFailure) -> [Place] {
        var found: [Place] = []
        for id in some {
            found += try rows(
                "JOIN place_sight s ON s.place = p.number WHERE s.member = ? AND p.id = ?", [.id(member), .id(id)],
                database
            ).map(\.wire.brief)
        }
        return found
    }

    /// How those in a box are found; tests hold it to the indices.
    static let within = """
        JOIN place_sight s ON s.place = p.number WHERE s.member = ? AND p.number IN (SELECT entry / 2
        FROM place_index WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?)
        """

    /// Those a member sees of which something lies in one of these boxes, by the index.
    static func seen(
        by member: Identifier, within boxes: [Bounds], _ database: Database
    ) throws(StoreFailure) -> [StoredPlace] {
        var places: [Int64: StoredPlace] = [:]
        for box in boxes {
            let found = try rows(
                within, [.id(member), .double(box.north), .double(box.south), .double(box.east), .double(box.west)],
                database)
            for place in found { places[place.number] = place }
        }
        return Array(places.values)
    }

    /// One that the caller sees; 1404 when absent or hidden.
    static func visible(_ act: Act, _ id: Identifier, field: String = "place") throws(Rejection) -> StoredPlace {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try rows(
                "JOIN place_sight s ON s.place = p.number WHERE s.member = ? AND p.id = ?", [.id(member), .id(id)],
                database
            ).first
        }
        guard let found else { throw Rejection.notFound("place", id.description, field: field) }
        return found
    }

    /// Whether the caller may change it: its owner, an admin, and of a home the heads of the household.
    func mayBeChanged(_ act: Act) -> Bool {
        act.isOneself(wire.owner) || act.isAdministrator || wire.homeOf.map { act.leads($0) } ?? false
    }

    // MARK: Writing

    /// Writes the row down, and the boxes it is found by.
    mutating func save(_ act: Act) throws(Rejection) {
        if number == 0 {
            try act.run(
                "INSERT INTO places (\(Self.columns.names), audience) VALUES (\(Self.columns.placeholders), '')",
                values: Self.columns.values(of: wire))
            number =
                try act.first("SELECT number FROM places WHERE id = ?", .id(wire.id)) { row in row.int("number") } ?? 0
        } else {
            try act.run(
                "UPDATE places SET \(Self.columns.assignments) WHERE number = ?",
                values: Self.columns.values(of: wire) + [.int(number)])
        }
        try Places.shared.save(sharedWith, of: number, act)
        try index(act)
    }

    private func index(_ act: Act) throws(Rejection) {
        try act.run("DELETE FROM place_index WHERE entry IN (?, ?)", .int(2 * number), .int(2 * number + 1))
        let boxes = circle?.bounds ?? Bounds.around(centre, metres: 0)
        for (offset, box) in boxes.enumerated() {
            try act.run(
                "INSERT INTO place_index (entry, south, north, west, east) VALUES (?,?,?,?,?)",
                .int(2 * number + Int64(offset)), .double(box.south), .double(box.north), .double(box.west),
                .double(box.east))
        }
    }

    /// Removes it with all that is known about it.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try Places.shared.seers(of: number, act)
        try PlaceHooks.joined.removing(self, act)
        for member in try Stays.visitors(of: self, act) { try act.erase(about: Stays.about(member, wire.id)) }
        try act.run("DELETE FROM place_index WHERE entry IN (?, ?)", .int(2 * number), .int(2 * number + 1))
        // Sight, stays and rules go with the row.
        try act.run("DELETE FROM places WHERE number = ?", .int(number))
        let about = Places.about(wire.id)
        try act.erase(about: about)
        try act.emit(Place.removed, .init(place: wire.id), about: about, to: seers.subtracting(leaving))
    }
}
