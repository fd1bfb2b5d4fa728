import KinFamily
import KinKeeper
import KinModel
import Testing

@testable import KinKeeper

/// The page about the wire says which views there are, and what a snapshot has of each.
@Suite struct WireProtocolPageTests {
    /// The table's rows: a view, and the names of its parts.
    private static func written() throws -> [String: Set<String>] {
        let page = try Documentation("WireProtocol").text
        let table = try #require(page.split(separator: "| view | its parts of the snapshot |\n").last)
        var written: [String: Set<String>] = [:]
        for row in table.split(separator: "\n").dropFirst().prefix(while: { $0.hasPrefix("| ") }) {
            let cells = row.split(separator: "|").map { $0.split(separator: "`").filter { $0.first?.isLetter == true } }
            guard cells.count >= 2, let view = cells[0].first else { continue }
            written[String(view)] = Set(cells[1].map { String($0) })
        }
        return written
    }

    @Test func `each view stands there with its parts, and no other`() throws {
        var parts: [String: Set<String>] = [:]
        for area in Registry.family.areas {
            guard let view = area.view else { continue }
            parts[view, default: []].formUnion(area.snapshot.map(\.name))
        }
        #expect(try Self.written() == parts)
    }
}
