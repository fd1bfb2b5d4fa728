// The parsers over arrays and their slices, for callers whose bytes are not in a span already.

extension HTTPRequestParser {
    /// Takes bytes from the front of a slice; `consumed` counts from its start.
    public mutating func consume(_ input: ArraySlice<UInt8>) -> (consumed: Int, step: Step) { consume(input.span) }
    /// Takes bytes from the front of an array.
    public mutating func consume(_ input: [UInt8]) -> (consumed: Int, step: Step) { consume(input.span) }
}

extension HTTPResponseParser {
    /// Takes bytes from the front of a slice; `consumed` counts from its start.
    public mutating func consume(_ input: ArraySlice<UInt8>) -> (consumed: Int, step: Step) { consume(input.span) }
    /// Takes bytes from the front of an array.
    public mutating func consume(_ input: [UInt8]) -> (consumed: Int, step: Step) { consume(input.span) }
}

extension WebSocketMachine {
    /// Takes bytes from the front of a slice; `consumed` counts from its start.
    public mutating func consume(_ input: ArraySlice<UInt8>) -> (consumed: Int, event: Event) { consume(input.span) }
    /// Takes bytes from the front of an array.
    public mutating func consume(_ input: [UInt8]) -> (consumed: Int, event: Event) { consume(input.span) }
}

extension LineSplitter {
    /// Takes bytes from the front of a slice; `consumed` counts from its start.
    public mutating func consume(_ input: ArraySlice<UInt8>) -> (consumed: Int, step: Step) { consume(input.span) }
    /// Takes bytes from the front of an array.
    public mutating func consume(_ input: [UInt8]) -> (consumed: Int, step: Step) { consume(input.span) }
}

extension ServerSentEventParser {
    /// Takes bytes from the front of a slice; `consumed` counts from its start.
    public mutating func consume(_ input: ArraySlice<UInt8>) -> (consumed: Int, step: Step) { consume(input.span) }
    /// Takes bytes from the front of an array.
    public mutating func consume(_ input: [UInt8]) -> (consumed: Int, step: Step) { consume(input.span) }
}
