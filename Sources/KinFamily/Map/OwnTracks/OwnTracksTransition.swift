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
        mark = message["_id"]?.string.map { PhonePoint.mark($0) } ?? 0
        if var point = try? PhonePoint(lat: message["lat"]?.double, lon: message["lon"]?.double, at: at) {
            point.put(.accuracy, message["acc"]?.double)
            (lat, lon, accuracy) = (point.point.lat, point.point.lon, point.point.accuracy)
        }
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
