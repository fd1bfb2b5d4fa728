import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// However many points and places are stored: SQLite's own plans say that a page of a history and what is near are reached
/// by an index, in its order.
@Suite struct MapPlanTests {
    private func plan(_ sql: String, _ count: Int, _ database: Database) throws -> [String] {
        try database.rows(
            "EXPLAIN QUERY PLAN " + sql, values: Array(repeating: .int(0), count: count), map: { $0.text(3) })
    }

    @Test func `a page of a history is a search along an index, without sorting`() throws {
        let box = try MapBox()
        for (sql, count, index) in [
            (Track.ownPage, 8, "SEARCH positions USING PRIMARY KEY (track=? AND at>? AND at<?)"),
            (Track.exactRows, 7, "SEARCH positions USING PRIMARY KEY (track=? AND at>? AND at<?)"),
            (
                Track.coarseRows, 5,
                "SEARCH coarse_positions USING INDEX coarse_positions_by_time (track=? AND at>? AND at<?)"
            ),
        ] {
            #expect(try plan(sql, count, box.store.database) == [index])
        }
    }

    @Test func `what is near is found by the R*Tree`() throws {
        let box = try MapBox()
        let places = try plan(
            "SELECT \(StoredPlace.selected) FROM places p " + StoredPlace.within, 5, box.store.database)
        for table in NearestTown.tables { try box.write(table) }
        let towns = try plan(NearestTown.within, 4, box.store.database)
        for (plan, tree) in [(places, "place_index"), (towns, "towns_index")] {
            // Index 2 is a search by bounds; behind the colon stand those that are used.
            #expect(
                plan.contains { $0.hasPrefix("SCAN \(tree) VIRTUAL TABLE INDEX 2:") && !$0.hasSuffix(":") }, "\(plan)")
            let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains(tree) }
            #expect(scans == [] && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
        }
    }

    /// What is read of a member stands in one statement each; what did not change is not written.
    @Test func `a point of a member who shares takes sixteen statements at most`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        _ = try box.join("Bob")
        try box.call(ada, "sharing.set", ["state": "on"])
        func statements(_ lat: Double) throws -> Int {
            box.clock = box.clock.adding(seconds: 5)
            let point: JSON.Object = ["lat": .double(lat), "lon": 13.4, "at": .time(box.clock), "accuracy": 8]
            let request = Request(
                ticket: Ticket(connection: 0, sequence: 0), credential: .machineAs(ada), method: "position.report",
                params: point)
            let before = box.store.database.statementCount
            let commit = box.keeper.turn([request], clock: box.clock)
            let count = box.store.database.statementCount - before
            guard case .success? = commit.replies.first?.result else { throw StoreFailure.transactionGone }
            return count
        }
        _ = try statements(52.5)
        #expect(try statements(52.5001) <= 16)
    }
}
