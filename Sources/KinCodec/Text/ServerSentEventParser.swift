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

    private let eventBytesMax: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var id = ""
    private var endedInCarriageReturn = false
    private var isFirstLine = true
    private var isTooLong = false

    /// Before the first byte. The bound is on one event's data, and on one line.
    public init(eventBytesMax: Int) { self.eventBytesMax = eventBytesMax }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, step: Step) {
        var start = 0
        while !isTooLong, start < input.count {
            // The LF of a CRLF whose CR ended a line.
            if endedInCarriageReturn {
                endedInCarriageReturn = false
                if input[start] == 0x0A {
                    start += 1
                    continue
                }
            }
            let rest = input.extracting(start...)
            // A line ends in LF, CR or CRLF.
            let lineFeed = rest.firstIndex(of: 0x0A) ?? rest.count
            let end = rest.extracting(..<lineFeed).firstIndex(of: 0x0D) ?? lineFeed
            isTooLong = line.count + end > eventBytesMax + Self.fieldNameBytesMax
            guard !isTooLong else { break }
            line.append(rest.extracting(..<end))
            guard end < rest.count else { return (input.count, .needsMore) }
            endedInCarriageReturn = rest[end] == 0x0D
            start += end + 1
            if let step = endLine() { return (start, step) }
        }
        return isTooLong ? (start, .tooLong) : (start, .needsMore)
    }

    /// `retry: ` and shorter names.
    private static let fieldNameBytesMax = 8

    private mutating func endLine() -> Step? {
        var line = self.line[...]
        self.line = []
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirstLine = false
        guard let first = line.first else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        if first == UInt8(ascii: ":") { return .comment }
        let name = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch name {
        case "data":
            if hasData { data.append(0x0A) }
            hasData = true
            data += value
            isTooLong = data.count > eventBytesMax
            return isTooLong ? .tooLong : nil
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": return ASCII.number(value).map { .retry(milliseconds: $0) }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Step? {
        lastEventID = id
        defer { (data, hasData, type) = ([], false, "") }
        guard hasData else { return nil }
        return .event(type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self), id: id)
    }
}
