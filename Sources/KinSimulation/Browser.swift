import KinCodec
import KinLoop
import KinModel

/// Somebody with a browser: opens guest links as a stranger, or takes a history out as a file.
final class Browser {
    /// Who it is; `nil` for a stranger.
    private let reader: World.Person?
    private var token: Token?
    private var received: [UInt8] = []
    /// Files and pages that came whole.
    private(set) var wholeAnswers = 0

    init(_ reader: World.Person?) { self.reader = reader }

    var isBusy: Bool { token != nil }
    var isStranger: Bool { reader == nil }

    /// Asks for something, unless it waits for an answer.
    func get(_ path: String, _ world: World) {
        guard token == nil else { return }
        let token = world.network.clientConnects(from: .tcp(.loopbackV4, port: 42_000))
        self.token = token
        received = []
        var head = "GET \(path) HTTP/1.1\r\nHost: box.local\r\nConnection: close\r\n"
        if let reader { head += "Authorization: Bearer \(reader.token)\r\n" }
        world.network.clientSends(token, Array((head + "\r\n").utf8))
    }

    /// Takes what arrived; once all is there, looks at it.
    func step(_ world: World) throws(Finding) {
        guard let token else { return }
        while let bytes = world.network.clientReceives(token) {
            guard !bytes.isEmpty else { return }
            received += bytes
        }
        world.network.clientLeaves(token, isRude: false)
        self.token = nil
        var body: [UInt8] = []
        var parser = HTTPResponseParser()
        parser.bodyBytesMax = .max
        var rest = received[...]
        reading: while true {
            let (consumed, step) = parser.consume(rest)
            rest = rest.dropFirst(consumed)
            switch step {
            case .body(let bytes): body += bytes
            case .head: break
            case .end:
                wholeAnswers += 1
                break reading
            case .needsMore, .failed: break reading
            }
        }
        try world.check(body, to: reader?.id, "\(reader?.username ?? "a stranger") in a browser")
    }
}
