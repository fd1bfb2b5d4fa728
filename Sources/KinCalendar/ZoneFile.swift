/// A TZif file (RFC 8536), versions 2 to 4: the block of 64-bit transitions, and the rule for all that comes after.
struct ZoneFile: Sendable {
    /// Seconds since 1970 at which an offset begins, ascending.
    private let transitions: [Int64]
    /// What begins at each, among ``types``.
    private let indices: [UInt8]
    /// What clocks show, of which the first holds before the first transition.
    private let types: [Kind]
    /// What holds after the last.
    private let rule: ZoneRule?

    /// What clocks show for a time.
    struct Kind: Sendable {
        /// Seconds east of UTC.
        let offset: Int64
        /// Such as `CET`, or `+0530` where there is no abbreviation in use.
        let name: String
    }

    /// The zone of UTC.
    static let utc = ZoneFile(transitions: [], indices: [], types: [Kind(offset: 0, name: "UTC")], rule: nil)

    private init(transitions: [Int64], indices: [UInt8], types: [Kind], rule: ZoneRule?) {
        self.transitions = transitions
        self.indices = indices
        self.types = types
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
        var kinds: [(offset: Int64, name: Int)] = []
        for _ in 0..<header.types {
            // After the offset: whether it is daylight saving, and where its name stands.
            guard let offset = reader.int32(), (-93_600...93_600).contains(offset), reader.skip(1),
                let name = reader.take(1)
            else { return nil }
            kinds.append((Int64(offset), Int(name[0])))
        }
        guard let names = reader.take(header.names), kinds.allSatisfy({ $0.name < names.count }),
            reader.skip(header.standards + header.universals), let footer = reader.line()
        else { return nil }
        let types = kinds.map { kind in
            Kind(offset: kind.offset, name: String(decoding: names[kind.name...].prefix { $0 != 0 }, as: UTF8.self))
        }
        var rule: ZoneRule?
        if !footer.isEmpty {
            guard let read = ZoneRule(footer) else { return nil }
            rule = read
        }
        self.init(transitions: transitions, indices: indices, types: types, rule: rule)
    }

    /// Seconds east of UTC, at seconds since 1970.
    func offset(at time: Int64) -> Int64 {
        guard let last = transitions.last, time < last else { return rule?.offset(at: time) ?? latest.offset }
        return kind(before: time).offset
    }

    /// Seconds east of UTC through all of a time, from one second to another; `nil` where they may change in it.
    func steadyOffset(from: Int64, to: Int64) -> Int64? {
        guard let last = transitions.last, from < last else {
            guard let rule else { return latest.offset }
            return rule.steadyOffset
        }
        guard to < last else { return nil }
        let index = transitionsNotAfter(from)
        return index == transitionsNotAfter(to) ? kind(after: index).offset : nil
    }

    /// What the time is called then.
    func name(at time: Int64) -> String {
        guard let last = transitions.last, time < last else { return rule?.name(at: time) ?? latest.name }
        return kind(before: time).name
    }

    /// What the last transition begins.
    private var latest: Kind { types[indices.last.map { Int($0) } ?? 0] }

    /// What holds at a time before the last transition.
    private func kind(before time: Int64) -> Kind { kind(after: transitionsNotAfter(time)) }

    /// What holds after so many transitions.
    private func kind(after count: Int) -> Kind { types[count == 0 ? 0 : Int(indices[count - 1])] }

    private func transitionsNotAfter(_ time: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
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
