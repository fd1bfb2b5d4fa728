import Testing

/// The walk for newcomers (`OneVote.md`) leads through files that are there, past functions that are in them, each once.
@Suite struct WalkTests {
    static let page = "Sources/KinServer/KinServer.docc/OneVote.md"
    static let stops = SourceTree.text(of: page).matches(of: /(?m)^\d+\. `([^`]+)`, `([^`]+)`/)
        .map { (file: String($0.1), word: String($0.2)) }

    @Test func `every stop is a file with that function in it`() {
        #expect(Self.stops.count > 20)
        for stop in Self.stops {
            let text = SourceTree.text(of: stop.file)
            let declared = [
                "func \(stop.word)(", "func \(stop.word)<", "static let \(stop.word) =", "struct \(stop.word)",
            ]
            let isThere = declared.contains { text.contains($0) }
            #expect(isThere, "\(stop.file): \(stop.word)")
        }
    }

    @Test func `it turns back nowhere`() {
        #expect(Set(Self.stops.map(\.file)).count == Self.stops.count)
    }

    @Test func `stops are numbered through`() {
        let numbers = SourceTree.text(of: Self.page).matches(of: /(?m)^(\d+)\.\s/).compactMap { Int($0.1) }
        #expect(numbers == Array(1...numbers.count) && numbers.count == Self.stops.count)
    }
}
