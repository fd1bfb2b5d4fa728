import Glibc
import Testing

@testable import KinLoop

@Suite struct `A client's socket` {
    @Test func `connects to a name, to brackets and to an address`() throws {
        let scene = try Scene(.init(listen: SocketAddress.parse(":0")))
        let port = scene.network.boundAddresses[0].port
        for host in ["localhost", "127.0.0.1", "::1", "[::1]"] {
            let client = try ClientSocket.connect(host: host, port: port, timeoutMilliseconds: 10_000)
            _ = try scene.accepted()
            #expect(try #require(client.peerAddress).address.isLoopback)
        }
    }

    @Test func `says that nobody is there`() throws {
        // A port that was free a moment ago; connecting to oneself by chance is refused as well.
        let port = try Scene().network.boundAddresses[0].port
        #expect(throws: LoopFailure.system(call: "connect 127.0.0.1:\(port)", errno: ECONNREFUSED)) {
            try ClientSocket.connect(host: "127.0.0.1", port: port, timeoutMilliseconds: 10_000)
        }
        for name in ["", "a\0b", String(repeating: "x", count: 300)] {
            #expect(throws: LoopFailure.unknownHost(name)) {
                try ClientSocket.connect(host: name, port: port, timeoutMilliseconds: 10_000)
            }
        }
        #expect(throws: LoopFailure.system(call: "connect /nowhere/at/all", errno: ENOENT)) {
            try ClientSocket.connect(unixPath: "/nowhere/at/all", timeoutMilliseconds: 10_000)
        }
    }

    @Test func `waits no longer than it was told`() throws {
        let scene = try Scene()
        let client = try scene.connect()
        let token = try scene.accepted()
        #expect(throws: LoopFailure.timedOut("The other side")) { try client.read(max: 10, timeoutMilliseconds: 1) }
        #expect(!client.wait(timeoutMilliseconds: 0))
        #expect(client.wait(writable: true, timeoutMilliseconds: 0))
        #expect(throws: LoopFailure.timedOut("The other side")) {
            try client.write([UInt8](repeating: 1, count: 64 << 20), timeoutMilliseconds: 1)
        }
        _ = token
    }

    @Test func `delivers megabytes whole and in order`() throws {
        let scene = try Scene()
        let address = scene.network.boundAddresses[0]
        let count = 1 << 20
        let sender = try startThread(name: "sender") {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
            do {
                let client = try ClientSocket.connect(address, timeoutMilliseconds: 10_000)
                try client.write(bytes, timeoutMilliseconds: nil)
            } catch { Issue.record(error) }
        }
        let token = try scene.accepted()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var received = 0
        reading: while true {
            switch buffer.withUnsafeMutableBytes({ scene.network.read(token, into: $0) }) {
            case .bytes(let read):
                for index in 0..<read {
                    let position = received + index
                    guard buffer[index] == UInt8(truncatingIfNeeded: position &* 31 &+ position >> 11) else {
                        Issue.record("wrong byte at \(position)")
                        break reading
                    }
                }
                received += read
            case .wouldBlock: try scene.readable(token)
            case .end: break reading
            case .failed(let errno): throw LoopFailure.system(call: "recv", errno: errno)
            }
        }
        sender.join()
        #expect(received == count)
    }

    @Test func `tells a reset as a failure`() throws {
        let scene = try Scene()
        let client = try scene.connect()
        let token = try scene.accepted()
        try client.say("unread")
        try scene.readable(token)
        // Closed with bytes unread, the kernel resets.
        scene.network.close(token)
        #expect(throws: LoopFailure.system(call: "recv", errno: ECONNRESET)) {
            try client.read(max: 1, timeoutMilliseconds: 10_000)
        }
    }
}
