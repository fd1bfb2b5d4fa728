import KinModel

/// Writes a track as GPX 1.1, line by line. Speed and course stand where Garmin's extension has them, since GPX gave its
/// own up.
struct TrackWriter {
    func head(of name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Kinwire" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <trk><name>\(Self.escaped(name))</name><trkseg>
        """
    }

    func point(_ position: Position) -> String {
        var line = "<trkpt lat=\"\(position.lat)\" lon=\"\(position.lon)\">"
        if let altitude = position.altitude { line += "<ele>\(altitude)</ele>" }
        line += "<time>\(position.at)</time>"
        if position.speed != nil || position.course != nil {
            line += "<extensions><gpxtpx:TrackPointExtension>"
            if let speed = position.speed { line += "<gpxtpx:speed>\(speed)</gpxtpx:speed>" }
            if let course = position.course { line += "<gpxtpx:course>\(course)</gpxtpx:course>" }
            line += "</gpxtpx:TrackPointExtension></extensions>"
        }
        return line + "</trkpt>"
    }

    let tail = "</trkseg></trk></gpx>"

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
