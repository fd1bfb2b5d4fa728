import KinKeeper
package import KinModel
import KinStore

/// A file of vCards: 4.0 (RFC 6350), 3.0 (RFC 2426) and, as far as it is still in use, 2.1. Whatever the bytes are,
/// each entry is accepted or refused by itself, with a reason. Pictures and other long lines are skipped while reading.
package struct VCardFile: Sendable {
    /// The entries, in their order.
    let entries: [VCardEntry]
    /// Lines outside of any entry.
    let strayLines: Int
    /// There are more entries than are read at once.
    let isCut: Bool
    /// The number by which the file is kept, where it is read again.
    var kept: Int64?

    /// An entry whose end has not been read yet.
    fileprivate struct Draft {
        var properties: [VCardProperty] = []
        var remarks: [String] = []
        var untaken: [String] = []
        var bytes = 0
        /// How many entries are begun within it.
        var depth = 0
        /// The line before is AGENT: an entry that begins now is a part of this one.
        var isBehindAgent = false
    }

    /// Reads a file.
    package init(_ bytes: [UInt8], entriesMax: Int = Limits.vCardEntriesMax) {
        var entries: [VCardEntry] = []
        var strayLines = 0
        var isCut = false
        var draft: Draft?
        var lines = VCardLines(bytes)
        func finish(_ sentence: String? = nil) {
            guard let whole = draft else { return }
            draft = nil
            entries.append(Self.entry(entries.count + 1, whole, sentence))
        }
        while let line = lines.next() {
            guard line.bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            if Self.says("BEGIN:VCARD", line) {
                // A colleague's card within this one (AGENT of 2.1 and 3.0) is no entry.
                if draft?.isBehindAgent == true {
                    draft?.depth += 1
                    continue
                }
                finish("It has no end: the next entry begins in it.")
                guard entries.count < entriesMax else {
                    isCut = true
                    break
                }
                draft = Draft()
            } else if Self.says("END:VCARD", line) {
                if draft == nil { strayLines += 1 }
                guard let depth = draft?.depth, depth > 0 else {
                    finish()
                    continue
                }
                draft?.depth = depth - 1
                if depth == 1 { draft?.isBehindAgent = false }
            } else if draft == nil {
                strayLines += 1
            } else if draft?.depth == 0 {
                draft?.take(line)
            }
        }
        finish("It has no end: the file ends in it.")
        self.entries = entries
        self.strayLines = strayLines
        self.isCut = isCut
    }

    /// How many entries were read.
    package var entryCount: Int { entries.count }
    /// The names of the entries.
    package var names: [String] { entries.map(\.name) }
    /// Whether each is a contact within bounds, or says why it is none.
    package var isSound: Bool {
        entries.enumerated().allSatisfy { index, entry in
            guard entry.number == index + 1, entry.remarks.count <= Limits.vCardRemarksMax else { return false }
            guard let contact = entry.contact else { return !entry.remarks.isEmpty }
            return !contact.isEmpty && (try? Contact.shape.check(contact.json, field: "contact")) != nil
        }
    }

    private static func entry(_ number: Int, _ draft: Draft, _ sentence: String?) -> VCardEntry {
        if let sentence { return VCardEntry(number: number, refused: sentence) }
        guard draft.bytes <= Limits.vCardEntryBytesMax else {
            return VCardEntry(
                number: number,
                refused: "It is longer than \(Limits.vCardEntryBytesMax) bytes, even without its pictures.")
        }
        return VCardEntry(number: number, draft.properties, remarks: draft.remarks, untaken: draft.untaken)
    }

    private static func says(_ words: String, _ line: VCardLines.Line) -> Bool {
        var bytes = line.bytes[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes.count == words.utf8.count
            && zip(bytes, words.utf8).allSatisfy { $0 == $1 || $0 & 0xDF == $1 && $1 >= UInt8(ascii: "A") }
    }
}

extension VCardFile.Draft {
    /// Pictures, sounds and keys: never looked at.
    private static let passedOver: Set = ["PHOTO", "LOGO", "SOUND", "KEY", "AGENT"]

    fileprivate mutating func take(_ line: VCardLines.Line) {
        let name = Self.name(of: line.bytes)
        isBehindAgent = name == "AGENT"
        if Self.passedOver.contains(name) {
            // Once, however many there are.
            if !untaken.contains(name) { untaken.append(name) }
            return
        }
        guard !line.isCut else {
            if remarks.count < Limits.vCardRemarksMax {
                remarks.append("What it says as \(Text.quoted(name)) is too long and was passed over.")
            }
            return
        }
        bytes += line.bytes.count
        guard bytes <= Limits.vCardEntryBytesMax else { return properties = [] }
        if let property = VCardProperty(line.bytes) {
            properties.append(property)
        } else if remarks.count < Limits.vCardRemarksMax {
            let text = Text.quoted(VCardText.line(VCardText.text(line.bytes).text))
            remarks.append("A line of it is no property, perhaps folded wrongly: \(text).")
        }
    }

    /// The name that a line begins with, in upper case.
    private static func name(of line: [UInt8]) -> String {
        let head = line.prefix(64).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let name = head.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? []
        return String(decoding: name, as: UTF8.self).uppercased()
    }
}

extension VCardFile: ImportedFile {
    package var items: [VCardEntry] { entries }
    package var remarks: [(name: String, value: JSON)] {
        strayLines > 0 ? [("strayLines", .int(Int64(strayLines)))] : []
    }
}
