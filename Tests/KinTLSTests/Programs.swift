import Glibc
import KinTLS

/// Programs of others, to talk to.
enum Program {
    static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { access($0 + name, X_OK) == 0 }
    }

    /// Runs a program to its end, without input; what it printed, and its exit code.
    static func run(_ arguments: String...) -> (code: Int32, output: String) {
        var pipes: [CInt] = [0, 0]
        precondition(pipe(&pipes) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
        posix_spawn_file_actions_addclose(&actions, pipes[0])
        posix_spawn_file_actions_addclose(&actions, pipes[1])
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        var process: pid_t = 0
        let spawned = posix_spawnp(&process, arguments[0], &actions, nil, &vector, environ)
        posix_spawn_file_actions_destroy(&actions)
        close(pipes[1])
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while spawned == 0 {
            let count = read(pipes[0], &part, part.count)
            if count <= 0 { break }
            output += part.prefix(count)
        }
        close(pipes[0])
        guard spawned == 0 else { return (-1, "") }
        var status: CInt = 0
        waitpid(process, &status, 0)
        return (status >> 8 & 255, String(decoding: output, as: UTF8.self))
    }
}

/// Answers one HTTPS request after the other on a port of loopback, on a thread of its own, until it is told to end.
final class LoopbackServer: @unchecked Sendable {
    // Rule: fixed before the thread begins; the thread alone uses the context.
    let port: UInt16
    private let socket: CInt
    private let context: TLSContext
    private var thread = pthread_t()

    init(_ context: TLSContext) {
        self.context = context
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        precondition(bound, "loopback has a free port")
        port = UInt16(bigEndian: address.sin_port)
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<LoopbackServer>.fromOpaque(argument).takeRetainedValue().serve() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    /// Ends the thread and waits for it.
    func end() {
        shutdown(socket, CInt(SHUT_RDWR))
        pthread_join(thread, nil)
        close(socket)
    }

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            answer(connection)
            close(connection)
        }
    }

    private func answer(_ connection: CInt) {
        guard let session = try? TLSSession(server: context) else { return }
        var plain: [UInt8] = []
        var end: TLSSession.Outcome?
        var part = [UInt8](repeating: 0, count: 4096)
        while end == nil {
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return }
            session.received(Array(part.prefix(count)))
            Conversation.drain(session, &plain, &end)
            if plain.suffix(4) == Array("\r\n\r\n".utf8)[...] {
                _ = session.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nfamily")
                session.close()
                plain = []
            }
            var output: [UInt8] = []
            session.takeOutput(into: &output)
            guard output.isEmpty || send(connection, output, output.count, CInt(MSG_NOSIGNAL)) > 0 else { return }
        }
    }
}
