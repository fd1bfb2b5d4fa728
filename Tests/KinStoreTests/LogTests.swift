import KinModel
import Testing

@testable import KinStore

@Suite struct LogTests {
    @Test func `A row comes back as it was appended, to those who may see it and to nobody else`() throws {
        let store = try Family.store(Family.disk())
        let row = try store.turn { store throws(StoreFailure) in
            try store.append("Grüße", key: "k", audience: Audience([2, 70]), salt: .max).row
        }
        #expect(row.position == 1 && store.log.position == 1 && store.log.latest == Family.start)
        #expect(try store.seen(by: 2) == [row])
        #expect(try store.seen(by: 70) == [row])
        #expect(try store.seen(by: 1) == [])
        let anonymous = try store.turn { store throws(StoreFailure) in
            try store.log.append(
                at: Family.start, type: "meeting.closed", by: nil, about: "meeting/1", key: nil,
                audience: Audience([2]),
                salt: 0, payload: []
            ).row
        }
        #expect(try store.seen(by: 2, after: 1) == [anonymous])
    }

    @Test func `A row takes the place of those of several keys`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            for key in ["a", "b", "c", "d"] { try store.append(key, key: key) }
        }
        let appended = try store.turn { store throws(StoreFailure) in
            try store.append("new", key: "d", supersedes: ["a", "c", "e"])
        }
        #expect(Set(appended.superseded) == [1, 3, 4])
        #expect(try store.seen(by: 1).map(\.text) == ["b", "new"])
        #expect(store.log.byteCount == "bnew".utf8.count + 2 * Int(Log.rowBytes))
        let unnamed = try store.turn { store throws(StoreFailure) in try store.append("last", supersedes: ["b"]) }
        #expect(unnamed.superseded == [2])
        #expect(try store.seen(by: 1).map(\.text) == ["new", "last"])
    }

    @Test func `Reading stops at the limit of bytes and goes on where it stopped`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            for number in 0..<10 {
                try store.append(String(repeating: "x", count: 100), audience: Audience([Int32(number % 2) + 1]))
            }
        }
        var (after, all, pages): (Int64, [Int64], Int) = (0, [], 0)
        while true {
            let page = try Log.read(
                store.database, after: after, through: nil, member: 1, types: nil, bytesMax: 2 * (100 + 256))
            all += page.rows.map(\.position)
            pages += 1
            #expect(page.through > after || !page.more)
            after = page.through
            if !page.more { break }
        }
        #expect(all == [1, 3, 5, 7, 9] && pages == 3 && after == 10)
        let big = try Log.read(store.database, after: 0, through: nil, member: 1, types: nil, bytesMax: 0)
        #expect(big.rows.map(\.position) == [1] && big.more)
        let bounded = try Log.read(store.database, after: 2, through: 6, member: 1, types: nil, bytesMax: 1_000)
        #expect(bounded.rows.map(\.position) == [3, 5] && bounded.through == 6 && !bounded.more)
        let beyond = try Log.read(store.database, after: 10, through: nil, member: 1, types: nil, bytesMax: 1_000)
        #expect(beyond.rows.isEmpty && beyond.through == 10 && !beyond.more)
    }

    @Test func `Reading looks at a bounded number of rows behind one's own, and not at those before`() throws {
        let store = try Family.store(Family.disk())
        let others = Log.rowsLookedAtMax + 5
        try store.turn { store throws(StoreFailure) in
            for _ in 0..<others { try store.append(audience: Audience([2])) }
            try store.append("first", audience: Audience([1]))
            for _ in 0..<others { try store.append(audience: Audience([2])) }
            try store.append("mine", audience: Audience([1]))
        }
        let first = try Log.read(store.database, after: 0, through: nil, member: 1, types: nil, bytesMax: 1_000)
        #expect(first.rows.map(\.text) == ["first"] && first.more)
        #expect(first.through == Int64(others + Log.rowsLookedAtMax))
        let second = try Log.read(
            store.database, after: first.through, through: nil, member: 1, types: nil, bytesMax: 1_000)
        #expect(second.rows.map(\.text) == ["mine"] && !second.more)
    }

    @Test func `Types are wanted whole, or by their beginning when it ends in a dot`() throws {
        let store = try Family.store(Family.disk())
        let types = ["meeting.voted", "meeting.proposed", "position", "positions", "meeting"]
        try store.turn { store throws(StoreFailure) in for type in types { try store.append(type: type) } }
        func read(_ types: [String]?) throws -> [String] {
            try Log.read(store.database, after: 0, through: nil, member: 1, types: types, bytesMax: 10_000).rows.map(
                \.type)
        }
        #expect(try read(["meeting.", "position"]) == ["meeting.voted", "meeting.proposed", "position"])
        #expect(try read([]) == [])
        #expect(try read(nil) == types)
    }

    @Test func `The newest row of a key is the only one, and its predecessor's position is told`() throws {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            try store.append("old", key: "position/1")
            try store.append("other", key: "position/2")
            try store.append("for some", key: "position/1/some", audience: Audience([1]))
        }
        let superseded = try store.turn { store throws(StoreFailure) in
            try store.append("new", key: "position/1", supersedes: ["position/1/some", "position/none"]).superseded
        }
        #expect(superseded == [1, 3])
        #expect(try store.seen().map(\.text) == ["other", "new"])
        #expect(try store.seen(by: 1, after: 2).map(\.position) == [4])
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `Positions go on after everything was deleted and the daemon started anew`() throws {
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        try store?.turn { store throws(StoreFailure) in
            try store.append()
            try store.append()
            _ = try store.log.erase(about: "note/1")
        }
        store = nil
        let again = try Family.store(disk)
        #expect(again.log.position == 2)
        #expect(try again.turn { store throws(StoreFailure) in try store.append().row.position } == 3)
    }

    @Test func `What came later is said by the position, whatever the clock said`() throws {
        let store = try Family.store(Family.disk())
        let later = Family.start.adding(seconds: 60)
        try store.turn { store throws(StoreFailure) in
            let first = try store.append(at: later).row
            let second = try store.append(at: Family.start).row
            #expect(first.position < second.position)
            #expect(first.at == later && second.at == Family.start)
        }
        #expect(store.log.latest == Family.start)
    }

    @Test func `What a turn appended counts within it and is gone when it is given up`() throws {
        let store = try Family.store(Family.disk())
        try store.beginTurn()
        try store.append()
        #expect(store.log.position == 1)
        store.rollbackTurn()
        #expect(store.log.position == 0)
        #expect(try store.turn { store throws(StoreFailure) in try store.append().row.position } == 1)
        #expect(try store.seen().count == 1)
    }

    @Test func `Erasing takes every row about the thing, and only those`() throws {
        let store = try Family.store(Family.disk())
        let erased = try store.turn { store throws(StoreFailure) in
            for about in ["note/1", "note/10", "note/1", "Note/1"] { try store.append(about: about) }
            return try store.log.erase(about: "note/1")
        }
        #expect(erased == [1, 3])
        #expect(try store.seen().map(\.about) == ["note/10", "Note/1"])
        #expect(try store.turn { store throws(StoreFailure) in try store.log.erase(about: "note/none") } == [])
        #expect(store.log.firstKept == 0)
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `Erasing leaves what says that the thing is hidden, for who sees it no longer and is away`() throws {
        let store = try Family.store(Family.disk())
        let erased = try store.turn { store throws(StoreFailure) in
            try store.append(about: "note/1")
            try store.append(about: "note/1", type: "note.hidden")
            return try store.log.erase(about: "note/1", keeping: ["note.hidden", "note.concealed"])
        }
        #expect(erased == [1])
        #expect(try store.seen().map(\.type) == ["note.hidden"])
    }

    @Test
    func `Old rows go by age and by size, a bounded number at once, and the place from which replay is whole moves`()
        throws
    {
        let store = try Family.store(Family.disk())
        try store.turn { store throws(StoreFailure) in
            for day in 0..<10 {
                try store.append(String(repeating: "x", count: 72), at: Family.start.adding(days: Int64(day)))
            }
        }
        #expect(store.log.byteCount == 2_000)
        func retain(days: Int64, bytes: Int?, rows: Int = 100) throws -> Int {
            try store.turn { store throws(StoreFailure) in
                try store.log.retain(since: Family.start.adding(days: days), bytesMax: bytes, rowsMax: rows)
            }
        }
        #expect(try retain(days: 0, bytes: nil) == 0 && store.log.firstKept == 0)
        #expect(try retain(days: 3, bytes: nil, rows: 2) == 2 && store.log.firstKept == 2)
        #expect(try retain(days: 3, bytes: nil, rows: 2) == 1 && store.log.firstKept == 3)
        #expect(try retain(days: 3, bytes: 1_100) == 2 && store.log.firstKept == 5 && store.log.byteCount == 1_000)
        #expect(try store.seen().map(\.position) == [6, 7, 8, 9, 10])
        #expect(try Log.firstKept(try store.reader()) == 5)
        #expect(try retain(days: 100, bytes: nil) == 5 && store.log.firstKept == 10 && store.log.position == 10)
        #expect(try Integrity.check(store.database) == [])
    }

    @Test func `Erased text is in no file after the WAL was truncated`() throws {
        let folder = Folder()
        let store = try Store(directory: folder.path + "/data", migrations: Family.area, now: Family.start)
        let secret = "a word that must go"
        func files() throws -> [String] {
            try DiskFiles().list(folder.path + "/data").filter { name in
                let path = folder.path + "/data/" + name
                guard name != "blobs", name != "ballast" else { return false }
                let bytes = try DiskFiles().read(path, offset: 0, count: try DiskFiles().size(path))
                return bytes.firstRange(of: Array(secret.utf8)) != nil
            }
        }
        try store.turn { store throws(StoreFailure) in
            for number in 0..<50 {
                try store.append(String(repeating: "\(secret) ", count: 1 + number * 20), about: "note/\(number % 2)")
            }
        }
        store.requestTruncate(by: Family.start)
        store.afterTurn(idle: true, now: Family.start)
        #expect(try files() == ["kinwire.db"])
        _ = try store.turn { store throws(StoreFailure) in
            _ = try store.log.erase(about: "note/0")
            return try store.log.erase(about: "note/1")
        }
        #expect(try files() == ["kinwire.db"])
        store.requestTruncate(by: Family.start.adding(seconds: 60))
        store.afterTurn(idle: false, now: Family.start)
        #expect(store.truncateBy != nil)
        store.afterTurn(idle: false, now: Family.start.adding(seconds: 60))
        #expect(store.truncateBy == nil)
        #expect(try files() == [])
    }
}
