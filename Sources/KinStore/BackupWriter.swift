internal import KinCrypto
internal import KinModel

/// Writes the archive of a backup, part by part, and the sums at its end.
struct BackupWriter {
    private let path: String
    private let files: any FileSystem
    private let seconds: Int64
    private var sums = ""

    init(_ path: String, files: any FileSystem, at: Instant) throws(StoreFailure) {
        self.path = path
        self.files = files
        seconds = at.milliseconds / 1000
        try files.touch(path)
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) throws(StoreFailure) {
        try files.append(path, Tar.header(name, size: bytes.count, seconds: seconds) + bytes)
        try pad(bytes.count)
        note(name, Digest.sha256(bytes))
    }

    mutating func add(_ name: String, file: String) throws(StoreFailure) {
        let size = try files.size(file)
        try files.append(path, Tar.header(name, size: size, seconds: seconds))
        var digest = RunningDigest()
        var offset = 0
        while offset < size {
            let piece = try files.read(file, offset: offset, count: min(Backup.pieceBytes, size - offset))
            guard !piece.isEmpty else { throw .corrupt("\(name) became shorter while it was read") }
            digest.update(piece)
            try files.append(path, piece)
            offset += piece.count
        }
        try pad(size)
        note(name, digest.finish())
    }

    /// The sums, the end of the archive, and all of it on disk.
    mutating func finish() throws(StoreFailure) {
        let list = Array(sums.utf8)
        try files.append(path, Tar.header(Backup.sums, size: list.count, seconds: seconds) + list)
        try pad(list.count)
        try files.append(path, [UInt8](repeating: 0, count: 2 * Tar.blockBytes))
        try files.sync(path)
    }

    private mutating func note(_ name: String, _ digest: [UInt8]) { sums += Hex.encode(digest) + "  " + name + "\n" }

    private func pad(_ size: Int) throws(StoreFailure) {
        let count = Tar.padding(size)
        if count > 0 { try files.append(path, [UInt8](repeating: 0, count: count)) }
    }
}
