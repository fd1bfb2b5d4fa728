import Glibc
import Testing

/// Something no line of the tree may hold. The only file exempt from the rules is this one, which names what they
/// forbid.
struct SourceRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// A line without one of these words is not looked at: most files are passed over without splitting them.
    let words: [String]
    /// The files it holds for.
    let applies: @Sendable (_ path: String) -> Bool
    let breaks: @Sendable (Line) -> Bool
    /// Text that breaks the rule and text that does not, for the rule's own test. The last line of each is judged.
    let planted: [String]
    let innocent: [String]

    var testDescription: String { name }

    func violations(in lines: [Line]) -> [Line] {
        lines.filter { line in words.contains { line.text.contains($0) } && breaks(line) }
    }

    func violations(in path: String) -> [String] {
        guard applies(path), path != "Tests/TidyTests/SourceRule.swift" else { return [] }
        let text = SourceTree.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
        let occurs = words.contains { strstr(text, $0) != nil }
        guard occurs else { return [] }
        return violations(in: SourceTree.lines(of: path))
            .map { "\(path):\($0.number): \($0.text.trimmed)" }
    }
}

extension SourceRule {
    static let all = [
        noForcedTry, noFatalError, noUncheckedMath, conditionalTodos, explainedSendability, noMachinePaths,
        familyNames, noSleepingTests, noActors, noExpressions, keptArguments, fewAskOutside,
    ]

    static let noForcedTry = SourceRule(
        name: "errors are handled, not forced away", words: ["try!"], applies: { $0.hasSuffix(".swift") },
        breaks: { $0.code.contains("try!") },
        planted: ["let x = try! y()"], innocent: ["let x = try y() // never try! here"])

    static let noFatalError = SourceRule(
        name: "what must not be is a precondition that states the rule", words: ["fatalError("],
        // A precondition's sentence is not said by an optimised build, and that of a broken invariant is.
        applies: { $0.hasSuffix(".swift") && !$0.hasSuffix("KinModel/Invariant.swift") },
        breaks: { $0.code.contains("fatalError(") },
        planted: ["fatalError(\"oh\")"], innocent: ["precondition(x > 0, \"a count is positive\")"])

    static let noUncheckedMath = SourceRule(
        name: "arithmetic stays checked", words: ["-Ounchecked"], applies: { _ in true }, breaks: { _ in true },
        planted: [".unsafeFlags([\"-Ounchecked\"])"], innocent: [".unsafeFlags([\"-O\"])"])

    static let conditionalTodos = SourceRule(
        name: "what is left to do says under which condition", words: ["TODO", "FIXME"],
        applies: { _ in true },
        breaks: { $0.text.firstMatch(of: /\b(?:TODO|FIXME)\b(?! (?:when|once|until|if|as soon as) )/) != nil },
        planted: ["// TODO: faster", "// FIXME"],
        innocent: ["// TODO when Debian has 3.45: drop this", "let TODOS = 1"])

    static let explainedSendability = SourceRule(
        name: "a promise the compiler cannot check carries its rule beside it",
        words: ["@unchecked Sendable", "nonisolated(unsafe)"], applies: { $0.hasSuffix(".swift") },
        breaks: { line in
            let promises = ["@unchecked Sendable", "nonisolated(unsafe)"].contains { line.code.contains($0) }
            return promises && !line.isExplained
        },
        planted: ["final class A: @unchecked Sendable {", "\n\nnonisolated(unsafe) var a = 1"],
        innocent: [
            "// Guarded by the mutex.\nfinal class A: @unchecked Sendable {",
            "nonisolated(unsafe) var a = 1 // set once",
        ])

    static let noMachinePaths = SourceRule(
        name: "no path of one machine", words: ["/home/", "/Users/", "/work/", "/root/"], applies: { _ in true },
        breaks: { $0.text.firstMatch(of: /(?:^|[^\w.}])\/(?:home|Users|work|root)\/\w/) != nil },
        planted: ["let path = \"/home/ada/kinwire\"", "/root/x"],
        innocent: ["GET https://example.org/work/x", "$HOME/x"])

    static let familyNames = SourceRule(
        name: "types are nouns of the family or the network",
        words: ["Manager", "Helper", "Util", "Handler", "Service", "Impl"],
        applies: { $0.hasSuffix(".swift") && $0.hasPrefix("Sources/") },
        breaks: { line in
            let name =
                /\b(?:class|struct|enum|protocol|actor|typealias) \w*(?:Manager|Helpers?|Utils?|Utility|Handler|Service|Impl)\b/
            return line.code.firstMatch(of: name) != nil
        },
        planted: ["final class FeedManager {", "enum Utils {"], innocent: ["struct Implication {", "enum Keeper {"])

    static let noSleepingTests = SourceRule(
        name: "tests wait for facts, never for time", words: ["sleep"], applies: { $0.hasPrefix("Tests/") },
        breaks: { $0.code.firstMatch(of: /(?:^|[^\w.])(?:u|nano)?sleep\(|Task\.sleep/) != nil },
        planted: ["    usleep(100)", "try await Task.sleep(for: .seconds(1))"],
        innocent: ["#expect(member.sleeps(at: 3))"])

    static let noExpressions = SourceRule(
        name:
            "the daemon takes no regular expressions along: one use links in half a megabyte that is resident for good",
        words: [".replacing(", ".firstMatch(", ".wholeMatch(", ".firstRange(", ".trimmingPrefix("],
        applies: { path in
            let others = ["KinClient", "KinSimulation", "KinFuzz", "kin", "kinwire-"].map { "Sources/\($0)" }
            return path.hasSuffix(".swift") && path.hasPrefix("Sources/")
                && !others.contains { path.hasPrefix($0 + "/") || $0.hasSuffix("-") && path.hasPrefix($0) }
        },
        breaks: { line in
            [".replacing(", ".firstMatch(", ".wholeMatch(", ".firstRange(", ".trimmingPrefix("].contains {
                line.code.contains($0)
            }
        },
        planted: ["let name = text.replacing(\"a\", with: \"b\")"], innocent: ["let name = replacing(a)"])

    static let noActors = SourceRule(
        name: "objects live on one thread: no actors and no tasks", words: ["actor ", "Task"],
        applies: { $0.hasSuffix(".swift") && $0.hasPrefix("Sources/") },
        breaks: { $0.code.firstMatch(of: /^\s*(?:\w+ )*actor \w+|\bTask(?:\.detached)?\s*[({]/) != nil },
        planted: ["public actor Feed {", "Task { await x() }"], innocent: ["let factor = 1", "final class Feed {"])

    /// What the daemon asks outside, and no more: push services, tiles of the map, calendars, and news.
    static let fewAskOutside = SourceRule(
        name: "only push services, the source of the map, calendars, news and recipes are asked outside",
        words: ["OutsideLetter(", "OutsideLook("],
        applies: { path in
            let known = [
                "Areas/Notices/Notices+Pushing.swift", "Areas/Map/Beneath/MapTile.swift",
                "Areas/Calendars/Outside/SubscriptionWork.swift", "Areas/Posts/News/NewsWork.swift",
                "Areas/Meals/Meals+Recipes.swift",
            ]
            return path.hasPrefix("Sources/") && !known.contains { path == "Sources/" + $0 }
        },
        breaks: { line in ["OutsideLetter(", "OutsideLook("].contains { line.code.contains($0) } },
        planted: ["let letter = OutsideLetter(to: address)"], innocent: ["func send(_ letter: OutsideLetter)"])

    static let keptArguments = SourceRule(
        name: "the command line is Machine.arguments: CommandLine is empty under some preloaded libraries",
        words: ["CommandLine."],
        applies: { $0.hasPrefix("Sources/") && !$0.hasPrefix("Sources/kinwire-fuzz/") && $0.hasSuffix(".swift") },
        breaks: { $0.code.contains("CommandLine.") && !$0.code.contains("else { return CommandLine.arguments }") },
        planted: ["let all = CommandLine.arguments"],
        innocent: ["guard let bytes else { return CommandLine.arguments }"])
}
