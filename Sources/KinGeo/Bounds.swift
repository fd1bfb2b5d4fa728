import Glibc

/// A box of degrees with no antimeridian in it: what an index of boxes can hold.
public struct Bounds: Sendable, Hashable {
    /// Degrees north of the lower edge.
    public let south: Double
    /// Degrees north of the upper edge.
    public let north: Double
    /// Degrees east of the left edge.
    public let west: Double
    /// Degrees east of the right edge; never less than ``west``.
    public let east: Double

    /// All of the earth.
    public static let whole = Bounds(south: -90, north: 90, west: -180, east: 180)

    init(south: Double, north: Double, west: Double, east: Double) {
        self.south = south
        self.north = north
        self.west = west
        self.east = east
    }

    /// The boxes that hold every point within so many metres: one, or two where the antimeridian runs through. A circle
    /// that reaches a pole has every longitude in it. A little larger than need be: the sphere is not the ellipsoid.
    public static func around(_ centre: Coordinate, metres: Double) -> [Bounds] {
        let angle = max(0, metres) * 1.01 / Coordinate.earthRadius
        guard angle < .pi else { return [whole] }
        let reach = angle * 180 / .pi
        let (south, north) = (centre.lat - reach, centre.lat + reach)
        guard south > -90, north < 90 else {
            return [Bounds(south: max(-90, south), north: min(90, north), west: -180, east: 180)]
        }
        // The widest is not at the centre's latitude but where meridians touch the circle.
        let ratio = sin(angle) / cos(centre.lat * .pi / 180)
        guard ratio < 1 else { return [Bounds(south: south, north: north, west: -180, east: 180)] }
        let width = asin(ratio) * 180 / .pi
        let (west, east) = (centre.lon - width, centre.lon + width)
        if west < -180 {
            return [
                Bounds(south: south, north: north, west: -180, east: east),
                Bounds(south: south, north: north, west: west + 360, east: 180),
            ]
        }
        if east > 180 {
            return [
                Bounds(south: south, north: north, west: west, east: 180),
                Bounds(south: south, north: north, west: -180, east: east - 360),
            ]
        }
        return [Bounds(south: south, north: north, west: west, east: east)]
    }

    /// A box that holds all these points; the whole round where they lie on both sides of the antimeridian. `nil` for
    /// none.
    public init?(_ points: some Sequence<Coordinate>) {
        var box: (south: Double, north: Double, west: Double, east: Double)?
        for point in points {
            let old = box ?? (point.lat, point.lat, point.lon, point.lon)
            box = (
                min(old.south, point.lat), max(old.north, point.lat), min(old.west, point.lon), max(old.east, point.lon)
            )
        }
        guard let box else { return nil }
        let isRound = box.east - box.west > 180
        self.init(
            south: box.south, north: box.north, west: isRound ? -180 : box.west, east: isRound ? 180 : box.east)
    }

    /// Whether a point lies in it, edges included.
    public func contains(_ point: Coordinate) -> Bool {
        (south...north).contains(point.lat) && (west...east).contains(point.lon)
    }
}
