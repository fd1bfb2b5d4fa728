import KinLoop

/// Many followers that count what arrives and do nothing else, over one epoll: with ten thousand of them the other side
/// is to be measured, not this one.
final class Flock {
    /// One connection, and what of a frame is still to come.
    private struct Follower {
        let socket: ClientSocket
        /// Bytes of a frame that was counted already.
        var rest = 0
        /// The beginning of a frame of which too little has arrived to tell what it is.
        var begun: [UInt8] = []
    }

    /// Deliveries since the beginning: WebSocket frames that carry an event.
    private(set) var delivered = 0
    /// Answers since the beginning.
    private(set) var answered = 0
    private var followers: [Follower] = []
    private let readable: ReadableSet
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init() throws(Trouble) { readable = try attempt { try ReadableSet() } }

    deinit { buffer.deallocate() }

    var count: Int { followers.count }

    /// Connections to a peer that wants to hear nothing.
    func join(port: UInt16, _ count: Int) throws(Trouble) {
        for _ in 0..<count { try add(try Self.connect(port)) }
    }

    /// Connections to a daemon: WebSockets that are signed in, and agree to compression if asked.
    func join(_ house: House, token: String, _ count: Int, compressing: Bool = false) throws(Trouble) {
        let request = Array(Self.upgrade(token, compressing: compressing).utf8)
        for _ in 0..<count {
            let socket = try Self.connect(house.port)
            try attempt { try socket.write(request, timeoutMilliseconds: 30_000) }
            try Self.takeHead(socket)
            try add(socket)
        }
    }

    /// Sends the same to all.
    func sayAll(_ bytes: [UInt8]) throws(Trouble) {
        for follower in followers { try attempt { try follower.socket.write(bytes, timeoutMilliseconds: 30_000) } }
    }

    /// Sends to one of so many, and next time to the next ones: as a crowd does in which each keeps time for itself.
    func say(_ bytes: [UInt8], turn: Int, of turns: Int) throws(Trouble) {
        for index in stride(from: turn % turns, to: count, by: turns) {
            try attempt { try followers[index].socket.write(bytes, timeoutMilliseconds: 30_000) }
        }
    }

    /// Takes what arrives until so many deliveries were counted.
    func wait(for total: Int) throws(Trouble) { while delivered < total { try pump() } }

    /// Asks the same of all while nothing is announced, and takes what arrives until each was answered. So many at a time:
    /// the daemon refuses what is far too much at once.
    func askAll(_ bytes: [UInt8], atOnce: Int = 1_000) throws(Trouble) {
        // An answer that is long may come compressed.
        var due = answered + delivered
        for start in stride(from: 0, to: count, by: atOnce) {
            let some = followers[start..<min(start + atOnce, count)]
            for follower in some { try attempt { try follower.socket.write(bytes, timeoutMilliseconds: 30_000) } }
            due += some.count
            while answered + delivered < due { try pump() }
        }
    }

    /// Takes what arrives until nothing has for so long.
    func waitForQuiet(milliseconds: Int = 500) throws(Trouble) { while try take(waiting: milliseconds) {} }

    /// Takes what has arrived, waiting for something.
    func pump() throws(Trouble) {
        guard try take(waiting: 30_000) else { throw Trouble("Nothing arrives any more: \(delivered) deliveries.") }
    }

    private func take(waiting milliseconds: Int) throws(Trouble) -> Bool {
        let found = readable.wait(timeoutMilliseconds: milliseconds)
        for index in found { try read(index) }
        return !found.isEmpty
    }

    private func read(_ index: Int) throws(Trouble) {
        switch followers[index].socket.readAvailable(into: buffer) {
        case .wouldBlock: return
        case .end, .failed: throw Trouble("The other side closed a connection.")
        case .bytes(let count): follow(&followers[index], UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// All but so many go.
    func leave(down count: Int) { followers.removeLast(max(0, followers.count - count)) }

    // MARK: Frames

    private static let answer = Array(#"{"jsonrpc":"2.0","id""#.utf8)
    static let event = Array(#"{"jsonrpc":"2.0","method":"event""#.utf8)

    private func follow(_ follower: inout Follower, _ arrived: UnsafeRawBufferPointer) {
        if !follower.begun.isEmpty {
            let whole = follower.begun + arrived
            follower.begun = []
            return whole.withUnsafeBytes { split(&follower, $0) }
        }
        split(&follower, arrived)
    }

    private func split(_ follower: inout Follower, _ bytes: UnsafeRawBufferPointer) {
        var index = min(follower.rest, bytes.count)
        follower.rest -= index
        while index < bytes.count {
            let left = bytes.count - index
            guard left >= 2 else { break }
            let short = Int(bytes[index + 1] & 0x7F)
            let header = short < 126 ? 2 : short == 126 ? 4 : 10
            guard left >= header else { break }
            var length = short
            if short >= 126 { length = bytes[(index + 2)..<(index + header)].reduce(0) { $0 << 8 | Int($1) } }
            let needed = header + min(length, Self.event.count)
            guard left >= needed else { break }
            // A compressed message is an event, or an answer while nothing is announced.
            let isCompressed = bytes[index] & 0x40 != 0
            if length >= Self.event.count, bytes[(index + header)..<(index + needed)].elementsEqual(Self.event) {
                delivered += 1
            } else if isCompressed {
                delivered += 1
            } else if length >= Self.answer.count,
                bytes[(index + header)..<(index + header + Self.answer.count)].elementsEqual(Self.answer)
            {
                answered += 1
            }
            follower.rest = max(0, header + length - left)
            index += header + length
        }
        if index < bytes.count { follower.begun = Array(bytes[index...]) }
    }

    // MARK: Joining

    private func add(_ socket: ClientSocket) throws(Trouble) {
        let number = followers.count
        try attempt { try readable.add(socket.descriptor, number: number) }
        followers.append(Follower(socket: socket))
    }

    static func connect(_ port: UInt16) throws(Trouble) -> ClientSocket {
        try attempt { try ClientSocket.connect(SocketAddress(.loopbackV4, port: port), timeoutMilliseconds: 30_000) }
    }

    static func upgrade(_ token: String, compressing: Bool) -> String {
        let extensions = compressing ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
        return """
            GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\
            \(extensions)Sec-WebSocket-Protocol: kinwire.v1\r\nAuthorization: Bearer \(token)\r\n\r\n
            """
    }

    /// Byte by byte, for what follows the head is counted.
    private static func takeHead(_ socket: ClientSocket) throws(Trouble) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            head += try attempt { try socket.read(max: 1, timeoutMilliseconds: 30_000) }
            guard head.count < 4096, head.count > 0 else { break }
        }
        guard head.starts(with: "HTTP/1.1 101".utf8) else { throw Trouble("There is no WebSocket.") }
    }
}
