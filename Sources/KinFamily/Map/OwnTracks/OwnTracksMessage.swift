import KinModel

/// A message of the OwnTracks app (its JSON formats, HTTP mode), as far as it matters here. Unknown types and names are
/// the app's business.
enum OwnTracksMessage: Equatable {
    /// The phone was there.
    case location(Point)
    /// A location nobody can use; the words say why, without a number of the member's in them.
    case unusable(String)
    /// Anything else: transitions, waypoints, the phone's state, its own card. Taken, of no effect so far.
    case other

    /// Reads a message. What is odd but not needed is left out; a position itself is taken as it is or not at all.
    init(_ message: JSON, now: Instant) {
        guard message["_type"]?.string == "location" else {
            self = .other
            return
        }
        guard let lat = message["lat"]?.double, let lon = message["lon"]?.double, Point.latBounds.contains(lat),
            Point.lonBounds.contains(lon)
        else {
            self = .unusable("its latitude or longitude is missing or out of range")
            return
        }
        guard let at = message["tst"].flatMap(Self.instant) else {
            self = .unusable("it has no time")
            return
        }
        guard Point.isPossible(at, now: now) else {
            self = .unusable("its time cannot be true; the phone's clock may be wrong")
            return
        }
        func number(_ name: String, in bounds: ClosedRange<Double>) -> Double? {
            message[name]?.double.flatMap { bounds.contains($0) ? $0 : nil }
        }
        var point = Point(lat: lat, lon: lon, at: at)
        point.accuracy = number("acc", in: Point.accuracyBounds)
        point.altitude = number("alt", in: Point.altitudeBounds)
        point.speed = number("vel", in: 0...(Point.speedBounds.upperBound * 3.6)).map { $0 / 3.6 }
        point.course = number("cog", in: Point.courseBounds).map { $0 == 360 ? 0 : $0 }
        point.battery = number("batt", in: Point.batteryBounds)
        point.mark = message["_id"]?.string.map(Self.mark) ?? 0
        self = .location(point)
    }

    /// `tst`: seconds since 1970, with a fraction at most.
    private static func instant(_ tst: JSON) -> Instant? {
        if case .int(let seconds) = tst { return Instant(milliseconds: 0).adding(seconds: seconds) }
        guard let seconds = tst.double, let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
            return nil
        }
        return Instant(milliseconds: milliseconds)
    }

    /// A message's `_id` as a small number (FNV-1a, 32 bits): enough to tell messages of one second apart.
    private static func mark(_ id: String) -> Int64 {
        Int64(id.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }

    /// A member's position for the app: whole numbers, km/h, seconds.
    static func location(of position: Position, tid: String) -> JSON {
        .object(leavingOut: [
            "_type": "location", "tid": .string(tid), "lat": .double(position.lat), "lon": .double(position.lon),
            "tst": .int(seconds(position.at)), "vel": position.speed.flatMap { whole($0 * 3.6) },
            "alt": position.altitude.flatMap(whole),
            // 359.6 is nearer to north than to 359.
            "cog": position.course.flatMap { whole($0.rounded() == 360 ? 0 : $0) },
            "acc": position.accuracy.flatMap(whole),
        ])
    }

    /// Rounded down, before 1970 too.
    private static func seconds(_ at: Instant) -> Int64 {
        let (seconds, rest) = at.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }

    private static func whole(_ number: Double) -> JSON? { Int64(exactly: number.rounded()).map { .int($0) } }
}
