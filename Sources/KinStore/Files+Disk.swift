internal import CLinux
internal import Glibc
internal import KinCrypto

/// The machine's file system.
struct DiskFiles: FileSystem {
    var vfsName: String { CountingVFS.name }
    var syncCount: Int { CountingVFS.syncCount }

    func makeDirectory(_ path: String) throws(StoreFailure) {
        var status = stat()
        if unsafe stat(path, &status) != 0 {
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try makeParents(String(path[..<slash])) }
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
                throw errno == ENOENT ? .notWritable(path: path) : failure(path)
            }
        } else if status.st_mode & 0o077 != 0, unsafe chmod(path, 0o700) != 0 {
            throw failure(path)
        }
        if unsafe access(path, W_OK | X_OK | R_OK) != 0 { throw failure(path) }
    }

    private func makeParents(_ path: String) throws(StoreFailure) {
        guard !exists(path) else { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try makeParents(String(path[..<slash])) }
        if unsafe mkdir(path, 0o755) != 0, errno != EEXIST { throw failure(path) }
    }

    func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    func list(_ directory: String) throws(StoreFailure) -> [String] {
        guard let handle = unsafe opendir(directory) else { throw failure(directory) }
        defer { unsafe closedir(handle) }
        var names: [String] = []
        while let entry = unsafe readdir(handle) {
            // The name ends with a zero byte within the entry.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func size(_ path: String) throws(StoreFailure) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw failure(path) }
        return Int(status.st_size)
    }

    func read(_ path: String, offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        let file = try open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(file, buffer.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure(path) }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }

    func touch(_ path: String) throws(StoreFailure) { close(try open(path, O_WRONLY | O_CREAT)) }

    func append(_ path: String, _ bytes: [UInt8]) throws(StoreFailure) {
        try append(path, pieces: [bytes], isToBeSynced: false)
    }

    func append(_ path: String, pieces: [[UInt8]], isToBeSynced: Bool) throws(StoreFailure) {
        let file = try open(path, O_WRONLY | O_CREAT | O_APPEND)
        defer { close(file) }
        for bytes in pieces {
            var done = 0
            while done < bytes.count {
                let put = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe write(file, buffer.baseAddress.map { unsafe $0 + done }, bytes.count - done)
                }
                if put < 0, errno == EINTR { continue }
                guard put > 0 else { throw failure(path) }
                done += put
            }
        }
        // A file system that cannot do this writes at the sync.
        if isToBeSynced { kin_begin_writing(file) }
    }

    func overwrite(_ path: String, at offset: Int, _ bytes: [UInt8]) throws(StoreFailure) {
        let file = try open(path, O_WRONLY)
        defer { close(file) }
        try put(bytes, into: file, at: offset, path)
    }

    private func put(_ bytes: [UInt8], into file: Int32, at offset: Int, _ path: String) throws(StoreFailure) {
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    file, buffer.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(offset + done))
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw failure(path) }
            done += put
        }
    }

    func link(_ path: String, as other: String) throws(StoreFailure) {
        if unsafe Glibc.link(path, other) != 0 { throw failure(path) }
    }

    func names(of path: String) throws(StoreFailure) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw failure(path) }
        return Int(status.st_nlink)
    }

    func truncate(_ path: String, to bytes: Int) throws(StoreFailure) {
        if unsafe Glibc.truncate(path, off_t(bytes)) != 0 { throw failure(path) }
    }

    func sync(_ path: String) throws(StoreFailure) {
        let file = try open(path, O_RDONLY)
        defer { close(file) }
        CountingVFS.countSync()
        // The length is synced with it; who changed the file when is not.
        if fdatasync(file) != 0 { throw failure(path) }
    }

    func syncDirectory(_ path: String) throws(StoreFailure) {
        let file = try open(path, O_RDONLY | O_DIRECTORY)
        defer { close(file) }
        CountingVFS.countSync()
        if fsync(file) != 0 { throw failure(path) }
    }

    func remove(_ path: String) throws(StoreFailure) {
        if unsafe unlink(path) != 0, errno != ENOENT { throw failure(path) }
    }

    func removeDirectory(_ path: String) throws(StoreFailure) {
        if unsafe rmdir(path) != 0, errno != ENOENT { throw failure(path) }
    }

    func rename(_ path: String, to new: String) throws(StoreFailure) {
        if unsafe Glibc.rename(path, new) != 0 { throw failure(path) }
    }

    func reserve(_ path: String, bytes: Int) throws(StoreFailure) {
        let file = try open(path, O_WRONLY | O_CREAT)
        defer { close(file) }
        let code = posix_fallocate(file, 0, off_t(bytes))
        if code != 0 { throw failure(path, code: code) }
    }

    func room(_ directory: String) -> Int {
        var status = statvfs()
        guard unsafe statvfs(directory, &status) == 0 else { return 0 }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    func rewrite(_ path: String) throws(StoreFailure) {
        let file = try open(path, O_RDWR)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while true {
            let count = unsafe pread(file, &bytes, bytes.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            try put(count == bytes.count ? bytes : Array(bytes.prefix(count)), into: file, at: offset, path)
            offset += count
        }
        CountingVFS.countSync()
        if fsync(file) != 0 { throw failure(path) }
    }

    func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    func lock(_ path: String, of directory: String) throws(StoreFailure) -> FileLock {
        let file = try open(path, O_RDWR | O_CREAT)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            throw code == EWOULDBLOCK ? .inUse(path: directory) : failure(path, code: code)
        }
        return FileLock { close(file) }
    }

    func random(_ count: Int) -> [UInt8] { Randomness.bytes(count) }

    // MARK: Inside

    private func open(_ path: String, _ flags: Int32) throws(StoreFailure) -> Int32 {
        let file = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path) }
        return file
    }

    private func failure(_ path: String, code: Int32 = errno) -> StoreFailure {
        switch code {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly(path: path)
        case EACCES, EPERM, ENOTDIR: .notWritable(path: path)
        default: .io(code: code)
        }
    }
}
