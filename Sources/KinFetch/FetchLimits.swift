/// What an ask may cost. Hitting one is a ``FetchFailure``, never growth.
public struct FetchLimits: Sendable, Hashable {
    /// Bytes of an answer's content, announced and actual.
    public var bodyBytesMax = 4 << 20
    /// Bytes of one answer's fields.
    public var fieldsBytesMax = 16 << 10
    /// Bytes that may come before an answer's head is whole, interim answers (1xx) included.
    public var headBytesMax = 64 << 10
    /// Bytes of what a POST sends.
    public var sentBytesMax = 1 << 20
    /// Milliseconds for all of it: lookups, connections, redirects, content. What drips ends here.
    public var totalMilliseconds = 30_000
    /// Milliseconds that may pass between two arrivals of bytes, or until a connection stands.
    public var idleMilliseconds = 10_000
    /// Redirects that are followed.
    public var redirectsMax = 5
    /// Asks of one host in a row, before they are slowed.
    public var asksOfHostMax = 60
    /// Asks of one host a minute, from then on.
    public var asksOfHostPerMinute = 60
    /// The same for all hosts together.
    public var asksMax = 240
    /// The same for all hosts together.
    public var asksPerMinute = 240
    /// Days after which what is kept counts no more, and is removed.
    public var keptDaysMax: Int64 = 30
    /// Threads that ask at the same time; then ``FetchFailure/busy``, so that a worker is left for the family.
    public var askingMax = 2

    /// The defaults as listed.
    public init() {}
}
