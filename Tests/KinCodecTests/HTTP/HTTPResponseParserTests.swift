import KinModel
import Testing

@testable import KinCodec

@Suite struct HTTPResponseParserTests {
    @Test func `answers of every framing come one after the other, wherever they are cut`() {
        let bytes =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            + "HTTP/1.1 204 No Content\r\n\r\n"
            + "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            + "HTTP/1.0 404 Not here\r\n\r\nuntil the end"
        let said = atEverySplit(bytes.bytes) { responses($0, closes: true) }
        #expect(
            said == [
                "200 OK keep", "end hello", "204 No Content keep", "end ", "200  keep", "end abcde",
                "404 Not here close",
                "end until the end",
            ])
    }

    @Test func `the answer to HEAD has a length but no content`() {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(responses([bytes.bytes], method: .head) == ["200 OK keep", "end ", "200 OK keep", "end "])
    }

    @Test func `after 101 the bytes belong to the new protocol`() {
        var parser = HTTPResponseParser()
        let bytes = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}".bytes
        let (consumed, _) = parser.consume(bytes)
        let (more, step) = parser.consume(bytes[consumed...])
        guard case .end = step else {
            Issue.record("no end")
            return
        }
        #expect(bytes.count - consumed - more == 2)
    }

    @Test(arguments: [
        "HTTP/2 200\r\n", "ICY 200 OK\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 999 X\r\n", "HTTP/1.1 2000\r\n",
        "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\r\nX : y\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `what is no clear answer is refused`(text: String) {
        #expect(responses([text.bytes]).last == "failed 502")
    }

    @Test func `a connection that ends within an answer is a failure, between answers it is none`() {
        #expect(responses([[]], closes: true) == [])
        #expect(responses(["HTT".bytes], closes: true) == ["failed 502"])
        #expect(
            responses(["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel".bytes], closes: true).last == "failed 502")
        #expect(
            responses(["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n".bytes], closes: true).last
                == "failed 502")
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(3)
        let parts = [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 101 X\r\n", "HTTP/1.0 ", "\r\n", "Content-Length: 3\r\n", "abc", "0\r\n",
            "Transfer-Encoding: chunked\r\n", "\n", "Connection: close\r\n", "5\r\n",
        ].map(\.bytes)
        for _ in 0..<15_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(9) {
                bytes += random.below(6) == 0 ? random.bytes(random.below(5)) : parts[random.below(parts.count)]
            }
            let cut = random.below(bytes.count + 1)
            let closes = random.below(2) == 0
            let split = responses([Array(bytes[..<cut]), Array(bytes[cut...])], closes: closes)
            expectSame(split, responses([bytes], closes: closes))
        }
    }

    private func responses(_ pieces: [[UInt8]], method: HTTPMethod = .get, closes: Bool = false) -> [String] {
        var parser = HTTPResponseParser()
        parser.requestMethod = method
        var said: [String] = []
        var body: [UInt8] = []
        func take(_ step: HTTPResponseParser.Step) -> Bool {
            switch step {
            case .needsMore: return true
            case .head(let head): said.append("\(head.status) \(head.reason) \(parser.keepAlive ? "keep" : "close")")
            case .body(let bytes): body += bytes
            case .end:
                said.append("end \(String(decoding: body, as: UTF8.self))")
                body = []
            case .failed(let failure):
                said.append("failed \(failure.status)")
                return false
            }
            return true
        }
        feed(
            pieces, consume: { parser.consume($0) }, isNeedsMore: { if case .needsMore = $0 { true } else { false } },
            take: take)
        if closes, said.last?.hasPrefix("failed") != true { _ = take(parser.inputEnded()) }
        return said
    }
}
