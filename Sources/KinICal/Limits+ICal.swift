public import KinModel

/// Limits of what is read and expanded, each with its unit.
extension Limits {
    /// Bytes of a recurrence rule.
    public static let ruleBytesMax = 1024
    /// Times within a day at which one rule may repeat. One that has more is kept, and not expanded.
    public static let ruleTimesPerDayMax = 48
    /// Dates that are named beside the rules (RDATE), or left out (EXDATE), of one series; more are cut.
    public static let seriesDatesMax = 2000
    /// Occurrences that one series is looked through for, in one question; one with a COUNT from its start on.
    public static let seriesStepsMax = 20_000
    /// Occurrences of series that are remembered, so that they are not expanded again; each has eight bytes.
    public static let seriesRememberedMax = 300_000
    /// Occurrences in a year, up to which those of a series are remembered. A series with more is expanded for each
    /// question.
    public static let seriesYearRememberedMax = 800
    /// Bytes of one component (`BEGIN` to `END`) of iCalendar that is read.
    public static let componentBytesMax = 64 << 10
    /// Components within each other.
    public static let componentDepthMax = 4
}
