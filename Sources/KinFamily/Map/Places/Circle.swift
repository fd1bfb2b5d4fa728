import KinGeo

/// The circle of a place.
struct Circle: Sendable, Equatable {
    let centre: Coordinate
    /// Metres.
    let radius: Double

    /// Metres beyond the circle that are not outside yet: leaving takes more than arriving, so that nobody who sits by
    /// the edge comes and goes.
    var margin: Double { max(Limits.placeMarginMin, radius / 4) }

    /// Every point that can speak for an arrival lies in one of these, and every one within the margin.
    var bounds: [Bounds] {
        Bounds.around(centre, metres: radius + max(margin, Stay.doubt * Limits.placeAccuracyMax))
    }
}
