import Testing

/// Each header field that the daemon reads or writes stands in a test of it.
@Suite struct HeaderFieldTests {
    /// Names without a hyphen that are fields' names nonetheless.
    private static let short: Set<String> = [
        "Allow", "Connection", "DAV", "Date", "ETag", "Location", "Upgrade", "Vary",
    ]

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The texts of a file that are nothing but a field's name.
    static func fields(in text: String) -> Set<String> {
        let parts = text.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        let names = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String(Substring($0.element)) }
        return Set(
            names.filter { name in
                guard let first = name.first, first.isASCII, first.isUppercase, name.last != "-",
                    name.utf8.allSatisfy(isOfName)
                else { return false }
                return name.utf8.contains(UInt8(ascii: "-")) || short.contains(name)
            })
    }

    /// Everything in a test that can be a field's name, also behind the `\n` of the line before.
    static func words(in text: String) -> Set<String> {
        var words: Set<String> = []
        for part in text.utf8.split(whereSeparator: { !isOfName($0) }) {
            let word = String(Substring(part))
            words.insert(word)
            if word.hasPrefix("n") { words.insert(String(word.dropFirst())) }
        }
        return words
    }

    @Test func `each field that the daemon reads or writes is in a test`() {
        let sources = SourceTree.swiftFiles.filter { $0.hasPrefix("Sources/KinServer/") }
        let tests = SourceTree.swiftFiles.filter {
            $0.hasPrefix("Tests/KinServerTests/") || $0.hasPrefix("Tests/EndToEndTests/")
        }
        let tested = tests.reduce(into: Set<String>()) { $0.formUnion(Self.words(in: SourceTree.text(of: $1))) }
        let fields = sources.reduce(into: Set<String>()) { $0.formUnion(Self.fields(in: SourceTree.text(of: $1))) }
        #expect(fields.count >= 40, "\(fields.sorted())")
        #expect(fields.subtracting(tested).sorted() == [])
    }

    @Test func `names are found in literals and in lines of a head`() {
        #expect(
            Self.fields(in: #"["ETag": tag, "Upload-Limit": "Max"] + "X-" + name["If-Match"]"#)
                == ["ETag", "Upload-Limit", "If-Match"])
        #expect(Self.words(in: #""HTTP/1.1 200 OK\r\nX-Accel-Buffering: no\r\n""#).contains("X-Accel-Buffering"))
    }
}
