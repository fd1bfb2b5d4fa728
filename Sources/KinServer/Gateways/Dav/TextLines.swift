import KinICal

/// The content lines of an object of iCalendar or of a vCard, in their order. Each keeps the bytes that it has there, with its
/// folding and its end.
struct TextLines: Sequence, IteratorProtocol {
    struct Line {
        /// As it stands there.
        let bytes: ArraySlice<UInt8>
        /// Unfolded, without its end.
        let unfolded: [UInt8]
        /// The property's name in capitals, without a group (RFC 6350, 3.3).
        let name: String

        var text: String { String(decoding: unfolded, as: UTF8.self) }

        /// The text behind the first colon that is in no quotes.
        var value: String { String(decoding: unfolded[head...].dropFirst(), as: UTF8.self) }

        /// The line with its parameters, and nothing behind the colon.
        var withoutValue: [UInt8] {
            var folded = ""
            ICalText.folded(String(decoding: unfolded[..<head], as: UTF8.self) + ":", into: &folded)
            return Array(folded.utf8)
        }

        private var head: Int {
            var isQuoted = false
            for (index, byte) in unfolded.enumerated() {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: ":"), !isQuoted { return index }
            }
            return unfolded.count
        }

        fileprivate init(_ bytes: ArraySlice<UInt8>, _ unfolded: [UInt8]) {
            self.bytes = bytes
            self.unfolded = unfolded
            let whole = unfolded.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
            let own = whole.lastIndex(of: UInt8(ascii: ".")).map { whole[($0 + 1)...] } ?? whole
            name = String(decoding: own, as: UTF8.self).uppercased()
        }
    }

    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> Line? {
        guard at < bytes.count else { return nil }
        let start = at
        var unfolded: [UInt8] = []
        repeat {
            let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var piece = bytes[at..<end]
            if piece.last == UInt8(ascii: "\r") { piece = piece.dropLast() }
            unfolded += at == start ? piece : piece.dropFirst()
            at = Swift.min(end + 1, bytes.count)
        } while at < bytes.count && (bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t"))
        return Line(bytes[start..<at], unfolded)
    }
}
