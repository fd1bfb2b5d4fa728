import Glibc

/// A file of vCards on its way to the daemon. It is cut behind whole entries into batches that fit into a request, and
/// pictures are left out. About one batch is in memory, however long the file is.
struct VCardBatches {
    /// The number of entries in one batch.
    static let entriesMax = 200
    /// Bytes from which on a batch is sent.
    static let bytesMax = 256 << 10
    /// Bytes of one entry. What follows is left out, and the daemon reports that the entry is too long.
    static let entryBytesMax = 128 << 10
    /// Bytes of one line of the file, which may hold a whole picture.
    static let lineBytesMax = 64 << 10

    /// Complete batches, ready to be sent.
    private(set) var batches: [[UInt8]] = []
    private var batch: [UInt8] = []
    private var entries = 0
    private var entryBytes = 0
    private var line: [UInt8] = []
    private var isPassingOver = false
    /// Whether the present line has its CR. The next byte shows whether the line end has an LF, too.
    private var isBehindReturn = false
    /// The number of entries that have begun within this one, and whether the line before announces one (AGENT).
    private var depth = 0
    private var isBehindAgent = false

    /// Properties of which only the names are sent, not the values.
    private static let passedOver: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

    /// Takes more of the file. Its lines end with CR LF, LF or CR, as for the daemon.
    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let first = rest.first {
            if isBehindReturn, first != 0x0A { endLine() }
            isBehindReturn = false
            let end = Self.end(of: rest)
            let piece = rest.prefix(end ?? rest.count)
            // The end of a line is always kept, however much of the line is.
            line += piece.prefix(max(0, Self.lineBytesMax - line.count))
            rest = rest.dropFirst(piece.count)
            guard end != nil else { continue }
            if piece.last == 0x0A { endLine() } else { isBehindReturn = true }
        }
    }

    /// The number of bytes up to the first LF or CR, including it; `nil` if there is none.
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

    /// Ends the file. The rest becomes a batch, whether it is complete or not.
    mutating func finish() {
        if !line.isEmpty { endLine() }
        if batch.contains(where: { $0 > 0x20 }) { close() }
    }

    /// Answers the batches and forgets them.
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

    /// Whether the line ends an entry. The card of an agent within an entry begins and ends none.
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

    /// The name at the beginning of the line, in upper case and without its group.
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
