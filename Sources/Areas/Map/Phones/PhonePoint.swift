import KinKeeper
public import KinModel

/// A point as a phone's app sent it, on its way from a gateway: in the family's units, with a place and a time. Other
/// odd values are left out, because an app sends again and again what is refused.
public struct PhonePoint: Sendable, Equatable {
    /// Why a point is of no use.
    public enum Fault: Error, Sendable, Hashable {
        case place
        case time

        /// For the daemon's log, without a number of the member's in it.
        public var words: String {
            switch self {
            case .place: "its latitude or longitude is missing or out of range"
            case .time: "it has no time"
            }
        }
    }

    /// Further measurements of a point, each in its unit.
    public enum Measure: String, CaseIterable, Sendable {
        /// Metres.
        case accuracy
        /// Metres.
        case altitude
        /// Metres per second.
        case speed
        /// Degrees clockwise from north.
        case course
        /// Per cent.
        case battery

        fileprivate var bounds: ClosedRange<Double> {
            switch self {
            case .accuracy: Point.accuracyBounds
            case .altitude: Point.altitudeBounds
            case .speed: Point.speedBounds
            case .course: Point.courseBounds
            case .battery: Point.batteryBounds
            }
        }
    }

    /// The point itself.
    private(set) var point: Point

    /// A point by its place in degrees and its time.
    public init(lat: Double?, lon: Double?, at: Instant?) throws(Fault) {
        guard let lat, let lon, Point.latBounds.contains(lat), Point.lonBounds.contains(lon) else { throw .place }
        guard let at else { throw .time }
        point = Point(lat: lat, lon: lon, at: at)
    }

    /// Puts a measure in, or leaves it out when it is none.
    public mutating func put(_ measure: Measure, _ number: Double?) {
        // No phone measures better than thousandths; further digits come from conversions.
        let value = number.flatMap { measure.bounds.contains($0) ? ($0 * 1000).rounded() / 1000 : nil }
        switch measure {
        case .accuracy: point.accuracy = value
        case .altitude: point.altitude = value
        case .speed: point.speed = value
        case .course: point.course = value == 360 ? 0 : value
        case .battery: point.battery = value
        }
    }

    /// Whether the phone is being charged, or full with its cable still in; `nil` when the app does not say.
    public var isCharging: Bool? {
        get { point.isCharging }
        set { point.isCharging = newValue }
    }

    /// Whether the app holds the phone to be moving; `nil` when it does not say.
    public var isMoving: Bool? {
        get { point.isMoving }
        set { point.isMoving = newValue }
    }

    /// Tells it from other points of the device and moment by the app's own name for it.
    public mutating func name(_ name: String?) { point.digest = name.map(Self.digest) ?? 0 }

    /// A name as a small number (FNV-1a, 32 bits): enough to tell messages of one moment apart.
    static func digest(_ name: String) -> Int64 {
        Int64(name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }

    /// As `phone.publish` takes it.
    public var json: JSON {
        .object(leavingOut: [
            "lat": .double(point.lat), "lon": .double(point.lon), "at": .time(point.at),
            "accuracy": point.accuracy.map { .double($0) }, "altitude": point.altitude.map { .double($0) },
            "speed": point.speed.map { .double($0) }, "course": point.course.map { .double($0) },
            "battery": point.battery.map { .double($0) }, "charging": point.isCharging.map { .bool($0) },
            "moving": point.isMoving.map { .bool($0) }, "digest": point.digest == 0 ? nil : .int(point.digest),
        ])
    }

    /// The fields that ``json`` is checked against.
    static let fields = Point.fields + [.optional("digest", .integer(0...Int64(UInt32.max)))]
}
