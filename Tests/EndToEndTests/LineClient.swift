import Glibc
import KinCodec
import KinModel
import Testing

/// The line protocol over a socket, spoken by the test itself: requests can be sent without waiting.
final class LineClient {
    /// What the daemon answered instead of a result.
    struct Refusal: Error, CustomStringConvertible {
        let error: JSON
        var code: Int64 { error["code"]?.int ?? 0 }
        var description: String { String(decoding: error.bytes, as: UTF8.self) }
    }
    /// The daemon is gone.
    struct Gone: Error {}

    let descriptor: CInt
    private var buffer: [UInt8] = []
    private var nextID: Int64 = 0
    /// Messages that were no answer, in order.
    private(set) var notifications: [JSON] = []

    init(unix path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Gone() }
    }

    deinit { close(descriptor) }

    /// Sends a request; answers its id.
    @discardableResult
    func send(_ method: String, _ params: JSON) throws -> Int64 {
        nextID += 1
        let message: JSON = [
            "jsonrpc": "2.0", "id": .int(nextID), "method": .string(method), "params": params,
        ]
        var bytes = (message.bytes + [0x0A])[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Gone() }
            bytes = bytes.dropFirst(count)
        }
        return nextID
    }

    /// The next message; `nil` when none came within the time.
    func next(milliseconds: Int32 = Int32(Stage.patienceSeconds * 1000)) throws -> JSON? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let message = try JSON.parse(Array(buffer[..<end]), depthMax: 64)
                buffer.removeSubrange(...end)
                return message
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            var part = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { throw Gone() }
            buffer += part[..<count]
        }
    }

    /// Calls a method and waits; what is no answer is kept.
    func call(_ method: String, _ params: JSON) throws -> JSON {
        let id = try send(method, params)
        while let message = try next() {
            guard message["id"]?.int == id else {
                notifications.append(message)
                continue
            }
            if let error = message["error"] { throw Refusal(error: error) }
            return message["result"] ?? .null
        }
        throw Gone()
    }
}
