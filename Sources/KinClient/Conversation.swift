import KinCodec
import KinCrypto
public import KinModel

/// Calls over one connection: one request at a time, notifications delivered meanwhile. Confined to its thread.
public final class Conversation {
    /// The connection, for whoever waits for it together with other things.
    public let wire: Wire
    private var framing: Framing
    private var lastID: Int64 = 0
    private var messages: [[UInt8]] = []
    private var closing: Closing?

    /// Called with each notification that arrives while an answer is awaited, in order.
    public var notified: ((_ method: String, _ params: JSON.Object) -> Void)?

    /// Connects, opens the envelope and signs in.
    ///
    /// - Parameter timeoutMilliseconds: For all of that together, at most thrice.
    public static func open(
        _ address: Address, trust: Trust = .system, credential: Credential = .none,
        timeoutMilliseconds: Int = 10_000
    ) throws(ClientFailure) -> Conversation {
        let wire = try Wire.open(address, trust: trust, timeoutMilliseconds: timeoutMilliseconds)
        let conversation = try Conversation(over: wire, timeoutMilliseconds: timeoutMilliseconds)
        if let signIn = credential.request {
            _ = try conversation.call(signIn.method, signIn.params, timeoutMilliseconds: timeoutMilliseconds)
        }
        return conversation
    }

    /// A conversation over a connection that stands.
    public init(over wire: Wire, timeoutMilliseconds: Int = 10_000) throws(ClientFailure) {
        self.wire = wire
        framing = Framing(wire.address, nonce: Randomness.bytes(16))
        try wire.write(framing.opening)
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        while !framing.isOpen { try receive(until: deadline) }
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Throws: ``ClientFailure/refused(_:)`` with the daemon's rejection, or what became of the connection.
    public func call(
        _ method: String, _ params: JSON = [:], timeoutMilliseconds: Int = 60_000
    ) throws(ClientFailure) -> JSON {
        lastID += 1
        let id = JSON.int(lastID)
        try send(RPC.request(id: id, method: method, params: params))
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        while true {
            while !messages.isEmpty {
                if let answer = try judge(messages.removeFirst(), id: id) { return answer }
            }
            // A daemon may close right after its answer: what has arrived is judged first.
            if let closing { throw .closed(closing) }
            try receive(until: deadline)
        }
    }

    /// Sends a message that was made elsewhere.
    public func send(_ message: [UInt8]) throws(ClientFailure) {
        try wire.write(framing.enveloped(message, mask: Self.mask))
    }

    /// Takes whole messages that have arrived, without waiting; those that a call left over come first.
    /// - Throws: ``ClientFailure/closed(_:)`` when the connection ended and every message was taken.
    public func take() throws(ClientFailure) -> [[UInt8]] {
        if messages.isEmpty {
            if let closing { throw .closed(closing) }
            try accept(wire.take())
        }
        defer { messages.removeAll(keepingCapacity: true) }
        return messages
    }

    private func judge(_ message: [UInt8], id: JSON) throws(ClientFailure) -> JSON? {
        guard let json = try? JSON.parse(message, depthMax: 64), let parsed = try? RPCMessage.parse(json) else {
            throw .notUnderstood("What answers at \(wire.address) does not speak JSON-RPC; check the address.")
        }
        switch parsed {
        case .result(id, let result): return result
        case .error(let asked, let error) where asked == id || asked.isNull: throw .refused(Rejection(error))
        case .notification("closing", let params): closing = Closing(params)
        case .notification(let method, let params): notified?(method, params)
        case .result, .error: break
        }
        return nil
    }

    private func receive(until deadline: Moment) throws(ClientFailure) {
        let arrival = try wire.read(timeoutMilliseconds: deadline.remainingMilliseconds)
        if case .nothing = arrival, deadline.hasPassed { throw .timedOut("\(wire.address)") }
        try accept(arrival)
    }

    private func accept(_ arrival: Wire.Arrival) throws(ClientFailure) {
        switch arrival {
        case .nothing: return
        case .end: throw .closed(closing)
        case .bytes(let bytes):
            let arrived = try framing.received(bytes, mask: Self.mask)
            messages += arrived.messages
            closing = arrived.closing ?? closing
            if !arrived.answer.isEmpty { try wire.write(arrived.answer) }
        }
    }

    private static var mask: UInt32 { UInt32(truncatingIfNeeded: Randomness.uint64()) }
}
