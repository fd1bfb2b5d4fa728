import KinModel
import Testing

@testable import KinStore

@Suite struct AudienceTests {
    @Test func `A set of members answers as a set does`() {
        let some = Audience([1, 63, 64, 65, 1_000])
        #expect([1, 63, 64, 65, 1_000].allSatisfy { some.contains($0) })
        #expect([0, -1, .min, 2, 66, 999, 1_001, .max].allSatisfy { !some.contains($0) })
        #expect(some.members == [1, 63, 64, 65, 1_000] && some.count == 5 && !some.isEmpty)
        #expect(some.union(Audience([2])).members == [1, 2, 63, 64, 65, 1_000])
        #expect(Audience([2]).union(some).members == [1, 2, 63, 64, 65, 1_000])
        #expect(some.subtracting(Audience([64, 1_000, 5_000])).members == [1, 63, 65])
        #expect(some.intersection(Audience([1_000, 2])).members == [1_000])
        #expect(some.subtracting(some).isEmpty && Audience().isEmpty)
    }

    @Test func `Equal sets are equal however they were made`() {
        var one = Audience([1, 2, 500])
        one.remove(500)
        #expect(
            one == Audience([2, 1]) && one.bytes == Audience([1, 2]).bytes
                && one.hashValue == Audience([1, 2]).hashValue)
        #expect(Audience([1, 2, 500]).subtracting(Audience([500])) == Audience([1, 2]))
    }

    @Test func `Audiences no row names are let go once there are many, and may come back`() throws {
        let store = try Family.store(Family.disk())
        let count = Database.audiencesStoredMax + 5
        try store.turn { store throws(StoreFailure) in
            for member in 1...count { try store.append(audience: Audience([Int32(member)])) }
            try store.append("kept", audience: Audience([7]), at: Family.start.adding(days: 1))
        }
        try store.turn { store throws(StoreFailure) in
            try store.log.retain(since: Family.start.adding(days: 1), bytesMax: nil)
            try store.append("again", audience: Audience([8]))
        }
        #expect(try store.seen(by: 7).map(\.text) == ["kept"])
        #expect(try store.seen(by: 8).map(\.text) == ["again"])
        #expect(try store.database.first("SELECT count(*) FROM audiences") { $0.int(0) } == 2)
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `An audience is stored once, and a thousand members are no trouble`() throws {
        let store = try Family.store(Family.disk())
        let village = Audience((1...1_000).map { Int32($0) })
        try store.turn { store throws(StoreFailure) in
            for _ in 0..<5 { try store.append(audience: village) }
            try store.append(audience: Audience([1, 1_001]))
        }
        #expect(try store.database.first("SELECT count(*) FROM audiences") { $0.int(0) } == 2)
        #expect(try store.database.first("SELECT count(*) FROM audience_members") { $0.int(0) } == 1_002)
        let reader = try store.reader()
        func count(_ member: Int32) throws -> Int {
            try Log.read(reader, after: 0, through: nil, member: member, types: nil, bytesMax: 1 << 20).rows.count
        }
        #expect(try count(1) == 6 && count(1_000) == 5 && count(1_001) == 1 && count(1_002) == 0)
        #expect(
            try Log.read(reader, after: 0, through: nil, member: 1, types: nil, bytesMax: 1).rows.first?.audience
                == village)
    }
}
