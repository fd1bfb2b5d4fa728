public import KinGeo
import KinKeeper
import KinModel

/// The circle of a place.
public struct Circle: Sendable, Equatable {
    /// Its middle.
    public let centre: Coordinate
    /// Metres.
    public let radius: Double

    /// A circle of so many metres.
    public init(centre: Coordinate, radius: Double) {
        self.centre = centre
        self.radius = radius
    }

    /// Metres beyond the circle that do not count as outside. Leaving needs more distance than arriving, so that a
    /// member near the edge does not come and go.
    var margin: Double { max(Limits.placeMarginMin, radius / 4) }

    /// Metres from the middle, exact where that decides something.
    func distance(to point: Coordinate) -> Double {
        let rough = centre.roughDistance(to: point)
        return rough > 2 * radius + 10 * Limits.placeAccuracyMax ? rough : centre.distance(to: point)
    }

    /// Every point that can speak for an arrival lies in one of these, and every one within the margin.
    var bounds: [Bounds] {
        Bounds.around(centre, metres: radius + max(margin, Stay.doubt * Limits.placeAccuracyMax))
    }
}
