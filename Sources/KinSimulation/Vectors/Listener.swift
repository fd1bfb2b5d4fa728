import KinCodec
import KinLoop
import KinModel

/// Somebody who follows by lines and writes down every message as it comes, without making anything of it.
final class Listener {
    private let token: String
    private let view: String
    private var connection: Token?
    private var lines = LineSplitter(lineBytesMax: 16 << 20)
    /// The last cursor received.
    private(set) var cursor: String?
    /// The view as it was answered.
    private var seen: String?
    /// What was received: `answer`, `reset`, `event` or `upto`.
    private(set) var steps: [JSON] = []

    init(token: String, view: String) {
        self.token = token
        self.view = view
    }

    /// Connects, and follows from where it was.
    func come(_ world: World) {
        let connection = world.network.clientConnects(from: .tcp(.loopbackV4, port: 42_000))
        self.connection = connection
        lines = LineSplitter(lineBytesMax: 16 << 20)
        let resume = RPC.request(id: 1, method: "session.resume", params: ["token": .string(token)])
        let follow = RPC.request(
            id: 2, method: "live.follow",
            params: ["since": cursor.map { .string($0) } ?? .null, "view": .string(seen ?? view)])
        world.network.clientSends(connection, resume + [0x0A] + follow + [0x0A])
    }

    /// Goes away, without a word.
    func leave(_ world: World) {
        if let connection { world.network.clientLeaves(connection, isRude: false) }
        connection = nil
    }

    /// Takes what has arrived.
    func take(_ world: World) throws(Finding) {
        guard let connection else { return }
        guard let bytes = world.network.clientReceives(connection) else {
            throw Finding(checker: "story", what: "the one who writes it down was sent away")
        }
        var rest = bytes[...]
        while true {
            let (consumed, step) = lines.consume(rest)
            rest = rest.dropFirst(consumed)
            guard case .line(let line) = step else { return }
            try take(line)
        }
    }

    private func take(_ line: [UInt8]) throws(Finding) {
        guard let json = try? JSON.parse(line), json["error"] == nil else {
            throw Finding(
                checker: "story", what: "the one who writes it down was told \(String(decoding: line, as: UTF8.self))")
        }
        let said: (name: String, value: JSON)
        if let method = json["method"]?.string, let params = json["params"] {
            said = (method, params)
        } else if json["id"] == 2, let result = json["result"] {
            said = ("answer", result)
            seen = result["view"]?.string
        } else {
            return
        }
        if let cursor = said.value["cursor"]?.string { self.cursor = cursor }
        if let view = said.value["view"]?.string { seen = view }
        steps.append(.object([said.name: said.value]))
    }
}
