import Glibc
import Testing

@testable import KinLoop

@Suite struct `The Unix socket` {
    @Test func `says who connects, has the wanted mode, and leaves no file behind`() throws {
        let folder = try TemporaryFolder()
        let path = folder("kin.sock")
        let scene = try Scene(.init(listen: SocketAddress.parse("127.0.0.1:0"), unixPath: path, unixMode: 0o666))
        #expect(Files.mode(of: path) == 0o666)
        let client = try ClientSocket.connect(unixPath: path, timeoutMilliseconds: 10_000)
        let (token, peer, listener) = try scene.next {
            if case .accepted(let token, let peer, let listener) = $0 { (token, peer, listener) } else { nil }
        }
        #expect(peer == .unix(uid: geteuid(), gid: getegid(), pid: getpid()))
        #expect(listener == scene.network.boundAddresses.count)
        #expect(scene.write(token, "hello") == .bytes(5))
        #expect(try client.hear() == "hello")
        scene.network.closeListeners()
        #expect(folder.names == [])
    }

    @Test func `takes the place of one whose owner died`() throws {
        let folder = try TemporaryFolder()
        let path = folder("kin.sock")
        try leaveBehind(path)
        #expect(folder.names == ["kin.sock"])
        let scene = try Scene(.init(unixPath: path, unixMode: 0o600))
        let client = try ClientSocket.connect(unixPath: path, timeoutMilliseconds: 10_000)
        _ = try scene.accepted()
        #expect(Files.mode(of: path) == 0o600)
        _ = consume client
    }

    @Test func `leaves a living one alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder("kin.sock")
        let scene = try Scene(.init(unixPath: path))
        #expect(throws: LoopFailure.addressInUse(path)) { try Scene(.init(unixPath: path)) }
        let client = try ClientSocket.connect(unixPath: path, timeoutMilliseconds: 10_000)
        // The visit of the second daemon that looked whether somebody lives is the first connection.
        _ = try scene.accepted()
        let token = try scene.accepted()
        #expect(scene.write(token, "alive") == .bytes(5))
        #expect(try client.hear() == "alive")
    }

    @Test func `does not remove what is no socket, nor its successor's`() throws {
        let folder = try TemporaryFolder()
        try Files.write([1], to: folder("precious"), mode: 0o600)
        #expect(throws: LoopFailure.system(call: "listen on \(folder("precious"))", errno: EEXIST)) {
            try Scene(.init(unixPath: folder("precious")))
        }
        #expect(try Files.read(folder("precious")) == [1])

        let first = try Scene(.init(unixPath: folder("kin.sock")))
        unlink(folder("kin.sock"))
        let second = try Scene(.init(unixPath: folder("kin.sock")))
        first.network.closeListeners()
        #expect(folder.names == ["kin.sock", "precious"])
        second.network.closeListeners()
        #expect(folder.names == ["precious"])
    }

    @Test func `has a path that fits`() throws {
        for path in ["", String(repeating: "x", count: 108), "a\0b"] {
            #expect(throws: LoopFailure.badAddress(path)) { try Scene(.init(unixPath: path)) }
        }
        #expect(throws: LoopFailure.self) { try Scene(.init(unixPath: "/nowhere/at/all/kin.sock")) }
    }

    /// A socket's file without its socket, as after kill -9.
    private func leaveBehind(_ path: String) throws {
        var address = sockaddr_storage()
        let length = unixAddress(path, &address)
        let listener = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener.number, $0, length) }
        }
        #expect(bound == 0)
        #expect(listen(listener.number, 1) == 0)
    }
}
