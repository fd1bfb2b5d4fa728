import Glibc

/// A folder of small files that are replaced whole.
struct Folder {
    let path: String

    /// Makes the folder (0700) when it is absent.
    init(_ path: String) throws(TLSFailure) {
        self.path = path
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("made", path) }
    }

    /// The bytes of a file of at most 1 MiB; `nil` when there is none.
    func read(_ name: String) throws(TLSFailure) -> [UInt8]? { try Self.read(path: path + "/" + name) }

    /// See ``read(_:)``.
    static func read(path: String) throws(TLSFailure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("opened", path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
            guard bytes.count <= 1 << 20 else { throw .file("\(path) is too large for a certificate.") }
        }
    }

    /// Writes a file so that after a crash there is the old one or the new one, on disk when this returns.
    func write(_ name: String, _ bytes: [UInt8], mode: mode_t) throws(TLSFailure) {
        let target = path + "/" + name
        let draft = target + ".new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("written", target) }
        var isWritten = fchmod(descriptor, mode) == 0
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWritten = isWritten && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, unsafe rename(draft, target) == 0 else {
            let failure = Self.failure("written", target)
            unsafe unlink(draft)
            throw failure
        }
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func failure(_ what: String, _ path: String) -> TLSFailure {
        .file(unsafe "\(path) could not be \(what): \(String(cString: strerror(errno))).")
    }
}
