import Glibc
import KinClient
import KinCrypto
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Files that go up and come down, beside the disk and beside nginx without sendfile; and what a stream that waits for its
/// client takes of memory. The file that goes up is as long as any that a method takes; the one that comes down is put
/// under a member's name by hand.
enum Streams {
    /// The longest that a member's picture may be.
    private static let upBytes = 16 << 20
    private static let upsPerRound = 8
    /// As many as the daemon writes before it syncs.
    private static let syncedBytes = 8 << 20

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let downBytes = (options.count ?? 256) << 20
        let scene = try Scene(options, downBytes)
        var report = Report("streams, best of \(options.rounds)")
        try up(scene, options, &report)
        try down(scene, downBytes, options, &report)
        try memory(scene, &report)
        return report
    }

    // MARK: Up

    private static func up(_ scene: Scene, _ options: Options, _ report: inout Report) throws(Trouble) {
        let content = (0..<upBytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        var (ours, floor, bare): (Double, Double, Double) = (0, 0, 0)
        let sink = try BareSink(bytes: upBytes, syncedBytes: syncedBytes, in: scene.place.path)
        for _ in 0..<options.rounds {
            ours = max(ours, try scene.rateUp(content, count: upsPerRound))
            floor = max(floor, try rateToDisk(content, scene.place.path, count: upsPerRound))
            bare = max(bare, try rateToSink(content, sink, count: upsPerRound))
        }
        sink.stop()
        report.add(
            "up: \(upBytes >> 20) MiB by PUT, MB/s", (ours / 1e6).rounded(0),
            floor: "write, fdatasync \((floor / 1e6).rounded(0))",
            verdict: verdict(ours / floor))
        report.note("up ratio", ours / floor)
        report.add(
            "… beside a bare receiver", (ours / 1e6).rounded(0),
            floor: "loopback, write, fdatasync \((bare / 1e6).rounded(0))", verdict: verdict(ours / bare))
        report.note("up ratio to bare", ours / bare)
        // OpenSSL is at work on both sides; the floor is the same.
        let secure = try scene.secureRateUp(content, rounds: options.rounds)
        report.add(
            "up over TLS, by curl, MB/s", (secure / 1e6).rounded(0),
            verdict: "\((secure / floor).rounded(2)) x of the disk")
    }

    private static func verdict(_ ratio: Double) -> String {
        "\(ratio.rounded(2)) x (goal: at least 0.70)" + (ratio < 0.7 ? " missed" : "")
    }

    /// The same bytes to the same disk, with the same syncs, by nothing but system calls.
    private static func rateToDisk(_ content: [UInt8], _ folder: String, count: Int) throws(Trouble) -> Double {
        var spent = 0.0
        for _ in 0..<count {
            let path = folder + "/floor"
            let start = Clock.microseconds
            let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Trouble("No file can be made in \(folder).") }
            var done = 0
            while done < content.count {
                let piece = min(128 << 10, content.count - done)
                let put = content.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + done }, piece) }
                guard put > 0 else { throw Trouble("The disk takes no more.") }
                done += put
                if done % syncedBytes == 0 { fdatasync(file) }
            }
            if content.count % syncedBytes != 0 { fdatasync(file) }
            close(file)
            spent += Clock.microseconds - start
            unlink(path)
        }
        return Double(content.count * count) / spent * 1e6
    }

    /// The same bytes over loopback to what does nothing else with them.
    private static func rateToSink(_ content: [UInt8], _ sink: BareSink, count: Int) throws(Trouble) -> Double {
        var spent = 0.0
        for _ in 0..<count {
            let client = try LeanClient(port: sink.port, .lines)
            let start = Clock.microseconds
            try client.write(content)
            try client.wait()
            spent += Clock.microseconds - start
        }
        return Double(content.count * count) / spent * 1e6
    }

    // MARK: Down

    private static func down(
        _ scene: Scene, _ bytes: Int, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let nginx = try Nginx(scene)
        _ = try rateDown(scene.house.port, scene.downTarget, scene.bearer, bytes)
        var (ours, floor, secure, secureFloor): (Double, Double, Double, Double) = (0, 0, 0, 0)
        for _ in 0..<options.rounds {
            ours = max(ours, try rateDown(scene.house.port, scene.downTarget, scene.bearer, bytes))
            floor = max(floor, try rateDown(nginx.port, "/" + scene.blob, "", bytes))
            secure = max(secure, try scene.curl(["https://127.0.0.1:\(scene.house.port)\(scene.downTarget)"]).down)
            secureFloor = max(secureFloor, try scene.curl(["https://127.0.0.1:\(nginx.securePort)/\(scene.blob)"]).down)
        }
        report.add(
            "down: \(bytes >> 20) MiB, MB/s", (ours / 1e6).rounded(0), floor: "nginx \((floor / 1e6).rounded(0))",
            verdict: verdict(ours / floor))
        report.note("down ratio", ours / floor)
        report.add(
            "down over TLS, by curl, MB/s", (secure / 1e6).rounded(0), floor: "nginx \((secureFloor / 1e6).rounded(0))",
            verdict: "\((secure / secureFloor).rounded(2)) x")
    }

    private static func rateDown(_ port: UInt16, _ target: String, _ field: String, _ bytes: Int) throws(Trouble)
        -> Double
    {
        let client = try LeanClient(port: port, .lines)
        let start = Clock.microseconds
        try client.write(Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\n".utf8))
        var got = 0
        while got < bytes {
            try client.wait()
            got += try client.readBytes()
        }
        return Double(bytes) / (Clock.microseconds - start) * 1e6
    }

    // MARK: Memory

    private enum Way: String { case down, up }

    private static func memory(_ scene: Scene, _ report: inout Report) throws(Trouble) {
        // A member may have eight uploads.
        for (way, count) in [(Way.down, 16), (.up, 8)] {
            _ = try resident(scene, way, count)
            let one = try resident(scene, way, 1)
            let all = try resident(scene, way, count)
            let each = Double(all - one) / Double(count - 1)
            report.add(
                "memory of a stream \(way) that waits, kB", each.rounded(0), floor: "goal 1024",
                verdict: each <= 1024 ? "met" : "missed")
            report.add("resident with 1, with \(count), kB", "\(one), \(all)")
        }
    }

    /// The daemon's memory while so many ask for a file and take none of it, or send half of one and then nothing.
    private static func resident(_ scene: Scene, _ way: Way, _ count: Int) throws(Trouble) -> Int {
        var clients: [LeanClient] = []
        for _ in 0..<count {
            let client = try LeanClient(port: scene.house.port, .lines)
            switch way {
            case .down:
                try client.write(scene.downHead)
                try client.wait()
            case .up:
                try client.write(scene.upHead(upBytes))
                try client.write([UInt8](repeating: 7, count: upBytes / 2 + 100_000))
            }
            clients.append(client)
        }
        scene.rest()
        let kilobytes = scene.house.child.number("VmRSS", in: "status")
        clients = []
        scene.rest()
        return kilobytes
    }

    // MARK: The scene

    /// A daemon whose admin has a picture as long as is asked for.
    fileprivate final class Scene {
        let place: Place
        let house: House
        let bearer: String
        private let member: String
        let blob: String

        init(_ options: Options, _ bytes: Int) throws(Trouble) {
            let blob = String(repeating: "5a", count: 16)
            self.blob = blob
            place = try Place(in: options.directory)
            let folder = place.path + "/family"
            let token: String
            do {
                let house = try House(folder, options)
                try house.found()
                token = try house.signIn()
            }
            bearer = "Authorization: Bearer \(token)\r\n"
            // A whole path, for nginx.
            guard let whole = realpath(folder, nil) else { throw Trouble("\(folder) is gone.") }
            defer { free(whole) }
            try Self.point(folder, to: blob)
            let file = Glibc.open(folder + "/blobs/" + blob, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Trouble("No file can be made in \(folder).") }
            let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 9) }
            for _ in 0..<bytes >> 20 { _ = write(file, piece, piece.count) }
            close(file)
            house = try House(folder, options)
            let family = try house.conversation()
            let members = try attempt { try family.call("member.list", [:]) }
            guard let id = members["members"]?.array?.first?["id"]?.string else { throw Trouble("There is no member.") }
            member = id
        }

        /// The database is let go of before the daemon wants it.
        private static func point(_ folder: String, to blob: String) throws(Trouble) {
            let store = try attempt {
                try Store(
                    directory: folder, migrations: Registry.family.migrations,
                    now: Instant(milliseconds: SystemTime().wallMilliseconds()))
            }
            _ = try attempt { try store.database.run("UPDATE members SET picture = ?", .text(blob)) }
        }

        var downHead: [UInt8] { Array("GET \(downTarget) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(bearer)\r\n".utf8) }

        var downTarget: String { "/api/members/\(member)/picture/\(blob)" }

        func upHead(_ bytes: Int) -> [UInt8] {
            Array(
                """
                PUT /api/members/\(member)/picture HTTP/1.1\r\nHost: 127.0.0.1\r\n\(bearer)\
                Content-Type: application/octet-stream\r\nUpload-Complete: ?0\r\nUpload-Length: \(bytes)\r\n\
                Content-Length: \(bytes)\r\n\r\n
                """.utf8)
        }

        /// Bytes in a second, from the first one sent until the daemon says that all are on the disk.
        func rateUp(_ content: [UInt8], count: Int) throws(Trouble) -> Double {
            var spent = 0.0
            for _ in 0..<count {
                let client = try LeanClient(port: house.port, .lines)
                let start = Clock.microseconds
                try client.write(upHead(content.count))
                try client.write(content)
                let text = try answer(client, until: "HTTP/1.1 201")
                spent += Clock.microseconds - start
                guard let line = text.split(separator: "\r\n").last(where: { $0.hasPrefix("Location: ") }) else {
                    throw Trouble("An upload has no address: \(text)")
                }
                let path = line.dropFirst("Location: ".count)
                try client.write(Array("DELETE \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(bearer)\r\n".utf8))
                _ = try answer(client, until: "HTTP/1.1 204")
            }
            return Double(content.count * count) / spent * 1e6
        }

        private func answer(_ client: LeanClient, until status: String) throws(Trouble) -> String {
            var text = ""
            while true {
                try client.wait()
                text += try client.readText()
                if let start = text.firstRange(of: status), text[start.upperBound...].contains("\r\n\r\n") {
                    return text
                }
                if text.contains("HTTP/1.1 4") || text.contains("HTTP/1.1 5") { throw Trouble(text) }
            }
        }

        func secureRateUp(_ content: [UInt8], rounds: Int) throws(Trouble) -> Double {
            let path = place.path + "/content"
            try attempt { try KinLoop.Files.write(content, to: path, mode: 0o600) }
            var best = 0.0
            for _ in 0..<rounds {
                best = max(
                    best,
                    try curl([
                        "-T", path, "-H", "Content-Type: application/octet-stream", "-H", "Upload-Complete: ?0",
                        "https://127.0.0.1:\(house.port)/api/members/\(member)/picture",
                    ]).up)
            }
            return best
        }

        /// Bytes in a second, as curl says.
        func curl(_ arguments: [String]) throws(Trouble) -> (down: Double, up: Double) {
            let field = String(bearer.dropLast())
            let child = try Child(
                "/usr/bin/curl",
                [
                    "-s", "-k", "-o", "/dev/null", "-H", field, "-w",
                    "%{stderr}%{speed_download} %{speed_upload} %{http_code}\n",
                ]
                    + arguments)
            let words = child.line()?.split(separator: " ") ?? []
            guard words.count == 3, let down = Double(words[0]), let up = Double(words[1]), words[2].hasPrefix("20")
            else {
                throw Trouble("curl says \(words); apt-get install curl, where it is missing.")
            }
            return (down, up)
        }

        /// Lets the daemon come to rest.
        func rest() { usleep(1_500_000) }
    }

    /// nginx with one worker and without sendfile, over the folder of blobs.
    private final class Nginx {
        let port: UInt16
        let securePort: UInt16
        private let child: Child

        init(_ scene: Scene) throws(Trouble) {
            let path = scene.place.path
            guard let whole = realpath(path, nil) else { throw Trouble("\(path) is gone.") }
            defer { free(whole) }
            let root = String(cString: whole)
            (port, securePort) = (Self.freePort(), Self.freePort())
            let folder = root + "/family/authority"
            let words = """
                daemon off; worker_processes 1;\(geteuid() == 0 ? " user root;" : "") pid \(root)/nginx.pid; error_log stderr crit;
                events { worker_connections 64; }
                http {
                  access_log off; sendfile off; client_body_temp_path \(root)/n1; proxy_temp_path \(root)/n2;
                  fastcgi_temp_path \(root)/n3; uwsgi_temp_path \(root)/n4; scgi_temp_path \(root)/n5;
                  server {
                    listen 127.0.0.1:\(port); listen 127.0.0.1:\(securePort) ssl; root \(root)/family/blobs;
                    ssl_certificate \(folder)/leaf.crt; ssl_certificate_key \(folder)/leaf.key;
                  }
                }
                """
            try attempt { try KinLoop.Files.write(Array(words.utf8), to: root + "/nginx.conf", mode: 0o600) }
            child = try Child("/usr/sbin/nginx", ["-p", root, "-c", root + "/nginx.conf"])
            for _ in 0..<100 {
                if (try? LeanClient(port: port, .lines)) != nil { return }
                usleep(50_000)
            }
            throw Trouble("nginx does not answer; apt-get install nginx-light, where it is missing.")
        }

        private static func freePort() -> UInt16 {
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    _ = bind(probe, pointer, size)
                    _ = getsockname(probe, pointer, &size)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }
}
