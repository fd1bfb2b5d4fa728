import KinCodec
import KinKeeper
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
        /// Prometheus' page.
        case metrics
        /// A phone app's own way of posting.
        case phone(Gateway)
        /// Plain text from elsewhere: refused, once its body has told which secrets were shown.
        case plain
        /// Answered from the head alone.
        case fixed(HTTPAnswer)
    }

    let head: HTTPRequestHead
    var destination: Destination
    /// Whether it is a phone app's message: whatever its size, it is answered like a good one, for it would be sent for ever.
    var isFromPhone: Bool {
        if case .phone = destination { true } else { false }
    }
    /// Whether its content is of use. Else it is read to its end and dropped.
    var needsBody: Bool {
        switch destination {
        case .live, .metrics, .fixed: false
        case .method, .page, .phone, .plain: true
        }
    }
    private(set) var body: [UInt8] = []
    /// Counts the bodies of all connections.
    private let room: BodyRoom
    /// Bytes of that room which are this request's.
    private var heldBytes = 0
    /// A long body on its way to a file.
    var upload: Upload?
    /// What came as a file.
    var parcel: Parcel?
    /// A page's own thread through several requests to the keeper.
    var continuation: Pages.Continuation?
    /// What a phone's message turned out to be, while its password is judged.
    var phoneReading: PhoneReading?
    /// The body was longer than it may be, and only its beginning is here.
    var isTooLong = false
    /// What of its secrets was shown in plain text.
    var exposure = Exposure()
    /// The head of an answer in pieces is on its way.
    var isBegun = false
    /// Where the next piece of the answer goes on, once the client has taken those before.
    var further: Further?
    /// Whether the connection may go on after the answer.
    var keepsAlive: Bool

    /// What there is more of an answer in pieces.
    struct Further {
        /// What the next piece is asked for with.
        let after: String
        /// The request whose answer the pieces are so far: while it stands, nothing else of the connection is read.
        let sequence: UInt64
    }

    init(head: HTTPRequestHead, destination: Destination, room: BodyRoom) {
        self.room = room
        self.head = head
        self.destination = destination
        keepsAlive = head.keepAlive
    }

    deinit { room.bytes -= heldBytes }

    /// Takes a piece of the body; false when all bodies together are too much.
    func take(_ bytes: [UInt8]) -> Bool {
        guard needsBody else { return true }
        guard hold(bytes.count) else { return false }
        body += bytes
        return true
    }

    /// Counts bytes as held; false when all together would be too much.
    func hold(_ count: Int) -> Bool {
        guard room.bytes + count <= room.bytesMax else { return false }
        room.bytes += count
        heldBytes += count
        return true
    }

    /// Counts them no longer.
    func letGo(_ count: Int) {
        room.bytes -= count
        heldBytes -= count
    }

    /// The body, to be held elsewhere; it stays counted.
    func moveBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// What is left of a long body, which was counted when it began.
    func setOutline(_ bytes: [UInt8]) { body = bytes }

    /// The body was read by whoever needed it, or nobody will.
    func dropBody() {
        body = []
        letGo(heldBytes)
    }

    var isHead: Bool { head.method == .head }
}

/// How much of request bodies is held in memory, for all connections together. On the loop's thread.
final class BodyRoom {
    let bytesMax: Int
    var bytes = 0

    init(bytesMax: Int) { self.bytesMax = bytesMax }
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
