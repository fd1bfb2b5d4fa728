import KinKeeper
import KinModel

/// A history as GPX 1.1: a track for each stretch of one precision, a segment for each stretch without a gap.
///
/// Speed and course stand in Garmin's extension, because GPX 1.1 has no elements for them. The accuracy is left out:
/// GPX knows only dilutions.
enum GPXText {
    static func piece(
        _ positions: [Position], of name: String, after last: inout TrackEnd?, isFirst: Bool, isLast: Bool
    ) -> String {
        var text = isFirst ? head(name) : ""
        for position in positions {
            if let last = last?.position {
                if position.precision != last.precision {
                    text += "</trkseg></trk>\n" + track(position.precision, name)
                } else if TrackFormat.isApart(position, from: last) {
                    text += "</trkseg><trkseg>\n"
                }
            } else {
                text += track(position.precision, name)
            }
            text += point(position)
            last = TrackEnd(position: position)
        }
        if isLast { text += (last == nil ? "" : "</trkseg></trk>\n") + "</gpx>\n" }
        return text
    }

    private static func head(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Kinwire" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <metadata><name>\(escaped(name))</name></metadata>

        """
    }

    private static func track(_ precision: Precision, _ name: String) -> String {
        let coarse =
            precision == .coarse ? "<desc>Middles of cells of about a kilometre, times rounded down.</desc>" : ""
        return "<trk><name>\(escaped(name))</name>\(coarse)<trkseg>\n"
    }

    private static func point(_ position: Position) -> String {
        let lat = TrackFormat.decimal(position.lat)
        // The schema's longitudes end before 180 (`longitudeType`); that is where they begin.
        let lon = TrackFormat.decimal(position.lon == 180 ? -180 : position.lon)
        var line = "<trkpt lat=\"\(lat)\" lon=\"\(lon)\">"
        if let altitude = position.altitude { line += "<ele>\(TrackFormat.decimal(altitude))</ele>" }
        line += "<time>\(position.at)</time>"
        if position.speed != nil || position.course != nil {
            line += "<extensions><gpxtpx:TrackPointExtension>"
            if let speed = position.speed { line += "<gpxtpx:speed>\(TrackFormat.decimal(speed))</gpxtpx:speed>" }
            if let course = position.course { line += "<gpxtpx:course>\(TrackFormat.decimal(course))</gpxtpx:course>" }
            line += "</gpxtpx:TrackPointExtension></extensions>"
        }
        return line + "</trkpt>\n"
    }

    /// Names hold no control characters, so this is all that XML needs.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
