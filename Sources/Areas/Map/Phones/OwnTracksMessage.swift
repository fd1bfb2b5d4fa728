import KinKeeper
import KinModel

/// A message of the OwnTracks app (its JSON formats, HTTP mode), as far as it is needed here. Unknown types and names
/// are ignored.
enum OwnTracksMessage: Equatable {
    /// The phone was there. `isQuiet`: its mode reports nothing by itself; `nil` when it does not say.
    case location(Point, isQuiet: Bool?)
    /// The phone crossed the border of one of its own regions.
    case transition(OwnTracksTransition)
    /// Regions the phone watches: `nil` for one among others, a count for all of them.
    case regions(Int?)
    /// The owner's own card; the face in base64.
    case card(face: String?)
    /// The settings that keep the app from working in the background.
    case status([PhoneTrouble])
    /// The app's settings. It sends its password with them, which goes no further than this.
    case configuration(takesCommands: Bool?, isQuiet: Bool?)
    /// A location nobody can use; the words say why, without a number of the member's in them.
    case unusable(String)
    /// Anything else: steps, beacons, last wills. Taken, with no effect but that the phone was heard of.
    case other

    /// Reads a message. Odd values that are not needed are left out; a position itself is taken as it is or not at all.
    init(_ message: JSON, now: Instant, isClockDoubted: Bool = false) {
        switch message["_type"]?.string {
        case "location": self = Self.location(message, now: now, isClockDoubted)
        case "transition": self = OwnTracksTransition(message, now: now).map { .transition($0) } ?? .other
        case "waypoint": self = .regions(nil)
        case "waypoints": self = .regions(message["waypoints"]?.array?.count ?? 0)
        case "card": self = .card(face: message["face"]?.string)
        case "status": self = .status(Self.troubles(message))
        case "configuration": self = Self.configuration(message)
        case "dump": self = message["configuration"].map { Self.configuration($0) } ?? .other
        default: self = .other
        }
    }

    private static func location(
        _ message: JSON, now: Instant, _ isClockDoubted: Bool
    ) -> OwnTracksMessage {
        do throws(PhonePoint.Fault) {
            var point = try PhonePoint(
                lat: message["lat"]?.double, lon: message["lon"]?.double, at: message["tst"].flatMap(instant))
            point.put(.accuracy, message["acc"]?.double)
            point.put(.altitude, message["alt"]?.double)
            point.put(.speed, message["vel"]?.double.map { $0 / 3.6 })
            point.put(.course, message["cog"]?.double)
            point.put(.battery, message["batt"]?.double)
            point.isCharging = message["bs"]?.int.flatMap(isCharging)
            point.isMoving = isMoving(message["motionactivities"]?.array?.compactMap(\.string) ?? [])
            point.name(message["_id"]?.string)
            guard Point.isKept(point.point.at, now: now, isClockDoubted: isClockDoubted) else {
                return .unusable("its time cannot be true; the phone's clock may be wrong")
            }
            return .location(point.point, isQuiet: message["m"]?.int.map { $0 <= 0 })
        } catch { return .unusable(error.words) }
    }

    private static func configuration(_ message: JSON) -> OwnTracksMessage {
        .configuration(
            takesCommands: message["cmd"]?.bool, isQuiet: message["monitoring"]?.int.map { $0 <= 0 })
    }

    // MARK: Values

    /// `tst`: seconds since 1970, with a fraction at most.
    static func instant(_ tst: JSON) -> Instant? {
        if case .int(let seconds) = tst { return Instant(milliseconds: 0).adding(seconds: seconds) }
        guard let seconds = tst.double, let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
            return nil
        }
        return Instant(milliseconds: milliseconds)
    }

    /// `bs`: 1 unplugged, 2 charging, 3 full; 0 is unknown.
    private static func isCharging(_ bs: Int64) -> Bool? { (1...3).contains(bs) ? bs > 1 : nil }

    /// `motionactivities`, by the words of iOS. A phone at rest in a car that drives has both.
    private static func isMoving(_ activities: [String]) -> Bool? {
        let words = activities.map { $0.lowercased() }
        if words.contains(where: { ["walking", "running", "cycling", "automotive"].contains($0) }) { return true }
        return words.contains("stationary") || words.contains("still") ? false : nil
    }

    /// A status: permissions and power. On Android 0 is as it should be; `loc` counts what is missing, in some versions
    /// with a minus. On iOS they are words.
    private static func troubles(_ message: JSON) -> [PhoneTrouble] {
        var troubles: [PhoneTrouble] = []
        if let android = message["android"] {
            switch android["loc"]?.int.map(\.magnitude) {
            case 1: troubles.append(.locationCoarse)
            case 2: troubles.append(.locationWhileUsing)
            case 3: troubles += [.locationWhileUsing, .locationCoarse]
            case 4: troubles.append(.locationOff)
            default: break
            }
            if android["hib"]?.int == 1 { troubles.append(.pausedWhenUnused) }
            if android["ps"]?.int == 1 { troubles.append(.powerSave) }
            if android["bo"]?.int == 1 { troubles.append(.batteryOptimised) }
        }
        if let iOS = message["iOS"] {
            let permission = iOS["locationManagerAuthorizationStatus"]?.string ?? ""
            if ["Denied", "Restricted", "NotDetermined"].contains(where: permission.hasSuffix) {
                troubles.append(.locationOff)
            } else if permission.hasSuffix("WhenInUse") {
                troubles.append(.locationWhileUsing)
            }
            let refresh = iOS["backgroundRefreshStatus"]?.string ?? ""
            if ["Denied", "Restricted"].contains(where: refresh.hasSuffix) { troubles.append(.backgroundRefreshOff) }
        }
        return troubles
    }
}
