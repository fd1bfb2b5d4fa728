import Testing

/// A turn is one short function that reads as its comment says, in the words of its comment: `drain → apply → post`.
@Suite struct TurnTests {
    /// A turn: what its comment says is done, and what its body calls of that, both in order.
    struct Turn {
        let said: [String]
        let called: [String]
        let lineCount: Int

        /// The function `turn` of a text, and the comment with arrows above it.
        init?(_ text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            let beginning = "/// One turn: "
            guard let first = lines.firstIndex(where: { $0.trimmed.hasPrefix(beginning) && $0.contains(" → ") }),
                let head = lines[first...].firstIndex(where: { $0.contains("func turn(") }),
                let end = lines[head...].firstIndex(of: "    }")
            else { return nil }
            let sentence = lines[first].trimmed.dropFirst(beginning.count).prefix { $0 != "." }
            let said = sentence.split(separator: "→").map { step in
                let words = step.split(separator: " ").map { String($0) }
                return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            }
            let body = lines[head..<end].dropFirst().filter { !$0.trimmed.hasPrefix("//") }
            self.said = said
            lineCount = body.count
            // What is called on something else is no step of the turn.
            called = body.flatMap { line in
                line.matches(of: /(?:^|[^.\w])([a-z]\w*)\(/).map { String($0.1) }.filter(said.contains)
            }
        }
    }

    @Test(arguments: [
        ("Sources/KinServer/Loop/Server.swift", ["wait", "read", "submit", "publish"]),
        ("Sources/KinServer/Daemon/KeeperThread.swift", ["drain", "apply", "post"]),
    ]) func `it reads as its comment says`(file: String, begins: [String]) throws {
        let turn = try #require(Turn(SourceTree.text(of: file)), "\(file) has no turn with arrows")
        #expect(Array(turn.said.prefix(begins.count)) == begins)
        #expect(turn.called == turn.said, "\(file)")
        #expect(turn.lineCount < 25, "\(file)")
    }

    @Test func `other words and another order are noticed`() throws {
        func turn(_ body: String) throws -> Turn {
            try #require(Turn("    /// One turn: wait → fire timers.\n    func turn() {\n        \(body)\n    }\n"))
        }
        let right = try turn("wait()\n        fireTimers()")
        #expect(right.said == ["wait", "fireTimers"] && right.called == right.said)
        #expect(try turn("fireTimers()\n        wait()").called != right.said)
        #expect(try turn("wait()\n        fire()").called != right.said)
        #expect(try turn("line.wait()\n        fireTimers()").called != right.said)
        #expect(Turn("    /// One turn.\n    func turn() {\n        wait()\n    }\n") == nil)
    }
}
