import KinModel
import Testing

@testable import KinCalendars

private func span(_ from: Int64, _ to: Int64, _ isTentative: Bool = false) -> BusySpan {
    BusySpan(start: Instant(milliseconds: from), end: Instant(milliseconds: to), isTentative: isTentative)
}

/// Times at which somebody is busy, for sure or perhaps.
@Suite struct BusySpanTests {
    @Test(
        arguments: [
            ([], []), ([span(5, 5), span(7, 7, true)], []), ([span(3, 5), span(1, 3)], [span(1, 5)]),
            ([span(3, 6, true), span(1, 4, true)], [span(1, 6, true)]),
            // What touches and is of another kind stays by itself.
            ([span(1, 3, true), span(3, 5)], [span(1, 3, true), span(3, 5)]),
            // What is certain hides what is not: all of it, an end, the middle, again and again.
            ([span(1, 9), span(2, 5, true)], [span(1, 9)]),
            ([span(1, 4), span(2, 6, true)], [span(1, 4), span(4, 6, true)]),
            (
                [span(1, 9, true), span(3, 4), span(6, 7)],
                [span(1, 3, true), span(3, 4), span(4, 6, true), span(6, 7), span(7, 9, true)]
            ),
            (
                [span(2, 8), span(1, 3, true), span(7, 9, true), span(10, 11, true)],
                [span(1, 2, true), span(2, 8), span(8, 9, true), span(10, 11, true)]
            ),
        ] as [([BusySpan], [BusySpan])])
    func `what is certain hides what is not, and what touches is one`(_ all: [BusySpan], _ merged: [BusySpan]) {
        #expect(BusySpan.merged(all) == merged)
        #expect(BusySpan.merged(all.reversed()) == merged)
    }
}
