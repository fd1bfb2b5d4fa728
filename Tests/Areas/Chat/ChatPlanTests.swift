import KinModel
import Testing

@testable import KinChat
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// However many messages are stored: SQLite's own plan says that a page of a room is reached by an index, in its order; and
/// a message costs the same however many are in the room.
@Suite struct ChatPlanTests {
    @Test func `a page of a room is a search along an index, without sorting`() throws {
        let box = try FamilyBox()
        let plan = try box.store.database.rows(
            "EXPLAIN QUERY PLAN " + StoredMessage.page,
            values: [.int(0), .id(Chat.nobody), .id(Chat.nobody)], map: { $0.text(3) })
        #expect(plan.contains("SEARCH m USING INDEX messages_by_room (in_room=? AND id>? AND id<?)"), "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `what somebody said is looked for along a room's index, and messages have no other`() throws {
        let box = try FamilyBox()
        let database = box.store.database
        let plan = try database.rows(
            "EXPLAIN QUERY PLAN " + Chat.Stretch.rows, values: [.int(0), .id(Chat.nobody)], map: { $0.text(3) })
        #expect(plan == ["SEARCH messages USING INDEX messages_by_room (in_room=? AND id<?)"], "\(plan)")
        let indices = try database.rows("SELECT name FROM pragma_index_list('messages')") { $0.text(0) }
        #expect(indices == ["messages_by_room"])
    }

    @Test func `a message that comes in a burst costs no more than an announcement, and the same for three as for ten`()
        throws
    {
        func costs(members: Int) throws -> (message: Int, announcement: Int) {
            let box = try FamilyBox()
            let ada = try box.found()
            for number in 1..<members { _ = try box.join("m\(number)", by: ada) }
            let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
            func cost(_ method: String, _ params: JSON.Object) throws -> Int {
                let request = box.request(ada.credential, method, params)
                let before = (box.store.database.statementCount, box.store.log.position)
                let commit = box.keeper.turn([request], clock: box.reading)
                guard case .success? = commit.replies.first?.result else { throw StoreFailure.transactionGone }
                #expect(box.store.log.position == before.1 + 1, "\(method)")
                return box.store.database.statementCount - before.0
            }
            try box.call(ada, "message.send", ["room": .id(room), "text": "Soup"])
            try box.call(ada, "activity.announce", ["text": "Soup"])
            return (
                try cost("message.send", ["room": .id(room), "text": "is ready"]),
                try cost("activity.announce", ["text": "is ready"])
            )
        }
        let (few, many) = (try costs(members: 3), try costs(members: 10))
        #expect(few.message == many.message)
        #expect(many.message <= max(many.announcement * 2, 30), "\(many)")
    }
}
