/// Swift's text as far as names go.
enum Code {
    /// The name of a type, with what of it is named behind the dot.
    struct Name: Equatable {
        let type: String
        let member: String?
    }

    /// A program without comments and without the text of its literals; what is interpolated stays. Lines keep their
    /// numbers.
    static func text(_ program: String) -> String {
        var out: [UInt8] = []
        let bytes = Array(program.utf8)
        /// What is open: literals by how many quotes end them, and interpolations by their parentheses.
        var open: [(quotes: Int, depth: Int)] = []
        var index = 0
        func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
        while index < bytes.count {
            let byte = bytes[index]
            if let quotes = open.last?.quotes, quotes > 0 {
                if byte == UInt8(ascii: "\\") {
                    // What is escaped ends nothing; a line that goes on is a line.
                    if starts("\\(") { open.append((0, 1)) } else if starts("\\\n") { out.append(UInt8(ascii: "\n")) }
                    index += 2
                } else if byte == UInt8(ascii: "\""), quotes == 1 || starts("\"\"\"") {
                    open.removeLast()
                    index += quotes
                } else {
                    if byte == UInt8(ascii: "\n") { out.append(byte) }
                    index += 1
                }
                continue
            }
            if byte == UInt8(ascii: "/"), starts("//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                continue
            }
            if byte == UInt8(ascii: "\"") {
                let quotes = starts("\"\"\"") ? 3 : 1
                open.append((quotes, 0))
                out.append(UInt8(ascii: " "))
                index += quotes
                continue
            }
            if let last = open.indices.last {
                if byte == UInt8(ascii: "(") { open[last].depth += 1 }
                if byte == UInt8(ascii: ")") { open[last].depth -= 1 }
                if open[last].depth == 0 {
                    open.removeLast()
                    out.append(UInt8(ascii: " "))
                    index += 1
                    continue
                }
            }
            out.append(byte)
            index += 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The words of a line: names and keywords, without signs.
    static func words(_ line: String) -> [String] {
        line.utf8.split { !isOfName($0) }.map { String(Substring($0)) }
    }

    /// The types that a line names: what begins with a capital and stands behind no dot.
    static func names(in line: String) -> [Name] {
        var names: [Name] = []
        let bytes = Array(line.utf8)
        var index = 0
        func word() -> String {
            let start = index
            while index < bytes.count, isOfName(bytes[index]) { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        while index < bytes.count {
            guard isOfName(bytes[index]) else {
                index += 1
                continue
            }
            let isMember = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
            let name = word()
            guard !isMember, name.first?.isUppercase == true else { continue }
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), isOfName(bytes[index + 1]) else {
                names.append(Name(type: name, member: nil))
                continue
            }
            index += 1
            names.append(Name(type: name, member: word()))
        }
        return names
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
