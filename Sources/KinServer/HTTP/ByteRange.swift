import KinCodec

/// The part of a representation that a request asks for (RFC 9110 §14).
enum ByteRange: Equatable {
    /// All of it.
    case whole
    /// These bytes; at least one.
    case part(Range<Int>)
    /// Only bytes that do not exist (416).
    case beyond

    /// Reads the field `Range` for a representation of so many bytes. A field that is not understood counts as absent.
    /// So does one with several ranges, as §14.2 permits: an answer in several parts is not worth its code here.
    init(_ field: String?, of bytes: Int) {
        guard let field, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else {
            self = .whole
            return
        }
        let text = field[field.index(after: equals)...].utf8.filter { $0 != 0x20 && $0 != 0x09 }
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil): self = .whole
        // The last so many.
        case (nil, let count?): self = count == 0 || bytes == 0 ? .beyond : .part(max(0, bytes - count)..<bytes)
        case (let first?, nil): self = first < bytes ? .part(first..<bytes) : .beyond
        case (let first?, let last?):
            guard last >= first else {
                self = .whole
                return
            }
            self = first < bytes ? .part(first..<(min(last, bytes - 1) + 1)) : .beyond
        }
    }

    /// `.some(nil)` for no digits, `nil` for text that is no number. A number too large for any file counts as the
    /// largest possible.
    private static func number(_ digits: some Sequence<UInt8>) -> Int?? {
        var number: Int?
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tens, isOver) = (number ?? 0).multipliedReportingOverflow(by: 10)
            number = isOver ? Int.max / 16 : min(tens, Int.max / 16) + Int(digit - UInt8(ascii: "0"))
        }
        return .some(number)
    }
}
