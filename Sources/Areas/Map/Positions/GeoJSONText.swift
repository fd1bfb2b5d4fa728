import KinKeeper
import KinModel

/// A history as GeoJSON (RFC 7946): a line for each stretch without a gap, cut at the antimeridian (§3.1.9), with the time
/// of each of its positions in `coordTimes`; a point for a position that stands alone.
///
/// A stretch that is longer than a piece goes on in the next line, which begins with the position the one before ended at.
/// Where a line is cut, both parts have the point on the antimeridian and the time at which a straight way would have
/// passed it.
enum GeoJSONText {
    /// A corner of a line.
    private struct Corner: Equatable {
        let lat: Double
        let lon: Double
        let altitude: Double?
        let at: Instant

        init(lat: Double, lon: Double, altitude: Double?, at: Instant) {
            self.lat = lat
            self.lon = lon
            self.altitude = altitude
            self.at = at
        }

        init(_ position: Position) {
            self.init(lat: position.lat, lon: position.lon, altitude: position.altitude, at: position.at)
        }

        func isAt(_ other: Corner) -> Bool { lat == other.lat && lon == other.lon }

        var text: String {
            "[\(TrackFormat.decimal(lon)),\(TrackFormat.decimal(lat))"
                + (altitude.map { "," + TrackFormat.decimal($0) } ?? "") + "]"
        }
    }

    static func piece(
        _ positions: [Position], of name: String, after last: inout TrackEnd?, isFirst: Bool, isLast: Bool
    ) -> String {
        var features: [String] = []
        var stretch: [Position] = last.map { [$0.position] } ?? []
        /// Whether all of the stretch stands in a piece before.
        var isWritten = last?.isWritten ?? true
        func close() {
            if !isWritten { features += self.features(stretch, name) }
        }
        for position in positions {
            if let before = stretch.last, TrackFormat.isApart(position, from: before) {
                close()
                stretch = []
            }
            stretch.append(position)
            isWritten = false
        }
        let isHeldBack = !isLast && stretch.count == 1 && !isWritten
        if !isHeldBack {
            close()
            isWritten = true
        }
        let hasBefore = last?.hasBefore ?? false
        if let end = stretch.last {
            last = TrackEnd(position: end, isWritten: isWritten, hasBefore: hasBefore || !features.isEmpty)
        }
        var text = isFirst ? "{\"type\":\"FeatureCollection\",\"features\":[\n" : ""
        for (index, feature) in features.enumerated() { text += (hasBefore || index > 0 ? "," : "") + feature + "\n" }
        if isLast { text += "]}\n" }
        return text
    }

    private static func features(_ stretch: [Position], _ name: String) -> [String] {
        guard let first = stretch.first else { return [] }
        let about =
            "\"member\":\"\(first.member)\",\"name\":\(JSON.string(name).text),\"precision\":\"\(first.precision.rawValue)\""
        return parts(stretch.map(Corner.init)).map { part in
            let times = part.map { "\"\($0.at)\"" }
            guard part.count > 1 else {
                return feature("Point", part.first?.text ?? "[]", "\(about),\"time\":\(times.first ?? "null")")
            }
            let corners = part.map(\.text).joined(separator: ",")
            let all = times.joined(separator: ",")
            return feature("LineString", "[\(corners)]", "\(about),\"coordTimes\":[\(all)]")
        }
    }

    private static func feature(_ type: String, _ coordinates: String, _ properties: String) -> String {
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)},"
            + "\"properties\":{\(properties)}}"
    }

    // MARK: The antimeridian

    /// A line in parts that do not cross the antimeridian.
    private static func parts(_ line: [Corner]) -> [[Corner]] {
        var parts: [[Corner]] = []
        var part: [Corner] = []
        for corner in line {
            // The way is taken to be the shorter one around the earth.
            if let before = part.last, abs(corner.lon - before.lon) > 180 {
                let (here, there) = crossing(before, corner)
                if !before.isAt(here) { part.append(here) }
                parts.append(part)
                part = corner.isAt(there) ? [] : [there]
            }
            part.append(corner)
        }
        return parts + [part]
    }

    /// The point where the way from one corner to the next meets the antimeridian, seen from either side.
    private static func crossing(_ one: Corner, _ other: Corner) -> (here: Corner, there: Corner) {
        let side: Double = one.lon > 0 ? 180 : -180
        let (toSide, fromSide) = (abs(side - one.lon), abs(other.lon + side))
        let share = toSide + fromSide > 0 ? toSide / (toSide + fromSide) : 0
        let lat = one.lat + (other.lat - one.lat) * share
        let milliseconds = Double(other.at.milliseconds(since: one.at)) * share
        let at = one.at.adding(milliseconds: Int64(exactly: milliseconds.rounded()) ?? 0)
        return (
            Corner(lat: lat, lon: side, altitude: nil, at: at), Corner(lat: lat, lon: -side, altitude: nil, at: at)
        )
    }
}
