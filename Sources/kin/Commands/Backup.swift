import Glibc
import KinModel

extension Command {
    static let backup = Command(
        name: "backup", summary: "write the family into one file while the daemon runs", usage: ["backup FILE"],
        details: """
            At the daemon's machine, as root or its own user. The archive holds the database and the pictures: keep it as
            safe as the daemon's own folder. It is verified before this says so; bring it back with kin restore.
            """,
        words: 1...1, run: { (call) throws(Problem) in try Archive.backup(call) })

    static let restore = Command(
        name: "restore", summary: "bring a backup back, or only verify it",
        usage: ["restore FILE --data DIR", "restore FILE --verify"],
        options: [
            .value("data", "DIR", "the folder the daemon keeps everything in; the daemon must not run"),
            .flag("verify", "only say whether the backup is whole"),
        ],
        details: """
            The backup is verified before anything is replaced; what was there is put aside. Afterwards everybody signs in
            anew, phones are set up anew (kin phone add), and nobody's position is shown until that member confirms it.
            """,
        words: 1...1, run: { (call) throws(Problem) in try Archive.restore(call) })
}

/// The one-file backup.
private enum Archive {
    static func backup(_ call: Invocation) throws(Problem) {
        let target = call.words[0]
        guard try call.door().isUnix else {
            throw .usage("A backup is made at the daemon's machine: kin backup FILE --socket PATH.")
        }
        guard access(target, F_OK) != 0 else { throw .failed("\(target) exists already; choose another name.") }
        let name = "kin-\(getpid())-\(LocalTime.now.milliseconds).kinwire"
        let made = try call.call("family.backup", ["name": .string(name)], timeoutMilliseconds: 3_600_000)
        guard let path = made["path"]?.string else {
            throw Problem(.notReachable, "The daemon does not say where it is.")
        }
        try move(path, to: target)
        guard try verify(target) else {
            throw .failed("The backup \(target) is not whole; look at the daemon's log and make another.")
        }
        let bytes = made["bytes"]?.int ?? 0
        if call.wantsJSON { return call.output.say(["path": .string(target), "bytes": .int(bytes), "verified": true]) }
        call.output.say("\(target) holds the family (\(max(1, bytes >> 10)) KiB) and is verified.")
    }

    static func restore(_ call: Invocation) throws(Problem) {
        let file = call.words[0]
        guard access(file, R_OK) == 0 else {
            throw .failed("\(file) cannot be read: \(String(cString: strerror(errno))).")
        }
        if call.has("verify") {
            guard try verify(file, data: call.value("data")) else {
                throw .failed("\(file) is not whole; use another.")
            }
            return call.wantsJSON ? call.output.say(["verified": true]) : call.output.say("\(file) is whole.")
        }
        guard let data = call.value("data") else {
            throw .usage("Into which folder? Add --data DIR, or only --verify.")
        }
        let folder = DataFolder(path: data)
        var former: String?
        if folder.isEmpty {
            let status = try Kinwired.run(["--restore", file, "--data", data], isQuiet: call.wantsJSON)
            guard status == 0 else { throw .failed("Nothing was restored; kinwired said why (status \(status)).") }
        } else {
            former = try folder.replace(by: file, isQuiet: call.wantsJSON)
        }
        if call.wantsJSON {
            return call.output.say(.object(leavingOut: ["restored": true, "former": former.map { .string($0) }]))
        }
        if let former { call.output.say("What was there before lies in \(former); remove it when all is well.") }
        call.output.say("Start the daemon now.")
    }

    private static func verify(_ file: String, data: String? = nil) throws(Problem) -> Bool {
        if let data {
            return try Kinwired.run(["--restore", file, "--data", data, "--verify-only"], isQuiet: true) == 0
        }
        let base = String(cString: getenv("TMPDIR") ?? strdup("/tmp"))
        var template = Array("\(base)/kin-verify-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .failed("No temporary folder can be made in \(base).") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { rmdir(folder) }
        return try Kinwired.run(["--restore", file, "--data", folder, "--verify-only"], isQuiet: true) == 0
    }

    /// Renamed where that is possible, else copied whole, synced, and the daemon's removed.
    private static func move(_ path: String, to target: String) throws(Problem) {
        if rename(path, target) == 0 { return }
        func failed(_ what: String) -> Problem {
            .failed("\(what): \(String(cString: strerror(errno))). The backup lies in \(path).")
        }
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw failed("The daemon's backup cannot be read") }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw failed("\(target) cannot be written") }
        defer { close(to) }
        while true {
            let count = sendfile(to, from, nil, 1 << 24)
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw failed("\(target) cannot be written") }
        }
        guard fsync(to) == 0 else { throw failed("\(target) cannot be written") }
        unlink(path)
    }
}
