import Glibc
import KinLoop
import KinModel
import KinWords

/// The folder in which a daemon keeps all its data, while no daemon runs.
struct DataFolder {
    let path: String
    /// The files that a restore does not replace: the lock itself, the certificate authority that phones trust, other
    /// backups, and the map beneath, which is in no backup.
    private static let staying: Set<String> = ["lock", "authority", "backups", "maps"]

    /// Whether there is nothing to replace.
    var isEmpty: Bool { Self.entries(path).isEmpty }

    /// Replaces the family here by a backup. The backup is first verified and unpacked beside it. The former family is
    /// moved aside; answers its path.
    func replace(by archive: String, isQuiet: Bool) throws(Problem) -> String {
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failed(phrase("file.unwritable", ["path": path])) }
        defer { close(lock) }
        // This is the daemon's own lock. While it is held, no daemon starts.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw .failed(phrase("restore.runs", ["path": path]))
        }
        let stamp = LocalTime.now.milliseconds
        let fresh = "\(path)/restored-\(stamp)"
        let status = try Kinwired.run(["--restore", archive, "--data", fresh], isQuiet: isQuiet)
        guard status == 0 else {
            Self.remove(fresh)
            throw .failed(phrase("restore.replaced-nothing", ["status": status]))
        }
        let former = "\(path)/before-restore-\(stamp)"
        guard mkdir(former, 0o700) == 0 else { throw failed(phrase("file.unmade", ["path": former])) }
        for name in Self.entries(path) where !Self.staying.contains(name) && !name.hasPrefix("before-restore-") {
            let from = "\(path)/\(name)"
            guard from != fresh else { continue }
            guard rename(from, "\(former)/\(name)") == 0 else { throw failed(phrase("file.unmoved", ["path": from])) }
        }
        for name in Self.entries(fresh) where !Self.staying.contains(name) {
            guard rename("\(fresh)/\(name)", "\(path)/\(name)") == 0 else {
                throw failed(phrase("file.unplaced", ["path": name]))
            }
        }
        Self.remove(fresh)
        giveToOwner()
        try? Files.syncDirectory(path)
        return former
    }

    /// Gives files that root restored to the owner of the folder, which is the daemon's user.
    private func giveToOwner() {
        var status = stat()
        guard Machine.effectiveUserID == 0, stat(path, &status) == 0, status.st_uid != 0 else { return }
        Self.walk(path) { lchown($0, status.st_uid, status.st_gid) }
    }

    private func failed(_ what: String) -> Problem {
        .failed(phrase("file.failed", ["what": what, "reason": Problem.reason(errno)]))
    }

    private static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // The name ends at its NUL byte, within a record that the next call may overwrite.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Every file and folder below a path, those within a folder before the folder itself; links are not followed.
    private static func walk(_ path: String, _ visit: (String) -> Void) {
        for name in entries(path) {
            let child = "\(path)/\(name)"
            var status = stat()
            guard lstat(child, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { walk(child, visit) }
            visit(child)
        }
    }

    private static func remove(_ path: String) {
        walk(path) { child in if unlink(child) != 0 { rmdir(child) } }
        rmdir(path)
    }
}
