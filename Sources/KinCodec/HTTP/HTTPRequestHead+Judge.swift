extension HTTPRequestHead {
    /// A head from its line and fields. It is refused where the host or the content's length is in doubt.
    init(_ line: HTTPRequestLine, _ headers: HTTPHeaders) throws(HTTPFailure) {
        method = line.method
        target = line.target
        targetForm = line.form
        path = line.path
        rawPath = line.rawPath
        query = line.query
        rawQuery = line.rawQuery
        minor = line.minor
        self.headers = headers
        host = try Self.host(line, headers)
        bodyLength = try Self.bodyLength(minor: line.minor, headers)
        if headers.tokens("Expect").contains(where: { !ASCII.equal($0, "100-continue") }) {
            throw HTTPFailure(417, "The only expectation met here is 100-continue.")
        }
    }

    /// RFC 9112 §3.2: exactly one `Host` in HTTP/1.1, even when the target's own authority counts (§3.2.2).
    private static func host(_ line: HTTPRequestLine, _ headers: HTTPHeaders) throws(HTTPFailure) -> String {
        let hosts = headers.values("Host")
        guard hosts.count == 1 || hosts.isEmpty && line.minor == 0 else {
            throw HTTPFailure(400, hosts.isEmpty ? "The field Host is missing." : "The field Host stands twice.")
        }
        if let host = hosts.first, !Authority.isValid(host) { throw HTTPFailure(400, "The field Host is malformed.") }
        return line.authority ?? ASCII.lowercased(hosts.first ?? "")
    }

    /// RFC 9112 §6.3; where the RFC lets a recipient mend a message, it is refused here.
    private static func bodyLength(minor: Int, _ headers: HTTPHeaders) throws(HTTPFailure) -> BodyLength {
        let codings = headers.values("Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw HTTPFailure(400, "Content-Length and Transfer-Encoding do not go together.")
            }
            guard minor >= 1 else { throw HTTPFailure(400, "HTTP/1.0 has no Transfer-Encoding.") }
            let tokens = headers.tokens("Transfer-Encoding")
            let chunked = tokens.filter { ASCII.equal($0, "chunked") }.count
            guard !tokens.isEmpty, chunked <= 1 else {
                throw HTTPFailure(400, "The field Transfer-Encoding is malformed.")
            }
            guard tokens.count == 1, chunked == 1 else {
                throw HTTPFailure(501, "The only transfer coding taken here is chunked.")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1 else { throw HTTPFailure(400, "The field Content-Length stands twice.") }
        guard !length.isEmpty, length.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw HTTPFailure(400, "The field Content-Length is malformed.")
        }
        guard let count = ASCII.number(length.utf8) else { throw HTTPContent.tooLarge }
        return .length(count)
    }
}
