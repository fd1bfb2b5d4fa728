import Testing

@Suite struct SourceRuleTests {
    @Test(arguments: SourceRule.all)
    func `the tree keeps the rule`(rule: SourceRule) {
        let files = SourceTree.codeFiles + ["README.md"]
        let violations = files.flatMap { rule.violations(in: $0) }
        let isKept = violations.isEmpty
        #expect(isKept, "\n\(violations.joined(separator: "\n"))")
    }

    @Test(arguments: SourceRule.all)
    func `the rule catches what was planted and nothing else`(rule: SourceRule) {
        for text in rule.planted {
            let lines = Line.all(in: text)
            #expect(rule.violations(in: lines).map(\.number) == [lines.count], "\(text)")
        }
        for text in rule.innocent { #expect(rule.violations(in: Line.all(in: text)).isEmpty, "\(text)") }
    }
}
