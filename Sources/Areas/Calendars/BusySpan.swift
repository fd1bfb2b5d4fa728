import KinModel

/// A time at which somebody has something on, and whether that is certain (RFC 5545, 3.2.9: BUSY and BUSY-TENTATIVE).
struct BusySpan: WireRecord {
    var start: Instant
    var end: Instant
    var isTentative = false

    static let fields = Fields<BusySpan>(
        nil,
        { (start: Instant, end: Instant, isTentative: Bool?) in
            BusySpan(start: start, end: end, isTentative: isTentative ?? false)
        },
        .required("start", \.start, .time), .required("end", \.end, .time),
        .optional("tentative", { @Sendable (span: BusySpan) -> Bool? in span.isTentative ? true : nil }, .bool))

    /// The same times in the order of their beginning, joined where they touch. A certain time hides an uncertain one.
    static func merged(_ all: [BusySpan]) -> [BusySpan] {
        let busy = together(all.filter { !$0.isTentative })
        var merged = busy
        var at = 0
        for one in together(all.filter(\.isTentative)) {
            var start = one.start
            while at < busy.count, busy[at].end <= start { at += 1 }
            var next = at
            while next < busy.count, busy[next].start < one.end {
                if busy[next].start > start {
                    merged.append(BusySpan(start: start, end: busy[next].start, isTentative: true))
                }
                start = max(start, busy[next].end)
                next += 1
            }
            if start < one.end { merged.append(BusySpan(start: start, end: one.end, isTentative: true)) }
        }
        return merged.sorted { $0.start < $1.start }
    }

    /// The times of one kind, joined. A time without length is left out.
    private static func together(_ all: [BusySpan]) -> [BusySpan] {
        var spans: [BusySpan] = []
        for one in all.sorted(by: { $0.start < $1.start }) where one.start < one.end {
            if let last = spans.last, one.start <= last.end {
                spans[spans.count - 1].end = max(last.end, one.end)
            } else {
                spans.append(one)
            }
        }
        return spans
    }
}
