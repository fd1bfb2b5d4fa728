import Glibc
import KinCodec
import KinLoop
import KinModel
import Testing

@testable import KinServerBox

/// The real daemon on a port of loopback that the kernel chose, with a family of its own, ended with this object.
final class WebDaemon {
    let address: SocketAddress
    /// The set-up link's secret.
    let setUp: String
    private let folder: String
    private var process: pid_t = 0
    /// Kept open, so that the daemon can say what it has to say.
    private let output: CInt

    init() throws {
        // The daemon lies beside the tests' own program.
        let program = try #require(realpath("/proc/self/exe", nil).map { String(cString: $0) })
        let beside = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        try #require(access(beside + "/kinwired", X_OK) == 0, "kinwired is built: swift build --build-tests")
        var template = Array("/tmp/kinweb.XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        var pipes: [CInt] = [0, 0]
        try #require(pipe(&pipes) == 0)
        output = pipes[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
        posix_spawn_file_actions_addclose(&actions, pipes[0])
        posix_spawn_file_actions_addclose(&actions, pipes[1])
        let arguments = [
            "kinwired", "--data", folder + "/data", "--unix", folder + "/socket", "--listen", "127.0.0.1:0",
            "--url", "https://kin.example:5469",
        ]
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        let spawned = posix_spawn(&process, beside + "/kinwired", &actions, nil, &vector, environ)
        close(pipes[1])
        try #require(spawned == 0)
        var said = ""
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let listening = said.firstMatch(of: /Listening on (127\.0\.0\.1:\d+)\./)
            let link = said.firstMatch(of: /https:\/\/kin\.example:5469\/setup\/([\w-]+)#/)
            if let listening, let link, let found = try SocketAddress.parse(String(listening.1)).first {
                (address, setUp) = (found, String(link.1))
                return
            }
            let count = read(output, &part, part.count)
            try #require(count > 0, "the daemon ended before it began: \(said)")
            said += String(decoding: part.prefix(count), as: UTF8.self)
        }
    }

    deinit {
        if process > 0 {
            kill(process, SIGTERM)
            waitpid(process, nil, 0)
        }
        close(output)
        Self.remove(folder)
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
        }
        _ = Glibc.remove(path)
    }

    /// A response, whole.
    struct Response {
        let head: HTTPResponseHead
        let body: [UInt8]
        var status: Int { head.status }
        var text: String { String(decoding: body, as: UTF8.self) }
        /// `kinwire=…`, as the browser sends it back.
        var cookie: String? { head.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) } }
    }

    /// One request on a connection of its own.
    func ask(_ line: String, _ headers: [String] = [], _ body: String = "") throws -> Response {
        let socket = try ClientSocket.connect(address, timeoutMilliseconds: 20_000)
        var text = "\(line) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n"
        for header in headers { text += header + "\r\n" }
        // As browsers do: a form that is empty says so.
        if !body.isEmpty || line.hasPrefix("POST") { text += "Content-Length: \(body.utf8.count)\r\n" }
        try socket.write(Array((text + "\r\n" + body).utf8), timeoutMilliseconds: 20_000)
        var parser = HTTPResponseParser()
        parser.requestMethod = HTTPMethod(String(line.prefix { $0 != " " }))
        var head: HTTPResponseHead?
        var content: [UInt8] = []
        while true {
            var input = try socket.read(max: 65_536, timeoutMilliseconds: 20_000)
            let isOver = input.isEmpty
            while true {
                let (consumed, step) = parser.consume(input.span)
                input.removeFirst(consumed)
                switch step {
                case .head(let found): head = found
                case .body(let bytes): content += bytes
                case .end: return Response(head: try #require(head), body: content)
                case .needsMore:
                    try #require(!isOver, "the response ended early")
                case .failed(let failure):
                    Issue.record("\(failure)")
                    return Response(head: HTTPResponseHead(status: 500), body: [])
                }
                if case .needsMore = step { break }
            }
        }
    }

    /// A form, sent from a page of this daemon.
    func post(_ target: String, _ form: String, cookie: String? = nil) throws -> Response {
        let headers = ["Content-Type: application/x-www-form-urlencoded", "Origin: http://\(address)"]
        return try ask("POST \(target)", headers + (cookie.map { ["Cookie: \($0)"] } ?? []), form)
    }

    /// Signs in; the browser's cookie.
    func signIn(_ username: String, _ password: String) throws -> String {
        try #require(try post("/signin", "username=\(username)&password=\(password)").cookie)
    }

    func get(_ target: String, cookie: String? = nil) throws -> Response {
        try ask("GET \(target)", cookie.map { ["Cookie: \($0)"] } ?? [])
    }

    /// Asks over the Unix socket, as a member.
    func call(as username: String, _ method: String, _ params: JSON) throws -> JSON {
        let socket = try ClientSocket.connect(unixPath: folder + "/socket", timeoutMilliseconds: 20_000)
        let requests: [JSON] = [
            ["jsonrpc": "2.0", "id": 1, "method": "session.as", "params": ["username": .string(username)]],
            ["jsonrpc": "2.0", "id": 2, "method": .string(method), "params": params],
        ]
        for request in requests { try socket.write(request.bytes + [0x0A], timeoutMilliseconds: 20_000) }
        var lines: [[UInt8]] = []
        var splitter = LineSplitter(lineBytesMax: 1 << 20)
        while lines.count < 2 {
            var input = try socket.read(max: 65_536, timeoutMilliseconds: 20_000)
            try #require(!input.isEmpty, "the connection ended")
            while true {
                let (consumed, step) = splitter.consume(input.span)
                input.removeFirst(consumed)
                guard case .line(let line) = step else { break }
                lines.append(line)
            }
        }
        return try #require(try JSON.parse(lines[1])["result"])
    }
}
