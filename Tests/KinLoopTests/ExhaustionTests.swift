import CLinux
import Dispatch
import Glibc
import Testing

@testable import KinLoop

/// In a process of their own, since the limit is the process's.
@Suite struct `When descriptors run out` {
    @Test func `one caller gets 503, the others wait until a socket closes, and bystanders notice nothing`() async {
        await #expect(processExitsWith: .success) {
            var settings = EpollNetwork.Settings(listen: try SocketAddress.parse("127.0.0.1:0"))
            settings.acceptPauseMilliseconds = 3_600_000
            let scene = try Scene(settings)
            let bystander = try scene.connect()
            let token = try scene.accepted()
            let leaving = try scene.connect()
            let leavingToken = try scene.accepted()
            let callers = [Caller(), Caller(), Caller()]
            let filling = Filling()

            for caller in callers { caller.connect(to: scene.network.boundAddresses[0]) }
            callers[0].say("GET / HTTP/1.1\r\n\r\n")
            #expect(try scene.turn() == [.acceptPaused(errno: EMFILE)])
            let answer = try #require(callers[0].hearAll())
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.hasSuffix("\r\n\r\n"))

            #expect(try scene.turn() == [])
            scene.network.stopAccepting()
            scene.network.resumeAccepting()
            #expect(try scene.turn() == [])
            try bystander.say("ping")
            try scene.readable(token)
            #expect(scene.bytes(token).text == "ping")
            #expect(scene.write(token, "pong") == .bytes(4))
            #expect(try bystander.hear() == "pong")

            scene.network.close(leavingToken)
            let second = try scene.accepted()
            #expect(scene.write(second, "welcome") == .bytes(7))
            #expect(callers[1].hear() == "welcome")
            // The last one meets the same wall, the reserve being there again.
            #expect(scene.network.pausedUntil != nil)
            #expect(callers[2].hearAll()?.hasPrefix("HTTP/1.1 503 ") == true)
            filling.end()
            _ = leaving
        }
    }

    @Test func `accepting is tried again after a while, since descriptors are not only sockets`() async {
        await #expect(processExitsWith: .success) {
            var settings = EpollNetwork.Settings(listen: try SocketAddress.parse("127.0.0.1:0"))
            settings.acceptPauseMilliseconds = 1
            let scene = try Scene(settings)
            let callers = [Caller(), Caller()]
            let filling = Filling()
            for caller in callers { caller.connect(to: scene.network.boundAddresses[0]) }
            #expect(try scene.turn() == [.acceptPaused(errno: EMFILE)])
            filling.end()
            var events: [NetworkEvent] = []
            var turns = 0
            while events.isEmpty {
                // Nobody closes a socket here, and this waits without end.
                try scene.network.wait(timeoutMilliseconds: nil, into: &events)
                turns += 1
                try #require(turns < 100)
            }
            guard case .accepted = events.first else { throw LoopFailure.timedOut("\(events)") }
        }
    }
}

/// A client whose descriptor is made before they run out.
private final class Caller: Sendable {
    private let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    func connect(to address: SocketAddress) {
        var storage = sockaddr_storage()
        let length = address.fill(&storage)
        let result = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(fd, $0, length) }
        }
        precondition(result == 0)
        // An answer that never comes is a failed test, not a hanging one.
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    func say(_ text: String) { _ = send(fd, text, text.utf8.count, 0) }

    func hear() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(fd, &bytes, bytes.count, 0)
        return count < 0 ? "" : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// To the end; `nil` when the connection broke instead.
    func hearAll() -> String? {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(fd, &bytes, bytes.count, 0)
            if count == 0 { return String(decoding: all, as: UTF8.self) }
            if count < 0 { return nil }
            all += bytes[..<count]
        }
    }
}

/// Takes every descriptor the limit allows.
private final class Filling {
    private var taken: [Int32] = []

    init() {
        settleRuntime()
        kin_limit_descriptors(256)
        while case let fd = dup(0), fd >= 0 { taken.append(fd) }
        precondition(errno == EMFILE && !taken.isEmpty)
    }

    func end() {
        for fd in taken { close(fd) }
        taken = []
    }
}

/// Lets the runtime's own threads open the descriptors they keep (for timers), so that they want none later on.
func settleRuntime() {
    let timer = DispatchSource.makeTimerSource()
    let fired = DispatchSemaphore(value: 0)
    timer.setEventHandler { fired.signal() }
    timer.schedule(deadline: .now() + .milliseconds(1))
    timer.resume()
    fired.wait()
    timer.cancel()
}
