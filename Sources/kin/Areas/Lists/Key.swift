/// A key that was pressed.
enum Key: Hashable, Sendable {
    case up, down, enter, escape, erase, delete, tab
    /// Control-C or control-D.
    case leave
    /// A character that it stands for.
    case letter(Character)
}

/// Reads keys from what a terminal sends (ECMA-48, 5.4; xterm's control sequences).
struct KeyReader {
    /// The beginning of a character, or of a sequence, whose end has not come yet.
    private var rest: [UInt8] = []
    /// Bytes of a sequence at most; a longer one is none.
    private static let sequenceBytesMax = 16

    /// The keys that these bytes complete.
    mutating func take(_ bytes: [UInt8]) -> [Key] {
        rest += bytes
        var keys: [Key] = []
        while let first = rest.first {
            if first == 0x1B {
                switch takeSequence() {
                case .key(let key): keys.append(key)
                case .other: break
                case .unended: return keys
                }
                continue
            }
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard rest.count >= length else { return keys }
            let character = Array(rest.prefix(length))
            rest.removeFirst(length)
            switch first {
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.erase)
            case 0x09: keys.append(.tab)
            case 0x03, 0x04: keys.append(.leave)
            case ..<0x20: break
            default: keys += String(decoding: character, as: UTF8.self).map { Key.letter($0) }
            }
        }
        return keys
    }

    private enum ControlSequence {
        case key(Key), other, unended
    }

    /// Takes a sequence that begins with an escape. An escape that nothing follows at once is the key itself.
    private mutating func takeSequence() -> ControlSequence {
        guard rest.count > 1, rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else {
            rest.removeFirst()
            return .key(.escape)
        }
        guard let end = rest.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(rest[$0]) }) else {
            guard rest.count > Self.sequenceBytesMax else { return .unended }
            rest = []
            return .other
        }
        let (middle, last) = (String(decoding: rest[2..<end], as: UTF8.self), rest[end])
        rest.removeFirst(end + 1)
        switch (middle, last) {
        case ("", UInt8(ascii: "A")): return .key(.up)
        case ("", UInt8(ascii: "B")): return .key(.down)
        case ("3", UInt8(ascii: "~")): return .key(.delete)
        default: return .other
        }
    }
}
