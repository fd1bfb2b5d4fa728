import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Each status that HTTP itself asks for, where RFC 9110 says.
@Suite struct StatusTests {
    private let box: Box
    private let bearer: String

    init() throws {
        box = try Box.family()
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    private let announce = "POST /api/activity/announcements"
    private let json = "Content-Type: application/json"

    @Test func `every answer has the date, of the very second`() throws {
        let client = box.connect()
        let now = { Instant(milliseconds: self.box.time.wallMilliseconds()).httpDate }
        for line in ["GET /healthz", "GET /api/family", "PUT /healthz", "OPTIONS /live", "GET /nothing", "GET /signin"]
        {
            #expect(try client.ask(line)["Date"] == now(), "\(line)")
            try box.advance(seconds: 1)
        }
        let stream = box.connect()
        #expect(try stream.ask("GET /live", [bearer, "Accept: text/event-stream"])["Date"] == now())
    }

    @Test(arguments: [
        ("/healthz", "GET, HEAD, OPTIONS"), ("/api/openapi.json", "GET, HEAD, OPTIONS"), ("/live", "GET, OPTIONS"),
        ("/metrics", "GET, HEAD, OPTIONS"), ("/phone", "GET, HEAD, OPTIONS"), ("/api/session", "DELETE, POST, OPTIONS"),
        ("/ca.crt", "GET, HEAD, OPTIONS"), ("/kin/kin_amd64.tar.gz", "GET, HEAD, OPTIONS"),
    ])
    func `OPTIONS and 405 name what an address takes`(path: String, allow: String) throws {
        let client = box.connect()
        let options = try client.ask("OPTIONS \(path)")
        #expect(options.status == 204 && options["Allow"] == allow)
        let wrong = try client.ask("PUT \(path)")
        #expect(wrong.status == 405 && wrong["Allow"] == allow)
        #expect(!client.isOver)
    }

    @Test func `a method nobody knows is 501, and the connection goes on`() throws {
        let client = box.connect()
        for line in ["BREW /api/family", "TRACE /healthz", "LINK /nothing", "get /api/family"] {
            #expect(try client.ask(line).status == 501, "\(line)")
        }
        #expect(!client.isOver)
    }

    @Test func `406 where the answer would not be understood`() throws {
        let client = box.connect()
        let status = { (accept: String) in
            try client.ask("GET /api/family", [self.bearer, "Accept: \(accept)"]).status
        }
        #expect(try status("text/html") == 406)
        #expect(try status("application/json;q=0") == 406)
        #expect(try status("application/json;version=2") == 406)
        #expect(try status("*/*;q=0.1") == 200)
        #expect(try status("text/html, application/*") == 200)
        #expect(try status("application/json; charset=utf-8") == 200)
        #expect(try status("") == 200)
        #expect(try client.ask("GET /live", [bearer, "Accept: text/html"]).status == 406)
        // Nothing was carried out.
        let before = box.position
        #expect(try client.ask(announce, [bearer, json, "Accept: image/png"], "{\"text\":\"x\"}").status == 406)
        #expect(box.position == before)
    }

    @Test func `411 where content is announced and has no length`() throws {
        for (line, headers, version) in [
            (announce, [bearer, json], "1.1"), (announce, [bearer], "1.0"), ("PUT /api/sharing", [json], "1.1"),
        ] {
            let client = box.connect()
            let head = ([line + " HTTP/\(version)", "Host: box.local"] + headers).joined(separator: "\r\n")
            try client.send(head + "\r\n\r\n{\"text\":\"x\"}")
            let responses = try client.responses()
            #expect(responses.map(\.status) == [411])
            #expect(client.isOver, "what follows might be the content")
        }
        // Without a type there is none to miss.
        let client = box.connect()
        #expect(try client.ask(announce, [bearer]).status == 400)
        #expect(!client.isOver)
    }

    @Test func `415 for another type, a broken one, and content that is packed`() throws {
        let refused = { (headers: [String]) in
            let client = self.box.connect()
            return try client.ask(self.announce, [self.bearer] + headers, "{\"text\":\"x\"}")
        }
        let before = box.position
        #expect(try refused(["Content-Type: text/plain"]).status == 415)
        #expect(try refused(["Content-Type: json"]).status == 415)
        #expect(try refused(["Content-Type: ;"]).status == 415)
        for coding in ["gzip", "identity, br", "deflate"] {
            let packed = try refused([json, "Content-Encoding: \(coding)"])
            #expect(packed.status == 415 && packed["Accept-Encoding"] == "identity")
        }
        #expect(box.position == before)
        #expect(try refused([json, "Content-Encoding: identity"]).status == 201)
        #expect(try refused(["Content-Type: application/merge-patch+json"]).status == 201)
    }

    @Test func `426 names the version of WebSocket that is spoken`() throws {
        let response = try box.connect().ask(
            "GET /live",
            [
                bearer, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 8",
            ])
        #expect(response.status == 426 && response["Sec-WebSocket-Version"] == "13")
    }

    @Test func `who waits for 100 is told to go on only where the content will be read`() throws {
        let body = "{\"text\":\"x\"}"
        let head = { (line: String, more: [String]) in
            ([line + " HTTP/1.1", "Host: box.local", self.bearer, self.json] + more).joined(separator: "\r\n")
                + "\r\n\r\n"
        }
        let expect = ["Content-Length: \(body.utf8.count)", "Expect: 100-Continue"]
        let told = box.connect()
        try told.send(head(announce, expect))
        #expect(told.text() == "HTTP/1.1 100 Continue\r\n\r\n")
        try told.send(body)
        #expect(try told.responses().map(\.status) == [201])
        // Refused from the head alone: the final answer at once, and the connection ends, for the body may be sent.
        for (line, more, status) in [
            ("PUT /healthz", [], 405), (announce, ["Accept: image/png"], 406),
            (announce, ["Content-Encoding: gzip"], 415), (announce, ["Origin: https://evil.example"], 403),
        ] {
            let refused = box.connect()
            try refused.send(head(line, expect + more))
            let text = refused.text()
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(line): \(text.prefix(40))")
            #expect(refused.isOver)
        }
        // Nothing to wait for: no content, or HTTP/1.0, which knows no 100.
        let none = box.connect()
        try none.send("GET /healthz HTTP/1.1\r\nHost: box.local\r\nExpect: 100-continue\r\n\r\n")
        #expect(try none.responses().map(\.status) == [200])
        let old = box.connect()
        try old.send(
            "POST /api/activity/announcements HTTP/1.0\r\nHost: box.local\r\n\(bearer)\r\n"
                + expect.joined(separator: "\r\n") + "\r\n\r\n")
        #expect(old.receive().isEmpty)
    }

    @Test func `a picture's body may be 24 MB, and others not`() throws {
        let picture = "PUT /api/members/\(try box.person("ada").id)/picture"
        for (line, length, status) in [
            (picture, 24 << 20, 100), (picture, (24 << 20) + 1, 413), (announce, 1 << 20, 100),
            (announce, (1 << 20) + 1, 413),
        ] {
            let client = box.connect()
            try client.send(
                "\(line) HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nContent-Length: \(length)\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            #expect(client.text().hasPrefix("HTTP/1.1 \(status) "), "\(line) \(length)")
        }
    }

    @Test func `HEAD is GET without the content, whatever the answer`() throws {
        for path in [
            "/healthz", "/api/family", "/api/nothing", "/signin", "/style.css", "/metrics", "/api/openapi.json",
        ] {
            let client = box.connect()
            let whole = try client.ask("GET \(path)", [bearer])
            let head = try client.ask("HEAD \(path)", [bearer])
            #expect(head.status == whole.status, "\(path)")
            #expect(head.body.isEmpty)
            if path != "/metrics" { #expect(head["Content-Length"] == whole["Content-Length"], "\(path)") }
            #expect(try client.ask("GET /healthz").status == 200, "the connection goes on")
        }
    }

    @Test func `the target's own host counts before the field`() throws {
        let status = { (target: String, host: String) in
            let client = self.box.connect()
            try client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try client.responses().first?.status
        }
        #expect(try status("http://box.local/healthz", "evil.example") == 200)
        #expect(try status("http://evil.example/healthz", "box.local") == 421)
        #expect(try status("/healthz", "box.local:1") == 200)
        #expect(try status("/healthz", "box.local.evil.example") == 421)
    }
}
