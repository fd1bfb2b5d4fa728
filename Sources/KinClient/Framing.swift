import KinCodec
import KinCrypto

/// Messages in and out of the bytes of one connection, in either envelope. Does no input or output.
public struct Framing: Sendable {
    /// The longest message a daemon may send, in bytes: far above a snapshot or a page of history.
    public static let messageBytesMax = 16 << 20

    /// What bytes brought.
    public struct Arrival: Sendable, Hashable {
        /// Whole messages, without their envelope.
        public var messages: [[UInt8]] = []
        /// To be sent back at once: answers to pings and to a close.
        public var answer: [UInt8] = []
        /// The daemon closed, by a WebSocket close frame.
        public var closing: Closing?
    }

    private enum State {
        case lines(LineSplitter)
        case handshake(HTTPResponseParser, key: String)
        case frames(WebSocketMachine)
    }

    private var state: State

    /// To be sent first.
    public let opening: [UInt8]

    /// Before the first byte of a connection to that address. `nonce`: 16 random bytes (RFC 6455 §4.1).
    public init(_ address: Address, nonce: [UInt8]) {
        switch address {
        case .unix, .tcp(_, _, _, .lines):
            opening = []
            state = .lines(LineSplitter(lineBytesMax: Self.messageBytesMax))
        case .tcp(_, _, _, .webSocket):
            let key = Base64.encode(nonce)
            var request: [UInt8] = []
            WebSocketHandshake.writeRequest(
                target: "/live", key: key, subprotocols: ["kinwire.v1"], headers: ["Host": address.authority],
                to: &request)
            opening = request
            state = .handshake(HTTPResponseParser(), key: key)
        }
    }

    /// Whether messages may be sent: at once with lines, after the handshake with WebSocket.
    public var isOpen: Bool { if case .handshake = state { false } else { true } }

    /// A message in its envelope. Only when ``isOpen``.
    ///
    /// - Parameter mask: 32 random bits that nobody could foresee (RFC 6455 §10.3).
    public func enveloped(_ message: [UInt8], mask: UInt32) -> [UInt8] {
        switch state {
        case .lines: return message + [UInt8(ascii: "\n")]
        case .frames:
            var out: [UInt8] = []
            WebSocketFrame.write(.text, message, mask: mask, to: &out)
            return out
        case .handshake: preconditionFailure("a message is sent after the handshake")
        }
    }

    /// Takes what was received.
    public mutating func received(_ bytes: [UInt8], mask: UInt32) throws(ClientFailure) -> Arrival {
        var arrival = Arrival()
        var rest = bytes[...]
        while try step(&rest, into: &arrival, mask: mask) {}
        return arrival
    }

    /// One step; false when everything was taken or nothing more will be.
    private mutating func step(
        _ rest: inout ArraySlice<UInt8>, into arrival: inout Arrival, mask: UInt32
    ) throws(ClientFailure) -> Bool {
        switch state {
        case .lines(var splitter):
            let (consumed, step) = splitter.consume(rest.span)
            state = .lines(splitter)
            rest = rest.dropFirst(consumed)
            switch step {
            case .needsMore: return false
            case .line(let line): arrival.messages.append(line)
            case .tooLong:
                throw .notUnderstood("The daemon sent a line of more than \(Self.messageBytesMax >> 20) MiB.")
            }
        case .handshake(var parser, let key):
            let (consumed, step) = parser.consume(rest.span)
            state = .handshake(parser, key: key)
            rest = rest.dropFirst(consumed)
            switch step {
            case .needsMore: return false
            case .head(let head):
                let accept = Base64.encode(Digest.sha1(Array((key + WebSocketHandshake.guid).utf8)))
                do throws(HTTPFailure) {
                    _ = try WebSocketHandshake.check(head, accept: accept, subprotocols: ["kinwire.v1"])
                } catch { throw .notUnderstood("No WebSocket there: \(error.sentence)") }
            case .body: break
            case .end: state = .frames(WebSocketMachine(role: .client, messageBytesMax: Self.messageBytesMax))
            case .failed(let failure): throw .notUnderstood("What answers there is no Kinwire: \(failure.sentence)")
            }
        case .frames(var machine):
            let (consumed, event) = machine.consume(rest.span)
            state = .frames(machine)
            rest = rest.dropFirst(consumed)
            switch event {
            case .needsMore: return false
            case .message(_, let message): arrival.messages.append(message)
            case .ping(let payload): WebSocketFrame.write(.pong, payload, mask: mask, to: &arrival.answer)
            case .pong: break
            case .close(let code, let reason):
                WebSocketFrame.writeClose(code: code, mask: mask, to: &arrival.answer)
                arrival.closing = code.map { Closing(code: Int($0), reason: reason) }
                return false
            case .failed(let code, let reason):
                throw .notUnderstood("The daemon's WebSocket broke the protocol (\(code)): \(reason)")
            }
        }
        return true
    }
}
