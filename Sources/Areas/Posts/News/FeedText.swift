import KinKeeper

/// A feed's bytes, made into XML that a strict parser reads: in UTF-8, without characters that XML forbids, and without
/// HTML's entities, which feeds have though they declare none. Nothing else is mended.
enum FeedText {
    /// The bytes to be parsed.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        let text = decoded(bytes)
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var at = text.starts(with: "<?xml".utf8) ? (end(of: "?>", in: text, from: 0) ?? 0) : 0
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "<"), text[at...].starts(with: "<![CDATA[".utf8) {
                // A CDATA section is taken as it stands.
                let close = end(of: "]]>", in: text, from: at) ?? text.count
                out += text[at..<close].lazy.filter { isAllowed($0) }
                at = close
            } else if byte == UInt8(ascii: "&") {
                let (mended, length) = reference(text[at...])
                out += mended
                at += length
            } else {
                if isAllowed(byte) { out.append(byte) }
                at += 1
            }
        }
        return out
    }

    /// Whether XML 1.0 allows it (2.2), as far as one byte says.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func end(of mark: String, in text: [UInt8], from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        var at = start
        while at + mark.count <= text.count {
            if text[at] == mark[0], text[at..<(at + mark.count)].elementsEqual(mark) { return at + mark.count }
            at += 1
        }
        return nil
    }

    /// The text that replaces a reference, and the length of the reference. Numbers and the five names of XML stay,
    /// names of HTML become their characters, and any other `&` is escaped.
    private static func reference(_ text: ArraySlice<UInt8>) -> (mended: [UInt8], length: Int) {
        let alone = (Array("&amp;".utf8), 1)
        guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return alone }
        let name = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
        let whole = Array(text[text.startIndex...end])
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return (whole, whole.count) }
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let number, let scalar = Unicode.Scalar(number) else { return alone }
            let isFine =
                number >= 0x20 ? number != 0xFFFE && number != 0xFFFF : [0x09, 0x0A, 0x0D].contains(number)
            return (isFine && scalar != "\u{7F}" ? whole : [], whole.count)
        }
        guard let scalar = StrangersText.entity(named: name) else { return alone }
        return (Array(String(scalar).utf8), whole.count)
    }

    // MARK: Encodings

    /// The text in UTF-8. The mark at the beginning decides, then the declaration, then a guess.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { at in
                UInt16(bytes[at + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[at + (isLittle ? 0 : 1)])
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let plain = Array(marked.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        let name = declaredEncoding(plain)
        let isWestern = ["iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252", "us-ascii"].contains(name)
        if name == "iso-8859-15" { return western(plain, others: latin9) }
        // Many feeds declare one encoding and use the other.
        if String(validating: plain, as: UTF8.self) != nil, !isWestern || plain.contains(where: { $0 >= 0x80 }) {
            return plain
        }
        return western(plain)
    }

    private static func declaredEncoding(_ bytes: [UInt8]) -> String {
        guard bytes.starts(with: "<?xml".utf8) else { return "" }
        let head = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
        let words = head.split { " \t\r\n=?".contains($0) }
        guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return "" }
        return words[place + 1].filter { $0 != "\"" && $0 != "'" }
    }

    /// Reads Windows-1252, as browsers do for ISO-8859-1 too. Bytes that it leaves undefined are left out.
    private static func western(_ bytes: [UInt8], others: [UInt8: Unicode.Scalar] = [:]) -> [UInt8] {
        var out = String.UnicodeScalarView()
        for byte in bytes {
            if let other = others[byte] {
                out.append(other)
            } else if (0x80...0x9F).contains(byte) {
                let scalar = windows[Int(byte) - 0x80]
                if scalar != " " { out.append(scalar) }
            } else {
                out.append(Unicode.Scalar(byte))
            }
        }
        return Array(String(out).utf8)
    }

    private static let windows = Array("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)
    private static let latin9: [UInt8: Unicode.Scalar] = [
        0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]
}
