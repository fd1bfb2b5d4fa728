import Glibc
import Testing

@testable import KinServer

/// The page about limits, made from `ServerLimits` itself: no limit without what it does and the test that reaches it.
@Suite struct LimitPageTests {
    @Test func `the page about limits has every limit with its value, what happens, and the test that reaches it`()
        throws
    {
        var rows: [String] = []
        var named: Set<String> = ["passwords", "pictures"]
        for (name, value) in Mirror(reflecting: ServerLimits()).children {
            let name = try #require(name)
            let told = try #require(LimitPage.told[name], "LimitPage says nothing of \(name)")
            let meaning = try #require(LimitPage.meanings[name], "\(name) has no documentation comment")
            let counted = told.counted.map { "`\($0)`" }.joined(separator: " ")
            named.formUnion(told.counted)
            let tests = told.tests.map { "*\($0)*" }.joined(separator: "; ")
            rows.append("| `\(name)` | \(value) | \(meaning) | \(told.answer) | \(counted) | \(tests) |")
        }
        #expect(LimitPage.told.count == rows.count, "LimitPage tells of limits that are gone")
        #expect(named == Set(Server.limitNames), "a limit that is counted stands on the page")
        try Documentation("Limits").expect(LimitPage.head + rows.joined(separator: "\n") + "\n" + LimitPage.tail)
    }
}
