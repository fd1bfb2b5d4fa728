import KinGeo
import Testing

@Suite struct CoordinateTests {
    @Test func `a degree of latitude is 111 kilometres anywhere`() {
        for lat in stride(from: -89.0, through: 88, by: 29.5) {
            let metres = Coordinate(lat: lat, lon: 7).roughDistance(to: Coordinate(lat: lat + 1, lon: 7))
            #expect(abs(metres - 111_195) < 1)
        }
    }

    @Test func `the antimeridian and the poles are no walls`() {
        let east = Coordinate(lat: 10, lon: 179.9995)
        #expect(east.roughDistance(to: Coordinate(lat: 10, lon: -179.9995)) < 111)
        let near = Coordinate(lat: 89.9999, lon: 0)
        #expect(near.roughDistance(to: Coordinate(lat: 89.9999, lon: 180)) < 23)
        #expect(abs(near.roughDistance(to: Coordinate(lat: -89.9999, lon: 180)) - 20_015_114) < 30)
    }

    @Test(arguments: [
        (0.0, 0.0, 100.0), (52.5, 13.4, 50_000), (-45, 179.9999, 400), (10, -179.99999, 2000), (89.9999, 20, 100),
        (-89.99, 20, 5000), (84, -120, 300_000), (90, 0, 10), (0, 0, 9_000_000), (70, 170, 2_000_000), (0, 0, 3e7),
    ])
    func `a circle lies in its boxes`(lat: Double, lon: Double, metres: Double) {
        let centre = Coordinate(lat: lat, lon: lon)
        let boxes = Bounds.around(centre, metres: metres)
        #expect((1...2).contains(boxes.count))
        for box in boxes {
            #expect(box.south <= box.north && box.west <= box.east)
            #expect(box.south >= -90 && box.north <= 90 && box.west >= -180 && box.east <= 180)
        }
        var state: UInt64 = 5
        func roll() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        let reach = min(180, metres / 111_000 * 1.2)
        for _ in 0..<4000 {
            var point = Coordinate(
                lat: min(90, max(-90, lat + (roll() * 2 - 1) * reach)), lon: roll() * 360 - 180)
            if lat < 80, lat > -80, reach < 20 {
                let away = lon + (roll() * 2 - 1) * reach * 8
                point = Coordinate(lat: point.lat, lon: away > 180 ? away - 360 : away < -180 ? away + 360 : away)
            }
            if centre.roughDistance(to: point) <= metres {
                #expect(boxes.contains { $0.contains(point) }, "\(point) is not in \(boxes)")
            }
        }
    }

    @Test func `a box around points holds them, and all longitudes where they lie on both sides of the antimeridian`() {
        let points = [(1.0, 2.0), (-3, 5), (2, -1)].map { Coordinate(lat: $0.0, lon: $0.1) }
        let box = Bounds(points)
        #expect(box?.south == -3 && box?.north == 2 && box?.west == -1 && box?.east == 5)
        let both = Bounds([Coordinate(lat: 0, lon: 179), Coordinate(lat: 0, lon: -179)])
        #expect(both?.west == -180 && both?.east == 180)
        #expect(Bounds([Coordinate]()) == nil)
    }
}
