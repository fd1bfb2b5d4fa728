import Glibc

/// A file of vCards on its way to the daemon: cut behind whole entries into batches that fit into a request, with pictures
/// left out as they come by. However long the file is, about one batch of it is in memory.
struct VCardBatches {
    /// Entries of one batch.
    static let entriesMax = 200
    /// Bytes of one batch from which on it is sent.
    static let bytesMax = 256 << 10
    /// Bytes of one entry. The rest is left out, and the daemon reports that it is too long.
    static let entryBytesMax = 128 << 10
    /// Bytes of one line of the file, which may hold all of a picture.
    static let lineBytesMax = 64 << 10

    /// Whole batches, to be sent.
    private(set) var batches: [[UInt8]] = []
    private var batch: [UInt8] = []
    private var entries = 0
    private var entryBytes = 0
    private var line: [UInt8] = []
    private var isPassingOver = false
    /// Whether the line that is read has its CR. Whether that is all of its end, the next byte says.
    private var isBehindReturn = false
    /// How many entries are begun within this one, and whether the line before says that the next one is (AGENT).
    private var depth = 0
    private var isBehindAgent = false

    /// Properties whose values are not sent, only their names.
    private static let passedOver: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

    /// Takes more of the file. Its lines end with CR LF, LF or CR, as for the daemon.
    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let first = rest.first {
            if isBehindReturn, first != 0x0A { endLine() }
            isBehindReturn = false
            let end = Self.end(of: rest)
            let piece = rest.prefix(end ?? rest.count)
            // However much of a line is kept, its end is.
            line += piece.prefix(max(0, Self.lineBytesMax - line.count))
            rest = rest.dropFirst(piece.count)
            guard end != nil else { continue }
            if piece.last == 0x0A { endLine() } else { isBehindReturn = true }
        }
    }

    /// How many bytes there are up to the first LF or CR, with it; `nil` where there is none.
    private static func end(of rest: ArraySlice<UInt8>) -> Int? {
        rest.withUnsafeBytes { buffer -> Int? in
            guard let start = buffer.baseAddress else { return nil }
            func place(of byte: Int32, within count: Int) -> Int? {
                memchr(start, byte, count).map { UnsafeRawPointer($0) - start }
            }
            let feed = place(of: 0x0A, within: buffer.count)
            return (place(of: 0x0D, within: feed ?? buffer.count) ?? feed).map { $0 + 1 }
        }
    }

    /// The file is at its end: what is left is a batch, whether whole or not.
    mutating func finish() {
        if !line.isEmpty { endLine() }
        if batch.contains(where: { $0 > 0x20 }) { close() }
    }

    /// Lets go of the batches.
    mutating func takeBatches() -> [[UInt8]] {
        defer { batches = [] }
        return batches
    }

    private mutating func endLine() {
        defer { line = [] }
        if line.last != 0x0A { line.append(0x0A) }
        let isContinued = line.first == 0x20 || line.first == 0x09
        if isContinued, isPassingOver { return }
        isPassingOver = false
        if !isContinued, Self.passedOver.contains(name) {
            isPassingOver = true
            if depth == 0 { isBehindAgent = false }
            let head = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") }
            return add(head + [UInt8(ascii: ":"), 0x0A])
        }
        let isEnd = endsEntry()
        if entryBytes <= Self.entryBytesMax || isEnd { add(line[...]) }
        guard isEnd else { return }
        entries += 1
        entryBytes = 0
        if entries >= Self.entriesMax || batch.count >= Self.bytesMax { close() }
    }

    /// Whether the line ends an entry. A colleague's card within one, behind AGENT, begins and ends none.
    private mutating func endsEntry() -> Bool {
        if says("BEGIN:VCARD") {
            if isBehindAgent {
                depth += 1
            } else {
                (depth, entryBytes) = (0, 0)
            }
            return false
        }
        if says("END:VCARD") {
            guard depth > 0 else { return true }
            depth -= 1
            if depth == 0 { isBehindAgent = false }
            return false
        }
        if depth == 0, line.contains(where: { $0 > 0x20 }), line.first != 0x20, line.first != 0x09 {
            isBehindAgent = name == "AGENT"
        }
        return false
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        batch += bytes
        entryBytes += bytes.count
    }

    private mutating func close() {
        batches.append(batch)
        batch = []
        entries = 0
    }

    /// The name that the line begins with, in upper case and without its group.
    private var name: String {
        let head = line.prefix(64).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let name = head.split(separator: UInt8(ascii: ".")).last ?? []
        return String(decoding: name, as: UTF8.self).uppercased()
    }

    private func says(_ text: String) -> Bool {
        guard line.count < 64 else { return false }
        return String(decoding: line, as: UTF8.self).uppercased().split(whereSeparator: \.isWhitespace) == [text[...]]
    }
}
