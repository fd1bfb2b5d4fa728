import KinGeo
import KinKeeper
import KinModel
import KinStore

/// A place as it is stored: with who is to see it.
struct Pin {
    /// Whom a place is for, beside its owner.
    enum Audience: Equatable {
        /// Every member who is no guest.
        case everyone
        /// Everybody of a household, its guests included.
        case household
        /// These, guests or not.
        case members([Identifier])
    }

    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    var place: Place
    var audience: Audience
    /// Of the audience `household`, and of a home.
    var household: Identifier?

    init(_ place: Place, for audience: Audience, household: Identifier?) {
        self.place = place
        self.audience = audience
        self.household = household
    }

    /// Where it is.
    var centre: Coordinate { Coordinate(lat: place.lat, lon: place.lon) }
    /// The circle people arrive in; `nil` where arriving is not noticed.
    var circle: Circle? { place.kind == .place ? place.radius.map { Circle(centre: centre, radius: $0) } : nil }

    // MARK: Reading

    static let columns =
        "p.number, p.id, p.kind, p.name, p.icon, p.lat, p.lon, p.radius, p.owner, p.home_of, p.note, p.audience, p.household"

    private init(_ row: borrowing Row) throws(StoreFailure) {
        guard let kind = Place.Kind(rawValue: row.text(2)) else {
            throw .corrupt("a place is of no kind that this program knows")
        }
        number = row.int(0)
        place = Place(
            id: row.identifier(1), kind: kind, name: row.text(3), icon: row.optionalText(4), lat: row.double(5),
            lon: row.double(6), radius: row.optionalDouble(7), owner: row.identifier(8),
            homeOf: row.optionalIdentifier(9), note: row.optionalText(10))
        household = row.optionalIdentifier(12)
        switch row.text(11) {
        case "everyone": audience = .everyone
        case "household": audience = .household
        default: audience = .members([])
        }
    }

    private mutating func readMembers(_ database: Database) throws(StoreFailure) {
        guard case .members = audience else { return }
        audience = .members(
            try database.rows("SELECT member FROM place_members WHERE place = ? ORDER BY member", .int(number)) { row in
                row.identifier(0)
            })
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [Pin] {
        var pins = try database.rows("SELECT \(columns) FROM places p " + rest, values: values) {
            (row) throws(StoreFailure) in try Pin(row)
        }
        for index in pins.indices { try pins[index].readMembers(database) }
        return pins
    }

    /// All there are, oldest first.
    static func all(_ act: Act) throws(Rejection) -> [Pin] {
        try act.ask { (database) throws(StoreFailure) in try rows("ORDER BY p.id", [], database) }
    }

    /// Those a member sees, oldest first.
    static func seen(by member: Identifier, _ database: Database) throws(StoreFailure) -> [Pin] {
        try rows("JOIN place_sight s ON s.place = p.number WHERE s.member = ? ORDER BY p.id", [.id(member)], database)
    }

    /// How those in a box are found; tests hold it to the indices.
    static let within = """
        JOIN place_sight s ON s.place = p.number WHERE s.member = ? AND p.number IN (SELECT entry / 2
        FROM place_index WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?)
        """

    /// Those a member sees of which something lies in one of these boxes, by the index.
    static func seen(
        by member: Identifier, within boxes: [Bounds], _ database: Database
    ) throws(StoreFailure) -> [Pin] {
        var pins: [Int64: Pin] = [:]
        for box in boxes {
            let found = try rows(
                within, [.id(member), .double(box.north), .double(box.south), .double(box.east), .double(box.west)],
                database)
            for pin in found { pins[pin.number] = pin }
        }
        return Array(pins.values)
    }

    /// One that the caller sees; 1404 when absent or hidden.
    static func visible(_ act: Act, _ id: Identifier, field: String = "place") throws(Rejection) -> Pin {
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
        act.isOneself(place.owner) || act.isAdministrator || place.homeOf.map { act.leads($0) } ?? false
    }

    // MARK: Writing

    /// Writes the row down, and the boxes it is found by.
    mutating func save(_ act: Act) throws(Rejection) {
        let word =
            switch audience {
            case .everyone: "everyone"
            case .household: "household"
            case .members: "members"
            }
        if number == 0 {
            try act.run(
                "INSERT INTO places (id, kind, name, lat, lon, owner, audience) VALUES (?, '', '', 0, 0, ?, '')",
                .id(place.id), .id(place.owner))
            number = try act.first("SELECT number FROM places WHERE id = ?", .id(place.id)) { row in row.int(0) } ?? 0
        }
        try act.run(
            """
            UPDATE places SET kind = ?, name = ?, icon = ?, lat = ?, lon = ?, radius = ?, owner = ?, home_of = ?,
            note = ?, audience = ?, household = ? WHERE number = ?
            """, .text(place.kind.rawValue), .text(place.name), Value(place.icon), .double(place.lat),
            .double(place.lon), Value(place.radius), .id(place.owner), Value(place.homeOf), Value(place.note),
            .text(word), Value(household), .int(number))
        try act.run("DELETE FROM place_members WHERE place = ?", .int(number))
        if case .members(let members) = audience {
            for member in members {
                try act.run(
                    "INSERT OR IGNORE INTO place_members (place, member) VALUES (?,?)", .int(number), .id(member))
            }
        }
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
    func remove(except leaving: KinStore.Audience = KinStore.Audience(), _ act: Act) throws(Rejection) {
        let seers = try seers(act)
        try PlaceHooks.joined.removing(self, act)
        for member in try Stays.visitors(of: self, act) { try act.erase(about: Stays.about(member, place.id)) }
        try act.run("DELETE FROM place_index WHERE entry IN (?, ?)", .int(2 * number), .int(2 * number + 1))
        // Sight, stays and rules go with the row.
        try act.run("DELETE FROM places WHERE number = ?", .int(number))
        let about = Places.about(place.id)
        try act.erase(about: about)
        try act.emit(Place.removed, .init(place: place.id), about: about, to: seers.subtracting(leaving))
    }
}
