import Glibc
import KinModel

extension Command {
    static let backup = Command(
        name: "backup", usage: ["backup FILE"],
        words: 1...1, run: { (call) throws(Problem) in try Archive.backup(call) })

    static let restore = Command(
        name: "restore",
        usage: ["restore FILE --data DIR", "restore FILE --verify"],
        options: [
            .value("data", "DIR"),
            .flag("verify"),
        ],
        words: 1...1, run: { (call) throws(Problem) in try Archive.restore(call) })
}

/// Backups, each in one file.
private enum Archive {
    static func backup(_ call: Invocation) throws(Problem) {
        let target = call.words[0]
        guard try call.door().isUnix else {
            throw .usage(phrase("backup.at-machine"))
        }
        guard call.value("as") == nil else { throw .usage(phrase("backup.no-as")) }
        guard access(target, F_OK) != 0 else { throw .failed(phrase("file.exists", ["path": target])) }
        let name = "kin-\(getpid())-\(LocalTime.now.milliseconds).kinwire"
        let made = try call.callAtMachine("family.backup", ["name": .string(name)], timeoutMilliseconds: 3_600_000)
        guard let path = made["path"]?.string else {
            throw Problem(.notReachable, phrase("backup.nowhere"))
        }
        try move(path, to: target)
        guard try verify(target) else {
            throw .failed(phrase("backup.not-whole", ["path": target]))
        }
        let bytes = made["bytes"]?.int ?? 0
        if call.wantsJSON { return call.output.say(["path": .string(target), "bytes": .int(bytes), "verified": true]) }
        call.output.say(phrase("backup.done", ["path": target, "size": max(1, bytes >> 10)]))
    }

    static func restore(_ call: Invocation) throws(Problem) {
        let file = call.words[0]
        guard access(file, R_OK) == 0 else {
            throw .failed(phrase("file.unreadable", ["path": file, "reason": Problem.reason(errno)]))
        }
        if call.has("verify") {
            guard try verify(file, data: call.value("data")) else {
                throw .failed(phrase("restore.not-whole", ["path": file]))
            }
            return call.wantsJSON
                ? call.output.say(["verified": true]) : call.output.say(phrase("restore.whole", ["path": file]))
        }
        guard let data = call.value("data") else {
            throw .usage(phrase("restore.where"))
        }
        let folder = DataFolder(path: data)
        var former: String?
        if folder.isEmpty {
            let status = try Kinwired.run(["--restore", file, "--data", data], isQuiet: call.wantsJSON)
            guard status == 0 else { throw .failed(phrase("restore.failed", ["status": status])) }
        } else {
            former = try folder.replace(by: file, isQuiet: call.wantsJSON)
        }
        if call.wantsJSON {
            return call.output.say(.object(leavingOut: ["restored": true, "former": former.map { .string($0) }]))
        }
        if let former { call.output.say(phrase("restore.former", ["path": former])) }
        call.output.say(phrase("restore.start"))
    }

    private static func verify(_ file: String, data: String? = nil) throws(Problem) -> Bool {
        if let data {
            return try Kinwired.run(["--restore", file, "--data", data, "--verify-only"], isQuiet: true) == 0
        }
        let base = String(cString: getenv("TMPDIR") ?? strdup("/tmp"))
        var template = Array("\(base)/kin-verify-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .failed(phrase("backup.no-temporary", ["folder": base])) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { rmdir(folder) }
        return try Kinwired.run(["--restore", file, "--data", folder, "--verify-only"], isQuiet: true) == 0
    }

    /// Moves the file by renaming it. If that is impossible, the file is copied and synced, and the daemon's copy is
    /// removed.
    private static func move(_ path: String, to target: String) throws(Problem) {
        if rename(path, target) == 0 { return }
        func failed(_ what: String) -> Problem {
            .failed(phrase("backup.left", ["what": what, "reason": Problem.reason(errno), "path": path]))
        }
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw failed(phrase("backup.unreadable")) }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw failed(phrase("file.unwritable", ["path": target])) }
        defer { close(to) }
        while true {
            let count = sendfile(to, from, nil, 1 << 24)
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw failed(phrase("file.unwritable", ["path": target])) }
        }
        guard fsync(to) == 0 else { throw failed(phrase("file.unwritable", ["path": target])) }
        unlink(path)
    }
}
