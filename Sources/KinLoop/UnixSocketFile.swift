import CLinux
import Glibc

/// The file through which a Unix socket is found, told from a later one of the same name by its inode.
struct UnixSocketFile {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// The file that lies at a path now.
    init?(_ path: String) {
        var found = stat()
        guard unsafe lstat(path, &found) == 0 else { return nil }
        self.path = path
        device = found.st_dev
        inode = found.st_ino
    }

    /// Removes the file, unless somebody else has put theirs in its place.
    func removeIfOurs() {
        if let now = UnixSocketFile(path), now.device == device, now.inode == inode { unsafe unlink(path) }
    }

    /// Clears a path for a new socket. A socket file whose owner died without removing it is removed. Anything else
    /// stays, and is the failure.
    static func clear(_ path: String) throws(LoopFailure) {
        var found = stat()
        guard unsafe lstat(path, &found) == 0 else {
            if errno == ENOENT { return }
            throw .at(path, call: "lstat", errno: errno)
        }
        guard found.st_mode & S_IFMT == S_IFSOCK else { throw .system(call: "listen on \(path)", errno: EEXIST) }
        var storage = sockaddr_storage()
        let length = unixAddress(path, &storage)
        let fd = try LoopFailure.check("socket", kin_socket(AF_UNIX, Int32(SOCK_STREAM.rawValue)))
        let descriptor = Descriptor(owning: fd)
        // "Refused" means that nobody listens. EAGAIN is a full queue, so the owner lives; the same holds for every
        // other answer.
        let answer = unsafe kin_connect(descriptor.number, &storage, length)
        if answer == -EACCES { throw .notPermitted(path) }
        guard answer == -ECONNREFUSED else { throw .addressInUse(path) }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .at(path, call: "unlink", errno: errno) }
    }
}
