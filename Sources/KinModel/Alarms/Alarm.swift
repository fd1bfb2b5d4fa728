/// A member calls others for help or for company, says that one is on the way, or asks whether all is well. Only the
/// member who raised it and those who are called see it. It is gone when it ends.
public struct Alarm: WireRecord {
    /// What it is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// Help is needed, now.
        case sos
        /// Those who are called should come.
        case come
        /// The member who raised it is on the way.
        case onTheWay
        /// Those who are called should say whether all is well.
        case check
    }

    /// Its identifier.
    public let id: Identifier
    /// What it is for.
    public let kind: Kind
    /// Who raised it.
    public let by: Identifier
    /// When.
    public let at: Instant
    /// What it says besides.
    public let text: String?
    /// The moment at which a member on the way expects to arrive, or until which a check waits for answers.
    public let expected: Instant?
    /// Whether that has passed.
    public var isOverdue: Bool
    /// The destination of a member on the way.
    public let place: AlarmPlace?
    /// When it ends by itself.
    public let until: Instant
    /// The position of the member who raised it, shown to those called until it ends. Absent: not known, or not shown
    /// by this kind.
    public var position: AlarmPosition?
    /// The members who are called, with each one's answer; sorted by member.
    public var called: [AlarmCall]

    /// An alarm.
    public init(
        id: Identifier, kind: Kind, by: Identifier, at: Instant, text: String? = nil, expected: Instant? = nil,
        isOverdue: Bool = false, place: AlarmPlace? = nil, until: Instant, position: AlarmPosition? = nil,
        called: [AlarmCall] = []
    ) {
        self.id = id
        self.kind = kind
        self.by = by
        self.at = at
        self.text = text
        self.expected = expected
        self.isOverdue = isOverdue
        self.place = place
        self.until = until
        self.position = position
        self.called = called
    }

    /// What it may say besides.
    package static let textForm = Form<String>.text(max: Limits.alarmTextCharactersMax)

    /// As it is written.
    public static let fields = Fields(
        "Alarm",
        Alarm.init(id:kind:by:at:text:expected:isOverdue:place:until:position:called:),
        .required("id", \.id, .id),
        .required("kind", \.kind, .word, "sos: help; come: come here; onTheWay; check: is all well?"),
        .required("by", \.by, .id, "Who raised it."),
        .required("at", \.at, .time),
        .optional("text", \.text, textForm),
        .optional(
            "expected", \.expected, .time,
            "onTheWay: when one is to be there; check: how long answers are waited for."),
        .required("overdue", \.isOverdue, .bool, "Whether that has passed."),
        .optional("place", \.place, AlarmPlace.form, "onTheWay: where to."),
        .required("until", \.until, .time, "When it ends by itself."),
        .optional("position", \.position, AlarmPosition.form, "sos, onTheWay: where who raised it is, exactly."),
        .required("called", \.called, .list(AlarmCall.form, max: Limits.membersMax), "Sorted by member."))
}

/// The destination of a member on the way.
public struct AlarmPlace: WireRecord {
    /// What it is called.
    public let name: String
    /// Degrees north.
    public let lat: Double
    /// Degrees east.
    public let lon: Double
    /// Metres around it that count as there.
    public let radius: Double

    /// A place.
    public init(name: String, lat: Double, lon: Double, radius: Double) {
        self.name = name
        self.lat = lat
        self.lon = lon
        self.radius = radius
    }

    /// As it is written.
    public static let fields = Fields(
        "AlarmPlace", AlarmPlace.init(name:lat:lon:radius:),
        .required("name", \.name, .name),
        .required("lat", \.lat, .number(Limits.latBounds), "Degrees north (WGS 84)."),
        .required("lon", \.lon, .number(Limits.lonBounds), "Degrees east (WGS 84)."),
        .required("radius", \.radius, .number(50...10_000), "Metres around it that count as there."))
}

/// The last position of the member who raised an alarm.
public struct AlarmPosition: WireRecord {
    /// Degrees north.
    public let lat: Double
    /// Degrees east.
    public let lon: Double
    /// When.
    public let at: Instant
    /// Radius in metres within which it lies.
    public let accuracy: Double?

    /// A position.
    public init(lat: Double, lon: Double, at: Instant, accuracy: Double? = nil) {
        self.lat = lat
        self.lon = lon
        self.at = at
        self.accuracy = accuracy
    }

    /// As it is written.
    public static let fields = Fields(
        "AlarmPosition", AlarmPosition.init(lat:lon:at:accuracy:),
        .required("lat", \.lat, .number(Limits.latBounds), "Degrees north (WGS 84)."),
        .required("lon", \.lon, .number(Limits.lonBounds), "Degrees east (WGS 84)."),
        .required("at", \.at, .time, "When, by the phone's clock."),
        .optional("accuracy", \.accuracy, .number(0...1_000_000), "Radius in metres within which it lies."))
}

/// Somebody who is called, and what that member answered.
public struct AlarmCall: WireRecord {
    /// An answer to an alarm.
    public enum Answer: String, Sendable, CaseIterable, Hashable {
        /// I am coming.
        case coming
        /// I cannot come.
        case cannot
        /// All is well here.
        case allWell
        /// I have seen it; it need not ring here any more.
        case seen
    }

    /// Who is called.
    public let member: Identifier
    /// What the member answered.
    public let answer: Answer?
    /// When.
    public let at: Instant?
    /// The moment at which the member was reached: a device took the ring, or the member answered. Absent: as far as is
    /// known, nothing has reached the member.
    public var reached: Instant?

    /// Somebody who is called.
    public init(member: Identifier, answer: Answer? = nil, at: Instant? = nil, reached: Instant? = nil) {
        self.member = member
        self.answer = answer
        self.at = at
        self.reached = reached
    }

    /// As it is written.
    public static let fields = Fields(
        "AlarmCall", AlarmCall.init(member:answer:at:reached:),
        .required("member", \.member, .id),
        .optional("answer", \.answer, .word, "coming, cannot, allWell, seen; absent: none so far."),
        .optional("at", \.at, .time, "When."),
        .optional(
            "reached", \.reached, .time, "When a device of the member took its ring; absent: none that is known of."))
}

extension Limits {
    /// Characters of an alarm's text.
    public static let alarmTextCharactersMax = 500
}
