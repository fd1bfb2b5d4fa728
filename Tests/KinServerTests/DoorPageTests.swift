import KinFamily
import KinKeeper
import Testing

@testable import KinKeeper
@testable import KinServer

/// The page about doors says what the daemon does.
@Suite struct DoorPageTests {
    private let page: String

    init() throws { page = try Documentation("Doors").text }

    /// What stands between backticks.
    private static func names(_ text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    /// The first cell of a table's row, and the others.
    private static func cells(_ row: Substring) -> (first: [String], others: [String]) {
        let cells = row.dropFirst().split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        return (names(cells[0]), cells.count > 1 ? names(cells[1]) : [])
    }

    @Test func `each door stands there, in the order in which they are asked`() {
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { Self.cells($0).first }.filter { $0.hasSuffix("Door") }
        #expect(named == Doors.all.map { "\($0)" })
    }

    @Test func `each type under which a file leaves stands there, as shown or as saved`() throws {
        let parts = try #require(page.split(separator: "\nShown: ").last?.split(separator: "Saved: "))
        let shown = try #require(parts.first)
        let saved = try #require(parts.dropFirst().first?.split(separator: "HTML, XML").first)
        #expect(Self.names(shown) == ServedType.shown)
        #expect(Self.names(saved) == ServedType.saved)
    }

    @Test func `each type that a file may come as stands there`() {
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| `") }
        let written = Set(rows.flatMap { row -> [String] in Self.cells(row).others }.filter { $0.contains("/") })
        var types = Set(ServedType.taken)
        for method in Registry.family.methods.values { types.formUnion(method.parcel?.mediaTypes ?? []) }
        // JSON is the form with everything in it.
        types.subtract(["application/octet-stream", "application/json"])
        #expect(types.subtracting(written).isEmpty, "not on the page: \(types.subtracting(written))")
    }
}
