import KinFamily
import KinKeeper
import KinWeb
import Testing

/// The page's screen of what rings.
@Suite struct RulePageTests {
    @Test func `every kind that can be muted is in one group of the page, and the page names no others`() throws {
        let file = try #require(WebApp.shared.file("rules.js"))
        let text = String(decoding: file.content, as: UTF8.self)
        let groups = try #require(
            text.split(separator: "export const groups = {").last?.split(separator: "\n}\n").first)
        let named = groups.split(separator: "[").dropFirst().flatMap { group in
            group.prefix { $0 != "]" }.split(separator: "\"").filter { $0.contains { $0.isLetter } }.map { String($0) }
        }
        #expect(named.count == Set(named).count)
        #expect(Set(named) == Set(Registry.family.inboxKinds.mutable.map(\.name)))
        let waiting = try #require(text.split(separator: "export const waiting = [").last?.prefix { $0 != "]" })
        let quiet = waiting.split(separator: "\"").filter { $0.contains { $0.isLetter } }.map { String($0) }
        #expect(Set(quiet) == Set(Registry.family.inboxKinds.quiet.map(\.name)))
    }
}
