/// Reads frames and puts messages together (RFC 6455 §5, §6), for either side.
///
/// Call ``consume(_:)`` with what was received, drop `consumed` bytes from the front, act on the event, and call again
/// until it says ``Event/needsMore``: then everything given was taken, the machine keeps what is unfinished.
///
/// Only one copy of it may be used further: within a compressed message the copies share zlib's state.
public struct WebSocketMachine: Sendable {
    /// Which side this is: a server's peer masks, a client's does not (§5.1).
    public enum Role: Sendable, Hashable {
        /// Reads masked frames.
        case server
        /// Reads unmasked frames.
        case client
    }

    /// What a message is.
    public enum Kind: Sendable, Hashable {
        /// UTF-8, and judged to be.
        case text
        /// Bytes.
        case binary
    }

    /// What the bytes brought.
    public enum Event: Sendable, Hashable {
        /// Everything was taken.
        case needsMore
        /// A whole message.
        case message(Kind, [UInt8])
        /// To be answered by a pong with the same bytes.
        case ping([UInt8])
        /// The answer to a ping, or unasked.
        case pong([UInt8])
        /// The peer closes; to be answered by the same code, unless this side closed first. Whatever follows is
        /// dropped.
        case close(code: UInt16?, reason: String)
        /// The peer broke the protocol or a limit: send a close frame with this code and close. Every later call says
        /// the same.
        case failed(code: UInt16, reason: String)
    }

    private enum State: Sendable {
        /// Within a header: its bytes so far are in `header`.
        case header
        /// Within a payload of which so many bytes are still to come.
        case payload(WebSocketHeader, left: Int)
        case closed
        case failed(code: UInt16, reason: String)
    }

    /// A message's bytes at most. May be changed at any time.
    public var messageBytesMax: Int

    private let role: Role
    /// Whether messages may be compressed (RFC 7692), each by itself.
    private let isDeflated: Bool
    private var state = State.header
    private var header: [UInt8] = []
    /// The kind of the message whose fragments are coming; `nil` between messages.
    private var kind: Kind?
    private var message: [UInt8] = []
    /// While the message that is coming is a compressed one.
    private var inflater: Inflater?
    /// How many bytes of it came before this frame, as compressed.
    private var compressedBytes = 0
    private var control: [UInt8] = []
    private var validator = UTF8Validator()

    /// Before the first byte after the handshake. A message longer than the bound fails with 1009, a compressed one as
    /// soon as its decompressed length exceeds it. `isDeflated`: permessage-deflate was agreed, without context
    /// takeover.
    public init(role: Role, messageBytesMax: Int, isDeflated: Bool = false) {
        self.role = role
        self.messageBytesMax = messageBytesMax
        self.isDeflated = isDeflated
    }

    /// True when nothing of a message or frame has come since the last whole one. Control frames within a message do
    /// not end it (RFC 6455 §5.4).
    public var isBetweenMessages: Bool {
        switch state {
        case .header: header.isEmpty && kind == nil
        case .payload: false
        case .closed, .failed: true
        }
    }

    /// The memory that the current message takes, for the tests.
    var messageCapacity: Int { message.capacity }

    /// Takes bytes from the front of the input.
    public mutating func consume(_ input: Span<UInt8>) -> (consumed: Int, event: Event) {
        var consumed = 0
        while true {
            switch state {
            case .failed(let code, let reason): return (consumed, .failed(code: code, reason: reason))
            case .closed: return (input.count, .needsMore)
            case .header:
                while header.count < WebSocketHeader.bytes(of: header) {
                    guard consumed < input.count else { return (consumed, .needsMore) }
                    header.append(input[consumed])
                    consumed += 1
                }
                begin(WebSocketHeader(header))
                header.removeAll(keepingCapacity: true)
            case .payload(let frame, let left):
                let count = min(left, input.count - consumed)
                if count > 0 {
                    take(input.extracting(consumed..<(consumed + count)), of: frame, at: frame.length - left)
                    consumed += count
                }
                if case .failed = state { continue }
                guard count == left else {
                    state = .payload(frame, left: left - count)
                    return (consumed, .needsMore)
                }
                state = .header
                if let event = end(frame) { return (consumed, event) }
            }
        }
    }

    /// A header is whole: judges it before any of the payload comes.
    private mutating func begin(_ frame: WebSocketHeader) {
        guard let opcode = frame.opcode else { return fail(1002, "A frame has an unknown opcode.") }
        // The first frame says it for the whole message; a control frame is never compressed (RFC 7692 §6).
        let isCompressed =
            isDeflated && frame.reserved == WebSocketFrame.compressed && (opcode == .text || opcode == .binary)
        guard frame.reserved == 0 || isCompressed else {
            return fail(1002, "A frame uses an extension that was not agreed.")
        }
        guard frame.isMinimal else { return fail(1002, "A frame's length is not written in its shortest form.") }
        guard (frame.mask != nil) == (role == .server) else {
            return fail(1002, role == .server ? "A client must mask its frames." : "A server must not mask its frames.")
        }
        if opcode.isControl {
            guard frame.fin else { return fail(1002, "A control frame came in fragments.") }
            guard frame.length <= 125 else { return fail(1002, "A control frame is longer than 125 bytes.") }
            control.removeAll(keepingCapacity: true)
        } else {
            switch opcode {
            case .continuation where kind == nil: return fail(1002, "A continuation came without a message.")
            case .text, .binary:
                guard kind == nil else { return fail(1002, "A message began within another.") }
                kind = opcode == .text ? .text : .binary
                validator = UTF8Validator()
                if isCompressed { (inflater, compressedBytes) = (Inflater(), 0) }
            default: break
            }
            guard frame.length <= room else { return failTooBig() }
            compressedBytes += inflater == nil ? 0 : frame.length
            // A header alone must not make us reserve what it announces. Not for fragments: many exact reservations
            // would copy the message each time.
            if message.isEmpty, frame.fin, inflater == nil { message.reserveCapacity(min(frame.length, 65536)) }
        }
        state = .payload(frame, left: frame.length)
    }

    /// The longest frame that the message may still have. A compressed message may have more bytes than its content,
    /// since it may consist of many empty blocks. It is bounded all the same, or a message would never have to end.
    private var room: Int {
        guard inflater != nil else { return messageBytesMax - message.count }
        return messageBytesMax < Int.max / 4 ? 2 * messageBytesMax + 1024 - compressedBytes : Int.max - compressedBytes
    }

    private mutating func failTooBig() { fail(1009, "A message may have at most \(messageBytesMax) bytes.") }

    /// Some of a payload, as far in as `offset`.
    private mutating func take(_ bytes: Span<UInt8>, of frame: WebSocketHeader, at offset: Int) {
        if frame.opcode?.isControl == true {
            let start = control.count
            control.append(bytes)
            if let mask = frame.mask { WebSocketMask.apply(mask, phase: offset & 3, to: &control, from: start) }
        } else {
            let start = message.count
            if let inflater {
                var piece = bytes.array
                if let mask = frame.mask { WebSocketMask.apply(mask, phase: offset & 3, to: &piece, from: 0) }
                judge(inflater.inflate(piece.span, into: &message, bytesMax: messageBytesMax))
            } else {
                message.append(bytes)
                if let mask = frame.mask { WebSocketMask.apply(mask, phase: offset & 3, to: &message, from: start) }
            }
            validate(from: start)
        }
    }

    private mutating func judge(_ outcome: Inflater.Outcome) {
        switch outcome {
        case .good: break
        case .tooBig: failTooBig()
        case .broken: fail(1007, "A compressed message is broken.")
        }
    }

    /// Judges the new part of a text.
    private mutating func validate(from start: Int) {
        guard kind == .text, start < message.count else { return }
        // A copy, because the span keeps the rest of the machine from being changed.
        var judge = validator
        let isGood = judge.consume(message.span.extracting(start...))
        validator = judge
        if !isGood { fail(1007, "A text message is not UTF-8.") }
    }

    /// A payload is whole.
    private mutating func end(_ frame: WebSocketHeader) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        case .close: return endClose()
        default:
            guard frame.fin, let kind else { return nil }
            if let inflater {
                let start = message.count
                self.inflater = nil
                judge(inflater.end(into: &message, bytesMax: messageBytesMax))
                validate(from: start)
                if case .failed = state { return nil }
            }
            if kind == .text, !validator.isComplete {
                fail(1007, "A text message is not UTF-8.")
                return nil
            }
            let whole = message
            message = []
            self.kind = nil
            return .message(kind, whole)
        }
    }

    private mutating func endClose() -> Event? {
        guard !control.isEmpty else {
            state = .closed
            return .close(code: nil, reason: "")
        }
        guard control.count >= 2 else {
            fail(1002, "A close frame has half a code.")
            return nil
        }
        let code = UInt16(control[0]) << 8 | UInt16(control[1])
        guard WebSocketFrame.isValidCloseCode(code) else {
            fail(1002, "A close frame has a code that must not be sent.")
            return nil
        }
        guard let reason = String(validating: control[2...], as: UTF8.self) else {
            fail(1007, "The reason of a close frame is not UTF-8.")
            return nil
        }
        state = .closed
        return .close(code: code, reason: reason)
    }

    private mutating func fail(_ code: UInt16, _ reason: String) {
        state = .failed(code: code, reason: reason)
        (message, control, inflater) = ([], [], nil)
    }
}
