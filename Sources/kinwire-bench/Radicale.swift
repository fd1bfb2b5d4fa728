import Glibc
import KinCodec
import KinLoop
import KinModel

/// PyPI's Radicale, a CalDAV server in Python, as a process of this one's on a folder of its own: the peer of CalDAV figures.
final class Radicale {
    let child: Child
    let port: UInt16

    /// Puts events into a calendar of Ada's as the program itself stores them, one file each, and starts it; everybody may do
    /// everything there. (Given to it by PUT, 5,000 events take it minutes: it reads each with vobject, and has it written
    /// and synced before the next.)
    init(_ program: String, in folder: String, events: [String], head: String) throws(Trouble) {
        let port = try Self.freePort()
        let collections = folder + "/radicale"
        let calendar = collections + "/collection-root/ada/family"
        var made = folder
        for part in ["radicale", "collection-root", "ada", "family"] {
            made += "/" + part
            _ = mkdir(made, 0o700)
        }
        let file = folder + "/radicale.config"
        let config = """
            [server]
            hosts = 127.0.0.1:\(port)
            timeout = \(Self.patience)
            [auth]
            type = none
            [rights]
            type = authenticated
            [storage]
            filesystem_folder = \(collections)
            [logging]
            level = critical

            """
        try attempt {
            try Files.write(Array(config.utf8), to: file, mode: 0o600, isDurable: false)
            try Files.write(
                Array("{\"tag\": \"VCALENDAR\"}".utf8), to: calendar + "/.Radicale.props", mode: 0o600, isDurable: false
            )
            for (number, event) in events.enumerated() {
                try Files.write(
                    Array((head + event + "END:VCALENDAR\r\n").utf8), to: calendar + "/\(number).ics", mode: 0o600,
                    isDurable: false)
            }
        }
        child = try Child(program, ["--config", file])
        self.port = port
        let end = Clock.microseconds + 30_000_000
        while Clock.microseconds < end {
            child.drain()
            let isThere =
                (try? ClientSocket.connect(SocketAddress(.loopbackV4, port: port), timeoutMilliseconds: 1000)) != nil
            if isThere { return }
            // It says nothing when it is ready.
            usleep(100_000)
        }
        throw Trouble("Radicale did not start within half a minute.")
    }

    /// Seconds for which an answer of it is waited for.
    static let patience = 300

    /// A port that nobody has just now; Radicale takes none that the kernel would choose.
    private static func freePort() throws(Trouble) -> UInt16 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && getsockname(number, address, &length) == 0
            }
        }
        guard isBound else { throw Trouble("There is no free port.") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The program: what was named, or what lies on the path; `nil` where there is none.
    static func find(_ named: String?) -> String? {
        if let named { return named }
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").map { $0 + "/radicale" }.first { access($0, X_OK) == 0 }
    }
}

/// One request and its answer over a connection of its own.
enum PlainWeb {
    struct Answer {
        var status = 0
        var body: [UInt8] = []
        var text: String { String(decoding: body, as: UTF8.self) }
        /// From the connection to the last byte.
        var microseconds = 0.0
    }

    static func ask(
        _ port: UInt16, _ verb: String, _ path: String, authorization: String, _ fields: String = "",
        _ body: String = "", seconds: Int = 60
    ) throws(Trouble) -> Answer {
        let start = Clock.microseconds
        let socket = try attempt {
            try ClientSocket.connect(SocketAddress(.loopbackV4, port: port), timeoutMilliseconds: 10_000)
        }
        let head =
            "\(verb) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Authorization: \(authorization)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n"
        try attempt { try socket.write(Array((head + body).utf8), timeoutMilliseconds: seconds * 1000) }
        var parser = HTTPResponseParser()
        parser.requestMethod = HTTPMethod(verb)
        parser.bodyBytesMax = .max
        var answer = Answer()
        var isWhole = false
        while !isWhole {
            let left = Double(seconds) - (Clock.microseconds - start) / 1_000_000
            guard left > 0 else { throw Trouble("\(verb) was not answered within \(seconds) s.") }
            let bytes = try attempt { try socket.read(max: 256 << 10, timeoutMilliseconds: Int(left * 1000) + 1) }
            if bytes.isEmpty {
                guard case .end = parser.inputEnded() else { throw Trouble("An answer to \(verb) was cut off.") }
                break
            }
            var rest = bytes[...]
            steps: while true {
                let (consumed, step) = parser.consume(rest)
                rest = rest.dropFirst(consumed)
                switch step {
                case .needsMore: break steps
                case .head(let head): answer.status = head.status
                case .body(let bytes): answer.body += bytes
                case .end:
                    isWhole = true
                    break steps
                case .failed(let failure): throw Trouble("An answer to \(verb) cannot be read: \(failure.sentence)")
                }
            }
        }
        answer.microseconds = Clock.microseconds - start
        guard (200...299).contains(answer.status) else {
            throw Trouble("\(verb) \(path) was answered \(answer.status): \(answer.text.prefix(300))")
        }
        return answer
    }
}
