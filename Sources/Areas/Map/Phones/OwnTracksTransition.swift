import KinGeo
import KinKeeper
import KinModel
import KinStore

/// An OwnTracks phone crossed the border of one of its regions, as the app says it.
struct OwnTracksTransition: Equatable {
    let crossing: Crossing
    /// When the region was made, by which Android knows it.
    let stamp: Int64?
    /// Tells messages of one moment apart.
    let digest: Int64

    /// Reads one; `nil` when it cannot be true, or says neither enter nor leave.
    init?(_ message: JSON, now: Instant) {
        guard let event = message["event"]?.string, event == "enter" || event == "leave",
            let at = message["tst"].flatMap(OwnTracksMessage.instant), Point.isPossible(at, now: now)
        else { return nil }
        func cut(_ text: String) -> String { String(text.unicodeScalars.prefix(Limits.nameCharactersMax)) }
        let point = try? PhonePoint(lat: message["lat"]?.double, lon: message["lon"]?.double, at: at)
        crossing = Crossing(
            isEntering: event == "enter", at: at, name: message["desc"]?.string.map(cut),
            region: message["rid"]?.string.map(cut), coordinate: point?.point.coordinate,
            accuracy: message["acc"]?.double.flatMap { Point.accuracyBounds.contains($0) ? $0 : nil })
        stamp = message["wtst"]?.int
        digest = message["_id"]?.string.map { PhonePoint.digest($0) } ?? 0
    }

    /// Writes it down; false when it came before.
    func keep(from phone: Phone, _ act: Act) throws(Rejection) -> Bool {
        try act.run(
            """
            INSERT OR IGNORE INTO phone_transitions (phone, at, digest, entering, name, region, lat, lon, accuracy)
            VALUES (?,?,?,?,?,?,?,?,?)
            """, .id(phone.id), .time(crossing.at), .int(digest), .bool(crossing.isEntering), Value(crossing.name),
            Value(crossing.region), Value(crossing.coordinate?.lat), Value(crossing.coordinate?.lon),
            Value(crossing.accuracy)) > 0
    }

    /// Forgets transitions that are too old to be sent again.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_transitions WHERE at < ?", .time(act.now.adding(days: -Limits.transitionDays)))
    }
}
