import Glibc
import Testing

@testable import KinLoop

@Suite struct `A service notice` {
    @Test func `reaches a socket by path and by abstract name`() throws {
        let folder = try TemporaryFolder()
        for place in [folder("notify"), "@kinwire-test-\(getpid())"] {
            let manager = Manager(place)
            ServiceNotice.send("READY=1", to: place)
            #expect(manager.hear() == "READY=1")
        }
    }

    @Test func `goes where the environment says, and nowhere without it`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            ServiceNotice.ready()
            let folder = try TemporaryFolder()
            let manager = Manager(folder("notify"))
            setenv("NOTIFY_SOCKET", folder("notify"), 1)
            ServiceNotice.ready()
            ServiceNotice.watchdog()
            ServiceNotice.status("3 members\nWATCHDOG=0")
            ServiceNotice.reloading()
            ServiceNotice.stopping()
            #expect(manager.hear() == "READY=1")
            #expect(manager.hear() == "WATCHDOG=1")
            #expect(manager.hear() == "STATUS=3 members WATCHDOG=0")
            #expect(manager.hear().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            #expect(manager.hear() == "STOPPING=1")
        }
    }

    @Test func `to nobody is dropped`() {
        for place in ["", "relative", "/nowhere/at/all", "@", "vsock:2:1", "/" + String(repeating: "x", count: 200)] {
            ServiceNotice.send("READY=1", to: place)
        }
    }

    @Test func `adopts the listeners meant for this process, once`() async {
        func adopted(_ environment: [String: String]) -> [Int32] {
            ServiceNotice.listeners(environment: { environment[$0] }, processID: 42)
        }
        #expect(adopted(["LISTEN_PID": "42", "LISTEN_FDS": "2"]) == [3, 4])
        #expect(adopted(["LISTEN_PID": "41", "LISTEN_FDS": "2"]) == [])
        #expect(adopted(["LISTEN_FDS": "2"]) == [])
        #expect(adopted(["LISTEN_PID": "42"]) == [])
        for junk in ["", "0", "-1", "x", "99999999999999999999", "2147483647", "1025"] {
            #expect(adopted(["LISTEN_PID": "42", "LISTEN_FDS": junk]) == [])
        }
        await #expect(processExitsWith: .success) {
            settleRuntime()
            // Number 3 may be anybody's, as long as it is open.
            while fcntl(3, F_GETFD) < 0 { _ = dup(0) }
            setenv("LISTEN_PID", String(getpid()), 1)
            setenv("LISTEN_FDS", "1", 1)
            #expect(ServiceNotice.adoptListeners() == [3])
            #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
            #expect(ServiceNotice.adoptListeners() == [])
            #expect(Machine.environment("LISTEN_FDS") == nil)
        }
    }

    @Test func `is due as often as the watchdog of this process wants`() {
        func interval(_ environment: [String: String]) -> UInt64? {
            ServiceNotice.watchdogInterval(environment: { environment[$0] }, processID: 42)
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == 30_000_000)
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]) == 30_000_000)
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "43"]) == nil)
        for junk in ["", "0", "-1", "soon", "99999999999999999999999"] {
            #expect(interval(["WATCHDOG_USEC": junk]) == nil)
        }
        #expect(interval([:]) == nil)
    }
}

/// The service manager's end.
private final class Manager {
    private let descriptor: Descriptor

    init(_ place: String) {
        descriptor = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        var address = sockaddr_storage()
        let length = unixAddress(place, abstractAllowed: true, &address)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor.number, $0, length) }
        }
        precondition(result == 0)
    }

    func hear() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor.number, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
