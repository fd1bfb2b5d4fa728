import KinKeeper
import KinModel

/// The formats in which a history is exported.
enum TrackFormat: String, CaseIterable, Sendable {
    /// GPX 1.1, for programs of hikers and drivers.
    case gpx
    /// GeoJSON (RFC 7946), for maps in browsers and for scripts.
    case geojson

    /// The media type of such a file.
    var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        }
    }

    /// One piece of such a file; the pieces in their order are the file. `last` becomes the file's end as the next piece
    /// needs to know it.
    func piece(
        _ positions: [Position], of name: String, after last: inout TrackEnd?, isFirst: Bool, isLast: Bool
    ) -> String {
        switch self {
        case .gpx: GPXText.piece(positions, of: name, after: &last, isFirst: isFirst, isLast: isLast)
        case .geojson: GeoJSONText.piece(positions, of: name, after: &last, isFirst: isFirst, isLast: isLast)
        }
    }

    /// Whether a position begins a line of its own: nothing was heard for ``Limits/exportGapSeconds``, or it is known
    /// more or less exactly than the one before.
    static func isApart(_ position: Position, from last: Position) -> Bool {
        position.precision != last.precision
            || position.at.milliseconds(since: last.at) > Limits.exportGapSeconds * 1000
    }

    /// A number without an exponent, which XML Schema's decimal does not know.
    static func decimal(_ number: Double) -> String {
        let text = "\(number)"
        guard let e = text.firstIndex(of: "e") else { return text }
        // Small ones only: nothing that is measured here is above 10¹⁵.
        guard let exponent = Int(text[text.index(after: e)...]), (-20...(-1)).contains(exponent) else {
            return "0.0"
        }
        return (number < 0 ? "-0." : "0.") + String(repeating: "0", count: -exponent - 1)
            + text[..<e].filter(\.isNumber)
    }
}

/// The last position of the pieces so far.
struct TrackEnd: Equatable, Sendable {
    let position: Position
    /// False for a position that was held back, because the next one may make a line of it.
    var isWritten = true
    /// Whether anything was written before that a comma must follow.
    var hasBefore = true
}
