internal import Glibc
internal import KinCrypto

/// Unfinished uploads: files beside the blobs, under names that no blob has. A row of the database names each, so that
/// it outlives the daemon. A file that no row names is removed at the start, as orphans are. No backup holds them.
extension Blobs {
    /// How the files' names begin.
    static let unfinishedPrefix = "unfinished-"

    /// What became of bytes that were to be added.
    public enum Added: Sendable, Equatable {
        /// They are in the file.
        case written
        /// The file does not end there but after so many bytes: nothing was written.
        case endsElsewhere(Int)
    }

    /// A name for a new one, of random bytes.
    public static func unfinishedName(_ random: [UInt8]) -> String { unfinishedPrefix + Hex.encode(random) }

    /// Whether a name is that of an unfinished upload.
    public static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(unfinishedPrefix) && isName(String(name.dropFirst(unfinishedPrefix.count)))
    }

    /// Makes the empty file of an upload. Only for an upload that has a row: late bytes of a cancelled one find no
    /// file, and must not make one.
    public func begin(unfinished name: String) throws(StoreFailure) {
        guard Self.isUnfinished(name) else { return }
        try files.system.touch(path(name))
    }

    /// How much of an upload has arrived; `nil` where it is over. When this returns, that much is on disk, and recorded
    /// as the upload's extent: a crash takes back nothing confirmed. Bytes after the extent may be anything after a
    /// power cut, and are cut off at the next start.
    @discardableResult
    public func arrived(_ name: String) throws(StoreFailure) -> Int? {
        try syncing.hold(name) { () throws(StoreFailure) in try sync(name) }
    }

    /// More may be added meanwhile: that is beyond the extent.
    private func sync(_ name: String) throws(StoreFailure) -> Int? {
        let system = files.system
        guard Self.isUnfinished(name), system.exists(path(name)) else { return nil }
        let end = try changing.hold(name) { () throws(StoreFailure) in
            try takeBack(name)
            return try system.size(path(name))
        }
        do throws(StoreFailure) { try system.sync(path(name)) } catch {
            // Linux drops pages that it could not write, and the next sync would succeed.
            doubted.insert(name)
            try? changing.hold(name) { () throws(StoreFailure) in try takeBack(name) }
            throw error
        }
        // Two syncs for each part of a file. A new file renamed for each extent took a third one, of the directory.
        let extent = path(Self.extent(of: name))
        try system.append(extent, Array("\n\(end) \(end);".utf8))
        try system.sync(extent)
        // That the extent is there says nothing: the sync of the directory may have failed the first time.
        if !placed.contains(name) {
            try system.syncDirectory(directory)
            placed.insert(name)
        }
        return end
    }

    /// The file with an upload's extent: how much of it was on the disk at the last look.
    private static func extent(of name: String) -> String { extentPrefix + name.dropFirst(unfinishedPrefix.count) }
    /// The prefix that existing families have on their disks.
    private static let extentPrefix = "mark-"

    /// The extent in its file: the last line that is whole. Each line says its number twice, so that a power cut cannot
    /// make another number of it. Where the next line should be, a power cut may leave anything: what follows the end of
    /// a line says nothing about the line. A file of an older daemon holds one number alone.
    static func extent(_ bytes: [UInt8]) -> Int {
        var kept = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let end = line.firstIndex(of: UInt8(ascii: ";")) {
                let numbers = line[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                if numbers.count == 2, numbers[0] == numbers[1], let end = number(numbers[0]) { kept = max(kept, end) }
            } else if line.startIndex == 0 {
                kept = number(line) ?? 0
            }
        }
        return kept
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }

    /// Cuts off what a sync that failed may have lost; as long as the disk does not even do that, nothing is told of the
    /// upload and nothing added to it.
    private func takeBack(_ name: String) throws(StoreFailure) {
        guard doubted.contains(name) else { return }
        // While it has a blob's name nothing is taken back, and the doubt stays: that name may go again.
        guard try cut(name) else { throw .io(code: EIO) }
        doubted.remove(name)
    }

    /// Whether an upload's file has another name.
    private func isNamedTwice(_ name: String) throws(StoreFailure) -> Bool {
        try files.system.names(of: path(name)) > 1
    }

    /// Whether the file is a blob, too: then it is whole and on the disk, whatever its extent says. A file may also have
    /// a second name because the folder was copied by links; such a file is no blob.
    private func isBlob(_ name: String) throws(StoreFailure) -> Bool {
        guard try isNamedTwice(name), let own = files.system.identity(path(name)) else { return false }
        return try all().contains { files.system.identity(path($0)) == own }
    }

    /// Cuts off what lies after the extent; false for a blob, of which nothing is cut off.
    @discardableResult
    private func cut(_ name: String) throws(StoreFailure) -> Bool {
        guard try !isBlob(name) else { return false }
        let (system, extent) = (files.system, path(Self.extent(of: name)))
        var kept = 0
        if system.exists(extent) {
            kept = Self.extent(try system.read(extent, offset: 0, count: try system.size(extent)))
        }
        if try system.size(path(name)) > kept { try system.truncate(path(name), to: kept) }
        return true
    }

    /// After a crash: cuts off every byte that was not written down as arrived, and removes extents without a file. A
    /// file that was only just begun may be gone, and is made again. Blobs that no row names are gone by then, so that
    /// what is left with a blob's name is a member's.
    func cutUnfinished(keeping named: Set<String>) throws(StoreFailure) {
        let system = files.system
        for name in named where !system.exists(path(name)) { try begin(unfinished: name) }
        let names = try unfinished()
        for name in names { try cut(name) }
        let extents = Set(names.map(Self.extent))
        for name in try system.list(directory) where name.hasPrefix(Self.extentPrefix) && !extents.contains(name) {
            try system.remove(path(name))
        }
    }

    /// Removes an upload with its extent.
    func remove(unfinished name: String) throws(StoreFailure) {
        doubted.remove(name)
        placed.remove(name)
        try files.system.remove(path(name))
        try files.system.remove(path(Self.extent(of: name)))
    }

    /// Adds to the end, which must be at `offset`; nothing is synced.
    public func add(_ bytes: [UInt8], to name: String, at offset: Int) throws(StoreFailure) -> Added {
        try add([bytes], to: name, at: offset, isToBeSynced: false)
    }

    /// The same with pieces that follow each other. `isToBeSynced`: ``arrived(_:)`` will be asked about them.
    public func add(
        _ pieces: [[UInt8]], to name: String, at offset: Int, isToBeSynced: Bool
    ) throws(StoreFailure) -> Added {
        try changing.hold(name) { () throws(StoreFailure) in
            let system = files.system
            guard Self.isUnfinished(name), system.exists(path(name)) else { return .endsElsewhere(0) }
            try takeBack(name)
            let end = try system.size(path(name))
            guard end == offset, try !isBlob(name) else { return .endsElsewhere(end) }
            guard system.room(directory) >= Spool.diskBytesLeft + pieces.reduce(0, { $0 + $1.count }) else {
                throw .full
            }
            try system.append(path(name), pieces: pieces, isToBeSynced: isToBeSynced)
            // It may have become a blob meanwhile (``Spool/becomeBlob(bytes:)``): that is as long as it was.
            guard try !isBlob(name) else {
                try system.truncate(path(name), to: end)
                return .endsElsewhere(end)
            }
            return .written
        }
    }

    /// Bytes of it from an offset on, fewer only at its end.
    public func readUnfinished(_ name: String, from offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        guard Self.isUnfinished(name) else { return [] }
        return try files.system.read(path(name), offset: offset, count: count)
    }

    /// An upload that is complete by now, for its reader. The file stays until its row is deleted. `bytes`: how long it
    /// is, where that is known; as another length it becomes no blob.
    public func whole(_ name: String, bytes: Int? = nil) -> Spool {
        Spool(
            reading: name, bytes: bytes, directory: directory, files: files, room: arriving, doubted: doubted,
            syncing: syncing)
    }

    /// The names of all unfinished uploads.
    public func unfinished() throws(StoreFailure) -> [String] {
        try files.system.list(directory).filter(Self.isUnfinished)
    }
}
