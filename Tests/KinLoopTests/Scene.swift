import Glibc
import Testing

@testable import KinLoop

/// A network on loopback, its turns, and what they reported.
final class Scene {
    let network: EpollNetwork
    let wakeup: Wakeup
    private var reported: [NetworkEvent] = []

    init(_ settings: EpollNetwork.Settings, signals: [Signal] = []) throws {
        wakeup = try Wakeup()
        network = try EpollNetwork(settings, wakeup: wakeup, signals: signals)
    }

    /// A network on one kernel-chosen port of 127.0.0.1.
    convenience init() throws { try self.init(.init(listen: SocketAddress.parse("127.0.0.1:0"))) }

    func connect(_ index: Int = 0) throws -> ClientSocket {
        try ClientSocket.connect(network.boundAddresses[index], timeoutMilliseconds: 10_000)
    }

    /// One turn without waiting.
    func turn() throws -> [NetworkEvent] {
        var events: [NetworkEvent] = []
        try network.wait(timeoutMilliseconds: 0, into: &events)
        return events
    }

    /// Takes turns until an event is of interest; the others are lost.
    func next<Found>(_ interest: (NetworkEvent) -> Found?) throws -> Found {
        for _ in 0..<1_000 {
            if reported.isEmpty { try network.wait(timeoutMilliseconds: 10_000, into: &reported) }
            try #require(!reported.isEmpty, "nothing happens any more")
            while !reported.isEmpty {
                if let found = interest(reported.removeFirst()) { return found }
            }
        }
        throw LoopFailure.timedOut("The event")
    }

    func accepted() throws -> Token {
        try next { if case .accepted(let token, _, _) = $0 { token } else { nil } }
    }

    func readable(_ token: Token) throws {
        try next { if case .ready(token, readable: true, _, _) = $0 { () } else { nil } }
    }

    func read(_ token: Token) -> ReadOutcome { bytes(token).outcome }

    /// What one read gives.
    func bytes(_ token: Token, max: Int = 65_536) -> (outcome: ReadOutcome, text: String) {
        var buffer = [UInt8](repeating: 0, count: max)
        let outcome = buffer.withUnsafeMutableBytes { network.read(token, into: $0) }
        guard case .bytes(let count) = outcome else { return (outcome, "") }
        return (outcome, String(decoding: buffer[..<count], as: UTF8.self))
    }

    func write(_ token: Token, _ text: String) -> WriteOutcome {
        Array(text.utf8).withUnsafeBytes { network.write(token, $0) }
    }
}

extension ClientSocket {
    func say(_ text: String) throws { try write(Array(text.utf8), timeoutMilliseconds: 10_000) }
    func hear() throws -> String {
        String(decoding: try read(max: 65_536, timeoutMilliseconds: 10_000), as: UTF8.self)
    }

    /// Makes the close a reset.
    func lingerNot() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}

/// A folder of its own, removed at the end with what lies in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/kinloop.XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        for name in names { rmdir(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
}
