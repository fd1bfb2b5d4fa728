import KinCodec
import KinModel
import Testing

/// What the daemon asks of the allocator, counted by the C library itself and not timed. Who needs more says here why.
@Suite(.serialized) struct AllocationTests {
    /// Of a build that is not optimised, in which more lives on the heap; an optimised one allocates nothing to deliver.
    /// A connection asked 1,739 times until each area's part of its snapshot was made by itself, 1,815 times until there were
    /// three more areas, and 1,879 since; a loaded machine wakes the loop a few times more. A command asked 516 times until the server's parts were types of their own, and 530
    /// until an announcement asked whose devices are to ring, 557 times since.
    private static let budgets = ["a delivery": 3.5, "a command": 562, "a connection": 1950]

    @Test func `a delivery, a command and a connection keep their budget of allocations`() throws {
        let stage = try Stage()
        let bench = try stage.run(
            Stage.built + "/kinwire-bench", "allocations", "--dir", stage.folder, "--clients", "10", "--count", "4",
            "--json")
        let figures = try #require(try JSON.parse(Array((bench.lines.first ?? "").utf8))["figures"], "\(bench.said)")
        for (name, budget) in Self.budgets {
            let seen = try #require(figures[name + ", exactly"]?.double, "\(name)")
            #expect(seen > 0 && seen <= budget, "\(name)")
        }
    }
}
