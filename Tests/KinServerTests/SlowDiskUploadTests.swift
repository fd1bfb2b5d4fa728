import KinKeeper
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinKeeper
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox

/// Uploads whose disk is slow: what is held meanwhile, and what becomes of it.
@Suite struct SlowDiskUploadTests {
    private let box: Box
    private let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private let limits: ServerLimits

    init() throws {
        var limits = Box.Setting().limits
        limits.uploadHeldBytesMax = 256 << 10
        limits.uploadUnsyncedBytesMax = 128 << 10
        self.limits = limits
        box = try Box.family(Box.Setting(limits: limits))
        box.pictureWork = .picture([7], face: [8])
    }

    /// Begins an upload that may be gone on with.
    private func begin() throws -> BoxClient {
        let (hal, client) = (try box.person("hal"), box.connect())
        client.post(
            "PUT /api/members/\(hal.id)/picture HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(hal.token)\r\n"
                + "Content-Type: image/jpeg\r\nContent-Length: 600000\r\nUpload-Complete: ?1\r\n\r\n")
        client.post(Array(bytes[..<1000]))
        try box.settle()
        return client
    }

    @Test(arguments: [false, true])
    func `however long the disk takes, little is held and no time is taken from the client`(isSync: Bool) throws {
        let client = try begin()
        (box.isDiskBusy, box.isReaderBusy) = (isSync, !isSync)
        client.post(Array(bytes[1000...]))
        try box.settle()
        #expect(box.server.hall.bodyRoom.bytes <= 256 << 10)
        try box.advance(seconds: 2 * limits.bodySeconds)
        (box.isDiskBusy, box.isReaderBusy) = (false, false)
        try box.settle()
        #expect(try client.responses().map(\.status) == [200])
        #expect(box.pictureArrived == bytes)
    }

    @Test func `what a worker still has of a broken upload counts as held`() throws {
        let client = try begin()
        box.isReaderBusy = true
        client.post(Array(bytes[1000..<150_000]))
        try box.settle()
        client.leave(isRude: true)
        try box.settle()
        #expect(box.server.hall.bodyRoom.bytes == 150_000)
        box.isReaderBusy = false
        try box.settle()
        #expect(box.server.hall.bodyRoom.bytes == 0)
    }

    @Test func `a file of which something was taken back is not taken for the whole`() throws {
        let blobs = box.keeper.store.blobs
        let name = Blobs.unfinishedName(Array(repeating: 9, count: 16))
        try blobs.begin(unfinished: name)
        _ = try blobs.add([1, 2, 3], to: name, at: 0)
        for (count, isWhole) in [(3, true), (4, false)] {
            let named = try #require(UploadName(file: name, bytes: count).run(at: blobs) as? UploadName.Named)
            #expect((named.parcel != nil) == isWhole)
            #expect(try (blobs.whole(name, bytes: count).becomeBlob(bytes: 3) != nil) == isWhole)
        }
    }
}
