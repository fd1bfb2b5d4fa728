/// What a strict server does not take, with the status it answers. `¦` stands for CRLF; ``smuggled`` follows each.
enum Refused {
    /// Would be answered by 200 if the message before it ended where somebody else might think.
    static let smuggled = "GET /healthz HTTP/1.1¦Host: box.local¦¦"

    private static let post = "POST /api/session HTTP/1.1¦Host: box.local¦"
    private static let get = "GET /healthz HTTP/1.1¦"
    private static let chunked = post + "Transfer-Encoding: chunked¦¦"

    static let cases: [(name: String, status: Int, text: String)] = [
        // Two ideas of where the content ends (RFC 9112 §6.1, §6.3).
        ("both lengths", 400, post + "Content-Length: 5¦Transfer-Encoding: chunked¦¦0¦¦"),
        ("both lengths, the other way round", 400, post + "Transfer-Encoding: chunked¦Content-Length: 5¦¦0¦¦"),
        ("two different lengths", 400, post + "Content-Length: 0¦Content-Length: 5¦¦"),
        ("two equal lengths", 400, post + "Content-Length: 0¦Content-Length: 0¦¦"),
        ("a list of lengths", 400, post + "Content-Length: 0, 0¦¦"),
        ("a signed length", 400, post + "Content-Length: +0¦¦"),
        ("a length in hexadecimal", 400, post + "Content-Length: 0x0¦¦"),
        ("an empty length", 400, post + "Content-Length:¦¦"),
        ("a length beyond all numbers", 413, post + "Content-Length: 18446744073709551616¦¦"),
        ("chunked twice", 400, post + "Transfer-Encoding: chunked, chunked¦¦0¦¦"),
        ("chunked in two lines", 400, post + "Transfer-Encoding: chunked¦Transfer-Encoding: chunked¦¦0¦¦"),
        ("a coding before chunked", 501, post + "Transfer-Encoding: gzip, chunked¦¦0¦¦"),
        ("a coding that looks like chunked", 501, post + "Transfer-Encoding: xchunked¦¦0¦¦"),
        ("identity", 501, post + "Transfer-Encoding: identity¦¦"),
        ("a control character before chunked", 400, post + "Transfer-Encoding: \u{B}chunked¦¦0¦¦"),
        ("chunked in HTTP/1.0", 400, "POST / HTTP/1.0¦Host: box.local¦Transfer-Encoding: chunked¦¦0¦¦"),
        // Lines (§2.2, §5).
        ("a folded line", 400, get + "Host: box.local¦X: a¦ Content-Length: 5¦¦"),
        ("a folded first line", 400, get + " Host: box.local¦¦"),
        ("a bare line feed", 400, get + "Host: box.local¦X: a\nY: b¦¦"),
        ("bare line feeds alone", 400, "GET /healthz HTTP/1.1\nHost: box.local\n\n"),
        ("a bare carriage return", 400, get + "Host: box.local¦X: a\rY: b¦¦"),
        ("a space before the colon", 400, post + "Content-Length : 5¦¦"),
        ("a space within a name", 400, get + "Host: box.local¦Content Length: 5¦¦"),
        ("no colon", 400, get + "Host: box.local¦X¦¦"), ("no name", 400, get + "Host: box.local¦: x¦¦"),
        ("NUL in a value", 400, get + "Host: box.local¦X: a\u{0}b¦¦"),
        ("NUL in a name", 400, get + "Host: box.local¦X\u{0}: ab¦¦"),
        ("NUL in the target", 400, "GET /\u{0} HTTP/1.1¦Host: box.local¦¦"),
        ("NUL escaped in the target", 400, "GET /%00 HTTP/1.1¦Host: box.local¦¦"),
        // Chunks (§7.1).
        ("a chunk size that is none", 400, chunked + "x¦"), ("a negative chunk size", 400, chunked + "-1¦"),
        ("a chunk size with 0x", 400, chunked + "0x0¦¦"), ("an empty chunk size", 400, chunked + "¦¦"),
        ("a space before a chunk size", 400, chunked + " 0¦¦"), ("a space behind one", 400, chunked + "0 ¦¦"),
        ("a chunk size beyond all numbers", 400, chunked + "10000000000000000¦"),
        ("a chunk longer than its size", 400, chunked + "1¦ab¦0¦¦"),
        ("a chunk without its end", 400, chunked + "1¦a0¦¦"), ("a chunk that ends in LF", 400, chunked + "1¦a\n0¦¦"),
        ("a chunk extension with a bare LF", 400, chunked + "1;x\na¦0¦¦"),
        ("a chunk extension with NUL", 400, chunked + "1;x\u{0}¦a¦0¦¦"),
        ("a trailer with a space before the colon", 400, chunked + "0¦X : y¦¦"),
        ("a folded trailer", 400, chunked + "0¦X: y¦ z¦¦"),
        // Request lines and hosts (§3).
        ("no version", 400, "GET /healthz¦Host: box.local¦¦"), ("two spaces", 400, "GET  / HTTP/1.1¦Host: box.local¦¦"),
        ("a version in lower case", 400, "GET / http/1.1¦Host: box.local¦¦"),
        ("another major version", 505, "GET / HTTP/3.0¦Host: box.local¦¦"),
        ("HTTP/2 at once", 505, "PRI * HTTP/2.0¦¦SM¦¦"), ("a fragment", 400, "GET /#a HTTP/1.1¦Host: box.local¦¦"),
        ("a dot segment", 400, "GET /api/../healthz HTTP/1.1¦Host: box.local¦¦"),
        ("a tunnel", 501, "CONNECT box.local:1 HTTP/1.1¦Host: box.local:1¦¦"),
        ("a small letter first", 400, "get / HTTP/1.1¦Host: box.local¦¦"), ("no host", 400, get + "¦"),
        ("two hosts", 400, get + "Host: box.local¦Host: box.local¦¦"),
        ("a list of hosts", 400, get + "Host: box.local, evil.example¦¦"),
        ("a host with a user", 400, get + "Host: x@box.local¦¦"),
        ("another expectation", 417, post + "Expect: 200-ok¦Content-Length: 1¦¦"),
    ]

    /// Overlong ones, which are not cut everywhere.
    static let long: [(name: String, status: Int, text: String)] = [
        ("a request line too long", 414, "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1¦Host: box.local¦¦"),
        ("a request line that never ends", 414, "GET /" + String(repeating: "a", count: 9000)),
        ("a field too long", 431, get + "Host: box.local¦X: " + String(repeating: "a", count: 17_000) + "¦¦"),
        ("fields too many", 431, get + "Host: box.local¦" + String(repeating: "X: y¦", count: 100) + "¦"),
        ("trailers too many", 431, chunked + "0¦" + String(repeating: "X: y¦", count: 101) + "¦"),
        ("a chunk extension too long", 400, chunked + "1;" + String(repeating: "e", count: 300) + "¦a¦0¦¦"),
        (
            "chunk extensions too long together", 400,
            chunked + String(repeating: "1;" + String(repeating: "e", count: 200) + "¦x¦", count: 30)
        ),
        ("a length too large", 413, post + "Content-Length: 99999999¦¦"),
        ("a chunk too large", 413, chunked + "7fffffff¦"),
    ]
}
