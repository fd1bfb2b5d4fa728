internal import CGeographic

extension Coordinate {
    /// The distance in metres on the WGS 84 ellipsoid, to a few nanometres (GeographicLib, Karney 2013): for what people
    /// read and where metres decide. About a microsecond.
    public func distance(to other: Coordinate) -> Double {
        let metres = kin_geodesic_distance(lat, lon, other.lat, other.lon)
        // Degrees out of range have no distance; nearer to nothing than anything.
        return metres.isFinite ? metres : .infinity
    }
}
