import KinModel
import Testing

@testable import KinStore

@Suite struct CursorTests {
    /// A disk whose log has three rows of each of three starts.
    private func history(_ disk: FaultVFS) throws -> [Epochs] {
        try (0..<3).map { _ in
            let store = try Family.store(disk)
            try store.turn { store throws(StoreFailure) in for _ in 0..<3 { try store.append() } }
            return store.epochs
        }
    }

    @Test func `A cursor is 32 characters, hides its position, and comes back as it`() throws {
        let epochs = try Family.store(Family.disk()).epochs
        for position: Int64 in [0, 1, 2, 1 << 40, .max] {
            let cursor = epochs.cursor(position: position, salt: 9)
            #expect(cursor.utf8.count == 32)
            #expect(epochs.position(of: cursor) == position)
            #expect(
                cursor == epochs.cursor(position: position, salt: 9)
                    && cursor != epochs.cursor(position: position, salt: 8))
        }
    }

    @Test func `An event has the same cursor at every replay, after any number of starts`() throws {
        let disk = Family.disk()
        let all = try history(disk)
        let last = try #require(all.last)
        #expect(last.all.map(\.first) == [0, 3, 6])
        for position in Int64(1)...9 {
            let own = all[Int(position - 1) / 3]
            #expect(last.cursor(position: position, salt: 5) == own.cursor(position: position, salt: 5))
            #expect(last.position(of: own.cursor(position: position, salt: 5)) == position)
        }
        // The last position of an epoch is where the next begins: a snapshot taken there is good in both.
        #expect(last.position(of: all[0].cursor(position: 3, salt: 1)) == 3)
    }

    @Test func `Malformed and tampered cursors are unknown`() throws {
        let epochs = try Family.store(Family.disk()).epochs
        let cursor = epochs.cursor(position: 4, salt: 5)
        for text in [
            "", "null", cursor + "A", String(cursor.dropLast()), cursor + "=", " " + cursor,
            cursor.replacing(cursor.prefix(1), with: "é"), String(repeating: "+", count: 32),
        ] {
            #expect(epochs.position(of: text) == nil, "\(text)")
        }
        // Any one bit of the 192 changed: another epoch, or another block, whose position is beyond belief.
        let words = try #require(CursorText.decode(cursor))
        for bit in UInt64(0)..<64 {
            #expect(epochs.position(of: CursorText.encode(words.0 ^ 1 << bit, words.1, words.2)) == nil)
            for position in [
                epochs.position(of: CursorText.encode(words.0, words.1 ^ 1 << bit, words.2)),
                epochs.position(of: CursorText.encode(words.0, words.1, words.2 ^ 1 << bit)),
            ] { #expect(position == nil || position.map { $0 > 1 << 40 } == true) }
        }
    }

    @Test func `A cursor of another family is unknown`() throws {
        let ours = try Family.store(Family.disk(seed: 1)).epochs
        let theirs = try Family.store(Family.disk(seed: 2)).epochs
        #expect(ours.position(of: theirs.cursor(position: 0, salt: 1)) == nil)
    }

    @Test func `After an older file was restored, what came after it is unknown and what came before is good`() throws {
        let disk = Family.disk()
        let before = try history(disk)[2]
        let copy = try Dictionary(
            uniqueKeysWithValues: disk.paths.filter { $0.hasPrefix(Family.directory) }.map {
                ($0, try #require(disk.bytes($0)))
            })
        // Life goes on for five rows in the third start's successor…
        let lost = try Family.store(disk)
        try lost.turn { store throws(StoreFailure) in for _ in 0..<5 { try store.append() } }
        let lostEpochs = lost.epochs
        // …and is lost with the file.
        let other = Family.disk(seed: 99)
        for (path, bytes) in copy { other.place(path, bytes) }
        let restored = try Family.store(other)
        for position in Int64(1)...9 {
            #expect(restored.epochs.position(of: before.cursor(position: position, salt: 1)) == position)
        }
        for position in Int64(10)...14 {
            #expect(restored.epochs.position(of: lostEpochs.cursor(position: position, salt: 1)) == nil)
            // The third start itself might have gone on instead.
            #expect(restored.epochs.position(of: before.cursor(position: position, salt: 1)) == nil)
        }
    }

    @Test func `Of two copies of one file each knows what they share, and not what the other wrote`() throws {
        let disk = Family.disk()
        let shared = try history(disk)[2]
        let copy = Family.disk(seed: 7)
        for path in disk.paths { copy.place(path, try #require(disk.bytes(path))) }
        let (one, two) = (try Family.store(disk), try Family.store(copy))
        for store in [one, two] { try store.turn { store throws(StoreFailure) in try store.append() } }
        #expect(one.epochs.position(of: two.epochs.cursor(position: 10, salt: 1)) == nil)
        #expect(two.epochs.position(of: one.epochs.cursor(position: 10, salt: 1)) == nil)
        #expect(one.epochs.position(of: shared.cursor(position: 9, salt: 1)) == 9)
        #expect(two.epochs.position(of: shared.cursor(position: 9, salt: 1)) == 9)
    }

    @Test func `A power cut that the disk lied about is noticed`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.turn { store throws(StoreFailure) in try store.append() }
        let honest = try Dictionary(uniqueKeysWithValues: disk.paths.map { ($0, try #require(disk.bytes($0))) })
        try store.turn { store throws(StoreFailure) in try store.append() }
        let cursor = store.epochs.cursor(position: 2, salt: 1)
        disk.crash()
        for (path, bytes) in honest { disk.place(path, bytes) }
        let again = try Family.store(disk)
        #expect(again.log.position == 1)
        #expect(again.epochs.position(of: cursor) == nil)
        try again.turn { store throws(StoreFailure) in try store.append() }
        #expect(again.epochs.position(of: cursor) == nil)
    }

    @Test func `A cursor of the future of this start is the caller's to refuse`() throws {
        let store = try Family.store(Family.disk())
        let position = store.epochs.position(of: store.epochs.cursor(position: 100, salt: 1))
        #expect(position == 100 && store.log.position < 100)
    }

    @Test
    func `Epochs are kept though all rows of their range are past retention, for who missed none of them`() throws {
        let disk = Family.disk()
        let all = try history(disk)
        let store = try Family.store(disk)
        try store.turn { store throws(StoreFailure) in
            try store.log.retain(since: Family.start.adding(days: 1), bytesMax: nil, rowsMax: 4)
        }
        #expect(store.log.firstKept == 4)
        disk.crash()
        let after = try Family.store(disk)
        #expect(after.epochs.all.map(\.first) == [0, 3, 6, 9, 9])
        #expect(after.epochs.position(of: all[0].cursor(position: 2, salt: 1)) == 2)
        #expect(after.epochs.position(of: all[1].cursor(position: 5, salt: 1)) == 5)
    }
}
