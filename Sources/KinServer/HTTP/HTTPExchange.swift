import KinCodec
import KinModel

/// One HTTP request and what its answer needs to know of it.
final class HTTPExchange {
    /// Where the request leads.
    enum Destination {
        /// A method of the registry by its route.
        case method(String, path: [String: String], status: Int)
        /// The stream of events, or a WebSocket.
        case live
        /// A server-rendered page.
        case page(Pages.Place)
        /// OwnTracks' HTTP mode.
        case ownTracks
        /// Answered from the head alone.
        case fixed(HTTPAnswer)
    }

    let head: HTTPRequestHead
    var destination: Destination
    var body: [UInt8] = []
    /// A page's own thread through several requests to the keeper.
    var continuation: Pages.Continuation?
    /// OwnTracks' passphrase, when the app encrypted its message.
    var boxKey: String?
    /// The phone said nothing and is told nothing, once its password is judged.
    var isEmptyForPhones = false
    /// Whether the connection may go on after the answer.
    var keepsAlive: Bool

    init(head: HTTPRequestHead, destination: Destination) {
        self.head = head
        self.destination = destination
        keepsAlive = head.keepAlive
    }

    var isHead: Bool { head.method == .head }
}

/// A whole HTTP response.
struct HTTPAnswer {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

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

    /// RFC 9457: the HTTP face of a rejection.
    static func problem(_ rejection: Rejection) -> HTTPAnswer {
        var json = problemJSON(status: rejection.kind.httpStatus, rejection.message)
        for member in rejection.data.object?.members ?? [] { json[member.name] = member.value }
        json["code"] = .int(Int64(rejection.kind.rawValue))
        var answer = HTTPAnswer(
            rejection.kind.httpStatus, ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
            body: json.bytes)
        if let seconds = rejection.retryAfter { answer.headers.append("Retry-After", String(seconds)) }
        if rejection.kind == .notSignedIn { answer.headers.append("WWW-Authenticate", "Bearer realm=\"kinwire\"") }
        return answer
    }

    /// The same for what HTTP itself refuses.
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
