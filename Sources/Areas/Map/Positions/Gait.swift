import KinGeo
import KinKeeper
import KinModel

/// Decides from a member's points whether the member is on the way or still, and since when. Pure: points in, in the
/// order of their times.
///
/// A phone at rest jitters, so a point counts as rest while it lies as near to where the rest began as both accuracies
/// allow, ``Limits/stillMetresMin`` at least. Moving is told at once; still after ``Limits/stillSeconds`` in one place,
/// or when the phone's own sensors say so. Before there is a reason for either, nothing is told.
struct Gait: Equatable {
    /// Where a rest began, or may have begun.
    struct Rest: Equatable {
        var lat: Double
        var lon: Double
        var accuracy: Double?
        var at: Instant

        init(lat: Double, lon: Double, accuracy: Double?, at: Instant) {
            self.lat = lat
            self.lon = lon
            self.accuracy = accuracy
            self.at = at
        }

        init(_ point: Point) { self.init(lat: point.lat, lon: point.lon, accuracy: point.accuracy, at: point.at) }
    }

    private(set) var motion: Motion?
    private(set) var rest: Rest

    /// As it was written down.
    init(motion: Motion?, rest: Rest) {
        self.motion = motion
        self.rest = rest
    }

    /// From a first point, which seldom tells more than where somebody is.
    init(_ point: Point) {
        rest = Rest(point)
        if Self.saysMoving(point) {
            motion = .moving(since: point.at)
        } else if point.isMoving == false {
            motion = .still(since: point.at)
        }
    }

    /// After the next point.
    func taking(_ point: Point) -> Gait {
        var next = self
        next.take(point)
        return next
    }

    /// Takes the next point.
    mutating func take(_ point: Point) {
        if Self.saysMoving(point) || !isNear(point) {
            rest = Rest(point)
            if case .moving? = motion { return }
            motion = .moving(since: point.at)
            return
        }
        // A rest that began with an inaccurate point is measured from the first one that is better.
        if let vague = rest.accuracy, let accuracy = point.accuracy, accuracy < vague / 2 {
            rest = Rest(lat: point.lat, lon: point.lon, accuracy: accuracy, at: rest.at)
        }
        if case .still? = motion { return }
        guard point.isMoving == false || point.at >= rest.at.adding(seconds: Limits.stillSeconds) else { return }
        motion = .still(since: rest.at)
    }

    /// Whether a point says that it moves. A phone in a car reports rest; its speed says more.
    private static func saysMoving(_ point: Point) -> Bool {
        (point.speed ?? 0) >= Limits.movingSpeedMin || (point.isMoving == true)
    }

    private func isNear(_ point: Point) -> Bool {
        let slack = max(Limits.stillMetresMin, (rest.accuracy ?? 0) + (point.accuracy ?? 0))
        let place = Coordinate(lat: point.lat, lon: point.lon)
        return Coordinate(lat: rest.lat, lon: rest.lon).roughDistance(to: place) <= slack
    }
}
