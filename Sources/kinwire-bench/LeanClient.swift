import KinClient
import KinCodec
import KinLoop
import KinModel

/// A client that does as little as possible, so that what is measured is the other side: messages are told apart and not
/// parsed.
final class LeanClient {
    private let socket: ClientSocket
    private let envelope: Address.Envelope
    private var input: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var lastID = 0

    init(port: UInt16, _ envelope: Address.Envelope) throws(Trouble) {
        self.envelope = envelope
        socket = try attempt {
            try ClientSocket.connect(SocketAddress(.loopbackV4, port: port), timeoutMilliseconds: 10_000)
        }
    }

    var descriptor: Int32 { socket.descriptor }

    /// The WebSocket handshake; nothing for lines.
    func open() throws(Trouble) {
        guard envelope == .webSocket else { return }
        let request = """
            GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Protocol: kinwire.v1\r\n\r\n
            """
        try write(Array(request.utf8))
        while true {
            try wait()
            try read()
            if let end = String(decoding: input, as: UTF8.self).firstRange(of: "\r\n\r\n") {
                guard input.starts(with: "HTTP/1.1 101".utf8) else { throw Trouble("There is no WebSocket.") }
                input.removeFirst(String(decoding: input, as: UTF8.self)[..<end.upperBound].utf8.count)
                return
            }
        }
    }

    /// A request in its envelope, ready to be sent any number of times.
    func request(_ method: String, _ params: JSON) -> [UInt8] {
        lastID += 1
        let message = RPC.request(id: .int(Int64(lastID)), method: method, params: params)
        switch envelope {
        case .lines: return message + [0x0A]
        case .webSocket:
            var frame: [UInt8] = []
            WebSocketFrame.write(.text, message, mask: 0x1234_5678, to: &frame)
            return frame
        }
    }

    /// Sends a request and waits for its answer; what else arrives is dropped.
    func ask(_ method: String, _ params: JSON) throws(Trouble) {
        try write(request(method, params))
        while true {
            try wait()
            for message in try messages() {
                if LeanClient.isEvent(message) { continue }
                let text = String(decoding: message, as: UTF8.self)
                if text.contains("\"error\":") { throw Trouble("\(method) was refused: \(text)") }
                if text.contains("\"id\":\(lastID)") { return }
            }
        }
    }

    /// Microseconds from a request to its answer, which is read and not parsed.
    func time(_ method: String, _ params: JSON) throws(Trouble) -> Double {
        let request = request(method, params)
        let start = Clock.microseconds
        try write(request)
        var answer: ArraySlice<UInt8>?
        while answer == nil {
            try wait()
            answer = try messages().first
        }
        let time = Clock.microseconds - start
        if answer?.prefix(64).firstRange(of: "\"error\"".utf8) != nil { throw Trouble("\(method) was refused.") }
        return time
    }

    func write(_ bytes: [UInt8]) throws(Trouble) {
        try attempt { try socket.write(bytes, timeoutMilliseconds: 30_000) }
    }

    /// Waits for bytes.
    func wait() throws(Trouble) {
        guard socket.wait(timeoutMilliseconds: 30_000) else { throw Trouble("The daemon says nothing any more.") }
    }

    /// Whether something arrives within so long.
    func isReadable(milliseconds: Int) -> Bool { socket.wait(timeoutMilliseconds: milliseconds) }

    /// Takes what has arrived, without waiting; answers how many bytes.
    @discardableResult
    func read() throws(Trouble) -> Int {
        let outcome = buffer.withUnsafeMutableBytes { socket.readAvailable(into: $0) }
        switch outcome {
        case .bytes(let count):
            input += buffer[..<count]
            return count
        case .wouldBlock: return 0
        case .end, .failed: throw Trouble("The daemon closed a connection.")
        }
    }

    /// Takes what has arrived and drops it: for a peer that sends plain bytes.
    func readBytes() throws(Trouble) -> Int {
        defer { input.removeAll(keepingCapacity: true) }
        return try read()
    }

    /// Takes what has arrived as text.
    func readText() throws(Trouble) -> String {
        defer { input.removeAll(keepingCapacity: true) }
        try read()
        return String(decoding: input, as: UTF8.self)
    }

    /// Whole messages that have arrived. Pings are answered, or the daemon would take its client for gone.
    func messages() throws(Trouble) -> [ArraySlice<UInt8>] {
        try read()
        var found: [ArraySlice<UInt8>] = []
        var start = 0
        while let (message, next) = split(from: start) {
            if envelope == .webSocket, input[start] & 0x0F == 0x9 {
                var pong: [UInt8] = []
                WebSocketFrame.write(.pong, Array(message), mask: 0x1234_5678, to: &pong)
                try write(pong)
            } else {
                found.append(message)
            }
            start = next
        }
        input.removeFirst(start)
        return found
    }

    private func split(from start: Int) -> (ArraySlice<UInt8>, next: Int)? {
        switch envelope {
        case .lines:
            guard let feed = input[start...].firstIndex(of: 0x0A) else { return nil }
            return (input[start..<feed], feed + 1)
        case .webSocket:
            guard input.count >= start + 2 else { return nil }
            var length = Int(input[start + 1])
            var header = 2
            if length >= 126 {
                let more = length == 126 ? 2 : 8
                guard input.count >= start + 2 + more else { return nil }
                length = input[(start + 2)..<(start + 2 + more)].reduce(0) { $0 << 8 | Int($1) }
                header += more
            }
            let end = start + header + length
            guard input.count >= end else { return nil }
            return (input[(start + header)..<end], end)
        }
    }

    private static let event = Array(#"{"jsonrpc":"2.0","method":"event""#.utf8)

    private static let typeKey = Array(#""type":""#.utf8)

    /// The type of an event: the text after the first `"type":"`, which stands right behind the cursor.
    static func type(of message: ArraySlice<UInt8>) -> String? {
        guard isEvent(message) else { return nil }
        var index = message.startIndex + event.count
        while index + typeKey.count < message.endIndex {
            if message[index] == typeKey[0], message[index..<(index + typeKey.count)].elementsEqual(typeKey) {
                let rest = message[(index + typeKey.count)...]
                return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            }
            index += 1
        }
        return nil
    }

    static func isEvent(_ message: ArraySlice<UInt8>) -> Bool { message.starts(with: event) }
}
