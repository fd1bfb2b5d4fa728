import KinTLS

/// Two sessions with their wires crossed; bytes travel in pieces.
struct Conversation {
    let client: TLSSession
    let server: TLSSession
    /// Bytes a piece.
    var piece = Int.max
    var atClient: [UInt8] = []
    var atServer: [UInt8] = []
    var clientEnd: TLSSession.Outcome?
    var serverEnd: TLSSession.Outcome?

    init(_ client: TLSSession, _ server: TLSSession, piece: Int = .max) {
        self.client = client
        self.server = server
        self.piece = piece
    }

    /// Carries bytes to and fro until nobody has any.
    mutating func settle() {
        Self.drain(client, &atClient, &clientEnd)
        Self.drain(server, &atServer, &serverEnd)
        while client.hasOutput || server.hasOutput {
            carry(from: client, to: server) { conversation in
                Self.drain(conversation.server, &conversation.atServer, &conversation.serverEnd)
            }
            carry(from: server, to: client) { conversation in
                Self.drain(conversation.client, &conversation.atClient, &conversation.clientEnd)
            }
        }
    }

    private mutating func carry(
        from sender: TLSSession, to receiver: TLSSession, _ read: (inout Conversation) -> Void
    ) {
        var bytes: [UInt8] = []
        sender.takeOutput(into: &bytes)
        while !bytes.isEmpty {
            receiver.received(Array(bytes.prefix(piece)))
            bytes.removeFirst(min(piece, bytes.count))
            read(&self)
        }
    }

    static func drain(_ session: TLSSession, _ plain: inout [UInt8], _ end: inout TLSSession.Outcome?) {
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
            let outcome = buffer.withUnsafeMutableBytes { session.read(into: $0) }
            switch outcome {
            case .bytes(let count): plain += buffer.prefix(count)
            case .needsMore: return
            case .closed, .failed:
                end = outcome
                return
            }
        }
    }
}

extension TLSSession {
    func write(_ text: String) -> Outcome { write(Array(text.utf8)) }
    func write(_ bytes: [UInt8]) -> Outcome { bytes.withUnsafeBytes { write($0) } }
}

extension LocalAuthority {
    /// 2026-11-21.
    static let testTime: Int64 = 1_795_219_200_000

    static func test(
        _ folder: TemporaryFolder, names: [String] = ["kin.example", "kin.local"],
        addresses: [String] = ["192.168.1.7"],
        now: Int64 = testTime
    ) throws -> LocalAuthority {
        try open(directory: folder.path, names: names, addresses: addresses, now: now)
    }

    var context: TLSContext { get throws { try TLSContext(serverChainPEM: chainPEM, keyPEM: keyPEM) } }

    var pin: [UInt8] {
        stride(from: 0, to: 64, by: 2).map { index in
            let start = rootSHA256.index(rootSHA256.startIndex, offsetBy: index)
            return UInt8(rootSHA256[start..<rootSHA256.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }
}
