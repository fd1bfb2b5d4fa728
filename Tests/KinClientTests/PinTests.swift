import Glibc
import KinClient
import KinLoop
import KinModel
import KinTLS
import Testing

@Suite struct PinTests {
    /// A family's daemon with its own authority, which answers one call over lines inside TLS.
    private func withDaemon(
        connections: Int, _ body: (UInt16, LocalAuthority) throws -> Void
    ) throws {
        var template = Array("/tmp/kin-pin-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            for file in ["root.crt", "intermediate.crt", "intermediate.key", "leaf.crt", "leaf.key"] {
                unlink("\(folder)/ca/\(file)")
            }
            rmdir("\(folder)/ca")
            rmdir(folder)
        }
        let authority = try LocalAuthority.open(
            directory: folder + "/ca", names: ["kin.local"], addresses: ["127.0.0.1"],
            now: SystemTime().wallMilliseconds())
        let context = try TLSContext(serverChainPEM: authority.chainPEM, keyPEM: authority.keyPEM)
        let server = try ScriptedServer(
            isUnix: false, (0..<connections).map { _ in { peer in serve(peer, context, authority.rootPEM) } })
        try body(server.port, authority)
        server.stop()
    }

    @Test func `a pinned root is trusted whatever the host's name, and another root is not`() throws {
        try withDaemon(connections: 2) { port, authority in
            let address = try Address("https://127.0.0.1:\(port)")
            let pin = try #require(Fingerprint(authority.rootSHA256))
            do {
                let conversation = try Conversation.open(address, trust: .pinned(pin))
                #expect(try conversation.call("x") == ["echo": "x"])
                conversation.wire.close()
            }
            let other = try #require(Fingerprint(bytes: [UInt8](repeating: 7, count: 32)))
            #expect {
                try Conversation.open(address, trust: .pinned(other))
            } throws: { error in
                if case .untrusted = error as? ClientFailure { true } else { false }
            }
        }
    }

    @Test func `the root is fetched without trust, and its fingerprint is the authority's`() throws {
        try withDaemon(connections: 1) { port, authority in
            let fetched = try PinnedAuthority.fetch(from: try Address("https://127.0.0.1:\(port)"))
            #expect(fetched?.fingerprint.hex == authority.rootSHA256)
            #expect(fetched?.fingerprint.description == authority.fingerprint)
            #expect(fetched?.certificate == authority.rootDER)
            let until = try #require(fetched).goodUntil
            #expect(until > Instant(milliseconds: SystemTime().wallMilliseconds()))
        }
    }

    @Test func `this machine's certificates do not vouch for a family's own authority`() throws {
        try withDaemon(connections: 1) { port, _ in
            #expect {
                try Conversation.open(try Address("https://127.0.0.1:\(port)"), trust: .system)
            } throws: { error in
                if case .untrusted = error as? ClientFailure { true } else { false }
            }
        }
    }

    @Test func `what is no certificate is none`() {
        #expect(PinnedAuthority([]) == nil)
        #expect(PinnedAuthority(Array("<html>".utf8)) == nil)
        #expect(PinnedAuthority(Array("-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n".utf8)) == nil)
    }
}

/// Answers a line with its method, and `GET /ca.crt` with the root, until the client leaves.
private func serve(_ peer: ScriptedServer.Peer, _ context: TLSContext, _ root: [UInt8]) {
    guard let session = try? TLSSession(server: context) else { return }
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    func flush() {
        var out: [UInt8] = []
        session.takeOutput(into: &out)
        if !out.isEmpty { peer.send(out) }
    }
    while true {
        let bytes = peer.read()
        guard !bytes.isEmpty else { return }
        session.received(bytes)
        reading: while true {
            switch buffer.withUnsafeMutableBytes({ session.read(into: $0) }) {
            case .bytes(let count): heard += buffer[..<count]
            case .needsMore: break reading
            case .closed, .failed: return flush()
            }
        }
        flush()
        var answer: [UInt8] = []
        if heard.starts(with: Array("GET /ca.crt ".utf8)) {
            answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(root.count)\r\n\r\n".utf8) + root
        } else if heard.contains(0x0A) {
            answer = Array(#"{"jsonrpc":"2.0","id":1,"result":{"echo":"x"}}"#.utf8) + [0x0A]
        }
        guard !answer.isEmpty else { continue }
        heard = []
        _ = answer.withUnsafeBytes { session.write($0) }
        flush()
    }
}
