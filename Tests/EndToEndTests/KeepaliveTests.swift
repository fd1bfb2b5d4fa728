import Glibc
import KinModel
import Testing

/// What the kernel is told about connections that say nothing.
@Suite struct KeepaliveTests {
    @Test func `a follower that only reads is looked after by TCP's keepalive`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let token = try house.token("ada")
        let follower = stage.start([
            "curl", "-sN", "-H", "Accept: text/event-stream", "-H", "Authorization: Bearer \(token)",
            "\(house.url)/live",
        ])
        try stage.wait("the stream") { follower.lines.contains { $0.hasPrefix("data:") } }
        // The daemon's end in the kernel's table: local port, established, the keepalive timer (2) running.
        let port = String(house.port, radix: 16, uppercase: true)
        let local = ":" + String(repeating: "0", count: 4 - port.count) + port
        try stage.wait("the timer of keepalive") {
            let table = String(decoding: try [UInt8](file: "/proc/net/tcp"), as: UTF8.self)
            return table.split(separator: "\n").contains { line in
                let columns = line.split(separator: " ")
                return columns.count > 6 && columns[1].hasSuffix(local) && columns[3] == "01"
                    && columns[5].hasPrefix("02:")
            }
        }
        #expect(follower.status == nil)
    }
}
