/// A TZif file (RFC 8536), versions 2 to 4: the block of 64-bit transitions, and the rule for all that comes after.
struct ZoneFile: Sendable {
    /// Seconds since 1970 at which an offset begins, ascending.
    private let transitions: [Int64]
    /// The offset that begins at each, in seconds east of UTC.
    private let offsets: [Int64]
    /// The offset before the first.
    private let first: Int64
    /// What holds after the last.
    private let rule: ZoneRule?

    /// The zone of UTC.
    static let utc = ZoneFile(transitions: [], offsets: [], first: 0, rule: nil)

    private init(transitions: [Int64], offsets: [Int64], first: Int64, rule: ZoneRule?) {
        self.transitions = transitions
        self.offsets = offsets
        self.first = first
        self.rule = rule
    }

    /// Reads a file; `nil` when it is none, is cut off, counts leap seconds, or contradicts itself.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard let old = Header(&reader), old.version >= UInt8(ascii: "2"), reader.skip(old.bodyBytes(timeBytes: 4)),
            let header = Header(&reader), header.version == old.version, header.leapSeconds == 0, header.types >= 1,
            header.transitions <= Self.transitionsMax
        else { return nil }
        var transitions: [Int64] = []
        for _ in 0..<header.transitions {
            guard let at = reader.int64(), transitions.last.map({ $0 < at }) ?? true else { return nil }
            transitions.append(at)
        }
        guard let indices = reader.take(header.transitions), indices.allSatisfy({ Int($0) < header.types }) else {
            return nil
        }
        var types: [Int64] = []
        for _ in 0..<header.types {
            // After the offset: whether it is daylight saving, and where its name stands.
            guard let offset = reader.int32(), (-93_600...93_600).contains(offset), reader.skip(2) else { return nil }
            types.append(Int64(offset))
        }
        guard reader.skip(header.names + header.standards + header.universals), let footer = reader.line() else {
            return nil
        }
        var rule: ZoneRule?
        if !footer.isEmpty {
            guard let read = ZoneRule(footer) else { return nil }
            rule = read
        }
        self.init(transitions: transitions, offsets: indices.map { types[Int($0)] }, first: types[0], rule: rule)
    }

    /// Seconds east of UTC, at seconds since 1970.
    func offset(at time: Int64) -> Int64 {
        guard let last = transitions.last, time < last else {
            return rule?.offset(at: time) ?? offsets.last ?? first
        }
        // The last transition that is not after the time.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    private static let transitionsMax = 4096

    private struct Header {
        let version: UInt8
        let universals: Int
        let standards: Int
        let leapSeconds: Int
        let transitions: Int
        let types: Int
        let names: Int

        init?(_ reader: inout Reader) {
            guard let magic = reader.take(4), magic == Array("TZif".utf8), let version = reader.take(1)?.first,
                reader.skip(15), let universals = reader.count(), let standards = reader.count(),
                let leapSeconds = reader.count(), let transitions = reader.count(), let types = reader.count(),
                let names = reader.count()
            else { return nil }
            self.version = version
            self.universals = universals
            self.standards = standards
            self.leapSeconds = leapSeconds
            self.transitions = transitions
            self.types = types
            self.names = names
        }

        func bodyBytes(timeBytes: Int) -> Int {
            transitions * (timeBytes + 1) + types * 6 + names + leapSeconds * (timeBytes + 4) + standards + universals
        }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func take(_ count: Int) -> [UInt8]? {
            guard count >= 0, bytes.count - at >= count else { return nil }
            defer { at += count }
            return Array(bytes[at..<(at + count)])
        }

        mutating func skip(_ count: Int) -> Bool {
            guard count >= 0, bytes.count - at >= count else { return false }
            at += count
            return true
        }

        mutating func int32() -> Int32? {
            take(4).map { Int32(truncatingIfNeeded: $0.reduce(0) { $0 << 8 | UInt32($1) }) }
        }

        mutating func int64() -> Int64? {
            take(8).map { Int64(truncatingIfNeeded: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
        }

        /// A count; small enough that sums of products of it stay numbers.
        mutating func count() -> Int? { int32().flatMap { (0...65_535).contains($0) ? Int($0) : nil } }

        /// A text between two line feeds.
        mutating func line() -> [UInt8]? {
            guard take(1) == [0x0A], let end = bytes[at...].firstIndex(of: 0x0A) else { return nil }
            return Array(bytes[at..<end])
        }
    }
}
