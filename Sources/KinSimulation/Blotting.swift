import KinModel

/// What the bytes of two worlds may differ in without telling anything is blotted out before they are compared.
///
/// Cursors are ciphertext of a position, and the position counts what is hidden: only their length is compared. Identifiers
/// are a time and random bits: the time stays, the bits become the number of its first appearance. Those of hidden things,
/// where the observer itself named them, are alike.
struct Blotting {
    /// What stands before the validator of a file that has random bits of identifiers in it.
    private let validator: [UInt8]
    /// Identifiers by their first appearance.
    private var numbers: [String: Int] = [:]

    init(validatorsAfter head: String) { validator = Array(head.utf8) }

    /// - Parameter hidden: Identifiers of hidden things that the observer itself named.
    /// - Parameter isCursor: Whether a word is a cursor.
    mutating func blotted(_ bytes: [UInt8], _ hidden: Set<String>, isCursor: (String) -> Bool) -> [UInt8] {
        let bytes = unfolded(bytes)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var start = 0
        for index in 0...bytes.count {
            if index < bytes.count, Self.isOfWord[Int(bytes[index])] { continue }
            let word = bytes[start..<index]
            if word.count == 32 || word.count == 36 {
                out += blotted(String(decoding: word, as: UTF8.self), hidden, isCursor).utf8
            } else {
                out += word
            }
            if index < bytes.count { out.append(bytes[index]) }
            start = index + 1
        }
        return out
    }

    /// A text with a star in place of each hidden name, in longer words too.
    static func starred(_ text: String, _ hidden: Set<String>) -> String {
        guard !hidden.isEmpty else { return text }
        var out = ""
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, isOfWord[Int(scalar.value)] {
                word.unicodeScalars.append(scalar)
            } else {
                out += starred(word: word, hidden)
                out.unicodeScalars.append(scalar)
                word = ""
            }
        }
        return out + starred(word: word, hidden)
    }

    private static func starred(word: String, _ hidden: Set<String>) -> String {
        if hidden.contains(word) { return "*" }
        let length = hidden.first?.utf8.count ?? 0
        guard word.utf8.count > length else { return word }
        // Such as a list's collection, which is called by the list.
        return hidden.reduce(word) { $0.replacing($1, with: "*") }
    }

    private mutating func blotted(_ word: String, _ hidden: Set<String>, _ isCursor: (String) -> Bool) -> String {
        if hidden.contains(word) || isCursor(word) { return String(repeating: "*", count: word.utf8.count) }
        guard Identifier(word) != nil else { return word }
        let number = numbers[word] ?? numbers.count
        numbers[word] = number
        return word.prefix(13) + "#\(number)"
    }

    /// Lines of iCalendar are folded wherever they are long, within identifiers too.
    private func unfolded(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for byte in bytes {
            let end = out.count
            if byte == 0x20, end > 1, out[end - 1] == 0x0A, out[end - 2] == 0x0D {
                out.removeLast(2)
            } else {
                out.append(byte)
            }
        }
        // The validator of such a file is a digest of all of it, random bits of identifiers included.
        var at = 0
        while at + validator.count <= out.count {
            guard out[at] == validator[0], out[at..<(at + validator.count)].elementsEqual(validator) else {
                at += 1
                continue
            }
            let end = min(out.count, at + validator.count + 32)
            for index in (at + validator.count)..<end { out[index] = UInt8(ascii: "*") }
            at = end
        }
        return out
    }

    private static let isOfWord: [Bool] = (0..<256).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
