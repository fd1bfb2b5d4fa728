import CLinux
import Glibc

/// A file in memory only (memfd_create(2)), as input or output of a program. It is gone with this value, once no other
/// process has it open.
public struct MemoryFile: ~Copyable {
    let descriptor: Descriptor

    /// An empty one.
    public init() throws(LoopFailure) {
        descriptor = Descriptor(owning: try LoopFailure.check("memfd_create", unsafe kin_memory_file("kinwire")))
    }

    /// Adds to the end.
    public func append(_ bytes: [UInt8]) throws(LoopFailure) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor.number, buffer.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system(call: "write", errno: errno) }
            done += written
        }
    }

    /// Rewinds the file, so that the next reader begins at its beginning.
    public func rewind() { lseek(descriptor.number, 0, SEEK_SET) }

    /// All of its bytes if there are at most so many, else `nil`.
    public func read(max: Int) throws(LoopFailure) -> [UInt8]? {
        var found = stat()
        guard unsafe fstat(descriptor.number, &found) == 0 else { throw .system(call: "fstat", errno: errno) }
        let count = Int(found.st_size)
        guard count <= max else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.pread(
                    descriptor.number, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(done))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw .system(call: "pread", errno: errno) }
            done += read
        }
        return bytes
    }
}
