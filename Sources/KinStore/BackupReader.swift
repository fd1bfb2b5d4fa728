internal import KinCrypto

/// Reads the archive of a backup: unpacks its parts, then compares their sums with the list at its end.
struct BackupReader {
    private let path: String
    private let files: any FileSystem
    private var offset = 0
    private var digests: [String: [UInt8]] = [:]
    private var list: [UInt8]?
    private(set) var about: [UInt8]?
    /// The size of the parts, in bytes.
    private(set) var bytes = 0

    init(_ path: String, files: any FileSystem) {
        self.path = path
        self.files = files
    }

    /// The names of the parts met.
    var found: Set<String> { Set(digests.keys) }

    mutating func unpack(into directory: String) throws(StoreFailure) {
        let blobs = directory + "/blobs"
        try files.makeDirectory(blobs)
        while let (name, size) = try Tar.entry(try files.read(path, offset: offset, count: Tar.blockBytes)) {
            offset += Tar.blockBytes
            guard list == nil else { throw .badBackup("it goes on after its sums") }
            switch name {
            case Backup.sums: list = try part(size)
            case Backup.about:
                let text = try part(size)
                about = text
                digests[name] = Digest.sha256(text)
            default:
                // The name becomes a path: only these two forms are accepted.
                guard name == Backup.database || (name.hasPrefix("blobs/") && Blobs.isName(String(name.dropFirst(6)))),
                    digests[name] == nil
                else { throw .badBackup("it holds something that does not belong there") }
                try copy(size, to: directory + "/" + name, as: name)
            }
        }
        try compare()
        try files.syncDirectory(blobs)
    }

    private mutating func part(_ size: Int) throws(StoreFailure) -> [UInt8] {
        guard size <= Backup.sumsBytesMax else { throw .badBackup("a list in it is too long") }
        let bytes = try files.read(path, offset: offset, count: size)
        guard bytes.count == size else { throw .backupCutOff }
        offset += size + Tar.padding(size)
        return bytes
    }

    private mutating func copy(_ size: Int, to target: String, as name: String) throws(StoreFailure) {
        var digest = RunningDigest()
        var rest = size
        try files.touch(target)
        while rest > 0 {
            let piece = try files.read(path, offset: offset, count: min(Backup.pieceBytes, rest))
            guard !piece.isEmpty else { throw .backupCutOff }
            digest.update(piece)
            try files.append(target, piece)
            offset += piece.count
            rest -= piece.count
        }
        try files.sync(target)
        digests[name] = digest.finish()
        bytes += size
        offset += Tar.padding(size)
    }

    /// Checks that every part is listed with its sum, and that every listed part was there.
    private func compare() throws(StoreFailure) {
        guard let list else { throw .backupCutOff }
        var listed: Set<String> = []
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            let name = String(line.dropFirst(66))
            guard let digest = digests[name], line.prefix(64) == Hex.encode(digest) else {
                throw .badBackup("its part \(listed.count + 1) does not match its sum")
            }
            listed.insert(name)
        }
        guard listed.count == digests.count else { throw .badBackup("a part of it has no sum") }
    }
}
