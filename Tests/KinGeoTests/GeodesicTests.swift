import KinGeo
import Testing

@Suite struct GeodesicTests {
    @Test func `metres on the ellipsoid are GeographicLib's`() {
        // The example of its documentation: New York's airport to London's.
        let distance = Coordinate(lat: 40.6, lon: -73.8).distance(to: Coordinate(lat: 51.6, lon: -0.5))
        #expect(abs(distance - 5_551_759.4) < 0.1)
        let degree = Coordinate(lat: 0, lon: 10).distance(to: Coordinate(lat: 1, lon: 10))
        #expect(abs(degree - 110_574.4) < 0.1)
        let round = Coordinate(lat: 0, lon: 179.9995).distance(to: Coordinate(lat: 0, lon: -179.9995))
        #expect(abs(round - 111.3) < 0.1)
        // Points that lie opposite each other, where simpler methods give up.
        #expect(Coordinate(lat: 0, lon: 0).distance(to: Coordinate(lat: 0.5, lon: 179.7)) > 1.99e7)
    }

    @Test func `what is no coordinate is far from everything`() {
        #expect(Coordinate(lat: 0, lon: 0).distance(to: Coordinate(lat: 95, lon: 0)) == .infinity)
        #expect(Coordinate(lat: .nan, lon: 0).distance(to: Coordinate(lat: 5, lon: 0)) == .infinity)
    }

    @Test func `the rough distance is off by less than six in a thousand`() {
        for lat in stride(from: -85.0, through: 85, by: 17) {
            for lon in stride(from: 0.001, through: 179, by: 29) {
                let (one, other) = (Coordinate(lat: lat, lon: 0), Coordinate(lat: lat / 2, lon: lon))
                let exact = one.distance(to: other)
                #expect(abs(one.roughDistance(to: other) - exact) < exact * 0.006)
            }
        }
    }

    @Test func `towns are somewhere, have names, and come from the house alone`() throws {
        var towns: [Town] = []
        Town.each { towns.append($0) }
        // Where Debian's data is not installed there are none, and nothing else is amiss.
        guard !towns.isEmpty else { return }
        #expect(towns.count > 20_000)
        let berlin = try #require(towns.first { $0.name == "Berlin" && $0.country == "DE" })
        #expect(berlin.at.distance(to: Coordinate(lat: 52.52, lon: 13.405)) < 5000)
        // How many live there says which are worth a name from afar.
        let suburb = try #require(towns.first { $0.name == "Unterhaching" })
        #expect(berlin.population > 3_000_000 && (10_000..<100_000).contains(suburb.population))
        #expect(towns.allSatisfy { !$0.name.isEmpty && $0.country.utf8.count <= 2 })
    }
}
