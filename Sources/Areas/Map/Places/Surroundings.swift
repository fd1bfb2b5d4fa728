import KinGeo
package import KinKeeper
import KinModel
public import KinStore

/// The town nearest to a spot, from a file beside the family's that is made at the first question.
public struct NearestTown: Sendable, Equatable {
    let town: Town
    /// To its middle.
    let metres: Double

    private static let file = "towns-by-size.db"
    /// The same as it was made before, without how many live in a town.
    private static let former = "towns.db"

    /// How those in a box are found; tests hold it to the indices.
    static let within = """
        SELECT name, country, lat, lon, population FROM towns WHERE number IN (SELECT number FROM towns_index
        WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?)
        """
    /// The tables of the file.
    static let tables = [
        """
        CREATE TABLE towns (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, lat REAL NOT NULL,
            lon REAL NOT NULL, population INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE VIRTUAL TABLE towns_index USING rtree (number, south, north, west, east)",
    ]

    /// Opens the file, which is made if it is missing. That takes a third of a second.
    public static func open(_ source: ReaderSource) throws(StoreFailure) -> Database {
        try source.side(file, insteadOf: former, make: fill)
    }

    /// Looks it up; `nil` where there is none within 300 km.
    public static func find(lat: Double, lon: Double, in database: Database) throws(StoreFailure) -> NearestTown? {
        let spot = Coordinate(lat: lat, lon: lon)
        for reach in [10_000.0, 50_000, 300_000] {
            var nearest: NearestTown?
            for box in Bounds.around(spot, metres: reach) {
                let towns = try database.rows(
                    within, .double(box.north), .double(box.south), .double(box.east), .double(box.west)
                ) { row in Town(row) }
                for town in towns {
                    let metres = spot.distance(to: town.at)
                    if metres < nearest?.metres ?? reach { nearest = NearestTown(town: town, metres: metres) }
                }
            }
            if let nearest { return nearest }
        }
        return nil
    }

    private static func fill(_ database: Database) throws(StoreFailure) {
        for table in tables { try database.run(table) }
        var number: Int64 = 0
        try Town.each { (town) throws(StoreFailure) in
            number += 1
            try database.run(
                "INSERT INTO towns (number, name, country, lat, lon, population) VALUES (?,?,?,?,?,?)", .int(number),
                .text(town.name), .text(town.country), .double(town.at.lat), .double(town.at.lon),
                .int(Int64(town.population)))
            try database.run(
                "INSERT INTO towns_index (number, south, north, west, east) VALUES (?1,?2,?2,?3,?3)", .int(number),
                .double(town.at.lat), .double(town.at.lon))
        }
        // An empty file is not kept: the package may be installed later.
        guard number > 0 else { throw .gone(path: "of GeoNames' data") }
    }
}

extension Town {
    /// Of the file of towns.
    init(_ row: borrowing Row) {
        self.init(
            name: row.text("name"), country: row.text("country"),
            at: Coordinate(lat: row.double("lat"), lon: row.double("lon")), population: Int(row.int("population")))
    }
}

extension Places {
    /// Places in one answer.
    private static let nearMax: Int64 = 20

    /// A place, and how far it is.
    private struct NearPlace: WireRecord {
        let place: Identifier
        let name: String
        let metres: Double
        let isInside: Bool

        static let fields = Fields(
            nil, NearPlace.init(place:name:metres:isInside:), .required("place", \.place, .id),
            .required("name", \.name, .name),
            .required("metres", \.metres, .number(0...21_000_000), "To its middle, on the ellipsoid."),
            .required("inside", \.isInside, .bool, "Whether the spot lies in its circle."))
    }

    /// A town, and how far it is.
    private struct NearTown: WireRecord {
        let name: String
        let country: String
        let metres: Double

        static let fields = Fields(
            nil, NearTown.init(name:country:metres:), .required("name", \.name, .text(max: 200)),
            .required("country", \.country, .text(max: 2), "ISO 3166, two letters."),
            .required("metres", \.metres, .number(0...21_000_000), "To its middle."))
    }

    /// No long read: places are few (``countMax``) and found by their index. Only the towns are another database,
    /// which is opened, and the first time made, by a reader.
    static let near = Method.query(
        "place.near", "The places the caller sees that are nearest to a spot, and the nearest town.",
        access: .following,
        note: "Asks nobody outside: towns come from Debian's GeoNames data, where it is installed.",
        [
            .required("lat", .number(Point.latBounds), "Degrees north (WGS 84)."),
            .required("lon", .number(Point.lonBounds), "Degrees east (WGS 84)."),
            .optional("limit", .integer(1...nearMax), "Places in the answer; 5 if left out."),
            .optional("town", .bool, "False: no town is looked for."),
        ],
        result: .object([
            .required("places", .list(NearPlace.shape, max: Int(nearMax)), "The nearest first."),
            .optional("town", NearTown.shape, "Absent where none is known within 300 km."),
        ]),
        route: Route("GET", "/api/places/near"), isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let spot = Coordinate(lat: try params.double("lat"), lon: try params.double("lon"))
            var town: NearestTown?
            if params["town"]?.bool ?? true {
                guard let work = act.work else { return .later(TownWork(lat: spot.lat, lon: spot.lon)) }
                if case .failed(let sentence) = work { throw Rejection(.unavailable, sentence, retryAfter: 1) }
                town = work.made(TownWork.Made.self)?.town
            }
            let near = try nearest(
                to: spot, member, limit: Int(clamping: params.optionalInt("limit") ?? 5), act)
            let places = near.map { place, metres in
                NearPlace(
                    place: place.id, name: place.name, metres: rounded(metres),
                    isInside: place.circle.map { metres <= $0.radius } ?? false)
            }
            let nearTown = town.map { near in
                NearTown(name: near.town.name, country: near.town.country, metres: rounded(near.metres))
            }
            return .done(.object(leavingOut: ["places": .array(places.map(\.json)), "town": nearTown?.json]))
        })

    private static func rounded(_ metres: Double) -> Double { (metres * 10).rounded() / 10 }

    private static func nearest(
        to spot: Coordinate, _ member: Identifier, limit: Int, _ act: Act
    ) throws(Rejection) -> [(place: StoredPlace, metres: Double)] {
        for reach in [1000.0, 20_000, 500_000, 3e7] {
            var found: [(place: StoredPlace, metres: Double)] = []
            let places = try act.ask { (database) throws(StoreFailure) in
                try StoredPlace.seen(by: member, within: Bounds.around(spot, metres: reach), database)
            }
            for place in places {
                let metres = spot.distance(to: place.centre)
                if metres <= reach { found.append((place, metres)) }
            }
            if found.count >= limit || reach > 2e7 {
                return Array(found.sorted { ($0.metres, $0.place.id) < ($1.metres, $1.place.id) }.prefix(limit))
            }
        }
        return []
    }
}

/// Finds the town that is nearest to a spot, in degrees; none where this machine knows no towns.
package struct TownWork: SlowWork {
    let lat: Double
    let lon: Double

    /// The result, if there is one.
    package struct Made: Sendable {
        let town: NearestTown?
    }

    package var sort: WorkSort { .read }

    package func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to work on.") }
        do throws(StoreFailure) {
            let towns = try store.desk("towns", open: NearestTown.open)
            return .made(Made(town: try NearestTown.find(lat: lat, lon: lon, in: towns)))
        } catch {
            store.reopen("towns")
            if case .gone = error { return .made(Made(town: nil)) }
            return .failed("The towns could not be read: \(error.sentence)")
        }
    }
}
