import KinGeo
import KinKeeper
import KinModel
import KinStore

/// The surroundings that a guest link tells: the nearest town, and towns around for a small map. Of the member it knows
/// the spot that is shown, and nothing else.
struct LinkSurroundings: SlowWork {
    let lat: Double
    let lon: Double

    /// The result; it is empty where this machine knows no towns.
    struct Made: Sendable {
        var town: NearestTown?
        var around: [Town] = []
    }

    /// Distances in metres. The first one with enough towns is taken, so that the map shows its directions.
    private static let reaches = [8_000.0, 25_000, 80_000, 250_000]
    private static let enough = 2

    var sort: WorkSort { .read }

    func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to work on.") }
        do throws(StoreFailure) {
            let towns = try store.desk("towns", open: NearestTown.open)
            return .made(try found(in: towns))
        } catch {
            store.reopen("towns")
            if case .gone = error { return .made(Made()) }
            return .failed("The towns could not be read: \(error.sentence)")
        }
    }

    /// Of a file of towns.
    func found(in towns: Database) throws(StoreFailure) -> Made {
        var made = Made(town: try NearestTown.find(lat: lat, lon: lon, in: towns))
        for reach in Self.reaches {
            made.around = []
            for box in Bounds.around(Coordinate(lat: lat, lon: lon), metres: reach) {
                made.around += try TownsWork(west: box.west, south: box.south, east: box.east, north: box.north)
                    .within(towns)
            }
            if made.around.count >= Self.enough { break }
        }
        made.around = Array(
            made.around.sorted { $0.population > $1.population }.prefix(Limits.guestLinkTownsMax))
        return made
    }
}
