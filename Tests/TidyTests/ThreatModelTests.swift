import Testing

@Suite struct ThreatModelTests {
    static let pages = ["ThreatModel", "Limits"].map { "Sources/KinServer/KinServer.docc/\($0).md" }

    /// What stands in italics, in lower case: a claim names its test this way.
    static func named(in text: String) -> [String] {
        let flat = text.split { $0.isWhitespace }.joined(separator: " ").replacing(/\*\*[^*]+\*\*/, with: "")
        return flat.matches(of: /\*([^*]+)\*/).map { String($0.output.1).lowercased() }
    }

    @Test(arguments: pages) func `each test that the threat model and the page about limits name is there`(page: String)
    {
        let tests = SourceTree.swiftFiles.filter { $0.hasPrefix("Tests/") }
            .flatMap { path in
                SourceTree.text(of: path).matches(of: /func `([^`]+)`/).map { String($0.output.1).lowercased() }
            }
        let named = Self.named(in: SourceTree.text(of: page))
        #expect(named.count > 20)
        for name in named { #expect(tests.contains(name), "\(name)") }
    }

    @Test func `names are found over ends of lines, and what is bold is none`() {
        #expect(
            Self.named(in: "so it is (*a guest\n  is shown*); **Limit**: *Nobody*") == ["a guest is shown", "nobody"])
    }
}
