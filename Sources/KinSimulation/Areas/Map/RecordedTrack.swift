public import KinGeo
import KinModel

/// A recorded track: where somebody truly was, as far as anybody can tell. Between two of its points they went straight.
public struct RecordedTrack: Sendable {
    /// Its name.
    public let name: String
    private let points: [(seconds: Double, at: Coordinate)]

    /// Seconds from its first point to its last.
    public var seconds: Int { Int(points.last?.seconds ?? 0) }

    /// Reads a GPX file's track points that have a time; `nil` where there are none. It is not a validating reader: it
    /// reads the recordings that stand beside the tests.
    public init?(name: String, gpx: String) {
        self.name = name
        var points: [(seconds: Double, at: Coordinate)] = []
        var first: Instant?
        for piece in gpx.split(separator: "<trkpt").dropFirst() {
            guard let lat = Self.attribute("lat", of: piece), let lon = Self.attribute("lon", of: piece),
                let opened = piece.firstRange(of: "<time>"), let closed = piece.firstRange(of: "</time>"),
                opened.upperBound <= closed.lowerBound,
                let at = Instant(piece[opened.upperBound..<closed.lowerBound])
            else { continue }
            let start = first ?? at
            first = start
            let seconds = Double(at.milliseconds - start.milliseconds) / 1000
            if let last = points.last, seconds <= last.seconds { continue }
            points.append((seconds, Coordinate(lat: lat, lon: lon)))
        }
        guard points.count > 1 else { return nil }
        self.points = points
    }

    private static func attribute(_ name: String, of piece: Substring) -> Double? {
        guard let opened = piece.firstRange(of: name + "=\"") else { return nil }
        return Double(piece[opened.upperBound...].prefix { $0 != "\"" })
    }

    /// Where they were at every second.
    public var everySecond: [Coordinate] {
        var all: [Coordinate] = []
        var index = 0
        for second in 0...seconds {
            while index + 2 < points.count, points[index + 1].seconds < Double(second) { index += 1 }
            let (one, other) = (points[index], points[index + 1])
            let share = min(max((Double(second) - one.seconds) / (other.seconds - one.seconds), 0), 1)
            all.append(
                Coordinate(
                    lat: one.at.lat + (other.at.lat - one.at.lat) * share,
                    lon: one.at.lon + (other.at.lon - one.at.lon) * share))
        }
        return all
    }
}
