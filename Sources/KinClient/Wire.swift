import KinLoop
import KinTLS

/// One connection's bytes, enciphered or plain, with deadlines. Confined to its thread.
public final class Wire {
    // Fixed at birth.
    /// Where it leads.
    public let address: Address
    private let socket: ClientSocket
    private let tls: TLSSession?

    // Reused from read to read.
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// What a look at the connection brought.
    public enum Arrival: Sendable, Hashable {
        /// At least one byte.
        case bytes([UInt8])
        /// Nothing yet.
        case nothing
        /// The other side has said its last word.
        case end
    }

    /// Connects, and shakes hands where the address asks for TLS.
    public static func open(
        _ address: Address, trust: Trust = .system, timeoutMilliseconds: Int = 10_000
    ) throws(ClientFailure) -> Wire {
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        let socket: ClientSocket
        do throws(LoopFailure) {
            switch address {
            case .unix(let path): socket = try .connect(unixPath: path, timeoutMilliseconds: timeoutMilliseconds)
            case .tcp(let host, let port, _, _):
                socket = try .connect(host: host, port: port, timeoutMilliseconds: timeoutMilliseconds)
            }
        } catch {
            let reason =
                switch error {
                case .system(_, let errno): "\(LoopFailure.reason(errno)); check that kinwired runs there."
                default: error.sentence
                }
            throw .unreachable("The daemon at \(address) cannot be reached: \(reason)")
        }
        guard case .tcp(let host, _, isTLS: true, _) = address else {
            return Wire(address, socket: socket, tls: nil)
        }
        let session: TLSSession
        let context = try trust.context
        do throws(TLSFailure) { session = try TLSSession(client: context, host: host) } catch {
            throw .untrusted(error.sentence)
        }
        let wire = Wire(address, socket: socket, tls: session)
        try wire.shakeHands(until: deadline)
        return wire
    }

    private init(_ address: Address, socket: ClientSocket, tls: TLSSession?) {
        self.address = address
        self.socket = socket
        self.tls = tls
    }

    /// To be waited for; stays this object's. Look with ``take()`` before each wait.
    public var descriptor: Int32 { socket.descriptor }

    /// Takes what has arrived, without waiting.
    public func take() throws(ClientFailure) -> Arrival {
        let outcome = unsafe buffer.withUnsafeMutableBytes { unsafe socket.readAvailable(into: $0) }
        switch outcome {
        case .wouldBlock: return .nothing
        case .end: return .end
        case .failed(let errno):
            throw .unreachable("The connection to \(address) broke: \(LoopFailure.reason(errno)).")
        case .bytes(let count):
            guard let tls else { return .bytes(Array(buffer[..<count])) }
            tls.received(Array(buffer[..<count]))
            return try decipher(tls)
        }
    }

    /// Waits for bytes; `nothing` when the time is over first, `nil` waits without end.
    public func read(timeoutMilliseconds: Int?) throws(ClientFailure) -> Arrival {
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        while true {
            let arrival = try take()
            guard case .nothing = arrival else { return arrival }
            guard socket.wait(timeoutMilliseconds: deadline.remainingMilliseconds) else {
                if deadline.hasPassed { return .nothing }
                continue
            }
        }
    }

    /// Gives all bytes, waiting as long as it takes, at most the time given.
    public func write(_ bytes: [UInt8], timeoutMilliseconds: Int = 30_000) throws(ClientFailure) {
        guard !bytes.isEmpty else { return }
        guard let tls else { return try send(bytes, timeoutMilliseconds: timeoutMilliseconds) }
        let outcome = unsafe bytes.withUnsafeBytes { unsafe tls.write($0) }
        switch outcome {
        case .bytes(let count): precondition(count == bytes.count, "a write to memory takes everything")
        case .needsMore: preconditionFailure("nothing is written before the handshake is over")
        case .closed: throw .closed(nil)
        case .failed(let sentence): throw .untrusted("The connection to \(address) failed: \(sentence)")
        }
        try flush(tls, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Says goodbye where TLS has a word for it; the socket closes with this object.
    public func close() {
        if let tls {
            tls.close()
            try? flush(tls, timeoutMilliseconds: 200)
        }
        socket.shutdownWriting()
    }

    private func shakeHands(until deadline: Moment) throws(ClientFailure) {
        guard let tls else { return }
        while true {
            switch try step(tls) {
            case .done: return try flush(tls, timeoutMilliseconds: deadline.remainingMilliseconds ?? 0)
            case .waits: break
            }
            try flush(tls, timeoutMilliseconds: deadline.remainingMilliseconds ?? 0)
            let outcome = unsafe buffer.withUnsafeMutableBytes {
                unsafe socket.read(into: $0, timeoutMilliseconds: deadline.remainingMilliseconds)
            }
            switch outcome {
            case .bytes(let count): tls.received(Array(buffer[..<count]))
            case .wouldBlock: throw .timedOut("\(address)")
            case .end: throw .untrusted("\(address) ended the TLS handshake; it may speak plain text only (http://).")
            case .failed(let errno):
                throw .unreachable("The connection to \(address) broke: \(LoopFailure.reason(errno)).")
            }
        }
    }

    private enum Handshake {
        case done
        case waits
    }

    /// Reading drives the handshake; a server of this protocol says nothing before it is asked, so no plaintext is lost.
    private func step(_ tls: TLSSession) throws(ClientFailure) -> Handshake {
        if tls.isHandshakeComplete { return .done }
        var none: [UInt8] = [0]
        let outcome = unsafe none.withUnsafeMutableBytes { unsafe tls.read(into: $0) }
        switch outcome {
        case .needsMore: return tls.isHandshakeComplete ? .done : .waits
        case .bytes: throw .notUnderstood("What answers at \(address) speaks before it is asked: it is no Kinwire.")
        case .closed: throw .untrusted("\(address) closed during the TLS handshake; try again.")
        case .failed(let sentence):
            // The alert tells the server's log what was wrong.
            try? flush(tls, timeoutMilliseconds: 200)
            throw .untrusted("\(address) is not trusted: \(sentence)")
        }
    }

    private func decipher(_ tls: TLSSession) throws(ClientFailure) -> Arrival {
        var plain: [UInt8] = []
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { unsafe tls.read(into: $0) }
            switch outcome {
            case .bytes(let count): plain += buffer[..<count]
            case .needsMore:
                try flush(tls, timeoutMilliseconds: 5000)
                return plain.isEmpty ? .nothing : .bytes(plain)
            case .closed: return plain.isEmpty ? .end : .bytes(plain)
            case .failed(let sentence):
                guard plain.isEmpty else { return .bytes(plain) }
                throw .untrusted("The connection to \(address) failed: \(sentence)")
            }
        }
    }

    private func flush(_ tls: TLSSession, timeoutMilliseconds: Int) throws(ClientFailure) {
        guard tls.hasOutput else { return }
        var output: [UInt8] = []
        tls.takeOutput(into: &output)
        try send(output, timeoutMilliseconds: timeoutMilliseconds)
    }

    private func send(_ bytes: [UInt8], timeoutMilliseconds: Int) throws(ClientFailure) {
        do throws(LoopFailure) { try socket.write(bytes, timeoutMilliseconds: timeoutMilliseconds) } catch {
            if case .timedOut = error { throw .timedOut("\(address)") }
            throw .unreachable("The connection to \(address) broke: \(error.sentence)")
        }
    }
}
