/// Reads `text/event-stream` (WHATWG HTML §9.2.6) as a client does.
public struct ServerSentEventParser: Sendable {
    /// What the bytes brought.
    public enum Step: Sendable, Hashable {
        /// Everything was taken.
        case needsMore
        /// An event: its type (`message` by default), its data, and the last event id as it stands now.
        case event(type: String, data: String, id: String)
        /// The server asks to wait that long before connecting again, in milliseconds.
        case retry(milliseconds: Int)
        /// A comment: the connection is alive.
        case comment
        /// A line or an event's data is larger than allowed; every later call says the same.
        case tooLong
    }

    /// The last event id, to be sent as `Last-Event-ID`; empty at first.
    public private(set) var lastEventID = ""

    /// Before the first byte. The bound is on one event's data, and on one line.
    public init(eventBytesMax: Int) {}

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) { (input.count, .needsMore) }
}
