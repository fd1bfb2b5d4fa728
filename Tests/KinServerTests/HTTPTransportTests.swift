import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// HTTP by raw bytes.
@Suite struct HTTPTransportTests {
    private let bearer: String
    private let box: Box

    init() throws {
        box = try Box.family()
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    @Test func `a connection is kept and used again`() throws {
        let client = box.connect()
        for _ in 0..<3 {
            let response = try client.ask("GET /api/family", [bearer])
            #expect(response.status == 200)
            #expect(response.json?["family"]?["name"] == "Oak")
            #expect(response["Cache-Control"] == "no-store")
            #expect(response["X-Content-Type-Options"] == "nosniff")
        }
        #expect(!client.isOver)
        try client.ask("GET /healthz", ["Connection: close"])
        #expect(client.isOver)
    }

    @Test(arguments: ["text/event-stream", "application/x-ndjson"])
    func `a stream's head keeps browsers from running what it carries`(type: String) throws {
        let response = try box.connect().ask("GET /live", [bearer, "Accept: \(type)"])
        #expect(response.status == 200 && response["Content-Type"] == type)
        #expect(response["X-Content-Type-Options"] == "nosniff" && response["Referrer-Policy"] == "same-origin")
        #expect(response["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    }

    @Test func `the first version of HTTP is answered and ended`() throws {
        let client = box.connect()
        try client.send("GET /healthz HTTP/1.0\r\n\r\n")
        #expect(try client.responses().map(\.status) == [200])
        #expect(client.isOver)
    }

    @Test func `pipelined requests are answered in order`() throws {
        let client = box.connect()
        let request = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\n\r\n" }
        try client.send(["/api/family", "/nothing", "/api/members", "/healthz", "/api/sharing"].map(request).joined())
        let responses = try client.responses()
        #expect(responses.map(\.status) == [200, 404, 200, 200, 200])
        #expect(responses.first?.json?["family"] != nil)
        #expect(responses.dropFirst(2).first?.json?["members"] != nil)
        #expect(responses.last?.json?["sharing"] != nil)
    }

    @Test func `HEAD has the head of GET and no body`() throws {
        let client = box.connect()
        let whole = try client.ask("GET /api/openapi.json")
        let head = try client.ask("HEAD /api/openapi.json")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == whole["Content-Length"])
        #expect(head.body.isEmpty)
        #expect(try client.ask("HEAD /api/family", [bearer]).status == 200)
        #expect(try client.ask("GET /healthz").text == "ok\n")
    }

    @Test func `OPTIONS and wrong verbs say what an address takes`() throws {
        let client = box.connect()
        let options = try client.ask("OPTIONS /api/session")
        #expect(options.status == 204)
        #expect(options["Allow"]?.contains("DELETE, POST") ?? false)
        let wrong = try client.ask("PUT /api/session", [bearer])
        #expect(wrong.status == 405)
        #expect(wrong["Allow"] == "DELETE, POST, OPTIONS")
        #expect(wrong["Content-Type"] == "application/problem+json")
        #expect(try client.ask("POST /live").status == 405)
        #expect(try client.ask("GET /api/nothing").status == 404)
        try client.send("OPTIONS * HTTP/1.1\r\nHost: box.local\r\n\r\n")
        #expect(try client.responses().first?.status == 204)
    }

    @Test func `a body of another type, a body too long and a broken one are refused`() throws {
        let client = box.connect()
        let route = "POST /api/activity/announcements"
        #expect(try client.ask(route, [bearer, "Content-Type: text/plain"], "{\"text\":\"x\"}").status == 415)
        #expect(try client.ask(route, [bearer, "Content-Type: application/json"], "{\"text\":").status == 400)
        #expect(try client.ask(route, [bearer, "Content-Type: application/json"], "[]").status == 400)
        let before = box.position
        let long = try client.ask(route, [bearer, "Content-Length: 99999999", "Expect: 100-continue"])
        #expect(long.status == 413)
        #expect(client.isOver)
        #expect(box.position == before)
    }

    @Test func `a chunked body too long is refused`() throws {
        let client = box.connect()
        let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
        client.post(
            "POST /api/activity/announcements HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for _ in 0..<20 { try client.send(chunk) }
        #expect(try client.responses().first?.status == 413)
        #expect(client.isOver)
    }

    @Test func `a client that waits for 100 gets it before its body`() throws {
        let client = box.connect()
        let body = "{\"text\":\"after 100\"}"
        try client.send(
            "POST /api/activity/announcements HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(client.text() == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send(body)
        #expect(try client.responses().first?.status == 201)
    }

    @Test func `a foreign Host is not answered for`() throws {
        let status = { (host: String) in try box.connect().ask("GET /healthz", ["Host: \(host)"]).status }
        #expect(try status("evil.example") == 421)
        #expect(try status("box.local:5469") == 200)
        #expect(try status("BOX.LOCAL") == 200)
        #expect(try status("127.0.0.1:1") == 200)
        #expect(try status("[::1]") == 200)
        #expect(try status("localhost") == 200)
        #expect(try status("198.51.100.1") == 200)
        #expect(try status("198.51.100.2") == 421)
        let none = box.connect()
        try none.send("GET /healthz HTTP/1.1\r\n\r\n")
        #expect(try none.responses().first?.status == 400)
    }

    @Test func `pages of other sites may neither change nor read`() throws {
        let client = box.connect()
        let route = "POST /api/activity/announcements"
        let body = "{\"text\":\"x\"}"
        let before = box.position
        #expect(try box.connect().ask(route, [bearer, "Origin: https://evil.example"], body).status == 403)
        #expect(try box.connect().ask(route, [bearer, "Origin: null"], body).status == 403)
        // Another program of this machine, under another port.
        #expect(try box.connect().ask(route, [bearer, "Origin: https://box.local:8443"], body).status == 403)
        #expect(box.position == before)
        #expect(try client.ask(route, [bearer, "Origin: https://box.local:5469"], body).status == 201)
        #expect(try client.ask("GET /api/family", [bearer, "Sec-Fetch-Site: cross-site"]).status == 403)
        let stream = [bearer, "Accept: text/event-stream", "Sec-Fetch-Site: cross-site"]
        #expect(try box.connect().ask("GET /live", stream).status == 403)
        #expect(try client.ask("GET /api/family", [bearer, "Sec-Fetch-Site: same-origin"]).status == 200)
        #expect(try box.connect().openWebSocket(["Origin: https://evil.example"]).status == 403)
        #expect(try box.connect().openWebSocket(["Origin: http://box.local"]).status == 101)
    }

    @Test func `the same Idempotency-Key changes nothing the second time`() throws {
        let client = box.connect()
        let route = "POST /api/activity/announcements"
        let headers = [bearer, "Idempotency-Key: once-1", "Content-Type: application/json"]
        let first = try client.ask(route, headers, "{\"text\":\"once\"}")
        let after = box.position
        let again = try client.ask(route, headers, "{\"text\":\"once\"}")
        #expect(first.status == 201 && again.status == 201)
        #expect(first.body == again.body)
        #expect(box.position == after)
        let other = try client.ask(route, headers, "{\"text\":\"other\"}")
        #expect(other.status == 409)
        #expect(other.json?["code"] == 1409)
        #expect(
            try client.ask(
                route, [bearer, "Idempotency-Key: \(String(repeating: "x", count: 65))"], "{\"text\":\"y\"}"
            ).status == 400)
        #expect(box.position == after)
    }

    @Test func `refusals are problems with sentences`() throws {
        let client = box.connect()
        let unsigned = try client.ask("GET /api/family")
        #expect(unsigned.status == 401)
        #expect(unsigned["WWW-Authenticate"]?.hasPrefix("Bearer") ?? false)
        #expect(unsigned["Content-Type"] == "application/problem+json")
        #expect(unsigned.json?["code"] == 1401 && unsigned.json?["status"] == 401)
        let gil = "Authorization: Bearer \(try box.person("gil").token)"
        #expect(try client.ask("GET /api/invites", [gil]).status == 403)
        let unknown = try client.ask("GET /api/members?nonsense=1", [bearer])
        #expect(unknown.status == 400)
        #expect(unknown.json?["field"] == "nonsense")
        let twice = try client.ask("POST /api/activity/announcements", [bearer], "{\"text\":\"a\",\"text\":\"b\"}")
        #expect(twice.status == 400)
    }

    @Test func `what is no HTTP gets 400 and an end`() throws {
        for text in [
            "GET\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
        ] {
            let client = box.connect()
            try client.send(text)
            let status = try client.responses().first?.status
            #expect(status == 400 || status == 505, "\(text)")
            #expect(client.isOver)
        }
        let neither = box.connect()
        try neither.send([0x00, 0x01, 0x02])
        #expect(neither.receive().isEmpty)
        #expect(neither.isOver)
    }

    @Test func `cookies are for browsers, and their name says how safe they are`() throws {
        let body = "{\"username\":\"ben\",\"password\":\"\(Box.password)\"}"
        let json = "Content-Type: application/json"
        let client = box.connect()
        #expect(try client.ask("POST /api/session", [json], body)["Set-Cookie"] == nil)
        let opened = try client.ask("POST /api/session", [json, "Host: localhost", "Origin: http://localhost"], body)
        #expect(opened.status == 201)
        let cookie = try #require(opened["Set-Cookie"])
        #expect(
            cookie.hasPrefix("kinwire=") && cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains("Secure")
        )
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(try client.ask("GET /api/family", ["Cookie: \(pair)"]).status == 200)
        #expect(try client.ask("GET /api/family", ["Cookie: __Host-\(pair)"]).status == 401)
        let closed = try client.ask("DELETE /api/session", ["Cookie: \(pair)"])
        #expect(closed.status == 200 && closed["Set-Cookie"]?.contains("Max-Age=0") ?? false)
        #expect(try client.ask("GET /api/family", ["Cookie: \(pair)"]).status == 401)
    }
}
