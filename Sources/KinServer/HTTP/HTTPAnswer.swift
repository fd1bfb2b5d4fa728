import KinCodec
import KinKeeper
import KinModel

/// A whole HTTP response.
struct HTTPAnswer {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    /// The policy for browsers: they may use our own styles and pictures, and send our own forms.
    static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    init(_ status: Int, _ headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ status: Int, _ body: [UInt8]) -> HTTPAnswer {
        HTTPAnswer(status, ["Content-Type": "application/json", "Cache-Control": "no-store"], body: body)
    }

    static func text(_ status: Int, _ sentence: String) -> HTTPAnswer {
        HTTPAnswer(status, ["Content-Type": "text/plain; charset=utf-8"], body: Array((sentence + "\n").utf8))
    }

    /// A rejection as a problem of HTTP (RFC 9457).
    static func problem(_ rejection: Rejection) -> HTTPAnswer {
        let status = rejection.detail == Rejection.changedSinceWord ? 412 : rejection.kind.httpStatus
        var json = problemJSON(status: status, rejection.message)
        for member in rejection.data.object?.members ?? [] { json[member.name] = member.value }
        json["code"] = .int(Int64(rejection.kind.rawValue))
        var answer = HTTPAnswer(
            status, ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
            body: json.bytes)
        if let seconds = rejection.retryAfter { answer.headers.append("Retry-After", String(seconds)) }
        if rejection.kind == .notSignedIn { answer.headers.append("WWW-Authenticate", "Bearer realm=\"kinwire\"") }
        return answer
    }

    /// A problem that HTTP itself raises.
    static func problem(_ status: Int, _ sentence: String, headers: HTTPHeaders = [:]) -> HTTPAnswer {
        var answer = HTTPAnswer(status, headers, body: problemJSON(status: status, sentence).bytes)
        answer.headers.append("Content-Type", "application/problem+json")
        return answer
    }

    private static func problemJSON(status: Int, _ sentence: String) -> JSON {
        [
            "type": "about:blank", "title": .string(HTTPResponseHead.reason(of: status)),
            "status": .int(Int64(status)), "detail": .string(sentence),
        ]
    }
}
