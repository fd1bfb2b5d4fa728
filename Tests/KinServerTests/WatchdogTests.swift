import Glibc
import KinLoop
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct WatchdogTests {
    @Test func `the daemon is spoken for only when loop and keeper got on since`() {
        let beats = Beats()
        var asked = 0
        var told = 0
        var watchdog = Watchdog(
            microseconds: 4_000_000, keeper: beats, now: 0, ask: { asked += 1 }, tell: { told += 1 })
        #expect(asked == 1)
        #expect(watchdog.waitMilliseconds == 1000)
        let second: UInt64 = 1_000_000_000
        // The keeper answers the question: all is well, and it is asked anew.
        beats.beat()
        watchdog.look(now: second / 2)
        #expect(told == 0, "not more often than needed")
        watchdog.look(now: second)
        #expect(told == 1 && asked == 2)
        // It hangs: however often the loop turns, nobody speaks for it.
        for quarter in 2...40 { watchdog.look(now: UInt64(quarter) * second) }
        #expect(told == 1 && asked == 2)
        // It was only busy: the next look says so.
        beats.beat()
        watchdog.look(now: 41 * second)
        #expect(told == 2 && asked == 3)
        // A loop that hangs never comes here; when it comes back, it is told at once.
        beats.beat()
        watchdog.look(now: 500 * second)
        #expect(told == 3)
    }

    @Test func `a stalled keeper is not spoken for at the manager's socket`() async {
        await #expect(processExitsWith: .success) {
            let place = "@kinwire-watchdog-\(getpid())"
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = UInt16(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { path in
                path.copyBytes(from: [0] + Array(place.utf8.dropFirst()))
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + place.utf8.count)
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) == 0 }
            }
            precondition(isBound)
            setenv("NOTIFY_SOCKET", place, 1)
            func heard() -> String {
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                return count < 0 ? "" : String(decoding: bytes[..<count], as: UTF8.self)
            }
            // The keeper's mailbox with nobody who reads it.
            let mailbox = Mailbox<KeeperMail>()
            let beats = Beats()
            var watchdog = Watchdog(microseconds: 400, keeper: beats, now: 0, ask: { mailbox.post(.beat) })
            for turn in 1...20 { watchdog.look(now: UInt64(turn) * 1_000_000) }
            precondition(heard().isEmpty)
            precondition(mailbox.count == 1, "it is asked once, not each time")
            beats.beat()
            watchdog.look(now: 30_000_000)
            precondition(heard() == "WATCHDOG=1")
        }
    }
}
