import KinCrypto
import Testing

@testable import KinStore

/// Files longer than 2^31 bytes, of which only the last few are written: the rest is a hole.
@Suite struct LargeFileTests {
    private static let hole = 3_000_000_000
    private let folder = Folder()
    private let system = DiskFiles()
    private let blobs: Blobs

    init() throws { blobs = try Blobs(directory: folder.path, files: .disk) }

    @Test func `a piece behind 2^31 bytes is read where it lies`() throws {
        let name = try blobs.put([])
        try system.truncate(folder.path + "/" + name, to: Self.hole)
        try system.append(folder.path + "/" + name, [1, 2, 3])
        #expect(try system.size(folder.path + "/" + name) == Self.hole + 3)
        #expect(try blobs.read(name, from: Self.hole - 1, count: 10) == [0, 1, 2, 3])
        // Nobody waits until three gigabytes are read.
        #expect(
            try blobs.look(name) == Blobs.Look(bytes: Self.hole + 3, digest: Digest.sha256(Array(name.utf8))))
    }

    @Test func `an upload goes on behind 2^31 bytes, and what had arrived is kept`() throws {
        let name = Blobs.unfinishedName([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
        let path = folder.path + "/" + name
        try blobs.begin(unfinished: name)
        try system.truncate(path, to: Self.hole)
        #expect(try blobs.add([1, 2, 3], to: name, at: Self.hole) == .written)
        #expect(try blobs.add([9], to: name, at: Self.hole) == .endsElsewhere(Self.hole + 3))
        #expect(try blobs.arrived(name) == Self.hole + 3)
        // What was not told goes at the next start.
        #expect(try blobs.add([4, 5], to: name, at: Self.hole + 3) == .written)
        try blobs.cutUnfinished(keeping: [name])
        #expect(try system.size(path) == Self.hole + 3)
        #expect(try blobs.readUnfinished(name, from: Self.hole, count: 10) == [1, 2, 3])
    }
}
