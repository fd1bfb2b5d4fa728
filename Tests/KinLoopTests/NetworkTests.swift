import Glibc
import Testing

@testable import KinLoop

@Suite struct `The network` {
    @Test func `accepts over IPv4 and IPv6 on one kernel-chosen port, and says from whom`() throws {
        let scene = try Scene(.init(listen: SocketAddress.parse(":0")))
        let bound = scene.network.boundAddresses
        try #require(bound.count == 2)
        #expect(bound[0].address == .anyV4 && bound[1].address == .anyV6)
        #expect(bound[0].port == bound[1].port && bound[0].port != 0)
        for (index, address) in [IPAddress.loopbackV4, .loopbackV6].enumerated() {
            let target = SocketAddress(address, port: bound[index].port)
            let client = try ClientSocket.connect(target, timeoutMilliseconds: 10_000)
            let mine = try SocketAddress(boundTo: client.descriptor)
            let (peer, listener) = try scene.next {
                if case .accepted(_, let peer, let listener) = $0 { (peer, listener) } else { nil }
            }
            #expect(peer == .tcp(address, port: try #require(mine).port))
            #expect(listener == index)
        }
        #expect(scene.network.openSockets == 2)
    }

    @Test func `listens aside for something else, and says that a connection came there`() throws {
        let aside = try SocketAddress.parse("127.0.0.1:0")
        var settings = EpollNetwork.Settings(listen: aside)
        settings.asides = aside + aside
        let scene = try Scene(settings)
        #expect(scene.network.boundAddresses.count == 1 && scene.network.firstAside == 1)
        let addresses = scene.network.boundAddresses + scene.network.asideAddresses
        try #require(Set(addresses.map(\.port)).count == 3)
        for (index, address) in addresses.enumerated() {
            let client = try ClientSocket.connect(address, timeoutMilliseconds: 10_000)
            let listener = try scene.next { if case .accepted(_, _, let listener) = $0 { listener } else { nil } }
            #expect(listener == index)
            _ = client
        }
    }

    @Test func `reads and writes, and tells nothing-yet from the end`() throws {
        let scene = try Scene()
        let client = try scene.connect()
        let token = try scene.accepted()
        #expect(scene.read(token) == .wouldBlock)
        try client.say("hello")
        try scene.readable(token)
        #expect(scene.bytes(token, max: 2).text == "he")
        #expect(scene.bytes(token).text == "llo")
        #expect(scene.read(token) == .wouldBlock)
        client.shutdownWriting()
        try scene.readable(token)
        #expect(scene.read(token) == .end)
        // Half closed: the other direction still works, both in bytes and in its end.
        #expect(scene.write(token, "bye") == .bytes(3))
        #expect(scene.write(token, "") == .bytes(0))
        scene.network.shutdownWriting(token)
        #expect(try client.hear() == "bye")
        #expect(try client.hear() == "")
    }

    @Test func `tells a reset as a value`() throws {
        let scene = try Scene()
        var client: ClientSocket? = try scene.connect()
        let token = try scene.accepted()
        client?.lingerNot()
        client = nil
        let hangup = try scene.next { if case .ready(token, _, _, let hangup) = $0 { hangup } else { nil } }
        #expect(hangup)
        #expect(scene.read(token) == .failed(errno: ECONNRESET))
        // And writing to it is a value too, not a signal.
        #expect(scene.write(token, "x") == .failed(errno: EPIPE))
        scene.network.close(token)
        #expect(scene.network.openSockets == 0)
    }

    @Test func `takes what fits, says when it is full and when there is room again`() throws {
        let scene = try Scene()
        let client = try scene.connect()
        let token = try scene.accepted()
        let block = String(repeating: "x", count: 100_000)
        var sent = 0
        filling: while true {
            switch scene.write(token, block) {
            case .bytes(let count): sent += count
            case .wouldBlock: break filling
            case .failed(let errno): throw LoopFailure.system(call: "send", errno: errno)
            }
        }
        scene.network.setInterest(token, readable: true, writable: true)
        #expect(try scene.turn() == [])
        var heard = 0
        while heard < sent { heard += try client.hear().utf8.count }
        #expect(heard == sent)
        let writable = try scene.next { if case .ready(token, _, let writable, _) = $0 { writable } else { nil } }
        #expect(writable)
        scene.network.setInterest(token, readable: true, writable: false)
        #expect(try scene.turn() == [])
    }

    @Test func `stays silent about a socket nobody wants to read, and tells of its hang-up once`() throws {
        let scene = try Scene()
        var client: ClientSocket? = try scene.connect()
        let token = try scene.accepted()
        scene.network.setInterest(token, readable: false, writable: false)
        try client?.say("waiting")
        #expect(try scene.turn() == [])
        client?.lingerNot()
        client = nil
        try scene.next { if case .ready(token, readable: false, _, hangup: true) = $0 { () } else { nil } }
        #expect(try scene.turn() == [])
        #expect(try scene.turn() == [])
    }

    @Test func `drops what still comes for a socket whose place was given away`() throws {
        let scene = try Scene()
        let first = try scene.connect()
        let old = try scene.accepted()
        // A second descriptor of the same socket keeps it in epoll after the close, like a forked child would.
        let twin = Descriptor(owning: dup(try #require(scene.network.sockets[old]).fd))
        scene.network.close(old)
        try first.say("too late")
        #expect(try scene.turn() == [])

        let second = try scene.connect()
        let new = try scene.accepted()
        #expect(new.slot == old.slot && new.generation != old.generation)
        #expect(try scene.turn() == [])
        #expect(scene.read(old) == .failed(errno: EBADF))
        #expect(scene.write(old, "x") == .failed(errno: EBADF))
        scene.network.setInterest(old, readable: false, writable: false)
        scene.network.shutdownWriting(old)
        scene.network.close(old)
        #expect(scene.network.openSockets == 1)

        try second.say("on time")
        try scene.readable(new)
        #expect(scene.bytes(new).text == "on time")
        _ = consume twin
    }

    @Test func `stops accepting and resumes, while open sockets go on`() throws {
        let scene = try Scene()
        let first = try scene.connect()
        let token = try scene.accepted()
        scene.network.stopAccepting()
        let second = try scene.connect()
        #expect(try scene.turn() == [])
        try first.say("still here")
        try scene.readable(token)
        #expect(scene.bytes(token).text == "still here")
        scene.network.resumeAccepting()
        let other = try scene.accepted()
        #expect(scene.write(other, "welcome") == .bytes(7))
        #expect(try second.hear() == "welcome")
        scene.network.closeListeners()
        scene.network.stopAccepting()
        #expect(throws: LoopFailure.self) { try scene.connect() }
        #expect(scene.write(other, "!") == .bytes(1))
    }

    @Test func `takes a rush in over several turns, none of it lost`() throws {
        var settings = EpollNetwork.Settings(listen: try SocketAddress.parse("127.0.0.1:0"))
        settings.acceptsPerTurnMax = 3
        let scene = try Scene(settings)
        let clients = try (0..<10).map { _ in try scene.connect() }
        #expect(try scene.turn().count == 3)
        var tokens = Set<Token>()
        for _ in 0..<7 { tokens.insert(try scene.accepted()) }
        #expect(tokens.count == 7 && clients.count == 10)
        #expect(try scene.turn() == [])
    }

    @Test func `is woken from another thread, once for all wakes of a turn`() throws {
        let scene = try Scene()
        let wakeup = scene.wakeup
        let thread = try startThread(name: "waker") {
            wakeup.wake()
            wakeup.wake()
        }
        try scene.next { $0 == .woken ? () : nil }
        thread.join()
        _ = try scene.turn()
        #expect(try scene.turn() == [])
    }

    @Test func `reports signals as events`() throws {
        let scene = try Scene(.init(), signals: [.user1, .hangup])
        // Sent to this thread only: the test's other threads do not block them.
        pthread_kill(pthread_self(), SIGUSR1)
        pthread_kill(pthread_self(), SIGHUP)
        #expect(Set(try scene.turn()) == [.signal(.user1), .signal(.hangup)])
        #expect(try scene.turn() == [])
    }

    @Test func `says who has the address`() throws {
        let scene = try Scene()
        let taken = scene.network.boundAddresses[0]
        #expect(throws: LoopFailure.addressInUse(taken.description)) { try Scene(.init(listen: [taken])) }
        let elsewhere = SocketAddress(IPAddress(v4: 0xC000_0201), port: 0)
        #expect(throws: LoopFailure.badAddress("192.0.2.1:0")) { try Scene(.init(listen: [elsewhere])) }
    }

    @Test func `takes over sockets that listen already, and no others`() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(listen(listener, 8) == 0)
        let scene = try Scene(.init(adopted: [listener]))
        #expect(try #require(scene.network.boundAddresses.first).port != 0)
        let port = scene.network.boundAddresses[0].port
        let client = try ClientSocket.connect(host: "127.0.0.1", port: port, timeoutMilliseconds: 10_000)
        let token = try scene.accepted()
        #expect(scene.write(token, "adopted") == .bytes(7))
        #expect(try client.hear() == "adopted")

        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(throws: LoopFailure.system(call: "accept on adopted descriptor \(silent)", errno: EINVAL)) {
            try Scene(.init(adopted: [silent]))
        }
        // It stays the caller's.
        #expect(close(silent) == 0)
    }
}
