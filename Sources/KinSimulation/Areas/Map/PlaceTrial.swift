import Glibc
public import KinGeo
import KinKeeper
import KinMap
import KinModel

/// Arrivals on a recorded track under noise from a seed, by the daemon's own engine and by the plain question whether the
/// point lies inside the circle.
///
/// σ is a point's accuracy, the radius that holds 68 % of such points. The true track is *outside* where at every report it
/// is farther from the circle than 2 σ of that report; it *stays* where it lies inside the circle for at least
/// ``Limits/placeDwellSeconds`` and two intervals, an interval being the longest time without a report in that stay.
/// Everything else is borderline: there either answer is right.
public struct PlaceTrial: Sendable {
    /// What one way of deciding made of it.
    public struct Outcome: Sendable, Equatable {
        /// Arrivals all of whose evidence was reported from outside.
        public var falseArrivals = 0
        /// Stays during which no arrival was noticed.
        public var missed = 0
        /// Arrivals in all.
        public var arrivals = 0
        /// Arrivals in a stay that had been noticed already: coming and going that never was.
        public var repeated = 0
        /// Arrivals in runs whose true track is outside from first to last.
        public var outside = 0
        /// Arrivals in borderline runs.
        public var borderline = 0
    }

    /// Runs: one seed, one track and one place each.
    public private(set) var runs = 0
    /// Runs whose true track is outside from first to last.
    public private(set) var outsideRuns = 0
    /// Stays there were.
    public private(set) var stays = 0
    /// Runs that are neither outside nor have a stay.
    public private(set) var borderlineRuns = 0
    /// Reports there were.
    public private(set) var reports = 0
    /// By the daemon's engine.
    public private(set) var engine = Outcome()
    /// By asking whether the point lies inside the circle.
    public private(set) var plain = Outcome()

    /// Nothing yet.
    public init() {}

    /// Places tried with each seed.
    public static let placesPerSeed = 8

    private struct Report {
        let second: Int
        let at: Coordinate
        let accuracy: Double
    }

    /// One seed: noise on a track, and places along it.
    public mutating func run(_ seconds: [Coordinate], seed: UInt64) {
        var dice = Dice(seed: seed)
        let interval = dice.pick([5, 10, 15, 30])
        let all = Self.noisy(seconds, interval: interval, &dice)
        reports += all.count
        for _ in 0..<Self.placesPerSeed {
            let centre = seconds[dice.below(seconds.count)]
            let away = dice.normal() * 300
            let centreAway = Self.moved(centre, north: away, east: dice.normal() * 300)
            judge(all, seconds, Place(centre: centreAway, radius: 40 * pow(10, dice.unit())))
        }
    }

    private struct Place {
        let centre: Coordinate
        let radius: Double
    }

    private static let start = Instant(milliseconds: 1_700_000_000_000)

    private mutating func judge(_ all: [Report], _ seconds: [Coordinate], _ place: Place) {
        let truth = seconds.map { place.centre.roughDistance(to: $0) }
        let isOutside = all.map { truth[$0.second] > place.radius + 2 * $0.accuracy }
        let spans = Self.stays(truth, all, radius: place.radius)
        runs += 1
        stays += spans.count
        let isOutsideRun = isOutside.allSatisfy(\.self)
        if isOutsideRun { outsideRuns += 1 }
        let isBorderline = !isOutsideRun && spans.isEmpty
        if isBorderline { borderlineRuns += 1 }

        let circle = Circle(centre: place.centre, radius: place.radius)
        var stay = Stay(phase: .outside)
        var isIn = false
        var (smart, simple) = (Tally(spans), Tally(spans))
        for (index, report) in all.enumerated() {
            let distance = place.centre.roughDistance(to: report.at)
            let at = Self.start.adding(seconds: Int64(report.second))
            if case .entered(let since) = stay.take(
                distance: distance, accuracy: report.accuracy, at: at, circle)
            {
                let first = Int((since.milliseconds - Self.start.milliseconds) / 1000)
                let evidence = all.indices.filter { all[$0].second >= first && $0 <= index }
                smart.arrive(report.second, isFalse: evidence.allSatisfy { isOutside[$0] })
            }
            smart.note(report.second, isIn: stay.phase == .inside)
            let wasIn = isIn
            isIn = distance <= place.radius
            if isIn, !wasIn { simple.arrive(report.second, isFalse: isOutside[index]) }
            simple.note(report.second, isIn: isIn)
        }
        smart.add(to: &engine)
        simple.add(to: &plain)
        if isOutsideRun { engine.outside += smart.arrivals }
        if isOutsideRun { plain.outside += simple.arrivals }
        if isBorderline { engine.borderline += smart.arrivals }
        if isBorderline { plain.borderline += simple.arrivals }
    }

    /// What one way noticed of one run.
    private struct Tally {
        let spans: [ClosedRange<Int>]
        var seen: [Bool]
        var arrivalsIn: [Int]
        var falseArrivals = 0
        var arrivals = 0

        init(_ spans: [ClosedRange<Int>]) {
            self.spans = spans
            seen = spans.map { _ in false }
            arrivalsIn = spans.map { _ in 0 }
        }

        mutating func arrive(_ second: Int, isFalse: Bool) {
            arrivals += 1
            if isFalse { falseArrivals += 1 }
            for index in spans.indices where spans[index].contains(second) { arrivalsIn[index] += 1 }
        }

        mutating func note(_ second: Int, isIn: Bool) {
            guard isIn else { return }
            for index in spans.indices where spans[index].contains(second) { seen[index] = true }
        }

        func add(to outcome: inout Outcome) {
            outcome.falseArrivals += falseArrivals
            outcome.missed += seen.count { !$0 }
            outcome.arrivals += arrivals
            outcome.repeated += arrivalsIn.map { max(0, $0 - 1) }.reduce(0, +)
        }
    }

    /// When the true track lies inside long enough, from second to second.
    private static func stays(_ truth: [Double], _ all: [Report], radius: Double) -> [ClosedRange<Int>] {
        var spans: [ClosedRange<Int>] = []
        var from: Int?
        for second in 0...truth.count {
            let isIn = second < truth.count && truth[second] <= radius
            if isIn, from == nil { from = second }
            guard !isIn, let start = from else { continue }
            from = nil
            let span = start...(second - 1)
            // The longest time without a report, from coming to going.
            let within = all.filter { span.contains($0.second) }.map(\.second)
            let longest = zip([start] + within, within + [second - 1]).map { $1 - $0 }.max() ?? 0
            if span.count > Int(Limits.placeDwellSeconds) + 2 * longest { spans.append(span) }
        }
        return spans
    }

    // MARK: Noise

    /// What a phone reports of a track: accuracy of 5 to 200 m that stays for a while, an error of two normal
    /// distributions to match it, gaps of up to ten minutes, and repeats.
    private static func noisy(_ seconds: [Coordinate], interval: Int, _ dice: inout Dice) -> [Report] {
        var all: [Report] = []
        var accuracy = 5 * pow(40, dice.unit())
        var silentUntil = 0
        var second = dice.below(interval)
        while second < seconds.count {
            defer { second += interval }
            if dice.once(in: 200) { silentUntil = second + 60 + dice.below(540) }
            if dice.once(in: 5) { accuracy = 5 * pow(40, dice.unit()) }
            guard second >= silentUntil else { continue }
            // 68 % of a normal distribution in the plane lie within 1.51 of its σ along each axis.
            let sigma = accuracy / 1.51
            let at = moved(seconds[second], north: dice.normal() * sigma, east: dice.normal() * sigma)
            all.append(Report(second: second, at: at, accuracy: accuracy))
            if dice.once(in: 20) { all.append(Report(second: second, at: at, accuracy: accuracy)) }
        }
        return all
    }

    private static func moved(_ from: Coordinate, north: Double, east: Double) -> Coordinate {
        let degree = Coordinate.earthRadius * .pi / 180
        return Coordinate(
            lat: from.lat + north / degree, lon: from.lon + east / (degree * cos(from.lat * .pi / 180)))
    }
}

extension Dice {
    /// From 0 to below 1.
    fileprivate mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// Of the standard normal distribution (Box and Muller 1958).
    fileprivate mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
}
