import KinGeo
import KinKeeper
import KinModel
import KinStore

/// An OwnTracks phone crossed the border of one of its regions: evidence of an arrival or a leaving, by the phone's own
/// judgement.
struct OwnTracksTransition: Equatable {
    let isEntering: Bool
    /// When, by the phone's clock.
    let at: Instant
    /// What the region is called on the phone.
    let name: String?
    /// The region's own identifier, where the app has one.
    let region: String?
    /// When the region was made, by which Android knows it.
    let stamp: Int64?
    /// Where the phone was, when it said so.
    var lat: Double?
    var lon: Double?
    /// Metres.
    var accuracy: Double?
    /// Tells messages of one moment apart.
    let mark: Int64

    /// Reads one; `nil` when it cannot be true, or says neither enter nor leave.
    init?(_ message: JSON, now: Instant) {
        guard let event = message["event"]?.string, event == "enter" || event == "leave",
            let at = message["tst"].flatMap(OwnTracksMessage.instant), Point.isPossible(at, now: now)
        else { return nil }
        isEntering = event == "enter"
        self.at = at
        name = message["desc"]?.string.map { String($0.unicodeScalars.prefix(Limits.nameCharactersMax)) }
        region = message["rid"]?.string.map { String($0.unicodeScalars.prefix(Limits.nameCharactersMax)) }
        stamp = message["wtst"]?.int
        mark = message["_id"]?.string.map { PhonePoint.mark($0) } ?? 0
        accuracy = message["acc"]?.double.flatMap { Point.accuracyBounds.contains($0) ? $0 : nil }
        if let point = try? PhonePoint(lat: message["lat"]?.double, lon: message["lon"]?.double, at: at) {
            (lat, lon) = (point.point.lat, point.point.lon)
        }
    }

    /// Whether where the phone was when it said so, and how well it knew, speaks for what it says of a circle.
    func fits(_ circle: Circle) -> Bool {
        let sigma = accuracy ?? Stay.accuracyAssumed
        guard sigma <= Limits.placeAccuracyMax else { return false }
        guard let lat, let lon else { return true }
        let distance = circle.distance(to: Coordinate(lat: lat, lon: lon))
        return isEntering
            ? distance <= circle.radius + circle.margin + 2 * sigma : distance >= circle.radius - 2 * sigma
    }

    /// Writes it down; false when it came before.
    func keep(from phone: Phone, _ act: Act) throws(Rejection) -> Bool {
        try act.run(
            """
            INSERT OR IGNORE INTO phone_transitions (phone, at, mark, entering, name, region, lat, lon, accuracy)
            VALUES (?,?,?,?,?,?,?,?,?)
            """, .id(phone.id), .time(at), .int(mark), .bool(isEntering), Value(name), Value(region), Value(lat),
            Value(lon), Value(accuracy)) > 0
    }

    /// Forgets what is too old to come again.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_transitions WHERE at < ?", .time(act.now.adding(days: -Limits.transitionDays)))
    }
}
