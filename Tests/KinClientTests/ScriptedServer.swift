import Glibc
import KinLoop
import Synchronization

/// A server of one connection at a time that does what a script says, on a Unix socket in a temporary folder or on a
/// loopback port that the kernel chose.
final class ScriptedServer: Sendable {
    /// One accepted connection.
    struct Peer {
        let descriptor: Int32

        /// What arrives next; empty at the end.
        func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            return count > 0 ? Array(buffer[..<count]) : []
        }

        /// Reads until a line is whole.
        func line() -> String {
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while Glibc.read(descriptor, &byte, 1) == 1 {
                if byte == 0x0A { break }
                line.append(byte)
            }
            return String(decoding: line, as: UTF8.self)
        }

        func send(_ text: String) { send(Array(text.utf8)) }

        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    let port: UInt16
    let path: String
    private let listener: Int32
    private let thread: Mutex<ThreadHandle?>

    /// Serves as many connections as there are scripts, one after the other.
    init(isUnix: Bool, _ scripts: [@Sendable (Peer) -> Void]) throws {
        var template = Array("/tmp/kin-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        let path = made + "/s"
        self.path = path
        let listener = socket(isUnix ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        if isUnix {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
            }
            precondition(bound == 0)
            port = 0
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(listener, pointer, size) == 0 && getsockname(listener, pointer, &size) == 0
                }
            }
            precondition(bound)
            port = UInt16(bigEndian: address.sin_port)
        }
        listen(listener, 8)
        thread = Mutex(nil)
        let running = try startThread(name: "scripted") {
            for script in scripts {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                script(Peer(descriptor: descriptor))
                close(descriptor)
            }
        }
        thread.withLock { $0 = running }
    }

    /// Ends listening, and waits for the last script.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.withLock { $0 }?.join()
        close(listener)
        unlink(path)
        rmdir(String(path.dropLast(2)))
    }
}
