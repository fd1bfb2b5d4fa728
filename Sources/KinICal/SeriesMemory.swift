public import KinCalendar
import KinModel

/// What series come to, year by year, so that libical expands each of them once. It remembers a function of the series
/// alone: nobody has to tell it of changes, and it may be emptied at any time. Confined to its owner's thread.
public final class SeriesMemory {
    private var known: [Series: SeriesYears] = [:]
    /// Occurrences that are held, and some for each series.
    private var held = 0
    /// How often all was dropped: whoever still has a series of before drops what it remembers, too.
    fileprivate private(set) var round = 0
    /// What a series takes besides its occurrences.
    private static let weight = 32

    /// An empty memory.
    public init() {}

    /// A series, with what is remembered of it.
    public func years(of series: Series) -> SeriesYears {
        if let known = known[series] { return known }
        hold(Self.weight)
        let years = SeriesYears(series, self)
        known[series] = years
        return years
    }

    /// Drops all of it.
    public func forget() {
        known.removeAll()
        held = 0
        round += 1
    }

    /// Makes room for more; when there is none, all is dropped, and what is asked for comes back.
    fileprivate func hold(_ count: Int) {
        if held + count > Limits.seriesRememberedMax { forget() }
        held += count
    }
}

/// One series with what is remembered of it.
public final class SeriesYears {
    /// The series.
    public let series: Series
    /// The occurrences of years; `nil` for a year that has too many to be kept.
    private var years: [Int: [Civil]?] = [:]
    // The memory is there for as long as somebody asks: both are confined to the same owner.
    private unowned let memory: SeriesMemory
    private var round: Int

    /// A question for more years than that is no month of anybody's, and is not remembered.
    private static let yearsMax = 3

    fileprivate init(_ series: Series, _ memory: SeriesMemory) {
        self.series = series
        self.memory = memory
        round = memory.round
    }

    /// What the series itself answers (``Series/occurrences(from:to:max:)``).
    public func occurrences(from: Civil, to: Civil, max most: Int) -> Series.Found {
        guard most > 0, from < to else { return Series.Found(all: [], isCut: false) }
        let (first, last) = (from.year, to.adding(seconds: -1).year)
        guard last - first < Self.yearsMax else { return series.occurrences(from: from, to: to, max: most) }
        var all: [Civil] = []
        for year in first...last {
            guard let found = occurrences(in: year) else {
                return series.occurrences(from: from, to: to, max: most)
            }
            all += found[Self.count(of: found, before: from)..<Self.count(of: found, before: to)]
        }
        guard all.count > most else { return Series.Found(all: all, isCut: false) }
        return Series.Found(all: Array(all.prefix(most)), isCut: true)
    }

    /// How many of ascending times are before another.
    private static func count(of times: [Civil], before time: Civil) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func occurrences(in year: Int) -> [Civil]? {
        if round != memory.round {
            years.removeAll()
            round = memory.round
        }
        if let known = years[year] { return known }
        guard let first = Civil(year: year, month: 1, day: 1), let end = Civil(year: year + 1, month: 1, day: 1)
        else { return nil }
        let found = series.occurrences(from: first, to: end, max: Limits.seriesYearRememberedMax)
        let kept = found.isCut ? nil : found.all
        memory.hold(found.all.count)
        guard round == memory.round else { return kept }
        years[year] = .some(kept)
        return kept
    }
}

extension Series {
    /// By its start and the first of its rules; what else there is seldom tells two apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(rules.first?.description)
    }
}
