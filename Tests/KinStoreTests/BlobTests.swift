import Synchronization
import Testing

@testable import KinStore

@Suite struct BlobTests {
    @Test func `A blob is there after a power cut as soon as it was put`() throws {
        for seed in UInt64(1)...20 {
            let disk = Family.disk(seed: seed)
            var store: Store? = try Family.store(disk)
            let name = try #require(try store?.blobs.put(Array(repeating: 7, count: 10_000)))
            store = nil
            disk.powerCut()
            store = try Family.store(disk)
            #expect(try store?.blobs.get(name) == Array(repeating: 7, count: 10_000))
        }
    }

    @Test func `Names are random, and no other text reaches the disk`() throws {
        let store = try Family.store(Family.disk())
        let (a, b) = (try store.blobs.put([1]), try store.blobs.put([1]))
        #expect(a != b && a.utf8.count == 32)
        for name in ["", "../kinwire.db", "A" + a.dropFirst(), a + "0", "..", "\u{FF11}" + a.dropFirst(3)] {
            #expect(try store.blobs.get(name) == nil)
            try store.blobs.remove(name)
        }
        #expect(try store.blobs.all() == [a, b].sorted())
    }

    @Test func `A blob is removed only when the turn that gave it up is on disk`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        let name = try store.blobs.put([1])
        try store.beginTurn()
        store.removeAfterCommit(blob: name)
        store.rollbackTurn()
        #expect(try store.blobs.get(name) == [1])
        try store.beginTurn()
        store.removeAfterCommit(blob: name)
        #expect(try store.blobs.get(name) == [1])
        try store.commitTurn()
        #expect(try store.blobs.get(name) == nil)
    }

    @Test func `A blob that stays while a backup reads, or that the disk does not remove, goes after a later turn`()
        throws
    {
        let disk = Family.disk()
        let store = try Family.store(disk)
        let (held, stuck) = (try store.blobs.put([1]), try store.blobs.put([2]))
        store.blobs.holds.begin()
        try store.beginTurn()
        store.removeAfterCommit(blob: held)
        try store.commitTurn()
        try store.beginTurn()
        store.rollbackTurn()
        store.blobs.holds.end()
        #expect(try store.blobs.get(held) == [1])
        try store.beginTurn()
        store.removeAfterCommit(blob: stuck)
        disk.failAt(1, .remove, .ioError)
        try store.commitTurn()
        #expect(try store.blobs.all().count == 1)
        try store.beginTurn()
        try store.commitTurn()
        #expect(try store.blobs.all() == [])
    }

    @Test func `What a crash left without a name is taken away at the next start`() throws {
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        let kept = try #require(try store?.blobs.put([1]))
        _ = try store?.blobs.put([2])
        disk.crash()
        store = try Family.store(disk)
        #expect(try store?.blobs.removeOrphans(keeping: [kept]) == 1)
        #expect(try store?.blobs.all() == [kept])
    }

    @Test func `What arrives is a file of its own, within its room, and gone with its last owner or at the next start`()
        throws
    {
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        let kept = try #require(try store?.blobs.put([1]))
        let most = Spool.Most(bytesOfAll: 10, bytesOfOne: 7)
        var spool = store?.blobs.spool(of: "ada", most)
        let second = store?.blobs.spool(of: "ben", most)
        #expect(try spool?.append([1, 2, 3, 4]) == .written)
        #expect(try spool?.append([5]) == .written)
        #expect(try second?.append([1, 2, 3, 4, 5, 6]) == .roomIsFull)
        #expect(try second?.append([6]) == .written)
        // Two files of one owner share what is the owner's.
        let third = store?.blobs.spool(of: "ada", most)
        #expect(try third?.append([1, 2, 3]) == .ownRoomIsFull)
        #expect(try spool?.read() == [1, 2, 3, 4, 5])
        #expect(store?.blobs.arrivingBytes == 6)
        #expect(try store?.blobs.all() == [kept], "a backup sees none of it")
        #expect(disk.paths.count { $0.contains("/arriving-") } == 2)
        spool = nil
        #expect(store?.blobs.arrivingBytes == 1)
        #expect(disk.paths.count { $0.contains("/arriving-") } == 1)
        disk.crash()
        store = try Family.store(disk)
        #expect(try store?.blobs.removeOrphans(keeping: [kept]) == 0)
        #expect(disk.paths.count { $0.contains("/arriving-") } == 0)
        #expect(try store?.blobs.all() == [kept])
    }

    @Test func `A put that fails leaves nothing behind`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        for (kind, effect) in [(FaultVFS.Kind.write, FaultVFS.Effect.full), (.sync, .ioError)] {
            disk.failAt(1, kind, effect)
            #expect(throws: effect == .full ? StoreFailure.full : .io(code: 5)) { try store.blobs.put([1, 2]) }
            #expect(try store.blobs.all() == [])
        }
    }

    /// Bytes that were written and not synced may come back as anything after a power cut, zeros among them.
    @Test func `What a power cut leaves of an upload is a beginning of what was sent, and all that was told of`() throws
    {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let sent = (0..<12_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 9) | 1 }
        for seed in UInt64(1)...40 {
            let disk = Family.disk(seed: seed)
            var store: Store? = try Family.store(disk)
            try store?.blobs.begin(unfinished: name)
            _ = try store?.blobs.add(Array(sent[..<3000]), to: name, at: 0)
            #expect(try store?.blobs.arrived(name) == 3000)
            for start in stride(from: 3000, to: 12_000, by: 1500) {
                #expect(try store?.blobs.add(Array(sent[start..<start + 1500]), to: name, at: start) == .written)
            }
            store = nil
            disk.powerCut()
            store = try Family.store(disk)
            try store?.blobs.removeOrphans(keeping: [name])
            let arrived = try #require(try store?.blobs.arrived(name))
            #expect(arrived >= 3000)
            #expect(try store?.blobs.readUnfinished(name, from: 0, count: 12_000) == Array(sent[..<arrived]))
        }
    }

    @Test func `A sync that fails takes back what it was for, and the next one says how much is left`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.blobs.begin(unfinished: name)
        _ = try store.blobs.add([1, 2, 3], to: name, at: 0)
        #expect(try store.blobs.arrived(name) == 3)
        _ = try store.blobs.add([4, 5], to: name, at: 3)
        disk.failAt(1, .sync, .ioError)
        #expect(throws: StoreFailure.io(code: 5)) { try store.blobs.arrived(name) }
        #expect(try store.blobs.add([6], to: name, at: 5) == .endsElsewhere(3))
        #expect(try store.blobs.arrived(name) == 3)
    }

    @Test func `A disk that loses bytes and cannot take them back either is told nothing of until it is well`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        try store?.blobs.begin(unfinished: name)
        _ = try store?.blobs.add([1, 2, 3], to: name, at: 0)
        #expect(try store?.blobs.arrived(name) == 3)
        _ = try store?.blobs.add([4, 5], to: name, at: 3)
        disk.failAt(1, nil, .ioError, lasting: true)
        #expect(throws: StoreFailure.self) { try store?.blobs.arrived(name) }
        #expect(throws: StoreFailure.self) { try store?.blobs.add([6], to: name, at: 5) }
        disk.heal()
        #expect(try store?.blobs.arrived(name) == 3)
        #expect(try store?.blobs.add([4, 5], to: name, at: 3) == .written)
        #expect(try store?.blobs.arrived(name) == 5)
        store = nil
        disk.powerCut()
        store = try Family.store(disk)
        try store?.blobs.removeOrphans(keeping: [name])
        #expect(try store?.blobs.readUnfinished(name, from: 0, count: 9) == [1, 2, 3, 4, 5])
    }

    @Test func `What is told of an upload has its place on the disk, also where that failed the first time`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        // The upload's own sync, that of its extent, that of the folder.
        for failing in 1...3 {
            let disk = Family.disk()
            var store: Store? = try Family.store(disk)
            try store?.blobs.begin(unfinished: name)
            _ = try store?.blobs.add([1, 2, 3], to: name, at: 0)
            disk.failAt(failing, .sync, .ioError)
            #expect(throws: StoreFailure.io(code: 5)) { try store?.blobs.arrived(name) }
            let told = try #require(try store?.blobs.arrived(name))
            #expect(told == (failing == 1 ? 0 : 3))
            store = nil
            disk.powerCut()
            store = try Family.store(disk)
            try store?.blobs.removeOrphans(keeping: [name])
            #expect(try store?.blobs.arrived(name) == told, "\(failing)")
        }
    }

    /// Of the last part of an upload nothing is told before all of it is a member's: its extent is behind by then.
    @Test(arguments: [false, true])
    func `An upload that became a blob keeps every byte, and takes no more`(isTold: Bool) throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let sent = (0..<9000).map { UInt8(truncatingIfNeeded: $0 * 7) | 1 }
        for seed in UInt64(1)...20 {
            let disk = Family.disk(seed: seed)
            var store: Store? = try Family.store(disk)
            try store?.blobs.begin(unfinished: name)
            _ = try store?.blobs.add(Array(sent[..<3000]), to: name, at: 0)
            if isTold { try store?.blobs.arrived(name) }
            _ = try store?.blobs.add(Array(sent[3000...]), to: name, at: 3000)
            #expect(try store?.blobs.whole(name).becomeBlob(bytes: 8999) == nil, "it is longer than that")
            #expect(try store?.blobs.all() == [])
            let blob = try #require(try store?.blobs.whole(name).becomeBlob(bytes: 9000))
            // What is counted as its owner's does not grow.
            #expect(try store?.blobs.add([1, 2, 3], to: name, at: 9000) == .endsElsewhere(9000))
            #expect(try store?.blobs.get(blob) == sent)
            // Its client was cut off before it heard of it, and the daemon begins anew.
            store = nil
            disk.powerCut()
            store = try Family.store(disk)
            try store?.blobs.removeOrphans(keeping: [name, blob])
            #expect(try store?.blobs.get(blob) == sent)
            #expect(try store?.blobs.arrived(name) == 9000)
            // Where nobody has the blob, the upload goes on as others do.
            try store?.blobs.removeOrphans(keeping: [name])
            #expect(try store?.blobs.add([1], to: name, at: 9000) == .written)
        }
    }

    @Test func `An upload whose sync failed becomes no blob by being tried again, but by being sent again`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let sent = (0..<9000).map { UInt8(truncatingIfNeeded: $0 * 7) | 1 }
        for seed in UInt64(1)...20 {
            let disk = Family.disk(seed: seed)
            var store: Store? = try Family.store(disk)
            try store?.blobs.begin(unfinished: name)
            _ = try store?.blobs.add(Array(sent[..<3000]), to: name, at: 0)
            try store?.blobs.arrived(name)
            _ = try store?.blobs.add(Array(sent[3000...]), to: name, at: 3000)
            disk.failAt(1, .sync, .ioError)
            for _ in 0..<2 {
                #expect(throws: StoreFailure.io(code: 5)) { try store?.blobs.whole(name).becomeBlob(bytes: 9000) }
                #expect(try store?.blobs.all() == [])
            }
            // What may be lost is asked for again.
            #expect(try store?.blobs.arrived(name) == 3000)
            #expect(try store?.blobs.add(Array(sent[3000...]), to: name, at: 3000) == .written)
            let blob = try #require(try store?.blobs.whole(name).becomeBlob(bytes: 9000))
            store = nil
            disk.powerCut()
            store = try Family.store(disk)
            try store?.blobs.removeOrphans(keeping: [name, blob])
            #expect(try store?.blobs.get(blob) == sent)
        }
    }

    /// A blob's name may be that of an attempt that goes away again.
    @Test func `What may be lost of an upload is not forgotten while it has a blob's name`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.blobs.begin(unfinished: name)
        _ = try store.blobs.add([1, 2, 3], to: name, at: 0)
        try store.blobs.arrived(name)
        _ = try store.blobs.add([4, 5, 6], to: name, at: 3)
        let blob = try #require(try store.blobs.whole(name).becomeBlob(bytes: 6))
        disk.failAt(1, .sync, .ioError)
        for _ in 0..<2 {
            #expect(throws: StoreFailure.io(code: 5)) { try store.blobs.arrived(name) }
            #expect(throws: StoreFailure.io(code: 5)) { try store.blobs.add([7], to: name, at: 6) }
            #expect(throws: StoreFailure.io(code: 5)) { try store.blobs.whole(name).becomeBlob(bytes: 6) }
            #expect(try store.blobs.get(blob) == [1, 2, 3, 4, 5, 6])
        }
        try store.blobs.remove(blob)
        #expect(try store.blobs.arrived(name) == 3)
    }

    @Test func `Content whose sync failed becomes no blob by being tried again`() throws {
        let disk = Family.disk()
        let store = try Family.store(disk)
        let most = Spool.Most(bytesOfAll: 100, bytesOfOne: 100)
        let spool = store.blobs.spool(of: "ben", most)
        _ = try spool.append([1, 2, 3])
        disk.failAt(1, .sync, .ioError)
        for _ in 0..<2 {
            #expect(throws: StoreFailure.io(code: 5)) { try spool.becomeBlob(bytes: 3) }
            #expect(try store.blobs.all() == [])
        }
        // Another one is not concerned.
        let other = store.blobs.spool(of: "ben", most)
        _ = try other.append([4, 5, 6])
        let blob = try #require(try other.becomeBlob(bytes: 3))
        #expect(try store.blobs.get(blob) == [4, 5, 6])
    }

    @Test(arguments: [
        ("", 0), ("8388608", 8_388_608), ("\n3 3;", 3), ("\n3 3;\n12 12;", 12), ("7\n12 12;", 12),
        // What a power cut may leave of the last line: a part of it, parts of two, zeros, anything.
        ("\n3 3;\n1", 3), ("\n3 3;\n12 12", 3), ("\n3 3;\n12 1;", 3), ("\n3 3;\n12 34;", 3), ("\n3 3;\n\0\0\0\0;", 3),
        ("\n3 3;\n\u{7F} \u{7F};", 3), ("\n3 3;\0\0\0\0\0", 3), ("\n3 3;\0\0\n7 7;", 7), ("\n3 3;12 12;", 3),
        ("\n83886", 0), ("\n ;", 0), ("\n-5 -5;", 0),
    ])
    func `An upload's extent is the last line that is whole`(text: String, bytes: Int) {
        #expect(Blobs.extent(Array(text.utf8)) == bytes)
    }

    /// Syncs are what an upload costs on a slow disk.
    @Test func `Each part of an upload takes two syncs, and the directory's with the first`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        let store = try Family.store(disk)
        try store.blobs.begin(unfinished: name)
        var counts: [Int] = []
        for part in 0..<3 {
            _ = try store.blobs.add([[1, 2], [3]], to: name, at: 3 * part, isToBeSynced: true)
            let before = disk.syncCount
            #expect(try store.blobs.arrived(name) == 3 * part + 3)
            counts.append(disk.syncCount - before)
        }
        #expect(counts == [3, 2, 2])
        #expect(try store.blobs.readUnfinished(name, from: 0, count: 20) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
    }

    @Test func `An upload goes with what was written down of it`() throws {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        let store = try Family.store(disk)
        let before = disk.paths
        try store.blobs.begin(unfinished: name)
        _ = try store.blobs.add([1, 2, 3], to: name, at: 0)
        _ = try store.blobs.arrived(name)
        try store.blobs.remove(name)
        #expect(disk.paths == before)
        // What a crash left between the two.
        try store.blobs.begin(unfinished: name)
        _ = try store.blobs.arrived(name)
        try store.blobs.removeOrphans(keeping: [])
        #expect(disk.paths == before)
    }

    @Test func `A turn that is given up leaves none of the blobs that it made`() throws {
        let store = try Family.store(Family.disk())
        try store.beginTurn()
        let name = try store.blobs.put([1])
        store.removeUnlessCommitted(blob: name)
        store.rollbackTurn()
        try store.beginTurn()
        let kept = try store.blobs.put([2])
        store.removeUnlessCommitted(blob: kept)
        try store.commitTurn()
        #expect(try store.blobs.all() == [kept])
    }

    @Test func `Looking at an upload that is over makes no file of it, and one that a crash took is begun again`()
        throws
    {
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        let disk = Family.disk()
        var store: Store? = try Family.store(disk)
        #expect(try store?.blobs.arrived(name) == nil)
        #expect(try store?.blobs.unfinished() == [])
        disk.crash()
        store = try Family.store(disk)
        try store?.blobs.removeOrphans(keeping: [name])
        #expect(try store?.blobs.add([1], to: name, at: 0) == .written)
    }

    @Test func `A disk that is slow with one upload keeps nobody from another`() throws {
        let locks = Blobs.Locks()
        // With one lock for all, the inner one would never be had.
        let most = try locks.hold("one") { () throws(StoreFailure) in
            try locks.hold("other") { () throws(StoreFailure) in locks.count }
        }
        #expect(most == 2 && locks.count == 0)
    }

    @Test func `Of one upload only one thing is done at a time`() async throws {
        let locks = Blobs.Locks()
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        try locks.hold("one") { () throws(StoreFailure) in
                            tally.enter()
                            tally.leave()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.most == 1 && locks.count == 0)
    }
}

/// How many were inside at the same time, at most.
private final class Tally: Sendable {
    private let state = Mutex((inside: 0, most: 0))

    func enter() {
        state.withLock {
            $0.inside += 1
            $0.most = max($0.most, $0.inside)
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }

    var most: Int { state.withLock { $0.most } }
}
