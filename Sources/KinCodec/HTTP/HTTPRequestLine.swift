/// The first line of a request (RFC 9112 §3), its target taken apart.
struct HTTPRequestLine: Sendable {
    let method: HTTPMethod
    let target: String
    let form: HTTPRequestHead.TargetForm
    /// Of an absolute target, in lower case.
    let authority: String?
    let rawPath: String
    let path: [String]
    let rawQuery: String?
    let query: FormFields
    let minor: Int

    init(_ line: [UInt8]) throws(HTTPFailure) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(ASCII.isToken), !words[1].isEmpty else {
            throw HTTPFailure(400, "The request line is malformed.")
        }
        minor = try Self.minor(words[2])
        method = HTTPMethod(String(decoding: words[0], as: UTF8.self))
        var rest = words[1]
        guard rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw HTTPFailure(400, "The target has a character that is not allowed.")
        }
        target = String(decoding: rest, as: UTF8.self)
        if method == .other("CONNECT") { throw HTTPFailure(501, "This is no proxy: CONNECT is not offered.") }
        if rest.elementsEqual("*".utf8) {
            guard method == .options else { throw HTTPFailure(400, "The target * goes with OPTIONS only.") }
            (form, authority, rawPath, path, rawQuery, query) = (.asterisk, nil, "*", [], nil, FormFields())
            return
        }
        if rest.first == UInt8(ascii: "/") {
            (form, authority) = (.origin, nil)
        } else {
            guard let scheme = ["http://", "https://"].first(where: { Self.starts(rest, with: $0) }) else {
                throw HTTPFailure(400, "The target must be a path or an http or https address.")
            }
            rest = rest.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let host = String(decoding: rest[..<end], as: UTF8.self)
            guard Authority.isValid(host) else { throw HTTPFailure(400, "The target's host is malformed.") }
            (form, authority) = (.absolute, ASCII.lowercased(host))
            rest = rest[end...]
        }
        let question = rest.firstIndex(of: UInt8(ascii: "?"))
        let pathBytes = rest[..<(question ?? rest.endIndex)]
        rawPath = pathBytes.isEmpty ? "/" : String(decoding: pathBytes, as: UTF8.self)
        path = try Self.segments(pathBytes)
        if let question {
            let bytes = rest[(question + 1)...]
            rawQuery = String(decoding: bytes, as: UTF8.self)
            query = FormFields(urlEncoded: bytes)
            guard query.fields.allSatisfy({ !$0.name.utf8.contains(0) && !$0.value.utf8.contains(0) }) else {
                throw HTTPFailure(400, "The query holds a NUL.")
            }
        } else {
            (rawQuery, query) = (nil, FormFields())
        }
    }

    private static func starts(_ bytes: ArraySlice<UInt8>, with scheme: String) -> Bool {
        bytes.count >= scheme.utf8.count && zip(bytes, scheme.utf8).allSatisfy { ASCII.lower($0) == $1 }
    }

    private static func minor(_ version: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
        let bytes = Array(version)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), let major = ASCII.number(bytes[5...5]),
            bytes[6] == UInt8(ascii: "."), let minor = ASCII.number(bytes[7...7])
        else { throw HTTPFailure(400, "The request line has no HTTP version.") }
        guard major == 1 else { throw HTTPFailure(505, "HTTP/1.1 and HTTP/1.0 are spoken here.") }
        return min(minor, 1)
    }

    private static func segments(_ path: ArraySlice<UInt8>) throws(HTTPFailure) -> [String] {
        guard path.count > 1 else { return [] }
        var segments: [String] = []
        for raw in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let bytes = PercentEncoding.decode(raw), !bytes.contains(0),
                let segment = String(validating: bytes, as: UTF8.self)
            else { throw HTTPFailure(400, "The path has a malformed escape.") }
            // A client must remove dot segments before it sends (RFC 3986 §5.2.4); one that does not is probing for a
            // way out.
            guard segment != ".", segment != ".." else { throw HTTPFailure(400, "The path has a dot segment.") }
            segments.append(segment)
        }
        return segments
    }
}
