/// Whether a member is on the way, and since when.
public enum Motion: Sendable, Hashable {
    /// On the way.
    case moving(since: Instant)
    /// At one place.
    case still(since: Instant)

    /// Since when.
    public var since: Instant {
        switch self {
        case .moving(let since), .still(let since): since
        }
    }
}

/// A member's position at a moment, in WGS 84. The fields say their units; what is not known is `nil`.
public struct Position: Sendable, Hashable {
    /// Whose position it is.
    public let member: Identifier
    /// Degrees north, −90…90.
    public let lat: Double
    /// Degrees east, −180…180.
    public let lon: Double
    /// When the member was there, by the phone's clock.
    public let at: Instant
    /// Radius in metres within which the position lies.
    public let accuracy: Double?
    /// Metres above the ellipsoid, as the phone says it.
    public let altitude: Double?
    /// Metres per second.
    public let speed: Double?
    /// Degrees clockwise from north, 0..<360.
    public let course: Double?
    /// Charge of the phone in per cent, 0…100.
    public let battery: Double?
    /// Whether the phone was being charged, or full with its cable in.
    public let charging: Bool?
    /// Whether the member was on the way, as far as the points up to this one tell.
    public let motion: Motion?
    /// ``Precision/exact``, or ``Precision/coarse``: then it is the middle of a cell, the time is rounded down, and
    /// nothing else is known.
    public let precision: Precision

    /// A position with what is known of it.
    public init(
        member: Identifier, lat: Double, lon: Double, at: Instant, accuracy: Double? = nil, altitude: Double? = nil,
        speed: Double? = nil, course: Double? = nil, battery: Double? = nil, charging: Bool? = nil,
        motion: Motion? = nil, precision: Precision = .exact
    ) {
        self.member = member
        self.lat = lat
        self.lon = lon
        self.at = at
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.battery = battery
        self.charging = charging
        self.motion = motion
        self.precision = precision
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let member = json["member"]?.identifier, let lat = json["lat"]?.double, let lon = json["lon"]?.double,
            let at = json["at"]?.instant
        else { return nil }
        self.init(
            member: member, lat: lat, lon: lon, at: at, accuracy: json["accuracy"]?.double,
            altitude: json["altitude"]?.double, speed: json["speed"]?.double, course: json["course"]?.double,
            battery: json["battery"]?.double, charging: json["charging"]?.bool,
            motion: json["movingSince"]?.instant.map { .moving(since: $0) }
                ?? json["stillSince"]?.instant.map { .still(since: $0) },
            precision: json["precision"]?.string == Precision.coarse.rawValue ? .coarse : .exact)
    }

    /// `{"member","precision"?,"lat","lon","at","accuracy"?,"altitude"?,"speed"?,"course"?,"battery"?,"charging"?,
    /// "movingSince"?,"stillSince"?}`, at most one of the last two; the precision is left out where it is exact.
    public var json: JSON {
        .object(leavingOut: [
            "member": .id(member), "precision": precision == .exact ? nil : .string(precision.rawValue),
            "lat": .double(lat), "lon": .double(lon), "at": .time(at),
            "accuracy": accuracy.map { .double($0) }, "altitude": altitude.map { .double($0) },
            "speed": speed.map { .double($0) }, "course": course.map { .double($0) },
            "battery": battery.map { .double($0) }, "charging": charging.map { .bool($0) },
            "movingSince": movingSince.map { .time($0) }, "stillSince": stillSince.map { .time($0) },
        ])
    }

    private var movingSince: Instant? { if case .moving(let since)? = motion { since } else { nil } }
    private var stillSince: Instant? { if case .still(let since)? = motion { since } else { nil } }
}
