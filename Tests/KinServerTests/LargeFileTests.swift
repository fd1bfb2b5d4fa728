import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Files longer than 2^31 bytes, of which not one is written.
@Suite struct LargeFileTests {
    private static let bytes = 5_000_000_000

    @Test(arguments: [
        ("bytes=2147483647-2147483648", 2_147_483_647..<2_147_483_649), ("bytes=4294967296-", 4_294_967_296..<bytes),
        ("bytes=-3000000000", 2_000_000_000..<bytes), ("bytes=4999999999-9999999999", 4_999_999_999..<bytes),
    ])
    func `a range beyond 2^31 is the range it names`(field: String, part: Range<Int>) {
        #expect(ByteRange(field, of: Self.bytes) == .part(part))
        let file = Representation(bytes: Self.bytes, etag: "\"a\"", type: .of("video/mp4"), cacheControl: "no-store")
        #expect(
            file.headers(part)["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/5000000000")
    }

    @Test func `a range beyond the end of such a file is none`() {
        #expect(ByteRange("bytes=5000000000-", of: Self.bytes) == .beyond)
        #expect(ByteRange("bytes=5000000000-", of: 705_032_704) == .beyond)
    }

    @Test(arguments: ["2147483648", "4294967297", "5000000000"])
    func `a length beyond 2^31 is not taken for a short one`(length: String) throws {
        let box = try Box.family()
        let hal = try box.person("hal")
        let client = box.connect()
        try client.send(
            "PUT /api/members/\(hal.id)/picture HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(hal.token)\r\n"
                + "Content-Type: image/jpeg\r\nUpload-Complete: ?0\r\nUpload-Length: \(length)\r\n"
                + "Content-Length: 3\r\n\r\nabc")
        #expect(try client.responses().map(\.status) == [413])
        let plain = box.connect()
        try plain.send(
            "PUT /api/members/\(hal.id)/picture HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(hal.token)\r\n"
                + "Content-Type: image/jpeg\r\nContent-Length: \(length)\r\n\r\n")
        #expect(try plain.responses().map(\.status) == [413])
        #expect(try box.rows("uploads") == 0)
    }
}
