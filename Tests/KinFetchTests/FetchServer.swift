import Glibc
import KinTLS
import Synchronization

/// A web server on a port of loopback that says what a test wants, one connection after the other, on a thread of its own.
final class FetchServer: @unchecked Sendable {
    // Rule: fixed before the thread begins, but for the requests, which have a lock.
    typealias Script = @Sendable (Talk) -> Void

    let port: UInt16
    private let socket: CInt
    private let context: TLSContext?
    private let script: Script
    private let asked = Mutex<[String]>([])
    private var thread = pthread_t()

    /// Requests so far, head and content.
    var requests: [String] { asked.withLock { $0 } }

    /// - Parameter host: The last byte of 127.0.0.x.
    init(host: UInt8 = 1, tls context: TLSContext? = nil, _ script: @escaping Script) {
        self.context = context
        self.script = script
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        precondition(bound, "loopback has a free port")
        port = UInt16(bigEndian: address.sin_port)
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<FetchServer>.fromOpaque(argument).takeRetainedValue().serve() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    /// A server that says the same to everybody and closes.
    convenience init(host: UInt8 = 1, tls context: TLSContext? = nil, saying text: String) {
        self.init(host: host, tls: context) { $0.say(text) }
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
            if let talk = Talk(connection, context, number: requests.count) {
                asked.withLock { $0.append(talk.request) }
                script(talk)
                talk.goodbye()
            }
            close(connection)
        }
    }

    /// One connection on which one request came.
    final class Talk {
        private let connection: CInt
        private let tls: TLSSession?
        private var plain: [UInt8] = []
        private(set) var saysGoodbye = true
        /// How many requests came before.
        let number: Int
        /// Head and content.
        var request: String { String(decoding: plain, as: UTF8.self) }
        /// The path and query.
        var target: String { request.split(separator: " ").dropFirst().first.map { String($0) } ?? "" }

        fileprivate init?(_ connection: CInt, _ context: TLSContext?, number: Int) {
            self.connection = connection
            self.number = number
            tls = context.flatMap { try? TLSSession(server: $0) }
            while !isWhole { guard receive() else { return nil } }
        }

        private var isWhole: Bool {
            let parts = request.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return false }
            let line = parts[0].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
            return parts[1].utf8.count >= line.flatMap { Int($0.dropFirst(16)) } ?? 0
        }

        private func receive() -> Bool {
            var part = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return false }
            guard let tls else {
                plain += part[..<count]
                return true
            }
            tls.received(Array(part[..<count]))
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let outcome = buffer.withUnsafeMutableBytes { tls.read(into: $0) }
                if case .bytes(let count) = outcome {
                    plain += buffer[..<count]
                    continue
                }
                flush()
                return outcome == .needsMore
            }
        }

        /// Says bytes; false when nobody listens any more.
        @discardableResult
        func say(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard let tls else { return sendAll(bytes) }
            _ = bytes.withUnsafeBytes { tls.write($0) }
            return flush()
        }

        @discardableResult
        private func flush() -> Bool {
            guard let tls else { return true }
            var output: [UInt8] = []
            tls.takeOutput(into: &output)
            return sendAll(output)
        }

        private func sendAll(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Array(rest).withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Waits until the other side has gone; false when the time is over first.
        @discardableResult
        func waitForEnd(milliseconds: CInt = -1) -> Bool {
            var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) > 0 else { return false }
            var part = [UInt8](repeating: 0, count: 4096)
            return recv(connection, &part, part.count, 0) <= 0 || waitForEnd(milliseconds: milliseconds)
        }

        /// Ends without TLS's goodbye.
        func breakOff() { saysGoodbye = false }

        fileprivate func goodbye() {
            guard saysGoodbye, let tls else { return }
            tls.close()
            flush()
        }
    }
}

extension String {
    /// A plain answer with its length.
    static func answer(_ body: String, status: String = "200 OK", _ fields: String...) -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
            + body
    }
    /// A redirect.
    static func redirect(_ status: Int, to place: String) -> String {
        "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n"
    }
}
