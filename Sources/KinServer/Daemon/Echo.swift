import KinCodec
import KinCrypto
import KinFamily
import KinKeeper
public import KinLoop
import KinStore
package import KinTLS

/// The server without a family: every WebSocket message on any path comes back, for suites that test how a server keeps
/// to RFC 6455 and RFC 7692. Loop, connections, codec, TLS and limits are the daemon's own.
public enum Echo {
    /// A message may have 64 MiB.
    static let messageBytesMax = 64 << 20

    /// Runs until it is told to stop (SIGTERM, SIGINT). `started` is called once with the addresses it listens on.
    ///
    /// - Returns: `nil` for a good end; else a sentence why it ended.
    public static func run(
        listen: [SocketAddress], isTLS: Bool, started: ([SocketAddress]) -> Void
    ) throws(Daemon.StartFailure) -> String? {
        Signal.ignorePipe()
        let signals: [Signal] = [.terminate, .interrupt]
        Signal.block(signals)
        do {
            let time = SystemTime()
            let wakeup = try Wakeup()
            let network = try EpollNetwork(EpollNetwork.Settings(listen: listen), wakeup: wakeup, signals: signals)
            let server = server(
                network: network, time: time, inbox: Mailbox(wakeup: wakeup),
                tls: isTLS ? try .unkept(now: time.wallMilliseconds()) : nil)
            started(network.boundAddresses)
            while !server.isFinished { try server.turn() }
            return server.fatal
        } catch let failure as any Explained {
            throw Daemon.StartFailure(sentence: failure.sentence)
        } catch { preconditionFailure("what fails here can be explained") }
    }

    /// A server that echoes. Nothing is ever sent to the keeper or the workers.
    package static func server(
        network: any Network, time: any TimeSource, inbox: Mailbox<LoopMail>, tls: TLSContext?
    ) -> Server {
        var limits = ServerLimits()
        limits.messageBytesMax = messageBytesMax
        // So that compression is tested with short messages, too.
        limits.compressedMessageBytesMin = limits.compressedEventBytesMin
        limits.connectionsMax = min(limits.connectionsMax, max(16, descriptorLimit() - 64))
        var settings = ServerSettings(
            site: Site(
                canonicalURL: "https://localhost", names: ["localhost"], addresses: { Machine.localAddresses() },
                rootSHA256: nil, rootPEM: nil),
            ownUserID: Machine.effectiveUserID, limits: limits)
        settings.isEcho = true
        settings.doors = [EchoDoor.self]
        return Server(
            settings: settings, registry: .family, network: network, time: time,
            randomness: { Randomness.bytes($0) },
            mailboxes: Mailboxes(toLoop: inbox),
            epochs: .unkept(key: Randomness.bytes(16)), position: 0, firstKept: 0, tls: tls, note: { _, _ in })
    }
}

extension Server {
    /// Sends a message back as it came.
    func echo(_ connection: Connection, _ kind: WebSocketMachine.Kind, _ bytes: [UInt8]) {
        let opcode: WebSocketFrame.Opcode = kind == .text ? .text : .binary
        if connection.windowBits > 0, bytes.count >= limits.compressedMessageBytesMin,
            let small = deflater.deflate(bytes.span, windowBits: connection.windowBits)
        {
            WebSocketFrame.write(opcode, small, reserved: WebSocketFrame.compressed, to: &connection.out)
        } else {
            WebSocketFrame.write(opcode, bytes, to: &connection.out)
        }
        markDirty(connection)
    }
}
