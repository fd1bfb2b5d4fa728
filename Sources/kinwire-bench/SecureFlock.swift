import KinLoop
import KinTLS

/// Followers over TLS that read what arrives and drop it.
final class SecureFlock {
    private final class Follower {
        let socket: ClientSocket
        let tls: TLSSession

        init(_ socket: ClientSocket, _ tls: TLSSession) {
            self.socket = socket
            self.tls = tls
        }
    }

    private let context: TLSContext
    private let readable: ReadableSet
    private var followers: [Follower] = []
    private let wire = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init() throws(Trouble) {
        context = try attempt { try TLSContext(clientTrusting: .anyone) }
        readable = try attempt { try ReadableSet() }
    }

    deinit {
        wire.deallocate()
        plain.deallocate()
    }

    var count: Int { followers.count }

    /// WebSockets that are signed in.
    func join(_ house: House, token: String, _ count: Int, compressing: Bool = true) throws(Trouble) {
        try join(house, asking: Array(Flock.upgrade(token, compressing: compressing).utf8), "HTTP/1.1 101", count)
    }

    /// Connections that ask for something, and stay once an answer has begun so.
    func join(_ house: House, asking request: [UInt8], _ begun: String, _ count: Int) throws(Trouble) {
        for _ in 0..<count {
            let socket = try Flock.connect(house.port)
            let follower = Follower(socket, try attempt { try TLSSession(client: context, host: "127.0.0.1") })
            var answer = try take(follower)
            while !follower.tls.isHandshakeComplete { answer += try waitAndTake(follower) }
            try say(request, follower)
            while answer.firstRange(of: "\r\n\r\n".utf8) == nil { answer += try waitAndTake(follower) }
            guard answer.starts(with: begun.utf8) else { throw Trouble("Over TLS nobody answered \(begun).") }
            try attempt { try readable.add(socket.descriptor, number: followers.count) }
            followers.append(follower)
        }
    }

    /// Sends the same to all.
    func sayAll(_ bytes: [UInt8]) throws(Trouble) { for follower in followers { try say(bytes, follower) } }

    /// Sends to one of so many, and next time to the next ones.
    func say(_ bytes: [UInt8], turn: Int, of turns: Int) throws(Trouble) {
        for index in stride(from: turn % turns, to: count, by: turns) { try say(bytes, followers[index]) }
    }

    /// Takes what arrives until nothing has for so long.
    func waitForQuiet(milliseconds: Int = 500) throws(Trouble) {
        while case let found = readable.wait(timeoutMilliseconds: milliseconds), !found.isEmpty {
            for index in found { _ = try receive(followers[index]) }
        }
    }

    // MARK: One of them

    private func say(_ bytes: [UInt8], _ follower: Follower) throws(Trouble) {
        guard case .bytes = bytes.withUnsafeBytes({ follower.tls.write($0) }) else { throw Trouble("TLS is over.") }
        try send(follower)
    }

    private func send(_ follower: Follower) throws(Trouble) {
        guard follower.tls.hasOutput else { return }
        var output: [UInt8] = []
        follower.tls.takeOutput(into: &output)
        try attempt { try follower.socket.write(output, timeoutMilliseconds: 30_000) }
    }

    private func waitAndTake(_ follower: Follower) throws(Trouble) -> [UInt8] {
        guard follower.socket.wait(timeoutMilliseconds: 30_000) else { throw Trouble("TLS does not come about.") }
        return try receive(follower)
    }

    private func receive(_ follower: Follower) throws(Trouble) -> [UInt8] {
        switch follower.socket.readAvailable(into: wire) {
        case .wouldBlock: return []
        case .end, .failed: throw Trouble("The other side closed a connection.")
        case .bytes(let count): follower.tls.received(UnsafeRawBufferPointer(rebasing: wire[..<count]))
        }
        return try take(follower)
    }

    /// What is readable; the handshake goes on with it.
    private func take(_ follower: Follower) throws(Trouble) -> [UInt8] {
        var found: [UInt8] = []
        while case .bytes(let count) = follower.tls.read(into: plain) { found += plain[..<count] }
        try send(follower)
        return found
    }
}
