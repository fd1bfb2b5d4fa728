import Glibc
import KinCodec
import KinCrypto

/// A file that a package installed. A package may replace it while it is read, so every look and every piece tells
/// which version it is of.
struct InstalledFile: Sendable, Equatable {
    let path: String

    /// The file's length, and a digest that tells it from any other file that had its name; `nil` where there is none.
    func look() -> (bytes: Int, digest: [UInt8])? { opened { file, found in (Int(found.st_size), Self.digest(found)) } }

    /// Bytes of the file; fewer at its end, `nil` where it is no longer the one that was looked at.
    func read(_ digest: [UInt8], from: Int, count: Int) -> [UInt8]? {
        opened { file, found in
            guard Self.digest(found) == digest else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let taken = unsafe bytes.withUnsafeMutableBytes { bytes in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                    return unsafe pread(file, rest.baseAddress, rest.count, from + filled)
                }
                if taken > 0 {
                    filled += taken
                } else if taken == 0 {
                    break
                } else if errno != EINTR {
                    return nil
                }
            }
            return Array(bytes[..<filled])
        }
    }

    /// Opens the file. Links are not followed, and only a regular file is opened.
    private func opened<Made>(_ make: (Int32, stat) -> Made?) -> Made? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var found = stat()
        guard unsafe fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        return make(file, found)
    }

    private static func digest(_ found: stat) -> [UInt8] {
        let numbers = [
            Int(bitPattern: UInt(found.st_dev)), Int(bitPattern: UInt(found.st_ino)), Int(found.st_size),
            found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec,
        ]
        return Array(Digest.sha256(Array(numbers.map { String($0) }.joined(separator: " ").utf8)))
    }
}
