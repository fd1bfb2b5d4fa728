import Glibc
import KinLoop

/// The least a server can do: epoll, and each command of a known size becomes an event of a known size at every
/// connection. On a thread of its own; it ends when the last connection does.
final class Broadcaster: Sendable {
    let port: UInt16
    private let thread: ThreadHandle

    init(commandBytes: Int, eventBytes: Int) throws(Trouble) {
        let ports = Mailbox<UInt16>(wakeup: try attempt { try Wakeup() })
        thread = try attempt {
            try startThread(name: "broadcaster") {
                try? Self.serve(commandBytes, [UInt8](repeating: 0x78, count: eventBytes), .eachAlone) {
                    ports.post($0)
                }
                if ports.count == 0 { ports.post(0) }
            }
        }
        _ = ports.wait(timeoutMilliseconds: 10_000)
        guard let port = ports.take(), port > 0 else { throw Trouble("The bare broadcaster did not start.") }
        self.port = port
    }

    /// Waits for its end; the connections must be closed already.
    func join() { thread.join() }

    /// How it sends.
    enum Manner: String {
        /// One send for each connection and event.
        case eachAlone
        /// One send for each connection and turn.
        case gathered
        /// The same, once the turn's announcements are rows of a family's database, by the bare statements in one transaction
        /// that is synced: as durable as the daemon's, with nothing parsed and nobody judged.
        case stored
        /// The same with one row of a point for each command, and nothing else.
        case pointStored
    }

    /// - Parameter directory: Where the database is, where events are stored; not there yet.
    static func serve(
        _ commandBytes: Int, _ event: [UInt8], _ manner: Manner, in directory: String = ".",
        listening: (UInt16) -> Void
    ) throws {
        let text = String(repeating: "x", count: 256)
        let statements = manner == .stored ? try Statements(directory, text: text) : nil
        let points = manner == .pointStored ? try PointRows(directory) : nil
        let network = try EpollNetwork(
            EpollNetwork.Settings(listen: SocketAddress.parse("127.0.0.1:0")), wakeup: Wakeup())
        listening(network.boundAddresses[0].port)
        var peers: [Token] = []
        var events: [NetworkEvent] = []
        var pending = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        repeat {
            try network.wait(timeoutMilliseconds: nil, into: &events)
            for found in events {
                switch found {
                case .accepted(let token, _, _): peers.append(token)
                case .ready(let token, _, _, _):
                    switch network.read(token, into: buffer) {
                    case .bytes(let count): pending += count
                    case .wouldBlock: break
                    case .end, .failed:
                        network.close(token)
                        peers.removeAll { $0 == token }
                    }
                default: break
                }
            }
            let commands = pending / commandBytes
            pending -= commands * commandBytes
            guard commands > 0 else { continue }
            try statements?.turn(commands)
            try points?.write(commands)
            let bytes = manner == .eachAlone ? event : Array(repeatElement(event, count: commands).joined())
            for _ in 0..<(manner == .eachAlone ? commands : 1) {
                for peer in peers { _ = bytes.withUnsafeBytes { network.write(peer, $0) } }
            }
        } while !peers.isEmpty
    }
}

/// A file to which bytes are appended and synced, as SQLite syncs its log (`fdatasync`).
final class SyncedFile {
    private let file: Int32
    private let bytes: [UInt8]
    private let path: String

    init(in directory: String, bytes: Int) throws(Trouble) {
        path = directory + "/floor"
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Trouble("\(path) cannot be written.") }
        self.bytes = [UInt8](repeating: 0x78, count: bytes)
    }

    deinit {
        close(file)
        unlink(path)
    }

    /// Appends, so many times, and syncs once; answers the microseconds it took.
    @discardableResult
    func append(times: Int = 1) throws(Trouble) -> Double {
        let start = Clock.microseconds
        for _ in 0..<times {
            guard write(file, bytes, bytes.count) == bytes.count else { throw Trouble("\(path) cannot be written.") }
        }
        guard fdatasync(file) == 0 else { throw Trouble("\(path) cannot be written.") }
        return Clock.microseconds - start
    }
}
