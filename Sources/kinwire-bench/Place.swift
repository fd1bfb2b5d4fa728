import Glibc
import KinCrypto
import KinLoop

/// A folder for one measurement, removed with this object unless it is to be kept.
final class Place {
    let path: String
    private let isKept: Bool

    init(in directory: String) throws(Trouble) {
        let path = directory + "/kinwire-bench-" + Hex.encode(Randomness.bytes(6))
        try attempt { try KinLoop.Files.makeDirectory(path, mode: 0o700) }
        self.path = path
        isKept = false
    }

    /// A folder that stays.
    init(keeping path: String) throws(Trouble) {
        try attempt { try KinLoop.Files.makeDirectory(path, mode: 0o700) }
        self.path = path
        isKept = true
    }

    deinit { if !isKept { Self.remove(path) } }

    static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(folder)
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// This program's own file, and the folder it lies in.
    static var program: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static var daemon: String {
        let own = program
        return (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "./") + "kinwired"
    }
}
