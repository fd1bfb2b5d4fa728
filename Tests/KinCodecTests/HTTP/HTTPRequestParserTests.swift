import Testing

@testable import KinCodec

@Suite struct HTTPRequestParserTests {
    @Test func `a request without content is head and end, wherever it is cut`() {
        let said = atEverySplit(
            "GET /hello.txt HTTP/1.1\r\nHost: www.Example.com\r\nAccept-Language: en, mi\r\n\r\n".bytes
        ) {
            transcript($0)
        }
        #expect(
            said == [
                "GET /hello.txt 1 www.example.com none true", "Host=www.Example.com",
                "Accept-Language=en, mi", "end ",
            ])
    }

    @Test func `pipelined requests come one after the other, each with its content`() {
        let bytes =
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello\r\nGET /b HTTP/1.1\r\nHost:h\r\n\r\n"
            + "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;x=\"y\"\r\nhello\r\n00A\r\n, my world\r\n0\r\nX-Trailer: 1\r\n\r\n"
            + "DELETE /d HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"
        let said = atEverySplit(bytes.bytes) { transcript($0) }
        #expect(said.filter { $0.hasPrefix("end") } == ["end hello", "end ", "end hello, my world", "end "])
        #expect(said.filter { $0.contains("/") }.map { $0.split(separator: " ")[1] } == ["/a", "/b", "/c", "/d"])
        #expect(!said.contains("X-Trailer=1"))
    }

    @Test func `names are compared without case, lists run over several lines`() throws {
        let request = try #require(
            head(
                "GET / HTTP/1.1\r\nhOST: h\r\nConnection: Keep-Alive, \r\nconnection:,UPGRADE\r\nUpgrade: WebSocket\r\n\r\n"
            ))
        #expect(request.headers["HOST"] == "h")
        #expect(request.headers.tokens("CONNECTION") == ["Keep-Alive", "UPGRADE"])
        #expect(request.isUpgradeToWebSocket)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\n", false),
        ("GET / HTTP/1.0\r\n\r\n", false), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ("GET / HTTP/1.7\r\nHost: h\r\n\r\n", true),
    ])
    func `whether the connection stays`(text: String, stays: Bool) {
        #expect(head(text)?.keepAlive == stays)
    }

    @Test func `the target is taken apart`() throws {
        let request = try #require(
            head("GET /a%20b/%2F/%c3%a9/?q=1+2&q=%26&flag&=x&bad=50% HTTP/1.1\r\nHost: Kin.local:5469\r\n\r\n"))
        #expect(request.path == ["a b", "/", "é", ""])
        #expect(request.rawPath == "/a%20b/%2F/%c3%a9/")
        #expect(request.rawQuery == "q=1+2&q=%26&flag&=x&bad=50%")
        #expect(request.query.values("q") == ["1 2", "&"])
        #expect(request.query["flag"] == "")
        #expect(request.query[""] == "x")
        #expect(request.query["bad"] == "50%")
        #expect(request.query["none"] == nil)
        #expect(request.host == "kin.local:5469")
        #expect(request.hostName == "kin.local")
        #expect(request.port == 5469)
        #expect(head("GET / HTTP/1.1\r\nHost: h\r\n\r\n")?.path == [])
        #expect(head("GET //a HTTP/1.1\r\nHost: h\r\n\r\n")?.path == ["", "a"])
        #expect(head("GET /? HTTP/1.1\r\nHost: h\r\n\r\n")?.rawQuery == "")
    }

    @Test func `an absolute target names the host`() throws {
        let absolute = try #require(head("GET HTTP://Other.example:80/x?y HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(absolute.targetForm == .absolute)
        #expect(absolute.host == "other.example:80")
        #expect(absolute.path == ["x"])
        let bare = try #require(head("OPTIONS http://[::1]:5469?y HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect((bare.hostName, bare.port) == ("[::1]", 5469))
        #expect(bare.rawPath == "/")
        #expect(bare.rawQuery == "y")
        #expect(head("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")?.targetForm == .asterisk)
    }

    @Test func `a client that waits for 100 Continue is known`() {
        let text = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n"
        #expect(head(text)?.expectsContinue == true)
        #expect(head(text.replacing("Length: 3", with: "Length: 0"))?.expectsContinue == false)
    }

    @Test func `a route may raise or lower what its content may weigh, after the head and for one request`() {
        let bytes = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nabcdef".bytes
        func outcome(_ bodyBytesMax: Int?) -> String {
            var limits = HTTPLimits()
            limits.bodyBytesMax = 5
            var parser = HTTPRequestParser(limits: limits)
            let (consumed, step) = parser.consume(bytes.span)
            guard case .head = step else { return "no head" }
            if let bodyBytesMax { parser.bodyBytesMax = bodyBytesMax }
            // Refused before any of it comes.
            if case .failed(let failure) = parser.consume([]).step { return "\(failure.status)" }
            guard case .body(let body) = parser.consume(bytes[consumed...]).step else { return "no body" }
            return String(decoding: body, as: UTF8.self)
        }
        #expect(outcome(nil) == "413")
        #expect(outcome(6) == "abcdef")
        #expect(outcome(4) == "413")
        var limits = HTTPLimits()
        limits.bodyBytesMax = 9
        let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(refusal("\(chunked)5\r\nhello\r\n4\r\nabcd\r\n0\r\n\r\n".bytes, limits: limits) == nil)
        #expect(refusal("\(chunked)5\r\nhello\r\n5\r\n".bytes, limits: limits) == 413)
    }

    @Test func `what was refused stays refused`() {
        var parser = HTTPRequestParser()
        let bad = "NOT HTTP\r\n".bytes
        for _ in 0..<3 {
            guard case .failed(let failure) = parser.consume(bad.span).step else {
                Issue.record("taken")
                return
            }
            #expect(failure.status == 400)
        }
    }

    @Test func `between requests nothing is owed`() {
        var parser = HTTPRequestParser()
        #expect(parser.isBetweenRequests)
        _ = parser.consume("GE".bytes.span)
        #expect(!parser.isBetweenRequests)
    }
}
