import Glibc

/// A place on the earth: WGS 84, degrees.
public struct Coordinate: Sendable, Hashable {
    /// Degrees north, −90…90.
    public let lat: Double
    /// Degrees east, −180…180.
    public let lon: Double

    /// From degrees, which the caller has checked.
    public init(lat: Double, lon: Double) {
        self.lat = lat
        self.lon = lon
    }

    /// Metres: the mean radius of the earth (IUGG).
    public static let earthRadius = 6_371_008.8

    /// The distance in metres on a sphere, by the haversine formula: up to 0.6 % off the ellipsoid's, which is less than
    /// a phone knows of itself. For gates and comparisons; what people read is measured on the
    /// ellipsoid (``distance(to:)``).
    public func roughDistance(to other: Coordinate) -> Double {
        let north = (other.lat - lat) * Double.pi / 180
        let east = (other.lon - lon) * Double.pi / 180
        let (sinNorth, sinEast) = (sin(north / 2), sin(east / 2))
        let half = sinNorth * sinNorth + cos(lat * .pi / 180) * cos(other.lat * .pi / 180) * sinEast * sinEast
        return 2 * Self.earthRadius * asin(min(1, half.squareRoot()))
    }
}
