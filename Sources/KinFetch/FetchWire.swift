import KinLoop
import KinTLS

/// One connection to one judged address, enciphered or plain. Every wait ends at the deadline of the whole, or when
/// nothing has come for too long. Confined to its thread.
final class FetchWire {
    /// What a read brought.
    enum Arrival {
        /// So many bytes, at least one.
        case bytes([UInt8])
        /// Nothing more comes. Enciphered and without a goodbye, the end may be somebody else's doing.
        case end(isClean: Bool)
    }

    /// Whether the address that answered lies in the house.
    let isInside: Bool
    private let host: FetchURL.Host
    private let socket: ClientSocket
    private let tls: TLSSession?
    private let deadline: Deadline
    private let idleMilliseconds: Int
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    /// Connects to one of the addresses, the first that answers, and shakes hands where the URL wants it.
    init(
        to places: [AddressJudge.Permitted], for url: FetchURL, trust: Fetcher.Trust, idleMilliseconds: Int,
        until deadline: Deadline
    ) throws(FetchFailure) {
        host = url.origin.host
        self.deadline = deadline
        self.idleMilliseconds = idleMilliseconds
        let connected = try Self.connect(to: places, host, idleMilliseconds: idleMilliseconds, until: deadline)
        socket = connected
        isInside = places.contains { $0.isInside && $0.address == connected.peerAddress }
        guard url.origin.isEnciphered else {
            tls = nil
            return
        }
        do throws(TLSFailure) {
            // One for each connection: certificates that the system came to distrust count at once, and at rest there
            // is none in memory.
            let context =
                switch trust {
                case .system: try TLSContext(clientTrusting: .system)
                case .file(let path): try TLSContext(clientTrusting: .file(path))
                }
            let name =
                switch url.origin.host {
                case .name(let name): name
                case .address(let address): "\(address)"
                }
            tls = try TLSSession(client: context, host: name)
        } catch { throw .untrusted(error.sentence) }
        try shakeHands()
    }

    private static func connect(
        to places: [AddressJudge.Permitted], _ host: FetchURL.Host, idleMilliseconds: Int, until deadline: Deadline
    ) throws(FetchFailure) -> ClientSocket {
        precondition(!places.isEmpty, "a judge permits an address or refuses")
        var reason = ""
        for (index, place) in places.enumerated() {
            // Each address gets an equal share of what is left, so that a dead first one leaves time for the second.
            let share = (deadline.remainingMilliseconds ?? idleMilliseconds) / (places.count - index)
            do throws(LoopFailure) {
                return try ClientSocket.connect(place.address, timeoutMilliseconds: min(share, idleMilliseconds))
            } catch {
                switch error {
                case .system(_, let errno): reason = LoopFailure.reason(errno)
                case .timedOut: reason = "no answer in time"
                default: reason = error.sentence
                }
            }
        }
        guard !deadline.hasPassed else { throw tookTooLong(host) }
        throw .unreachable("\(host) cannot be reached: \(reason). Check the address and the internet connection.")
    }

    private static func tookTooLong(_ host: FetchURL.Host) -> FetchFailure {
        .timedOut("\(host) took longer than it may; try again later.")
    }

    private var slow: FetchFailure {
        deadline.hasPassed ? Self.tookTooLong(host) : .timedOut("\(host) fell silent; try again later.")
    }

    /// Waits for bytes.
    func read() throws(FetchFailure) -> Arrival {
        while true {
            if let tls {
                var plain: [UInt8] = []
                switch try decipher(tls, into: &plain) {
                case .closed: return plain.isEmpty ? .end(isClean: true) : .bytes(plain)
                case .open: if !plain.isEmpty { return .bytes(plain) }
                }
            }
            guard let arrived = try receive() else { return .end(isClean: tls == nil) }
            guard let tls else { return .bytes(arrived) }
            tls.received(arrived)
        }
    }

    /// What the socket has; `nil` at its end.
    private func receive() throws(FetchFailure) -> [UInt8]? {
        let outcome = unsafe buffer.withUnsafeMutableBytes { buffer in
            // A drip that comes often enough still ends with the whole.
            unsafe socket.read(
                into: buffer, timeoutMilliseconds: min(idleMilliseconds, deadline.remainingMilliseconds ?? .max))
        }
        // Bytes that are there already do not wait, so the time is looked at here.
        guard !deadline.hasPassed else { throw slow }
        switch outcome {
        case .bytes(let count): return Array(buffer[..<count])
        case .end: return nil
        case .wouldBlock: throw slow
        case .failed(let errno): throw broke(errno)
        }
    }

    /// Gives all bytes.
    func write(_ bytes: [UInt8]) throws(FetchFailure) {
        guard let tls else { return try send(bytes) }
        let outcome = unsafe bytes.withUnsafeBytes { unsafe tls.write($0) }
        switch outcome {
        case .bytes(let count): precondition(count == bytes.count, "a write to memory takes everything")
        case .needsMore: preconditionFailure("nothing is written before the handshake is over")
        case .closed: throw .unreachable("\(host) closed the connection; try again later.")
        case .failed(let sentence): throw .untrusted("The connection to \(host) failed. \(sentence)")
        }
        try flush(tls)
    }

    /// Says goodbye; the socket closes with this object. Nobody waits for it.
    func close() {
        guard let tls else { return }
        tls.close()
        var output: [UInt8] = []
        tls.takeOutput(into: &output)
        _ = unsafe output.withUnsafeBytes { unsafe socket.writeAvailable($0) }
    }

    // MARK: TLS

    private func shakeHands() throws(FetchFailure) {
        guard let tls else { return }
        while !tls.isHandshakeComplete {
            var none: [UInt8] = [0]
            let outcome = unsafe none.withUnsafeMutableBytes { unsafe tls.read(into: $0) }
            // An alert says to the other side what was wrong.
            if case .failed(let sentence) = outcome {
                try? flush(tls)
                throw .untrusted("\(host) is not trusted. \(sentence)")
            }
            try flush(tls)
            if tls.isHandshakeComplete { return }
            switch outcome {
            case .bytes: throw .notUnderstood("What answers at \(host) speaks before it is asked: it is no web server.")
            case .closed: throw .untrusted("\(host) closed during the TLS handshake; try again later.")
            case .needsMore, .failed: break
            }
            guard let arrived = try receive() else {
                throw .untrusted("\(host) ended the TLS handshake; it may speak plain http:// only.")
            }
            tls.received(arrived)
        }
    }

    private enum Deciphered {
        case open
        case closed
    }

    private func decipher(_ tls: TLSSession, into plain: inout [UInt8]) throws(FetchFailure) -> Deciphered {
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { unsafe tls.read(into: $0) }
            switch outcome {
            case .bytes(let count): plain += buffer[..<count]
            case .needsMore:
                try flush(tls)
                return .open
            case .closed: return .closed
            case .failed(let sentence):
                throw .untrusted("The connection to \(host) failed. \(sentence)")
            }
        }
    }

    private func flush(_ tls: TLSSession) throws(FetchFailure) {
        guard tls.hasOutput else { return }
        var output: [UInt8] = []
        tls.takeOutput(into: &output)
        try send(output)
    }

    private func send(_ bytes: [UInt8]) throws(FetchFailure) {
        do throws(LoopFailure) {
            try socket.write(bytes, timeoutMilliseconds: deadline.remainingMilliseconds)
        } catch {
            switch error {
            case .timedOut: throw slow
            case .system(_, let errno): throw broke(errno)
            default: throw .unreachable(error.sentence)
            }
        }
    }

    private func broke(_ errno: Int32) -> FetchFailure {
        .unreachable("The connection to \(host) broke: \(LoopFailure.reason(errno)). Try again later.")
    }
}
