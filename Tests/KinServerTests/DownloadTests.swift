import KinCodec
import KinCrypto
import KinKeeper
import KinMembers
import KinModel
import Testing

@testable import KinKeeper
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Files that come down by their address: heads byte by byte, conditions, ranges, and in pieces.
@Suite struct DownloadTests {
    private let box: Box
    private let bearer: String
    private let path: String
    private let bytes: [UInt8]
    private let etag: String

    init() throws { try self.init(bytes: 1000) }

    /// Hal has a picture of so many bytes.
    private init(bytes count: Int, _ setting: Box.Setting = Box.Setting()) throws {
        box = try Box.family(setting)
        bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let hal = try box.person("hal")
        box.pictureWork = .picture(bytes, face: [8])
        let set = try box.connect().ask(
            "PUT /api/members/\(hal.id)/picture",
            ["Authorization: Bearer \(hal.token)", "Content-Type: application/json"], #"{"picture":"AAAA"}"#)
        let name = try #require(set.json?["member"]?["picture"]?.string)
        path = "/api/members/\(hal.id)/picture/\(name)"
        bearer = "Authorization: Bearer \(try box.person("ben").token)"
        var digest: [UInt8] = []
        for start in stride(from: 0, to: count, by: 256 << 10) {
            digest = Digest.sha256(digest + bytes[start..<min(start + 256 << 10, count)])
        }
        etag = "\"" + Hex.encode(Array(digest.prefix(16))) + "\""
    }

    private var date: String { Instant(milliseconds: box.time.wallMilliseconds()).httpDate }
    private static let safety =
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n"

    /// The whole answer, as bytes.
    private func raw(_ verb: String = "GET", _ headers: String...) throws -> [UInt8] {
        let client = box.connect()
        let lines = (["Host: box.local", bearer] + headers).map { $0 + "\r\n" }.joined()
        try client.send("\(verb) \(path) HTTP/1.1\r\n\(lines)\r\n")
        return client.receive()
    }

    private func head(_ status: String, _ more: String, length: Int) -> [UInt8] {
        Array(
            ("HTTP/1.1 \(status)\r\nContent-Type: image/jpeg\r\nCache-Control: private, max-age=31536000, immutable\r\n"
                + "ETag: \(etag)\r\nAccept-Ranges: bytes\r\n\(more)"
                + "Content-Security-Policy: sandbox; default-src 'none'\r\nDate: \(date)\r\nContent-Length: \(length)\r\n"
                + Self.safety + "\r\n").utf8)
    }

    @Test func `a picture comes whole with its validator`() throws {
        #expect(try raw() == head("200 OK", "", length: 1000) + bytes)
        #expect(try raw("HEAD") == head("200 OK", "", length: 1000))
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<1000), ("bytes=-10", 990..<1000),
        ("bytes=-5000", 0..<1000), ("bytes=0-99999999999999999999999", 0..<1000), ("Bytes= 5 - 6", 5..<7),
    ])
    func `a range is a part`(field: String, part: Range<Int>) throws {
        let range = "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/1000\r\n"
        #expect(
            try raw("GET", "Range: \(field)")
                == head("206 Partial Content", range, length: part.count) + bytes[part])
        // It is for GET alone.
        #expect(try raw("HEAD", "Range: \(field)") == head("200 OK", "", length: 1000))
    }

    @Test(arguments: [
        "bytes=20-10", "bytes=a-b", "bytes", "items=0-1", "bytes=-", "bytes=1-2-3", "bytes=0-1,5-6", "bytes=+1-2", "",
    ])
    func `a range that is not understood, or several, is the whole`(field: String) throws {
        #expect(try raw("GET", "Range: \(field)") == head("200 OK", "", length: 1000) + bytes)
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=99999999999999999999999-"])
    func `a range beyond the end is told how long the file is`(field: String) throws {
        let body =
            #"{"type":"about:blank","title":"Range Not Satisfiable","status":416,"#
            + #""detail":"There are 1000 bytes, and none of those asked for."}"#
        #expect(
            String(decoding: try raw("GET", "Range: \(field)"), as: UTF8.self)
                == "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */1000\r\n"
                + "Content-Type: application/problem+json\r\nDate: \(date)\r\nContent-Length: \(body.utf8.count)\r\n"
                + Self.safety + "Content-Security-Policy: \(HTTPAnswer.contentSecurityPolicy)\r\n\r\n" + body)
    }

    @Test func `what one has is not sent again`() throws {
        let none =
            "HTTP/1.1 304 Not Modified\r\nCache-Control: private, max-age=31536000, immutable\r\nETag: \(etag)\r\n"
            + "Date: \(date)\r\n" + Self.safety
            + "Content-Security-Policy: \(HTTPAnswer.contentSecurityPolicy)\r\n\r\n"
        for field in [etag, "W/\(etag)", "*", "\"a\", \(etag) ,\"b\""] {
            #expect(String(decoding: try raw("GET", "If-None-Match: \(field)"), as: UTF8.self) == none)
            #expect(String(decoding: try raw("HEAD", "If-None-Match: \(field)"), as: UTF8.self) == none)
        }
        #expect(try raw("GET", "If-None-Match: \"other\"") == head("200 OK", "", length: 1000) + bytes)
        // A condition that is not met is not asked for a range any more (RFC 9110 §13.2.2).
        let both = try raw("GET", "If-None-Match: \(etag)", "Range: bytes=5000-")
        #expect(String(decoding: both, as: UTF8.self) == none)
    }

    @Test func `If-Match on what changed is 412, and a range goes on only with the same file`() throws {
        #expect(try raw("GET", "If-Match: \(etag)") == head("200 OK", "", length: 1000) + bytes)
        #expect(try raw("GET", "If-Match: *") == head("200 OK", "", length: 1000) + bytes)
        // A weak validator says nothing of bytes.
        for field in ["\"other\"", "W/\(etag)"] {
            let answer = String(decoding: try raw("GET", "If-Match: \(field)", "Range: bytes=0-1"), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 412 Precondition Failed\r\nETag: \(etag)\r\n"))
        }
        let part = head("206 Partial Content", "Content-Range: bytes 0-1/1000\r\n", length: 2) + bytes[..<2]
        #expect(try raw("GET", "Range: bytes=0-1", "If-Range: \(etag)") == part)
        // Of a compressed form somebody has other bytes.
        let other = "\(etag.dropLast())-gzip\""
        for field in ["\"other\"", "W/\(etag)", other, "Mon, 01 Jan 2024 00:00:00 GMT"] {
            #expect(
                try raw("GET", "Range: bytes=0-1", "If-Range: \(field)") == head("200 OK", "", length: 1000) + bytes)
        }
    }

    @Test func `whoever does not see the member learns nothing of the file, by no condition`() throws {
        let client = box.connect()
        #expect(try client.ask("GET \(path)", ["If-None-Match: *"]).status == 401)
        #expect(try client.ask("GET \(path)", ["Range: bytes=5000-"]).status == 401)
        #expect(try client.ask("GET \(path)0", [bearer, "If-None-Match: *"]).status == 404)
        let hal = try box.person("hal")
        let own = "Authorization: Bearer \(hal.token)"
        #expect(try client.ask("DELETE /api/members/\(hal.id)/picture", [own]).status == 200)
        #expect(try client.ask("GET \(path)", [bearer, "If-None-Match: \(etag)"]).status == 404)
    }

    @Test func `the same content has the same validator under another name`() throws {
        let hal = try box.person("hal")
        let own = ["Authorization: Bearer \(hal.token)", "Content-Type: application/json"]
        let again = try box.connect().ask("PUT /api/members/\(hal.id)/picture", own, #"{"picture":"AAAB"}"#)
        let name = try #require(again.json?["member"]?["picture"]?.string)
        #expect(!path.hasSuffix(name))
        #expect(
            try box.connect().ask("GET /api/members/\(hal.id)/picture/\(name)", [bearer])["ETag"] == etag)
    }

    @Test(arguments: [128 << 10, 128 << 10 + 1, 700_001])
    func `a long file comes in pieces, of which few are held, however slow the client is`(count: Int) throws {
        let long = try DownloadTests(bytes: count)
        #expect(try long.raw() == long.head("200 OK", "", length: count) + long.bytes)
        let range = "Content-Range: bytes 1000-\(count - 2)/\(count)\r\n"
        #expect(
            try long.raw("GET", "Range: bytes=1000-\(count - 2)")
                == long.head("206 Partial Content", range, length: count - 1001) + long.bytes[1000..<(count - 1)])
        let client = long.box.connect(room: 10_000)
        try client.stall(true)
        try client.send("GET \(long.path) HTTP/1.1\r\nHost: box.local\r\n\(long.bearer)\r\n\r\n")
        let held = long.box.server.connection(client.token)
        #expect(held.map { $0.pendingBytes <= 129 << 10 } ?? false)
        try client.stall(false)
        #expect(client.receive() == long.head("200 OK", "", length: count) + long.bytes)
        // The connection goes on.
        #expect(try client.ask("GET /healthz").status == 200)
    }

    @Test func `a file that is removed while it is on its way ends before its end`() throws {
        let long = try DownloadTests(bytes: 700_000)
        let client = long.box.connect(room: 10_000)
        try client.stall(true)
        try client.send("GET \(long.path) HTTP/1.1\r\nHost: box.local\r\n\(long.bearer)\r\n\r\n")
        let hal = try long.box.person("hal")
        let own = "Authorization: Bearer \(hal.token)"
        #expect(try long.box.connect().ask("DELETE /api/members/\(hal.id)/picture", [own]).status == 200)
        try client.stall(false)
        let got = client.receive()
        #expect(got.count < 700_000 && client.isOver)
        #expect(long.box.server.requestsInFlight == 0)
    }

    @Test func `nothing that was uploaded leaves as what a browser runs`() {
        let asIs = { (type: String) in ServedType.of(type) }
        for type in ["text/html", "image/svg+xml", "application/xml", "text/xml", "application/xhtml+xml", "x", ""] {
            #expect(asIs(type) == ServedType(field: "application/octet-stream", isShown: false), "\(type)")
        }
        #expect(asIs("IMAGE/JPEG; charset=x") == ServedType(field: "image/jpeg", isShown: true))
        #expect(asIs("text/calendar") == ServedType(field: "text/calendar; charset=utf-8", isShown: false))
        #expect(asIs("application/pdf").isShown == false)
        let saved = Representation(
            bytes: 3, etag: nil, type: asIs("text/html"), fileName: "a.html", cacheControl: "no-store")
        #expect(
            saved.headers().fields.map { "\($0.name): \($0.value)" } == [
                "Content-Type: application/octet-stream", "Content-Disposition: attachment; filename=\"a.html\"",
                "Cache-Control: no-store", "Accept-Ranges: none",
                "Content-Security-Policy: sandbox; default-src 'none'",
            ])
    }
}
