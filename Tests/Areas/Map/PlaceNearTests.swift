import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinGeo
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct PlaceNearTests {
    @Test func `the nearest places come first, in metres, over the antimeridian and at the pole`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let bob = try box.join("bob", by: ada)
        let spots: [(String, Double, Double)] = [
            ("Reef", -17, 179.999), ("Lagoon", -17, -179.999), ("Pole", 89.9999, 100), ("Mill", 52.5, 13.4),
        ]
        for (name, lat, lon) in spots {
            try box.call(
                ada, "place.add", ["name": .string(name), "lat": .double(lat), "lon": .double(lon), "radius": 300])
        }
        try box.call(
            ada, "place.add", ["name": "Hidden", "lat": 52.5, "lon": 13.4, "audience": [.id(ada.id)]])
        func near(_ lat: Double, _ lon: Double) throws -> [JSON] {
            try box.call(bob, "place.near", ["lat": .double(lat), "lon": .double(lon), "town": false])["places"]?
                .array ?? []
        }
        let reef = try near(-17, 179.9995)
        #expect(reef.map { $0["name"] } == ["Reef", "Lagoon", "Pole", "Mill"])
        #expect(abs((reef[0]["metres"]?.double ?? 0) - 53.2) < 0.2)
        #expect(abs((reef[1]["metres"]?.double ?? 0) - 159.7) < 0.5)
        #expect(reef[1]["inside"] == true && reef[2]["inside"] == false)
        let pole = try near(89.9999, -80)
        #expect(pole.first?["name"] == "Pole" && pole.first?["metres"]?.double ?? 1e9 < 23)
        #expect(try near(52.5, 13.4).count == 4)
    }

    @Test func `without a town's name there is an answer all the same`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let answer = try box.call(ada, "place.near", ["lat": 52.5, "lon": 13.4])
        #expect(answer == ["places": []])
    }

    /// A reader whose disk fails.
    private struct DeadDesk: StoreDesk {
        let database: Database

        func desk(
            _ name: String, open: (ReaderSource) throws(StoreFailure) -> Database
        ) throws(StoreFailure) -> Database { throw .io(code: 266) }

        func backUp(as name: String, at: Instant) throws(StoreFailure) -> (path: String, bytes: Int64) {
            throw .io(code: 266)
        }

        func renew() {}
        func reopen(_ name: String) {}
        func problems() throws(StoreFailure) -> [String] { [] }
    }

    @Test func `a reader that dies among the towns says so, and places are answered without them`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        box.substitute = { [database = box.store.database] work in
            work is TownWork ? work.run(at: Workplace(store: DeadDesk(database: database))) : nil
        }
        let refused = try #require(try box.refusal(ada, "place.near", ["lat": 52.5, "lon": 13.4]))
        #expect(refused.kind == .unavailable)
        #expect(refused.message == "The towns could not be read: \(StoreFailure.io(code: 266).sentence)")
        #expect(try box.call(ada, "place.near", ["lat": 52.5, "lon": 13.4, "town": false]) == ["places": []])
        box.substitute = { _ in nil }
        #expect(try box.call(ada, "place.near", ["lat": 52.5, "lon": 13.4]) == ["places": []])
    }

    @Test func `the largest towns in a box are told, which lie apart, and a box that is none is refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let whole: JSON.Object = ["west": 0, "south": 0, "east": 8, "north": 8]
        #expect(try box.call(ada, "place.towns", whole) == ["towns": []])
        for (name, value) in [("east", 0.0), ("north", -1), ("east", 181)] {
            var params = whole
            params[name] = .double(value)
            #expect(try box.refusal(ada, "place.towns", params)?.field == name)
        }
        let database = box.store.database
        try box.store.beginTurn()
        for table in NearestTown.tables { try database.run(table) }
        let spots = [
            (1, 0.2, 0.2, 20_000), (2, 0.8, 0.8, 1_500_000), (3, 7.9, 7.9, 0), (4, 8.1, 4.0, 9_000_000),
            (5, 3.5, 3.5, 70), (6, 0.5, 0.5, 90_000),
        ]
        for (number, lat, lon, population) in spots {
            try database.run(
                "INSERT INTO towns VALUES (\(number), 'T\(number)', 'XX', \(lat), \(lon), \(population))")
            try database.run("INSERT INTO towns_index VALUES (\(number), \(lat), \(lat), \(lon), \(lon))")
        }
        try box.store.commitTurn()
        let work = TownsWork(west: 0, south: 0, east: 8, north: 8)
        // Of three that share a part of the box the largest is told, and one lies outside. The largest of all is the first.
        let found = try work.within(database)
        #expect(found.map(\.name) == ["T2", "T5", "T3"])
        #expect(found.first?.at == Coordinate(lat: 0.8, lon: 0.8) && found.first?.population == 1_500_000)
        box.substitute = { made in
            made is TownsWork ? made.run(at: Workplace(store: DeadDesk(database: database))) : nil
        }
        #expect(try box.refusal(ada, "place.towns", whole)?.kind == .unavailable)
    }
}
