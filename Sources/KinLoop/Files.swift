import CLinux
import Glibc

/// Small calls about files and folders.
public enum Files {
    /// Makes a folder with permission bits, or leaves one that exists as it is. Its parent must exist.
    public static func makeDirectory(_ path: String, mode: UInt32) throws(LoopFailure) {
        // The mode is set once more, for the bits that the umask removed.
        if unsafe mkdir(path, mode) == 0, unsafe chmod(path, mode) == 0 { return }
        let reason = errno
        if reason == EEXIST, isDirectory(path) { return }
        throw .at(path, call: "mkdir", errno: reason)
    }

    /// Whether a path leads to a folder.
    public static func isDirectory(_ path: String) -> Bool {
        var found = stat()
        return unsafe stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether something has this path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The permission bits (0…0o7777) of a file or folder; `nil` when there is none.
    public static func mode(of path: String) -> UInt32? {
        var found = stat()
        return unsafe stat(path, &found) == 0 ? found.st_mode & 0o7777 : nil
    }

    /// The user who owns a file or folder; `nil` when there is none.
    public static func owner(of path: String) -> UInt32? {
        var found = stat()
        return unsafe stat(path, &found) == 0 ? found.st_uid : nil
    }

    /// Milliseconds since 1970 when a file was last written; `nil` when there is none.
    public static func changedAt(_ path: String) -> Int64? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return Int64(found.st_mtim.tv_sec) * 1000 + Int64(found.st_mtim.tv_nsec) / 1_000_000
    }

    /// Bytes of a file; `nil` when there is none.
    public static func size(of path: String) -> Int? {
        var found = stat()
        return unsafe stat(path, &found) == 0 ? Int(found.st_size) : nil
    }

    /// A text that tells the file at a path from every other that was there: its place on the disk, its size, and when
    /// it was changed. `nil` where there is no file.
    public static func print(of path: String) -> String? {
        var found = stat()
        guard unsafe stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        return "\(found.st_dev) \(found.st_ino) \(found.st_size) \(found.st_mtim.tv_sec).\(found.st_mtim.tv_nsec)"
    }

    /// Bytes an ordinary user may still write at a path; `nil` when it cannot be asked.
    public static func freeBytes(at path: String) -> Int? {
        var found = statvfs()
        guard unsafe statvfs(path, &found) == 0 else { return nil }
        let (bytes, overflow) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return overflow ? .max : Int(clamping: bytes)
    }

    /// Gives a file or folder to another user, where this program may; links are not followed.
    public static func give(_ path: String, to owner: UInt32) throws(LoopFailure) {
        guard geteuid() != owner else { return }
        guard unsafe lchown(path, owner, gid_t.max) == 0 else { throw .at(path, call: "chown", errno: errno) }
    }

    /// Copies a file to a place whole or not at all, as ``write(_:to:mode:isDurable:)`` does, a piece at a time.
    public static func copy(_ source: String, to path: String, mode: UInt32, owner: UInt32?) throws(LoopFailure) {
        let aside = path + ".new"
        try remove(aside)
        do throws(LoopFailure) {
            let from = try open(source, O_RDONLY)
            let to = try open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            while true {
                let count = sendfile(to.number, from.number, nil, 1 << 24)
                if count == 0 { break }
                guard count > 0 || errno == EINTR else { throw .at(path, call: "write", errno: errno) }
            }
            if let owner { try give(aside, to: owner) }
            guard fchmod(to.number, mode) == 0, fsync(to.number) == 0, unsafe rename(aside, path) == 0 else {
                throw .at(path, call: "rename", errno: errno)
            }
        } catch {
            try? remove(aside)
            throw error
        }
        try syncDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    /// Writes a folder's entries to disk, so that a file made or renamed in it survives a crash.
    public static func syncDirectory(_ path: String) throws(LoopFailure) {
        let folder = try open(path, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.number) == 0 else { throw .at(path, call: "fsync", errno: errno) }
    }

    /// The whole of a file of at most `max` bytes; a larger one fails with EFBIG.
    public static func read(_ path: String, max: Int = 1 << 20) throws(LoopFailure) -> [UInt8] {
        let file = try open(path, O_RDONLY)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(file.number, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .at(path, call: "read", errno: errno)
            }
            guard bytes.count + count <= max else { throw .at(path, call: "read", errno: EFBIG) }
            bytes += chunk[..<count]
        }
    }

    /// Bytes of a file from an offset on, fewer only at its end.
    public static func read(_ path: String, from offset: Int, count: Int) throws(LoopFailure) -> [UInt8] {
        let file = try open(path, O_RDONLY)
        var (bytes, done) = ([UInt8](repeating: 0, count: count), 0)
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    file.number, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .at(path, call: "pread", errno: errno) }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Puts a file in place whole or not at all: written aside, synced, renamed, the folder synced.
    /// - Parameter isDurable: False leaves the syncing out, for files that may be lost or torn when the power fails.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32, isDurable: Bool = true
    ) throws(LoopFailure) {
        let aside = path + ".new"
        try remove(aside)
        do throws(LoopFailure) {
            let file = try open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                    return unsafe Glibc.write(file.number, rest.baseAddress, rest.count)
                }
                if count >= 0 {
                    written += count
                } else if errno != EINTR {
                    throw .at(path, call: "write", errno: errno)
                }
            }
            guard fchmod(file.number, mode) == 0, !isDurable || fsync(file.number) == 0,
                unsafe rename(aside, path) == 0
            else { throw .at(path, call: "rename", errno: errno) }
        } catch {
            try? remove(aside)
            throw error
        }
        guard isDurable else { return }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try syncDirectory(folder)
    }

    /// Removes a file; one that is not there is no mistake.
    public static func remove(_ path: String) throws(LoopFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .at(path, call: "unlink", errno: errno) }
    }

    /// The names in a folder that begin with no dot, sorted; none where it cannot be read.
    public static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            // The name ends with a NUL within its array; it is copied at once.
            let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(LoopFailure) -> Descriptor {
        let fd = unsafe kin_open(path, flags, mode)
        guard fd >= 0 else { throw .at(path, call: "open", errno: -fd) }
        return Descriptor(owning: fd)
    }
}
