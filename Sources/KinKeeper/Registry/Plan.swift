public import KinModel

/// Something that a member has on, as far as the member who asks may know of it.
public struct Plan: Sendable, Hashable {
    /// Its beginning.
    public let start: Instant
    /// Its end.
    public let end: Instant
    /// Its name, where the caller may know it.
    public let subject: String?
    /// The thing that it was made from. The two are not in conflict.
    public let source: Identifier?
    /// Whether it, or that the member comes, is not certain, where that may be known.
    public let isTentative: Bool

    /// Something that is on.
    public init(
        start: Instant, end: Instant, subject: String?, source: Identifier?, isTentative: Bool = false
    ) {
        (self.start, self.end, self.subject, self.source) = (start, end, subject, source)
        self.isTentative = isTentative
    }

    /// Whether it is on at some time between two moments.
    public func isOn(from: Instant, to: Instant) -> Bool { start < to && end > from }
}
