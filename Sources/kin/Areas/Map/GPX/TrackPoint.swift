import KinModel

/// One `trkpt` of a GPX file (GPX 1.0 and 1.1).
struct TrackPoint: Equatable {
    /// Degrees north, −90…90.
    var lat: Double
    /// The degrees east, −180…180.
    var lon: Double
    /// The time; `nil` if the file does not give it.
    var at: Instant?
    /// Metres above the sea.
    var elevation: Double?
    /// Metres per second.
    var speed: Double?
    /// Degrees clockwise from north, 0…360.
    var course: Double?

    init(lat: Double, lon: Double, at: Instant? = nil) {
        self.lat = lat
        self.lon = lon
        self.at = at
    }
}
