import KinLoop
import KinTLS

/// What OpenSSL alone takes for a server's idle session whose buffers are released: handshakes in memory, in a process
/// that does nothing else, with the daemon's own certificate.
enum BareTLS {
    /// What the process does: makes so many sessions, says that they are there, and waits until nobody asks any more.
    static func run(_ options: Options) throws(Trouble) {
        let folder = options.directory + "/authority/"
        func pem(_ name: String) throws(Trouble) -> [UInt8] {
            try attempt { try KinLoop.Files.read(folder + name) }
        }
        let (chain, key) = (try pem("leaf.crt") + pem("intermediate.crt"), try pem("leaf.key"))
        let server = try attempt { try TLSContext(serverChainPEM: chain, keyPEM: key) }
        let client = try attempt { try TLSContext(clientTrusting: .anyone) }
        var sessions: [TLSSession] = []
        say("ready")
        while let line = readLine() {
            for _ in 0..<(Int(line) ?? 0) { sessions.append(try session(server, client)) }
            say("\(sessions.count)")
        }
    }

    /// A server's session after its handshake, a message each way, and the end of the client's own.
    private static func session(_ server: TLSContext, _ client: TLSContext) throws(Trouble) -> TLSSession {
        let kept = try attempt { try TLSSession(server: server) }
        let other = try attempt { try TLSSession(client: client, host: "127.0.0.1") }
        var buffer = [UInt8](repeating: 0, count: 4096)
        func pass(_ from: TLSSession, _ to: TLSSession) {
            var bytes: [UInt8] = []
            from.takeOutput(into: &bytes)
            to.received(bytes)
            while case .bytes = buffer.withUnsafeMutableBytes({ to.read(into: $0) }) {}
        }
        while case .bytes = buffer.withUnsafeMutableBytes({ other.read(into: $0) }) {}
        while other.hasOutput || kept.hasOutput {
            pass(other, kept)
            pass(kept, other)
        }
        guard kept.isHandshakeComplete else { throw Trouble("The handshake in memory did not come about.") }
        for (from, to) in [(other, kept), (kept, other)] {
            guard case .bytes = buffer.withUnsafeBytes({ from.write(UnsafeRawBufferPointer(rebasing: $0[..<300])) })
            else { throw Trouble("TLS in memory is over.") }
            pass(from, to)
        }
        return kept
    }
}
