import KinModel
import Testing

@testable import KinStore

/// The log as one member has it.
@Suite struct OwnRowsTests {
    private func store() throws -> Store {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            for number in 1...9 {
                try store.append("\(number)", audience: Audience(number % 4 == 0 ? [1, 2] : [2, 3]))
            }
        }
        return store
    }

    @Test func `one's own rows are found among those of others, by the indices`() throws {
        let database = try store().database
        #expect(try Log.newest(database, of: 1, upTo: 9) == 8)
        #expect(try Log.newest(database, of: 1, upTo: 7) == 4)
        #expect(try Log.newest(database, of: 1, upTo: 3) == nil)
        #expect(try Log.next(database, of: 1, after: 0) == 4)
        #expect(try Log.next(database, of: 1, after: 4) == 8)
        #expect(try Log.next(database, of: 1, after: 8) == nil)
        #expect(try Log.newest(database, of: 2, upTo: 9) == 9)
        for sql in [Log.newestOwn, Log.nextOwn] {
            let plan = try database.rows("EXPLAIN QUERY PLAN " + sql, .int(1), .int(5)) { $0.text(3) }
            #expect(plan.contains { $0.contains("log_by_audience (audience=? AND rowid") }, "\(plan)")
            #expect(plan.contains { $0.contains("audience_members_by_member") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }

    @Test func `the position before a time is found among gaps`() throws {
        let store = try Family.store(Family.disk())
        for second in 0..<40 {
            try store.turn { store throws(StoreFailure) in
                _ = try store.log.append(
                    at: Family.start.adding(seconds: Int64(second / 3)), type: "x", by: nil, about: "x",
                    key: second % 5 == 0 ? "k" : nil, audience: Audience([1]), salt: 1, payload: [])
            }
        }
        for second in -1...15 {
            let time = Family.start.adding(seconds: Int64(second))
            let found = try Log.position(store.database, before: time)
            let last = try store.database.first("SELECT max(position) FROM log WHERE at < ?", .time(time)) {
                $0.optionalInt(0)
            }.flatMap(\.self)
            let next = try store.database.first("SELECT min(position) FROM log WHERE at >= ?", .time(time)) {
                $0.optionalInt(0)
            }.flatMap(\.self)
            #expect(found >= last ?? 0 && found < next ?? .max, "\(second)")
        }
    }

    @Test func `what retention removes of others makes nobody's replay less than whole`() throws {
        let store = try store()
        try store.turn { store throws(StoreFailure) in
            try store.log.retain(since: Family.start.adding(days: 1), bytesMax: nil, rowsMax: 6)
        }
        #expect(store.log.firstKept == 6)
        func isWhole(_ member: Int32, after: Int64) throws -> Bool {
            try Log.read(
                store.database, after: after, through: nil, member: member, types: nil, bytesMax: 1_000
            ).isWhole
        }
        #expect(try !isWhole(1, after: 3))
        #expect(try isWhole(1, after: 4))
        #expect(try !isWhole(2, after: 5))
        #expect(try isWhole(2, after: 6))
        #expect(try isWhole(9, after: 0))
    }

    @Test func `a row is taken from some and left to the others, with its place and its cursor`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            for about in ["stay/a/1", "stay/a/2", "stay/b/1"] {
                _ = try store.log.append(
                    at: Family.start, type: "place.entered", by: nil, about: about, key: nil,
                    audience: Audience([1, 2]), salt: 7, payload: Array("x".utf8))
            }
            _ = try store.log.append(
                at: Family.start, type: "activity.added", by: nil, about: "stay/a/1", key: nil,
                audience: Audience([1]), salt: 7, payload: Array("x".utf8))
            _ = try store.log.append(
                at: Family.start, type: "place.hidden", by: nil, about: "stay/a/1", key: nil,
                audience: Audience([1]), salt: 7, payload: Array("x".utf8))
        }
        let bytes = store.log.byteCount
        var done: (removed: [Int64], narrowed: [Int64: Audience]) = ([], [:])
        try store.turn { store throws(StoreFailure) in
            done = try store.log.narrow(about: "stay/a/", keeping: ["place.hidden"], by: Audience([1]))
        }
        #expect(done.removed == [4] && done.narrowed == [1: Audience([2]), 2: Audience([2])])
        #expect(store.log.byteCount == bytes - 129)
        func positions(_ member: Int32) throws -> [Int64] {
            try Log.read(
                store.database, after: 0, through: nil, member: member, types: nil, bytesMax: 1_000
            ).rows.map(\.position)
        }
        #expect(try positions(1) == [3, 5] && positions(2) == [1, 2, 3])
    }

    @Test func `a cursor of no row does not tell whether anything was written since the start`() throws {
        let disk = Family.disk()
        let first = try Family.store(disk)
        try first.turn { store throws(StoreFailure) in try store.append() }
        disk.crash()
        let store = try Family.store(disk)
        let before = store.epochs.cursor(upTo: store.log.position, salt: 1)
        try store.turn { store throws(StoreFailure) in try store.append() }
        let after = store.epochs.cursor(upTo: store.log.position, salt: 2)
        #expect(before.prefix(10) == after.prefix(10))
        #expect(store.epochs.position(of: before) == 1 && store.epochs.position(of: after) == 2)
    }
}
