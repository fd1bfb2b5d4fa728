import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What the server and its connections keep themselves. More than this belongs to a part with its own state
/// (`Architecture.md` has the parts).
@Suite struct ServerPartsTests {
    private static func kept(_ object: Any) -> [(name: String, value: Any)] {
        Mirror(reflecting: object).children.map { ($0.label ?? "", $0.value) }
    }

    @Test func `the server keeps its parts, and hardly anything else`() throws {
        let box = try Box.family()
        let names = Self.kept(box.server).map(\.name)
        #expect(names.contains("connections") && names.contains("fanOut") && names.count <= 24, "\(names)")
    }

    @Test func `a connection's life is its machine's, and few other things about it are true or false`() throws {
        let box = try Box.family()
        let client = try box.line("ada")
        _ = try client.result("live.follow", ["since": nil])
        let connection = try #require(box.server.connections.open.first { $0.following != nil })
        let kept = Self.kept(connection)
        #expect(kept.contains { $0.value is ConnectionLife } && kept.count <= 26, "\(kept.map(\.name))")
        let flags = kept.filter { $0.value is Bool }.map(\.name)
        #expect(flags.count <= 6, "\(flags)")
    }
}
