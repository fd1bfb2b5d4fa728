import Testing

@testable import KinCodec

/// What a strict server does not take, with the status it answers before it closes. `¦` stands for CRLF.
@Suite struct HTTPRefusalTests {
    static let cases: [(status: Int, request: String)] = [
        // Two ideas of where the content ends.
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 3¦Transfer-Encoding: chunked¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: chunked¦Content-Length: 3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 3¦Content-Length: 4¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 3¦Content-Length: 3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 3, 3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: +3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: -3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 0x3¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: 3 4¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: ¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Content-Length: ٣¦¦"),
        (413, "POST / HTTP/1.1¦Host: h¦Content-Length: 99999999999999999999¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: chunked, chunked¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: chunked¦Transfer-Encoding: chunked¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: ¦¦"),
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: \u{0B}chunked¦¦"),
        (400, "POST / HTTP/1.0¦Host: h¦Transfer-Encoding: chunked¦¦"),
        (501, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: gzip, chunked¦¦"),
        (501, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: identity¦¦"),
        (501, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: xchunked¦¦"),
        (501, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: chunked;q=1¦¦"),
        // Field lines.
        (400, "POST / HTTP/1.1¦Host: h¦Transfer-Encoding : chunked¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X: a¦ b¦¦"), (400, "GET / HTTP/1.1¦ Host: h¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X¦¦"), (400, "GET / HTTP/1.1¦Host: h¦: x¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X(: x¦¦"), (400, "GET / HTTP/1.1¦Host: h¦X: a\u{0}b¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X\u{0}: ab¦¦"), (400, "GET / HTTP/1.1¦Host: h¦X: a\u{7F}¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦é: a¦¦"),
        // Line ends.
        (400, "GET / HTTP/1.1\nHost: h\n\n"), (400, "GET / HTTP/1.1¦Host: h\n¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X: a\nY: b¦¦"), (400, "GET / HTTP/1.1¦Host: h¦X: a\rY: b¦¦"),
        (400, "GET / HTTP/1.1¦Host: h¦X: a\r\r\n¦"), (400, "GET /\r HTTP/1.1¦Host: h¦¦"),
        (400, "¦¦GET / HTTP/1.1¦Host: h¦¦"), (400, "\nGET / HTTP/1.1¦Host: h¦¦"),
        // Hosts.
        (400, "GET / HTTP/1.1¦¦"), (400, "GET / HTTP/1.1¦Host: a¦Host: b¦¦"),
        (400, "GET / HTTP/1.1¦Host: a¦Host: a¦¦"), (400, "GET / HTTP/1.0¦Host: a¦Host: a¦¦"),
        (400, "GET / HTTP/1.1¦Host: a, b¦¦"), (400, "GET / HTTP/1.1¦Host: a/b¦¦"),
        (400, "GET / HTTP/1.1¦Host: u@h¦¦"), (400, "GET / HTTP/1.1¦Host: h:port¦¦"),
        (400, "GET / HTTP/1.1¦Host: h:65536¦¦"), (400, "GET / HTTP/1.1¦Host: ¦¦"),
        (400, "GET / HTTP/1.1¦Host: [::1¦¦"), (400, "GET http://a/ HTTP/1.1¦¦"),
        (400, "GET http://u@a/ HTTP/1.1¦Host: a¦¦"), (400, "GET http:/// HTTP/1.1¦Host: a¦¦"),
        // Request lines.
        (400, "GET / ¦Host: h¦¦"), (400, "GET /¦¦"), (400, "GET  / HTTP/1.1¦Host: h¦¦"),
        (400, "GET / HTTP/1.1 ¦Host: h¦¦"), (400, "GET\t/ HTTP/1.1¦Host: h¦¦"), (400, "G@T / HTTP/1.1¦Host: h¦¦"),
        (400, " GET / HTTP/1.1¦Host: h¦¦"), (400, "GET a HTTP/1.1¦Host: h¦¦"), (400, "GET * HTTP/1.1¦Host: h¦¦"),
        (400, "GET /#x HTTP/1.1¦Host: h¦¦"), (400, "GET /é HTTP/1.1¦Host: h¦¦"),
        (400, "GET / http/1.1¦Host: h¦¦"), (400, "GET / HTTP/11¦Host: h¦¦"), (400, "GET / HTTP/1.10¦Host: h¦¦"),
        (505, "GET / HTTP/2.0¦Host: h¦¦"), (505, "PRI * HTTP/2.0¦¦SM¦¦"), (505, "GET / HTTP/0.9¦¦"),
        (501, "CONNECT h:443 HTTP/1.1¦Host: h:443¦¦"), (400, "GET ftp://h/ HTTP/1.1¦Host: h¦¦"),
        (400, "GET /%zz HTTP/1.1¦Host: h¦¦"), (400, "GET /% HTTP/1.1¦Host: h¦¦"), (400, "GET /%0 HTTP/1.1¦Host: h¦¦"),
        (400, "GET /a%00b HTTP/1.1¦Host: h¦¦"), (400, "GET /%ff HTTP/1.1¦Host: h¦¦"),
        (400, "GET /a/../b HTTP/1.1¦Host: h¦¦"), (400, "GET /%2e%2E/b HTTP/1.1¦Host: h¦¦"),
        (400, "GET /?a=%00 HTTP/1.1¦Host: h¦¦"), (417, "POST / HTTP/1.1¦Host: h¦Expect: 200-ok¦Content-Length: 1¦¦"),
        // Chunks.
        (400, chunked + "x¦"), (400, chunked + "-1¦"), (400, chunked + "0x5¦hello¦0¦¦"), (400, chunked + "¦"),
        (400, chunked + " 5¦hello¦0¦¦"), (400, chunked + "5 ¦hello¦0¦¦"), (400, chunked + "5 x¦hello¦0¦¦"),
        (400, chunked + "5\nhello\n0\n\n"), (400, chunked + "5¦hello!¦0¦¦"), (400, chunked + "5¦hello0¦¦"),
        (400, chunked + "5¦hello\n0¦¦"), (400, chunked + "5;a\u{0}¦hello¦0¦¦"), (400, chunked + "5;a\rb¦hello¦0¦¦"),
        (400, chunked + "ffffffffffffffffff¦"), (413, chunked + "7fffffffffffffff¦"),
        (400, chunked + "5;" + String(repeating: "e", count: 300) + "¦hello¦0¦¦"),
        (400, chunked + String(repeating: "1;" + String(repeating: "e", count: 200) + "¦x¦", count: 30)),
        (400, chunked + "0¦X : y¦¦"), (400, chunked + "0¦ X: y¦¦"),
        (431, chunked + "0¦" + String(repeating: "X: y¦", count: 101) + "¦"),
        // Too much.
        (414, "GET /" + String(repeating: "a", count: 9000)),
        (431, "GET / HTTP/1.1¦Host: h¦X: " + String(repeating: "a", count: 17_000)),
        (431, "GET / HTTP/1.1¦Host: h¦" + String(repeating: "X: y¦", count: 100)),
        (
            431,
            "GET / HTTP/1.1¦Host: h¦" + String(repeating: "X: " + String(repeating: "y", count: 500) + "¦", count: 40)
        ),
    ]
    static let chunked = "POST / HTTP/1.1¦Host: h¦Transfer-Encoding: chunked¦¦"

    @Test(arguments: cases.indices) func `is refused with its status`(index: Int) {
        let (status, text) = Self.cases[index]
        let bytes = text.replacing("¦", with: "\r\n").bytes
        #expect(refusal(bytes) == status, "\(text.prefix(80).debugDescription)")
        // The same however it arrives.
        if bytes.count < 300 { atEverySplit(bytes) { transcript($0).last } }
    }

    @Test func `at each limit exactly it is still taken`() {
        let line = "GET /" + String(repeating: "a", count: 8192 - 14) + " HTTP/1.1"
        #expect(line.utf8.count == 8192)
        #expect(refusal("\(line)\r\nHost: h\r\n\r\n".bytes) == nil)
        #expect(refusal("\(line.replacing("/aa", with: "/aaa"))\r\nHost: h\r\n\r\n".bytes) == 414)
        let many = "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n"
        #expect(refusal(many.bytes) == nil)
        let value = String(repeating: "v", count: 16_384 - 9 - 5)
        #expect(refusal("GET / HTTP/1.1\r\nHost: h\r\nX: \(value)\r\n\r\n".bytes) == nil)
        #expect(refusal("GET / HTTP/1.1\r\nHost: h\r\nX: \(value)v\r\n\r\n".bytes) == 431)
    }

    @Test func `random bytes and random mixes of a request's parts never trap`() {
        var random = Seeded(2)
        let parts = [
            "GET ", "/", " HTTP/1.1", "\r\n", "\r", "\n", "Host: h", "Content-Length: ", "3",
            "Transfer-Encoding: chunked",
            ":", " ", "%41", "%", "?a=b", "http://", "[::1]", "0", "5;x", "abc", "\u{0}", "é", "*",
            "Expect: 100-continue",
        ].map(\.bytes)
        for round in 0..<20_000 {
            var bytes = round % 3 == 0 ? [] : "POST / HTTP/1.1\r\nHost: h\r\n".bytes
            if round % 3 == 2 { bytes += "Transfer-Encoding: chunked\r\n\r\n".bytes }
            for _ in 0..<random.below(14) {
                bytes += random.below(6) == 0 ? random.bytes(random.below(5)) : parts[random.below(parts.count)]
            }
            let cut = random.below(bytes.count + 1)
            let whole = transcript([bytes])
            expectSame(transcript([Array(bytes[..<cut]), Array(bytes[cut...])]), whole)
        }
    }
}
