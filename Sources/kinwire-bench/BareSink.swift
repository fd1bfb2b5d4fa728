import Glibc
import KinLoop

/// The least that takes files over loopback: one thread that receives, writes and syncs, one after the other, and says one
/// byte when all is on the disk. Nothing is parsed, judged or kept.
final class BareSink: Sendable {
    let port: UInt16
    private let listener: Int32
    private let thread: ThreadHandle

    /// - Parameters:
    ///   - bytes: The length of each file.
    ///   - syncedBytes: As many are written before each sync.
    ///   - folder: Where the files lie until they are whole.
    init(bytes: Int, syncedBytes: Int, in folder: String) throws(Trouble) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isOpen else { throw Trouble("The bare receiver did not start.") }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        thread = try attempt {
            try startThread(name: "sink") {
                while case let peer = accept(listener, nil, nil), peer >= 0 {
                    Self.take(peer, bytes, syncedBytes, folder + "/sink")
                    close(peer)
                }
            }
        }
    }

    /// Ends the thread.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.join()
        close(listener)
    }

    private static func take(_ peer: Int32, _ bytes: Int, _ syncedBytes: Int, _ path: String) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        var (done, unsynced) = (0, 0)
        while done < bytes {
            let got = recv(peer, buffer.baseAddress, buffer.count, 0)
            guard got > 0, write(file, buffer.baseAddress, got) == got else { return }
            done += got
            unsynced += got
            if unsynced >= syncedBytes || done == bytes {
                fdatasync(file)
                unsynced = 0
            }
        }
        _ = send(peer, [1], 1, 0)
    }
}
