import KinGeo
import KinKeeper
import KinModel

/// Where a phone says it is, checked: every number is finite and within its range.
struct Point: Sendable, Equatable {
    var lat: Double
    var lon: Double
    var at: Instant
    var accuracy: Double?
    var altitude: Double?
    var speed: Double?
    var course: Double?
    var battery: Double?
    /// Being charged, or full with the cable in.
    var isCharging: Bool?
    /// The phone's own word: its sensors know more than the numbers.
    var isMoving: Bool?
    /// The device's name; `nil` when nobody said.
    var device: String?
    /// Tells points of one device and moment apart.
    var digest: Int64 = 0

    static let latBounds = Limits.latBounds
    static let lonBounds = Limits.lonBounds
    /// Metres: half the way round the earth says as much as nothing.
    static let accuracyBounds = 0.0...20_040_000.0
    /// Metres: from the deepest trench to a satellite.
    static let altitudeBounds = -12_000.0...40_000_000.0
    /// Metres per second: escape velocity.
    static let speedBounds = 0.0...11_200.0
    /// Degrees; 360 is read as 0.
    static let courseBounds = 0.0...360.0
    /// Per cent.
    static let batteryBounds = 0.0...100.0
    /// Metres: what is assumed of a point that does not say.
    static let accuracyAssumed = 30.0
    /// An earlier time comes from a clock that was never set.
    static let atEarliest = Instant("2000-01-01T00:00:00Z") ?? .earliest

    /// The measurements with their units, as requests and answers have them.
    static let measures: [Field] = [
        .required("lat", .number(latBounds), "Degrees north (WGS 84)."),
        .required("lon", .number(lonBounds), "Degrees east (WGS 84)."),
        .required("at", .time, "When the device was there; from the year 2000, at most two minutes ahead."),
        .optional("accuracy", .number(accuracyBounds), "Radius in metres."),
        .optional("altitude", .number(altitudeBounds), "Metres."),
        .optional("speed", .number(speedBounds), "Metres per second."),
        .optional("course", .number(courseBounds), "Degrees clockwise from north."),
        .optional("battery", .number(batteryBounds), "Per cent."),
        .optional("charging", .bool, "Whether the device is being charged, or full with its cable in."),
    ]

    /// The parameters of one point.
    static let fields =
        measures + [
            .optional("moving", .bool, "Whether the device itself holds it to be moving."),
            .optional("device", .line(max: Limits.nameCharactersMax), "Which device it is."),
        ]

    /// Whether a time can be true: it is not before the year 2000 and not ahead by more than
    /// ``Limits/futureSecondsMax``.
    static func isPossible(_ at: Instant, now: Instant) -> Bool {
        at >= atEarliest && at <= now.adding(seconds: Limits.futureSecondsMax)
    }

    /// Whether a phone's point of a time is kept: with the good ones, or, where its clock is ahead, apart from them.
    /// While the daemon's own clock is doubted, the phone's may be the right one.
    static func isKept(_ at: Instant, now: Instant, isClockDoubted: Bool) -> Bool {
        at >= atEarliest && (isClockDoubted || at <= now.adding(days: Limits.clockAheadDaysMax))
    }

    /// Reads a point that was checked against ``fields``. `path` names it in the sentence: `positions[3].`. A clock
    /// that is ahead is no reason to refuse where an app keeps what is refused (`isPhone`), nor while the daemon's own
    /// is doubted.
    init(_ object: JSON.Object, path: String, _ act: Act, isPhone: Bool = false) throws(Rejection) {
        let params = Params(object)
        let now = act.now
        lat = try params.double("lat")
        lon = try params.double("lon")
        at = try params.time("at")
        guard
            isPhone || act.isClockDoubted
                ? Self.isKept(at, now: now, isClockDoubted: act.isClockDoubted) : Self.isPossible(at, now: now)
        else {
            throw Rejection(
                .invalid,
                "\(path)at is \(at); it must be from the year 2000 and at most \(Limits.futureSecondsMax) seconds ahead.",
                field: path + "at")
        }
        accuracy = params.optionalDouble("accuracy")
        altitude = params.optionalDouble("altitude")
        speed = params.optionalDouble("speed")
        course = params.optionalDouble("course").map { $0 == 360 ? 0 : $0 }
        battery = params.optionalDouble("battery")
        isCharging = params["charging"]?.bool
        isMoving = params["moving"]?.bool
        device = params.optionalString("device")
    }

    /// A point from a phone app's own message; the caller has checked it.
    init(lat: Double, lon: Double, at: Instant) {
        self.lat = lat
        self.lon = lon
        self.at = at
    }

    /// Where it is.
    var coordinate: Coordinate { Coordinate(lat: lat, lon: lon) }

    /// As the family sees it.
    func position(of member: Identifier, motion: Motion?) -> Position {
        Position(
            member: member, lat: lat, lon: lon, at: at, accuracy: accuracy, altitude: altitude, speed: speed,
            course: course, battery: battery, charging: isCharging, motion: motion)
    }
}
