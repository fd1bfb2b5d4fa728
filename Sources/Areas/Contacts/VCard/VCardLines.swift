import KinModel

/// A file of vCards taken apart into lines that are unfolded (RFC 6350, 3.2): bytes still, since a fold may stand within a
/// character. One line is in memory at a time, and no more of it than a bound.
package struct VCardLines {
    /// An unfolded line.
    package struct Line {
        /// Without its end, as far as it is within the bound.
        package fileprivate(set) var bytes: [UInt8]
        /// It was longer than that.
        package fileprivate(set) var isCut: Bool
    }

    private let file: [UInt8]
    private var at: Int
    private let lineBytesMax: Int

    package init(_ file: [UInt8], lineBytesMax: Int = Limits.vCardLineBytesMax) {
        self.file = file
        self.lineBytesMax = lineBytesMax
        at = file.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next line; `nil` behind the last one.
    package mutating func next() -> Line? {
        guard at < file.count else { return nil }
        var line = Line(bytes: [], isCut: false)
        take(&line, from: at)
        while at < file.count {
            if file[at] == 0x20 || file[at] == 0x09 {
                take(&line, from: at + 1)
            } else if line.bytes.last == UInt8(ascii: "="), Self.isQuotedPrintable(line.bytes) {
                // A soft break of quoted-printable, as vCard 2.1 has them (RFC 2045, 6.7).
                line.bytes.removeLast()
                take(&line, from: at)
            } else {
                break
            }
        }
        return line
    }

    /// Takes the rest of a line of the file, and goes behind its end: CR LF, LF or CR.
    private mutating func take(_ line: inout Line, from start: Int) {
        var end = start
        while end < file.count, file[end] != 0x0A, file[end] != 0x0D { end += 1 }
        let room = max(0, lineBytesMax - line.bytes.count)
        line.bytes += file[start..<min(end, start + room)]
        if end - start > room { line.isCut = true }
        at = end
        guard at < file.count else { return }
        let isReturn = file[at] == 0x0D
        at += 1
        if isReturn, at < file.count, file[at] == 0x0A { at += 1 }
    }

    /// Whether the parameters of a line say that its value is quoted-printable.
    private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
        let head = line.prefix { $0 != UInt8(ascii: ":") }.map { $0 & 0xDF }
        let word = Array("QUOTED".utf8)
        return head.indices.contains { head[$0...].starts(with: word) }
    }
}
