import KinKeeper
public import KinModel

/// Whether one member is at one place, decided point by point: a pure state machine, by the points' own times.
///
/// A point is evidence. Its weight depends on its distance from the circle's edge, measured in its own accuracy σ (the
/// radius that holds 68 % of such points). A member inside reads about `d ≤ r + 0.6 σ` on average, at worst at the edge
/// of a circle smaller than σ. A member outside by 2 σ reads `d ≥ r + 2 σ`. So the evidence for being inside is
/// `doubt − (d − r)/σ`: positive for the one and negative for the other. It is added up as long as the sum stays above zero
/// (Page's CUSUM test, 1954). No single point weighs more than ``stepMax``, so a fix that is wrong by far more than it
/// says counts as one point. An arrival needs a sum of ``enough`` and points over ``Limits/placeEvidenceSeconds``:
/// passing by is not arriving. Leaving is the same beyond radius and margin.
public struct Stay: Sendable, Equatable {
    /// Where the member is, as far as the place goes.
    public enum Phase: Int64, Sendable, CaseIterable {
        /// Not there.
        case outside = 0
        /// There.
        case inside = 1
        /// Not known yet: a member who is then found inside has not arrived.
        case unknown = 2
    }

    /// The decision that a point brings.
    public enum Decision: Sendable, Equatable {
        /// The member arrived, at the time of the first point.
        case entered(Instant)
        /// The member was found to be there.
        case found(Instant)
        /// The member left, at the time of the first point.
        case left(Instant)
    }

    /// The phase that is decided.
    public internal(set) var phase: Phase
    /// When the phase began, if it did by a decision.
    public internal(set) var since: Instant?
    /// Evidence for the other phase.
    private(set) var score = 0.0
    /// The first point of that evidence.
    private(set) var start: Instant?
    /// The newest point there was.
    private(set) var last: Instant?

    /// Nothing was seen so far.
    public init(phase: Phase) { self.init(phase: phase, since: nil) }

    init(
        phase: Phase, since: Instant?, score: Double = 0, start: Instant? = nil, last: Instant? = nil
    ) {
        self.phase = phase
        self.since = since
        self.score = score
        self.start = start
        self.last = last
    }

    /// How many σ beyond the edge is neither in nor out.
    static let doubt = 1.25
    private static let stepMax = 3.0
    private static let enough = 5.0
    private static let scoreMax = 8.0
    /// Metres: no phone knows better.
    private static let accuracyFloor = 5.0

    /// Whether there is nothing to remember.
    var isBlank: Bool { phase == .outside && since == nil && score == 0 }

    /// Takes a point so many metres from the centre. Points that are not newer than the newest, and those too coarse to
    /// say anything, change nothing.
    public mutating func take(distance: Double, accuracy: Double?, at: Instant, _ circle: Circle) -> Decision? {
        if let last, at <= last { return nil }
        let sigma = max(accuracy ?? Point.accuracyAssumed, Self.accuracyFloor)
        guard sigma <= Limits.placeAccuracyMax else { return nil }
        // After a gap this long, earlier evidence is dropped. Reports heard since then are kept.
        forget(before: max(last ?? .earliest, start ?? .earliest), at)
        last = at
        let beyond = (distance - circle.radius - (phase == .inside ? circle.margin : 0)) / sigma
        let evidence = phase == .inside ? beyond - 1 : Self.doubt - beyond
        let step = min(max(evidence, -Self.stepMax), Self.stepMax)
        score = min(max(score + step, 0), Self.scoreMax)
        guard score > 0 else {
            start = nil
            if phase == .unknown, step <= -1 { phase = .outside }
            return nil
        }
        let start = self.start ?? at
        self.start = start
        let seconds = phase == .inside ? Limits.placeLeaveSeconds : Limits.placeEvidenceSeconds
        guard step > 0, score >= Self.enough, at >= start.adding(seconds: seconds) else { return nil }
        let before = phase
        phase = before == .inside ? .outside : .inside
        (since, score, self.start) = (start, 0, nil)
        return switch before {
        case .outside: .entered(start)
        case .unknown: .found(start)
        case .inside: .left(start)
        }
    }

    /// A phone reports that it entered or left a region that it watches itself. This is evidence worth less than a good
    /// point: the phone may be wrong, and its region may be another one. Evidence to the contrary is reduced.
    mutating func hear(isEntering: Bool, at: Instant) {
        if let last, at < last.adding(seconds: -Self.heardLateSecondsMax) { return }
        if let start { forget(before: start, at) }
        guard isEntering == (phase != .inside) else {
            score = max(score - Self.heard, 0)
            if score == 0 { start = nil }
            return
        }
        score = max(score, min(score + Self.heard, Self.enough - 1))
        start = min(start ?? at, at)
    }

    private mutating func forget(before newest: Instant, _ at: Instant) {
        if at > newest.adding(seconds: Limits.placeGapSecondsMax) { (score, start) = (0, nil) }
    }

    private static let heard = 2.0
    /// Seconds by which a report of the phone may be older than the newest point: both arrive when the phone has a
    /// network.
    private static let heardLateSecondsMax: Int64 = 300
}
