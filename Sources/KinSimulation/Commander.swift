import KinCodec
import KinLoop
import KinModel

/// Someone who does things: sends commands with an `op` each over the line protocol, and sends them again until they
/// are answered, as a client on a bad connection must.
final class Commander {
    /// One command and its `op`.
    struct Command {
        let op: String
        let method: String
        let params: JSON
    }

    let username: String
    private let signIn: (method: String, params: JSON)?
    private let peer: Peer
    private var token: Token?
    private var lines = LineSplitter(lineBytesMax: 16 << 20)
    private var unanswered: [Int64: Command] = [:]
    private var nextID: Int64 = 1
    private var isFinished = false
    /// Commands to be sent again on the next connection.
    private var again: [Command] = []
    private var retryAt: UInt64 = 0
    /// Results of the last commands, for setting the stage.
    private(set) var results: [String: Result<JSON, Rejection>] = [:]

    init(username: String, token: String?, peer: Peer) {
        self.username = username
        self.peer = peer
        signIn = token.map { ("session.resume", ["token": .string($0)]) }
    }

    var isBusy: Bool { !unanswered.isEmpty || !again.isEmpty }

    /// Does something.
    func does(_ command: Command, _ world: World) {
        guard !isFinished else { return }
        connect(world)
        send(command, world)
    }

    private func connect(_ world: World) {
        guard token == nil else { return }
        let token = world.network.clientConnects(from: peer)
        self.token = token
        lines = LineSplitter(lineBytesMax: 16 << 20)
        if let signIn {
            world.network.clientSends(token, RPC.request(id: 0, method: signIn.method, params: signIn.params) + [0x0A])
        }
        let all = again
        again = []
        for command in all { send(command, world) }
    }

    private func send(_ command: Command, _ world: World) {
        guard let token else { return }
        var params = command.params
        if !command.op.isEmpty { params["op"] = .string(command.op) }
        unanswered[nextID] = command
        world.network.clientSends(token, RPC.request(id: .int(nextID), method: command.method, params: params) + [0x0A])
        nextID += 1
    }

    /// Takes what arrived.
    func step(_ world: World) throws(Finding) {
        if token == nil, !again.isEmpty, world.milliseconds >= retryAt { connect(world) }
        guard let token else { return }
        guard let bytes = world.network.clientReceives(token) else { return drop(world, isRude: false) }
        var rest = bytes[...]
        while self.token == token {
            let (consumed, step) = lines.consume(rest)
            rest = rest.dropFirst(consumed)
            guard case .line(let line) = step else { break }
            try take(line, world)
        }
    }

    private func take(_ line: [UInt8], _ world: World) throws(Finding) {
        if line.starts(with: "HTTP/1.1 503 ".utf8) {
            // One connection too many, or one while the daemon ends: told before it is known what it speaks.
            retryAt = world.milliseconds + 500
            return drop(world, isRude: false)
        }
        guard let json = try? JSON.parse(line), let message = try? RPCMessage.parse(json) else {
            let text = String(decoding: line, as: UTF8.self)
            throw Finding(
                checker: "protocol", what: "\(username) was answered with what nobody understands: \(text)")
        }
        if let reader = world.people.first(where: { $0.username == username }) {
            try world.check(line, to: reader.id, username)
        }
        switch message {
        case .result(let id, let result):
            guard let id = id.int, let command = unanswered.removeValue(forKey: id) else { return }
            if !command.op.isEmpty { world.oracle.acknowledge(command.op, by: username) }
            results[command.method] = .success(result)
            for area in world.areas { area.answered(command.method, result) }
        case .error(let id, let error):
            if id.int == 0 {
                // Signed out for good: removed or revoked.
                isFinished = true
                unanswered = [:]
                again = []
                return drop(world, isRude: false)
            }
            guard let id = id.int, let command = unanswered.removeValue(forKey: id) else { return }
            results[command.method] = .failure(
                Rejection(Rejection.Kind(rawValue: error.code) ?? .unavailable, error.message))
            if error.code == Rejection.Kind.unavailable.rawValue || error.code == Rejection.Kind.slowDown.rawValue {
                again.append(command)
                retryAt = world.milliseconds + 500
                drop(world, isRude: false)
            }
        case .notification: break
        }
    }

    /// The connection breaks; what was not answered is sent again.
    func drop(_ world: World, isRude: Bool) {
        guard let token else { return }
        world.network.clientLeaves(token, isRude: isRude)
        self.token = nil
        again += unanswered.sorted { $0.key < $1.key }.map(\.value)
        unanswered = [:]
    }
}
