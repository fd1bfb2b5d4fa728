import KinKeeper
import KinModel

/// The point from which the next piece of a file continues: the value of `after` in `position.export`. It holds nothing
/// that the earlier pieces do not. It is trusted only in what concerns the client that sends it.
struct TrackKey: Equatable {
    /// The end of the file's period, which was set with the first piece.
    let to: Instant
    /// The last position before.
    let last: TrackEnd?
    /// Where the history goes on, as its pages have it.
    let place: String

    init(to: Instant, last: TrackEnd?, place: String) {
        self.to = to
        self.last = last
        self.place = place
    }

    /// Reads ``text``; `nil` when it is none. The position is the given member's.
    init?(_ text: String, of member: Identifier) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 8, let to = Self.time(parts[0]), let place = parts.last else {
            return nil
        }
        self.to = to
        self.place = String(place)
        guard parts.count == 8 else {
            last = nil
            return
        }
        guard let at = Self.time(parts[1]), let lat = Self.number(parts[2], in: Point.latBounds),
            let lon = Self.number(parts[3], in: Point.lonBounds),
            let precision = Precision(rawValue: String(parts[5])), [.coarse, .exact].contains(precision),
            let flags = Int(parts[6]), (0...3).contains(flags)
        else { return nil }
        let altitude = Self.number(parts[4], in: Point.altitudeBounds)
        guard altitude != nil || parts[4].isEmpty else { return nil }
        let position = Position(member: member, lat: lat, lon: lon, at: at, altitude: altitude, precision: precision)
        last = TrackEnd(position: position, isWritten: flags & 1 != 0, hasBefore: flags & 2 != 0)
    }

    /// Numbers and signs between `~`; at most ``Limits/exportNextBytesMax``.
    var text: String {
        guard let last else { return "\(to.milliseconds)~\(place)" }
        let position = last.position
        let flags = (last.isWritten ? 1 : 0) | (last.hasBefore ? 2 : 0)
        return [
            "\(to.milliseconds)", "\(position.at.milliseconds)", "\(position.lat)", "\(position.lon)",
            position.altitude.map { "\($0)" } ?? "", position.precision.rawValue, "\(flags)", place,
        ].joined(separator: "~")
    }

    private static func time(_ text: Substring) -> Instant? {
        guard let milliseconds = Int64(text),
            (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds)
        else { return nil }
        return Instant(milliseconds: milliseconds)
    }

    private static func number(_ text: Substring, in bounds: ClosedRange<Double>) -> Double? {
        Double(text).flatMap { bounds.contains($0) ? $0 : nil }
    }
}
