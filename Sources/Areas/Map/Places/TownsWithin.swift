import KinGeo
package import KinKeeper
import KinModel
import KinStore

/// The towns in a box of degrees, for a map that has nothing else beneath it.
extension Places {
    /// The box is divided into so many columns and rows, with one town in each: they lie apart from each other.
    static let townCells: Int64 = 8
    private static let townsMax = Int(townCells * townCells)

    /// A town, as a map shows it.
    private struct ShownTown: WireRecord {
        let name: String
        let country: String
        let lat: Double
        let lon: Double

        static let fields = Fields(
            nil, ShownTown.init(name:country:lat:lon:), .required("name", \.name, .text(max: 200)),
            .required("country", \.country, .text(max: 2), "ISO 3166, two letters."),
            .required("lat", \.lat, .number(Point.latBounds), "Of its middle."),
            .required("lon", \.lon, .number(Point.lonBounds), "Of its middle."))
    }

    static let towns = Method.query(
        "place.towns", "The largest towns within a box, apart from each other.", access: .following,
        note: "Asks nobody outside: towns come from Debian's GeoNames data, where it is installed.",
        [
            .required("west", .number(Point.lonBounds), "Degrees east (WGS 84)."),
            .required("south", .number(Point.latBounds), "Degrees north (WGS 84)."),
            .required("east", .number(Point.lonBounds), "Degrees east; east of west."),
            .required("north", .number(Point.latBounds), "Degrees north; north of south."),
        ],
        result: .object([
            .required(
                "towns", .list(ShownTown.shape, max: townsMax),
                "The largest of each of \(townCells) × \(townCells) parts of the box; the largest of all first.")
        ]),
        route: Route("GET", "/api/places/towns"), isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let (west, east) = (try params.double("west"), try params.double("east"))
            let (south, north) = (try params.double("south"), try params.double("north"))
            guard east > west else { throw Rejection(.invalid, "east must lie east of west.", field: "east") }
            guard north > south else { throw Rejection(.invalid, "north must lie north of south.", field: "north") }
            guard let work = act.work else {
                return .later(TownsWork(west: west, south: south, east: east, north: north))
            }
            if case .failed(let sentence) = work { throw Rejection(.unavailable, sentence, retryAfter: 1) }
            let found = (work.made(TownsWork.Made.self)?.towns ?? []).map { town in
                ShownTown(name: town.name, country: town.country, lat: town.at.lat, lon: town.at.lon)
            }
            return .done(["towns": .array(found.map(\.json))])
        })
}

/// Looks them up; none where this machine knows no towns.
package struct TownsWork: SlowWork {
    let west: Double, south: Double, east: Double, north: Double

    /// The towns that were found.
    package struct Made: Sendable {
        let towns: [Town]
    }

    package var sort: WorkSort { .read }

    package func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to work on.") }
        do throws(StoreFailure) {
            let towns = try store.desk("towns", open: NearestTown.open)
            return .made(Made(towns: try within(towns)))
        } catch {
            store.reopen("towns")
            if case .gone = error { return .made(Made(towns: [])) }
            return .failed("The towns could not be read: \(error.sentence)")
        }
    }

    /// The largest of each part of the box, of a file of towns; the largest of all first.
    func within(_ database: Database) throws(StoreFailure) -> [Town] {
        // Rule: beside a lone max, SQLite takes the other columns from the row that has it.
        try database.rows(
            """
            SELECT name, country, lat, lon, max(population) AS population FROM towns
            WHERE number IN (SELECT number FROM towns_index
                WHERE south <= ?1 AND north >= ?2 AND west <= ?3 AND east >= ?4)
            GROUP BY CAST((lat - ?2) / (?1 - ?2) * ?5 AS INTEGER), CAST((lon - ?4) / (?3 - ?4) * ?5 AS INTEGER)
            ORDER BY max(population) DESC LIMIT ?6
            """, .double(north), .double(south), .double(east), .double(west), .int(Places.townCells),
            .int(Places.townCells * Places.townCells)
        ) { row in Town(row) }
    }
}
