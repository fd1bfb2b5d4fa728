public import KinLoop

/// A network in memory: bytes arrive in pieces, late or never; readers are slow; connections break in both directions.
///
/// The server sees it as a `Network`, clients through the `client…` calls.
public final class SimulatedNetwork: Network {
    /// One of its connections. An object, so that its bytes are not copied when some of them move.
    private final class Socket {
        let token: Token
        let peer: Peer
        let listener: Int
        /// Sent by the client, not yet arrived.
        var travelling: [UInt8] = []
        /// Arrived at the server, not yet read.
        var arrived: [UInt8] = []
        /// Written by the server, not yet taken by the client.
        var outgoing: [UInt8] = []
        /// Bytes the server may have outstanding: the socket's send buffer.
        let room: Int
        var isAccepted = false
        var clientEnded = false
        var isReset = false
        var serverEnded = false
        var isClosed = false
        var wantsRead = true
        var wantsWrite = false
        /// The client takes nothing for now.
        var isStalled = false

        init(token: Token, peer: Peer, listener: Int, room: Int) {
            self.token = token
            self.peer = peer
            self.listener = listener
            self.room = room
        }
    }

    private var sockets: [UInt32: Socket] = [:]
    private var nextSlot: UInt32 = 0
    private var dice: Dice
    private var isAccepting = true
    /// How often bytes moved or a connection changed: as long as it grows, something happens.
    package private(set) var moves = 0
    /// What the server asked of the network, as the kernel would count its calls.
    package private(set) var calls = NetworkCalls()
    /// Neither reads nor writes are cut at random while this is set.
    package var isSmooth = false
    /// What the process is told from outside.
    private var signals: [Signal] = []

    /// A network of a seed.
    public init(seed: UInt64) { dice = Dice(seed: seed) }

    // MARK: The server's side

    /// What is ready now; never waits.
    public func wait(timeoutMilliseconds: Int?, into events: inout [NetworkEvent]) {
        for signal in signals { events.append(.signal(signal)) }
        signals = []
        for slot in sockets.keys.sorted() {
            guard let socket = sockets[slot], !socket.isClosed else { continue }
            if !socket.isAccepted {
                guard isAccepting else { continue }
                socket.isAccepted = true
                moves += 1
                events.append(.accepted(socket.token, socket.peer, listener: socket.listener))
                continue
            }
            let readable =
                socket.wantsRead && (!socket.arrived.isEmpty || socket.clientEnded && socket.travelling.isEmpty)
            let writable = socket.wantsWrite && socket.outgoing.count < socket.room
            if readable || writable || socket.isReset {
                events.append(.ready(socket.token, readable: readable, writable: writable, hangup: socket.isReset))
            }
        }
    }

    /// Reads what arrived, sometimes only a part of it.
    public func read(_ token: Token, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        calls.reads += 1
        guard let socket = sockets[token.slot], socket.token == token else { return .failed(errno: 9) }
        if socket.isReset { return .failed(errno: 104) }
        if socket.arrived.isEmpty { return socket.clientEnded && socket.travelling.isEmpty ? .end : .wouldBlock }
        var count = min(socket.arrived.count, buffer.count)
        if !isSmooth, dice.once(in: 4) { count = 1 + dice.below(count) }
        unsafe buffer.copyBytes(from: socket.arrived[..<count])
        socket.arrived.removeFirst(count)
        moves += 1
        return .bytes(count)
    }

    /// Takes as much as the client's slowness leaves room for.
    public func write(_ token: Token, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        calls.writes += 1
        guard let socket = sockets[token.slot], socket.token == token else { return .failed(errno: 9) }
        if socket.isReset { return .failed(errno: 104) }
        let room = socket.room - socket.outgoing.count
        guard room > 0 else { return .wouldBlock }
        var count = min(room, bytes.count)
        if !isSmooth, dice.once(in: 8) { count = 1 + dice.below(count) }
        calls.bytesWritten += count
        unsafe socket.outgoing.append(contentsOf: bytes[..<count])
        moves += 1
        return .bytes(count)
    }

    /// The server says nothing more.
    public func shutdownWriting(_ token: Token) {
        calls.shutdowns += 1
        change(token) { $0.serverEnded = true }
    }

    /// The server is done with it.
    public func close(_ token: Token) {
        calls.closes += 1
        change(token) {
            $0.isClosed = true
            $0.serverEnded = true
        }
    }

    /// What the server wants to hear of.
    public func setInterest(_ token: Token, readable: Bool, writable: Bool) {
        if let socket = sockets[token.slot], (socket.wantsRead, socket.wantsWrite) != (readable, writable) {
            calls.interests += 1
        }
        change(token) {
            $0.wantsRead = readable
            $0.wantsWrite = writable
        }
    }

    /// No new connections.
    public func stopAccepting() { isAccepting = false }
    /// New connections again.
    public func resumeAccepting() { isAccepting = true }

    private func change(_ token: Token, _ body: (Socket) -> Void) {
        guard let socket = sockets[token.slot], socket.token == token else { return }
        body(socket)
        moves += 1
    }

    // MARK: The clients' side

    /// A new connection. `room` is the server's send buffer in bytes; without it the dice say.
    package func clientConnects(from peer: Peer, room: Int? = nil, listener: Int = 0) -> Token {
        nextSlot += 1
        let token = Token(slot: nextSlot, generation: 1)
        let room = room ?? (dice.once(in: 3) ? 300 + dice.below(4000) : 1 << 20)
        sockets[nextSlot] = Socket(token: token, peer: peer, listener: listener, room: room)
        return token
    }

    /// The client sends; the bytes travel.
    package func clientSends(_ token: Token, _ bytes: [UInt8]) { change(token) { $0.travelling += bytes } }

    /// What the client takes now: `nil` when the connection is over and everything was taken.
    package func clientReceives(_ token: Token) -> [UInt8]? {
        guard let socket = sockets[token.slot] else { return nil }
        if socket.isReset { return nil }
        if socket.isStalled { return [] }
        if socket.outgoing.isEmpty { return socket.serverEnded ? nil : [] }
        let count = dice.once(in: 3) ? 1 + dice.below(socket.outgoing.count) : socket.outgoing.count
        let bytes = Array(socket.outgoing[..<count])
        socket.outgoing.removeFirst(count)
        moves += 1
        return bytes
    }

    /// The client goes away, politely or not.
    package func clientLeaves(_ token: Token, isRude: Bool) {
        change(token) {
            $0.clientEnded = true
            $0.isReset = isRude
            if $0.isClosed { $0.outgoing = [] }
        }
        if sockets[token.slot]?.isClosed ?? false { sockets[token.slot] = nil }
    }

    /// Whether the server is done with a connection, whatever of it the client has not taken.
    package func isOver(_ token: Token) -> Bool { sockets[token.slot].map { $0.isClosed || $0.isReset } ?? true }

    /// The process is told something.
    func tell(_ signal: Signal) { signals.append(signal) }

    /// The client stops taking anything, or goes on.
    package func stall(_ token: Token, _ isStalled: Bool) { change(token) { $0.isStalled = isStalled } }

    /// Bytes travel on: a random part of each connection's.
    package func travel(isWhole: Bool) {
        for slot in sockets.keys.sorted() {
            guard let socket = sockets[slot], !socket.travelling.isEmpty else { continue }
            let count = isWhole ? socket.travelling.count : dice.below(socket.travelling.count + 1)
            socket.arrived += socket.travelling[..<count]
            socket.travelling.removeFirst(count)
        }
    }

    /// The server's process is gone: every connection breaks.
    func serverDies() {
        for slot in sockets.keys { sockets[slot]?.isReset = true }
        isAccepting = true
    }
}
