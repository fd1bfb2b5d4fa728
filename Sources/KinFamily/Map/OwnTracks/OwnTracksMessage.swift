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
        do throws(PhonePoint.Fault) {
            var point = try PhonePoint(
                lat: message["lat"]?.double, lon: message["lon"]?.double, at: message["tst"].flatMap(Self.instant))
            point.put(.accuracy, message["acc"]?.double)
            point.put(.altitude, message["alt"]?.double)
            point.put(.speed, message["vel"]?.double.map { $0 / 3.6 })
            point.put(.course, message["cog"]?.double)
            point.put(.battery, message["batt"]?.double)
            point.isCharging = message["bs"]?.int.flatMap(Self.isCharging)
            point.name(message["_id"]?.string)
            guard Point.isPossible(point.point.at, now: now) else {
                self = .unusable("its time cannot be true; the phone's clock may be wrong")
                return
            }
            self = .location(point.point)
        } catch { self = .unusable(error.words) }
    }

    /// `tst`: seconds since 1970, with a fraction at most.
    private static func instant(_ tst: JSON) -> Instant? {
        if case .int(let seconds) = tst { return Instant(milliseconds: 0).adding(seconds: seconds) }
        guard let seconds = tst.double, let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
            return nil
        }
        return Instant(milliseconds: milliseconds)
    }

    /// `bs`: 1 unplugged, 2 charging, 3 full; 0 is unknown.
    private static func isCharging(_ bs: Int64) -> Bool? { (1...3).contains(bs) ? bs > 1 : nil }

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
