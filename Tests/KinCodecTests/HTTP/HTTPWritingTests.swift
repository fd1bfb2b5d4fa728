import KinModel
import Testing

@testable import KinCodec

@Suite struct HTTPWritingTests {
    @Test func `a response is read back as it was written`() {
        var out: [UInt8] = []
        HTTPResponseHead(status: 404, headers: ["Content-Length": "2", "X": "é"]).write(to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX: é\r\n\r\n")
    }

    @Test func `no value can end its line`() {
        var out: [UInt8] = []
        HTTPResponseHead(status: 200, reason: "O\r\nK", headers: ["Location": "/a\r\nSet-Cookie: x\u{0}\n"]).write(
            to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "HTTP/1.1 200 O  K\r\nLocation: /a  Set-Cookie: x  \r\n\r\n")
    }

    @Test func `chunks are read back`() {
        var out = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".bytes
        HTTPChunk.write("hello, ".bytes, to: &out)
        HTTPChunk.write([], to: &out)
        HTTPChunk.write([UInt8](repeating: 0x61, count: 300), to: &out)
        out += HTTPChunk.last
        #expect(transcript([out]).last == "end hello, " + String(repeating: "a", count: 300))
    }

    @Test func `a request is read back`() {
        var out: [UInt8] = []
        HTTPRequestHead.write(.other("REPORT"), "/x", ["Host": "h"], to: &out)
        #expect(transcript([out]) == ["REPORT /x 1 h none true", "Host=h", "end "])
    }

    @Test func `headers are replaced and removed whatever their case`() {
        var headers: HTTPHeaders = ["a": "1", "B": "2", "A": "3"]
        headers["A"] = "4"
        #expect(headers.fields.map(\.name) == ["B", "A"])
        headers["b"] = nil
        #expect(headers.values("a") == ["4"])
    }

    @Test(arguments: [
        (784_111_777_000 as Int64, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400_999, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (.min, "Mon, 01 Jan 0001 00:00:00 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `the date is an IMF-fixdate`(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).httpDate == text)
    }
}
