import Testing

@Suite struct TreeTests {
    @Test func `the top level holds only what belongs there`() {
        let allowed: Set = [
            "Package.swift", "Sources", "Tests", "deploy", "README.md", ".ci", ".swift-format", ".gitignore", ".github",
        ]
        // Made by git and the build, never committed.
        let made: Set = [".git", ".build", ".swiftpm"]
        let strangers = SourceTree.entries().filter { !allowed.contains($0) && !made.contains($0) }
        #expect(strangers == [])
    }

    @Test func `no file has more than 500 lines`() {
        let long = SourceTree.codeFiles.filter { SourceTree.lineCount(of: $0) > 500 }
        #expect(long == [])
    }

    @Test func `half of the Swift files have fewer than 150 lines`() {
        let counts = SourceTree.swiftFiles.map { SourceTree.lineCount(of: $0) }
        #expect(counts.count { $0 < 150 } * 2 >= counts.count)
    }

    @Test func `continuous integration calls the test command and nothing else`() {
        let lines = SourceTree.lines(of: ".ci/run").map(\.text).filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("deploy/test") == true)
    }

    @Test func `every script can be run`() {
        for path in SourceTree.files(below: "deploy") + SourceTree.files(below: ".ci")
        where SourceTree.text(of: path).hasPrefix("#!") {
            #expect(SourceTree.isExecutable(path), "\(path)")
        }
    }
}
