import Testing

/// Feeds bytes whole, cut in two at every place, and byte by byte; the outcome must be the same each time.
@discardableResult
func atEverySplit<Outcome: Equatable>(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation, _ run: ([[UInt8]]) -> Outcome
) -> Outcome {
    let whole = run([bytes])
    for place in 0...bytes.count {
        let cut = run([Array(bytes[..<place]), Array(bytes[place...])])
        expectSame(cut, whole, "cut at \(place)", sourceLocation: sourceLocation)
    }
    #expect(run(bytes.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
    return whole
}

/// Feeds pieces the way a connection does: consumed bytes are dropped from the front, and the machine is called until
/// it has no more to say. Fails when it neither takes bytes nor says anything.
func feed<Step>(
    _ pieces: [[UInt8]], consume: (Span<UInt8>) -> (Int, Step), isNeedsMore: (Step) -> Bool, take: (Step) -> Bool
) {
    for piece in pieces {
        var rest = piece[...]
        var idle = 0
        while true {
            let (consumed, step) = consume(rest.span)
            precondition(consumed >= 0 && consumed <= rest.count, "takes what there is")
            rest = rest.dropFirst(consumed)
            if isNeedsMore(step) {
                precondition(rest.isEmpty, "needing more means that everything was taken")
                break
            }
            guard take(step) else { return }
            idle = consumed == 0 ? idle + 1 : 0
            precondition(idle < 3, "makes progress")
        }
    }
}

extension String {
    /// Its UTF-8 as an array.
    var bytes: [UInt8] { Array(utf8) }
}

/// `#expect` for loops of many thousands, where its macro is most of the time.
func expectSame<Value: Equatable>(
    _ one: Value, _ other: Value, _ about: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if one != other { Issue.record("\(one) is not \(other) \(about())", sourceLocation: sourceLocation) }
}
