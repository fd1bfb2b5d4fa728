import KinGeo
import KinKeeper
import KinModel

/// A phone says that it crossed the border of a region that it watches itself: evidence of an arrival or a leaving, by the
/// phone's own judgement.
struct Crossing: Equatable {
    let isEntering: Bool
    /// When, by the phone's clock.
    let at: Instant
    /// The region's name on the phone.
    let name: String?
    /// The region's own identifier, where the app has one.
    let region: String?
    /// Where the phone was, when it said so.
    var coordinate: Coordinate?
    /// Metres.
    var accuracy: Double?

    /// Whether the phone's position and accuracy at that moment agree with what it reports about a circle.
    func fits(_ circle: Circle) -> Bool {
        let sigma = accuracy ?? Point.accuracyAssumed
        guard sigma <= Limits.placeAccuracyMax else { return false }
        guard let coordinate else { return true }
        let distance = circle.distance(to: coordinate)
        return isEntering
            ? distance <= circle.radius + circle.margin + 2 * sigma : distance >= circle.radius - 2 * sigma
    }
}
