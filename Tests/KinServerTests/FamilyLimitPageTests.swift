import Glibc
import Testing

/// The page about what a family may hold and ask, made from the files that say it.
@Suite struct FamilyLimitPageTests {
    private static let head = """
        # Limits of a family

        What a family may hold and ask, and the numbers that its rules go by.

        ## Overview

        This page is made from the files `Limits….swift`: `KINWIRE_WRITE_DOCS=1 swift test --filter FamilyLimitPageTests`
        writes it anew. Each name says its unit, or its meaning does. Hitting a limit is an answer (1413, 1422 or 1429), never
        growth. Limits of sockets and transports stand on the page `Limits.md` of KinServer.

        """

    /// A row of a table.
    struct Limit: Equatable {
        let name: String
        let value: String
        let meaning: String
    }

    @Test func `the page about a family's limits has every limit, with its value and meaning`() throws {
        var text = Self.head
        var count = 0
        for (folder, path) in Self.files() {
            let limits = Self.limits(in: try Self.read(path))
            count += limits.count
            text += "\n## \(folder)\n\n| limit | value | what it bounds |\n|---|---|---|\n"
            for limit in limits {
                #expect(!limit.meaning.isEmpty, "\(limit.name) says what it bounds")
                text += "| `\(limit.name)` | \(limit.value) | \(limit.meaning) |\n"
            }
        }
        #expect(count > 50, "the files are found")
        try Documentation("FamilyLimits", of: "KinKeeper").expect(text)
    }

    @Test func `a limit is read with its comment, and shifts are counted out`() {
        let text = """
            extension Limits {
                /// Bytes of a picture
                /// with all its parts.
                public static let pictureBytesMax: Int64 = 16 << 20
                static let nothing = "x"
                package static let bounds = -90.0...90.0
            }
            """
        #expect(
            Self.limits(in: text) == [
                Limit(name: "pictureBytesMax", value: "16,777,216", meaning: "Bytes of a picture with all its parts."),
                Limit(name: "bounds", value: "-90 to 90", meaning: ""),
            ])
    }

    // MARK: Files

    /// Folders of Sources with a file of limits, and its path.
    private static func files() -> [(folder: String, path: String)] {
        var found: [(folder: String, path: String)] = []
        func look(_ folder: String) {
            for name in names(Documentation.tree + "/Sources/" + folder) {
                let inner = folder.isEmpty ? name : folder + "/" + name
                if name.hasPrefix("Limits"), name.hasSuffix(".swift") {
                    found.append((folder, Documentation.tree + "/Sources/" + inner))
                } else if !name.contains(".") {
                    look(inner)
                }
            }
        }
        look("")
        return found.sorted { $0.folder < $1.folder }
    }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func read(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    // MARK: Lines

    private static func limits(in text: String) -> [Limit] {
        var limits: [Limit] = []
        var comment: [String] = []
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("/// ") {
                comment.append(String(line.dropFirst(4)))
                continue
            }
            let words = line.split(separator: " static let ", maxSplits: 1)
            if words.count == 2, let equals = words[1].firstRange(of: " = ") {
                let name = words[1].prefix { $0 != ":" && $0 != " " }
                if let value = value(words[1][equals.upperBound...]) {
                    let meaning = comment.joined(separator: " ").replacing("``", with: "`")
                    limits.append(Limit(name: String(name), value: value, meaning: meaning))
                }
            }
            comment = []
        }
        return limits
    }

    /// A number with commas, or two of them; `nil` for what is none.
    private static func value(_ text: Substring) -> String? {
        if let bounds = text.firstRange(of: "..."), let low = number(text[..<bounds.lowerBound]),
            let high = number(text[bounds.upperBound...])
        {
            return low + " to " + high
        }
        return number(text)
    }

    private static func number(_ text: Substring) -> String? {
        func whole(_ text: Substring) -> Int64? { Int64(text.filter { $0 != "_" && $0 != " " }) }
        if let shift = text.firstRange(of: " << "), let left = whole(text[..<shift.lowerBound]),
            let right = whole(text[shift.upperBound...])
        {
            return commas(left << right)
        }
        if let times = text.firstRange(of: " * "), let left = whole(text[..<times.lowerBound]),
            let right = whole(text[times.upperBound...])
        {
            return commas(left * right)
        }
        if let number = whole(text) { return commas(number) }
        guard let number = Double(text.filter { $0 != "_" }) else { return nil }
        return Int64(exactly: number).map { commas($0) } ?? String(number)
    }

    private static func commas(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { out.append(",") }
            out.append(digit)
        }
        return (number < 0 ? "-" : "") + out
    }
}
