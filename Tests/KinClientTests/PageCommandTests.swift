import KinModel
import Testing

@testable import kin

/// Every `kin` that a page tells people to type is one that `kin` takes.
@Suite struct PageCommandTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")
    private static let pages =
        [
            "README.md", "Sources/kin/kin.docc/CommandLine.md", "Sources/kinwired/kinwired.docc/Operating.md",
            "Sources/KinServer/KinServer.docc/ThreatModel.md",
        ]

    /// The commands of a page: inline code, and lines of blocks, without what stands before and after on the line.
    private static func commands(of page: String) -> [String] {
        let text = Tree.text("\(root)/\(page)")
        // Within blocks lines count, outside of them only what stands between backticks, over ends of lines too.
        var found: [String] = []
        for (index, part) in text.split(separator: "```", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                found += part.split(separator: "\n").map { String($0) }
            } else {
                found += part.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element).replacing("\n", with: " ") }
            }
        }
        return found.flatMap { $0.split(separator: "&&") }.map { line in
            let bare = line.firstRange(of: "  #").map { String(line[..<$0.lowerBound]) } ?? String(line)
            let words = bare.split(separator: " ").drop { $0 == "sudo" }
            return words.joined(separator: " ")
        }.filter { $0.hasPrefix("kin ") }
    }

    /// Words as a shell reads them: quotes keep blanks together.
    private static func words(_ command: String) -> [String] {
        command.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map { String($0) }
        }
    }

    static let all = pages.flatMap { page in commands(of: page).map { (page, $0) } }

    @Test func `there are as many as one expects`() {
        #expect(Self.all.count > 30)
        for page in Self.pages { #expect(Self.all.contains { $0.0 == page }, "\(page)") }
    }

    @Test(arguments: all) func `a command on a page is one of kin's`(page: String, text: String) throws {
        // `kin completion bash|zsh|fish` stands for three.
        let words = Self.words(text).dropFirst().map { String($0.prefix { $0 != "|" }) }
        if words.first?.hasPrefix("--") == true || words.first == "COMMAND" { return }
        let arguments = try Arguments(words) { (name) throws(Problem) in
            try Command.named(orMeant: name).options
        }
        let command = try #require(Command.named(arguments.command ?? ""))
        #expect(arguments.words.count <= command.words.upperBound, "\(text)")
        // Where the first word is one of some, it is one of them.
        let ways = command.usage.map { Usage($0).words.first }
        let typed = ways.compactMap { way -> [String]? in if case .typed(let words)? = way { words } else { nil } }
        guard typed.count == ways.count, let first = arguments.words.first else { return }
        #expect(typed.joined().contains(first), "\(text)")
    }

    /// Settings of the daemon that pages and samples name.
    @Test func `a setting on a page is one of the daemon's, or of what is named with it`() {
        let known: Set<String> = [
            "KINWIRE_DATA", "KINWIRE_LISTEN", "KINWIRE_UNIX", "KINWIRE_URL", "KINWIRE_ALLOW_PLAIN",
            "KINWIRE_TRUST_PROXY", "KINWIRE_METRICS", "KINWIRE_TLS_CERT", "KINWIRE_TLS_KEY", "KINWIRE_CONNECTIONS_MAX",
            "KINWIRE_BACKUPS",
            "KINWIRE_BACKUPS_KEPT", "KINWIRE_SOCKET", "KINWIRE_LOG", "KINWIRE_AS",
            // Of the tests.
            "KINWIRE_WRITE_DOCS", "KINWIRE_WRITE_SCREENS",
        ]
        for page in Self.pages + ["deploy/kinwired.env"] {
            for match in Tree.text("\(Self.root)/\(page)").matches(of: /KINWIRE_[A-Z_]*[A-Z]/) {
                #expect(known.contains(String(match.output)), "\(match.output) on \(page)")
            }
        }
    }
}
