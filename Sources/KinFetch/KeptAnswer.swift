import KinCodec
import KinCrypto

/// A cached answer on disk: an HTTP response with three fields of our own. A file that cannot be read as that, because
/// the power failed or another program wrote it, is ignored.
struct KeptAnswer: Sendable {
    /// The fields that say what the content is and how long it is good; others go.
    private static let keptFields = [
        "content-type", "content-language", "content-disposition", "etag", "last-modified", "cache-control", "date",
        "age", "vary",
    ]

    private(set) var headers: HTTPHeaders
    let body: [UInt8]
    /// Milliseconds since 1970 when it came or was last confirmed.
    private(set) var cameAt: Int64
    /// It came from a place within the house.
    let isInside: Bool

    init(_ headers: HTTPHeaders, body: [UInt8], cameAt: Int64, isInside: Bool) {
        self.headers = Self.kept(headers)
        self.body = body
        self.cameAt = cameAt
        self.isInside = isInside
    }

    private static func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept: HTTPHeaders = [:]
        for field in headers.fields where keptFields.contains(field.name.lowercased()) {
            kept.append(field.name, field.value)
        }
        return kept
    }

    /// Reads a file; `nil` when it is none of ours or not whole.
    init?(_ file: [UInt8]) {
        var limits = HTTPLimits()
        limits.bodyBytesMax = .max
        var parser = HTTPResponseParser(limits: limits)
        var rest = file[...]
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        reading: while true {
            let (consumed, step) = parser.consume(rest)
            rest = rest.dropFirst(consumed)
            switch step {
            case .head(let read): head = read
            case .body(let bytes): body += bytes
            case .end: break reading
            case .needsMore, .failed: return nil
            }
        }
        guard rest.isEmpty, let head, head.status == 200,
            let came = head.headers["Kinwire-Came"].flatMap({ Int64($0) }),
            head.headers["Kinwire-Digest"] == Hex.encode(Digest.sha256(body))
        else { return nil }
        self.init(head.headers, body: body, cameAt: came, isInside: head.headers["Kinwire-Inside"] == "yes")
    }

    /// As a file.
    var file: [UInt8] {
        var fields = headers
        fields["Content-Length"] = "\(body.count)"
        fields["Kinwire-Came"] = "\(cameAt)"
        fields["Kinwire-Inside"] = isInside ? "yes" : "no"
        fields["Kinwire-Digest"] = Hex.encode(Digest.sha256(body))
        var bytes: [UInt8] = []
        HTTPResponseHead(status: 200, headers: fields).write(to: &bytes)
        return bytes + body
    }

    var freshness: Freshness { Freshness(status: 200, headers) }

    func isFresh(at now: Int64) -> Bool {
        // Seconds since 1970 fit whatever the file says; a moment out of range is no moment.
        let (passed, overflow) = now.subtractingReportingOverflow(cameAt)
        return !overflow && freshness.isFresh(afterMilliseconds: passed)
    }

    /// Whether it came, or was last confirmed, longer ago; a moment out of range is long ago.
    func isOlder(thanDays days: Int64, at now: Int64) -> Bool {
        let (passed, overflow) = now.subtractingReportingOverflow(cameAt)
        return overflow || passed > days * 86_400_000
    }

    /// The fields that ask whether it changed (RFC 9110 §13.1).
    var conditions: HTTPHeaders {
        var fields: HTTPHeaders = [:]
        if let tag = headers["ETag"] { fields["If-None-Match"] = tag }
        if let date = headers["Last-Modified"] { fields["If-Modified-Since"] = date }
        return fields
    }

    /// The other side said that it has not changed (RFC 9111 §3.2): its fields are news, the content is not.
    mutating func confirm(_ news: HTTPHeaders, at now: Int64) {
        let news = Self.kept(news)
        // How old it was then says nothing about how old it is now.
        headers["Age"] = nil
        for name in Set(news.fields.map { $0.name.lowercased() }) { headers[name] = nil }
        for field in news.fields { headers.append(field.name, field.value) }
        cameAt = now
    }
}
