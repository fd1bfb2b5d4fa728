import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Heads of answers, byte by byte, where no other test has them: those of files stand in `DownloadTests`, of what can be
/// changed in `ConditionTests`, of uploads in `RawUploadTests`.
@Suite struct HeaderTests {
    private let box: Box
    private let bearer: String

    init() throws {
        box = try Box.family()
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    private var date: String { Instant(milliseconds: box.time.wallMilliseconds()).httpDate }
    private static let safety = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n"
    private static let plainPolicy =
        "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'\r\n"

    /// What came first on a new connection: the head with its empty line, and what is behind it.
    private func raw(_ line: String, _ headers: [String] = []) throws -> (head: String, body: String) {
        let client = box.connect()
        let lines = (["Host: box.local"] + headers).map { $0 + "\r\n" }.joined()
        try client.send("\(line) HTTP/1.1\r\n\(lines)\r\n")
        let said = client.text()
        let end = try #require(said.firstRange(of: "\r\n\r\n"))
        return (String(said[..<end.upperBound]), String(said[end.upperBound...]))
    }

    @Test(arguments: ["text/event-stream", "application/x-ndjson"])
    func `a stream is kept by no cache and held back by no proxy`(type: String) throws {
        let (head, body) = try raw("GET /live", [bearer, "Accept: \(type)"])
        #expect(
            head == "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n"
                + "Transfer-Encoding: chunked\r\nDate: \(date)\r\n\(Self.safety)\(Self.plainPolicy)\r\n")
        #expect(!body.isEmpty)
    }

    @Test func `a WebSocket begins as RFC 6455 has it`() throws {
        let (head, _) = try raw(
            "GET /live",
            [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: kinwire.v1",
            ])
        #expect(
            head == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: kinwire.v1\r\n\r\n")
    }

    @Test func `whoever shows nothing is told by what to sign in`() throws {
        let (head, body) = try raw("GET /api/family")
        #expect(
            head == "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n"
                + "WWW-Authenticate: Bearer realm=\"kinwire\"\r\nDate: \(date)\r\nContent-Length: \(body.utf8.count)\r\n"
                + "\(Self.safety)\(Self.plainPolicy)\r\n")
    }

    @Test func `a page is in its reader's language, kept by nobody, and loads nothing from elsewhere`() throws {
        for (accepted, language) in [("de-AT, en;q=0.5", "de"), ("fr", "en")] {
            let (head, body) = try raw("GET /signin", ["Accept-Language: \(accepted)"])
            #expect(
                head == "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Language: \(language)\r\n"
                    + "Vary: Accept-Language\r\nCache-Control: no-store\r\n"
                    + "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                    + "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                    + "base-uri 'none'\r\nDate: \(date)\r\nContent-Length: \(body.utf8.count)\r\n\(Self.safety)\r\n")
        }
    }

    @Test func `the app is asked about each time, and may use what it needs of the device`() throws {
        let token = try box.person("ada").token
        // The page knows its sign-in by a second cookie, which tells nothing of the token.
        let name = Hex.encode(Array(Digest.sha256(Array("page \(token)".utf8)).prefix(8)))
        let session = "Cookie: kinwire=\(token); kinwire-page=\(name)"
        let (head, body) = try raw("GET /", [session, "Accept-Language: de"])
        let etag = Representation.etag(Digest.sha256(Array(body.utf8)))
        let fields =
            "Cache-Control: no-cache\r\nETag: \(etag)\r\nVary: Accept-Language, Cookie, Accept-Encoding\r\n"
            + "Content-Language: de\r\nContent-Security-Policy: \(AppDoor.contentSecurityPolicy)\r\n"
            + "Permissions-Policy: geolocation=(self), screen-wake-lock=(self), camera=(), microphone=()\r\n"
        #expect(
            head == "HTTP/1.1 200 OK\r\n\(fields)Content-Type: text/html; charset=utf-8\r\nDate: \(date)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\(Self.safety)\r\n")
        let again = try raw("GET /", [session, "Accept-Language: de", "If-None-Match: \(etag)"])
        #expect(again.head == "HTTP/1.1 304 Not Modified\r\n\(fields)Date: \(date)\r\n\(Self.safety)\r\n")
        #expect(again.body.isEmpty)
    }

    @Test func `more of an upload in another type is told the right one`() throws {
        let (head, _) = try raw(
            "PATCH /api/uploads/01980000-0000-7000-8000-000000000000",
            [bearer, "Content-Type: image/png", "Content-Length: 4"])
        #expect(
            head.hasPrefix(
                "HTTP/1.1 415 Unsupported Media Type\r\nAccept-Patch: application/partial-upload\r\n"
                    + "Content-Type: application/problem+json\r\nDate: \(date)\r\n"))
    }

    @Test func `pages of every site may ask whether one listens here, and no other address says so`() throws {
        let fields = "Date: \(date)\r\n\(Self.safety)\(Self.plainPolicy)\r\n"
        let (head, _) = try raw("OPTIONS /v1/health", ["Origin: https://a.example"])
        #expect(
            head == "HTTP/1.1 204 No Content\r\nAllow: GET, OPTIONS\r\nAccess-Control-Allow-Methods: GET, OPTIONS\r\n"
                + "Access-Control-Allow-Headers: *\r\nAccess-Control-Allow-Origin: *\r\n" + fields)
        for line in ["OPTIONS /api/family", "OPTIONS /live", "GET /healthz", "GET /signin", "GET /api/openapi.json"] {
            let other = try raw(line, ["Origin: https://a.example"])
            #expect(!other.head.contains("Access-Control"), "\(line)")
        }
    }

    @Test func `browsers are told to stay with TLS, over TLS alone`() throws {
        let fields = { (box: Box) in
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Date: \(Instant(milliseconds: box.time.wallMilliseconds()).httpDate)\r\nContent-Length: 3\r\n"
                + Self.safety + Self.plainPolicy
        }
        #expect(try raw("GET /healthz").head == fields(box) + "\r\n")
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        let other = try Box.family(setting)
        let client = other.connect(from: Box.remote)
        try client.startTLS()
        try client.send("GET /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n")
        #expect(client.text() == fields(other) + "Strict-Transport-Security: max-age=31536000\r\n\r\nok\n")
    }

    @Test func `no field stands twice in an answer, but for cookies`() throws {
        let lines = [
            "GET /healthz", "GET /signin", "GET /api/family", "GET /api/nothing", "DELETE /live", "GET /metrics",
            "GET /sw.js", "GET /manifest.webmanifest", "GET /profile/profile-AAAA.mobileconfig", "GET /app/map",
            "GET /feed/feed-AAAA.ics", "PROPFIND /dav/", "OPTIONS /dav/", "GET /kin/kin.tar.gz", "GET /a/auth",
            "POST /owntracks", "POST /overland", "GET /where/a", "GET /shared/a/1/small",
        ]
        for line in lines {
            for shown in [[], [bearer]] {
                let fields = try raw(line, shown).head.split(separator: "\r\n").dropFirst()
                    .map { String($0.prefix { $0 != ":" }).lowercased() }.filter { $0 != "set-cookie" }
                #expect(Set(fields).count == fields.count, "\(line): \(fields)")
            }
        }
    }
}
