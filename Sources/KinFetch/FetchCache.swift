import KinCrypto
public import KinLoop
import Synchronization

/// A cache of answers, as files in a folder of their own: bounded in bytes, number and age; the least recently used go
/// first. The files' names are digests, so that the folder does not tell whom the family asks.
///
/// It is on disk and not in memory, because an idle daemon has only 20 MB, and a map that was viewed once should be
/// there after a restart with the internet down. Nothing is synced: what a power cut loses is fetched again, and what
/// it tears fails its digest. Files are private to the daemon's user (0600).
public final class FetchCache: Sendable {
    private struct Entry: Sendable {
        var bytes: Int
        /// Counts uses.
        var usedAt: Int
        /// Milliseconds since 1970 when it was written.
        var cameAt: Int64
    }

    private struct Index: Sendable {
        var entries: [String: Entry] = [:]
        var bytes = 0
        var uses = 0
        /// Milliseconds since 1970 when what is too old was looked for last.
        var sweptAt: Int64 = 0

        mutating func set(_ name: String, bytes: Int, cameAt: Int64) {
            remove(name)
            uses += 1
            entries[name] = Entry(bytes: bytes, usedAt: uses, cameAt: cameAt)
            self.bytes += bytes
        }
        mutating func remove(_ name: String) {
            if let entry = entries.removeValue(forKey: name) { bytes -= entry.bytes }
        }
    }

    private let folder: String
    private let bytesMax: Int
    private let filesMax: Int
    private let daysMax: Int64
    private let index: Mutex<Index>

    /// Opens the folder, made if absent (its parent must exist), and takes over what lies there.
    ///
    /// - Parameters:
    ///   - bytesMax: Bytes of all files together; one answer may have a quarter of it.
    ///   - filesMax: Files at most: about 150 bytes of memory each.
    ///   - daysMax: Days after which one is removed, as soon as another is kept.
    public init(
        folder: String, bytesMax: Int = 128 << 20, filesMax: Int = 8192, daysMax: Int64 = FetchLimits().keptDaysMax
    ) throws(LoopFailure) {
        try Files.makeDirectory(folder, mode: 0o700)
        self.folder = folder
        self.bytesMax = bytesMax
        self.filesMax = filesMax
        self.daysMax = daysMax
        var found = Index()
        for name in Files.names(in: folder) {
            let path = folder + "/" + name
            // Half-written ones, and what is none of ours, which stays and does not count.
            if name.hasSuffix(".new") { try? Files.remove(path) }
            guard Hex.decode(name)?.count == 32, let bytes = Files.size(of: path) else { continue }
            found.set(name, bytes: bytes, cameAt: Files.changedAt(path) ?? 0)
        }
        index = Mutex(found)
        index.withLock { makeRoom(&$0) }
    }

    /// Bytes of all files together.
    public var bytes: Int { index.withLock { $0.bytes } }

    private static func name(_ url: FetchURL, _ purpose: String) -> String {
        Hex.encode(Digest.sha256(Array("\(purpose)\n\(url.text)".utf8)))
    }

    func answer(_ url: FetchURL, of purpose: String) -> KeptAnswer? {
        let name = Self.name(url, purpose)
        let isThere = index.withLock { index in
            guard let entry = index.entries[name] else { return false }
            index.set(name, bytes: entry.bytes, cameAt: entry.cameAt)
            return true
        }
        guard isThere else { return nil }
        if let file = try? Files.read(folder + "/" + name, max: bytesMax), let answer = KeptAnswer(file) {
            return answer
        }
        forget(url, of: purpose)
        return nil
    }

    func keep(_ answer: KeptAnswer, _ url: FetchURL, of purpose: String) {
        let file = answer.file
        guard file.count <= bytesMax / 4 else { return forget(url, of: purpose) }
        let name = Self.name(url, purpose)
        // Within the lock, so that two who keep the same do not write the same file.
        index.withLock { index in
            do throws(LoopFailure) {
                try Files.write(file, to: folder + "/" + name, mode: 0o600, isDurable: false)
                index.set(name, bytes: file.count, cameAt: answer.cameAt)
            } catch {
                // No room on disk is no reason not to answer.
                index.remove(name)
                try? Files.remove(folder + "/" + name)
            }
            makeRoom(&index)
            sweep(&index, answer.cameAt)
        }
    }

    /// Removes what is too old, once an hour. Nobody asks for it any more, or it would be newer.
    private func sweep(_ index: inout Index, _ now: Int64) {
        guard abs(now - index.sweptAt) > 3_600_000 else { return }
        index.sweptAt = now
        for (name, entry) in index.entries where now - entry.cameAt > daysMax * 86_400_000 {
            index.remove(name)
            try? Files.remove(folder + "/" + name)
        }
    }

    func forget(_ url: FetchURL, of purpose: String) {
        let name = Self.name(url, purpose)
        index.withLock { index in
            index.remove(name)
            try? Files.remove(folder + "/" + name)
        }
    }

    /// Removes what was not used for longest, until a tenth is free: sorting is worth it then.
    private func makeRoom(_ index: inout Index) {
        guard index.bytes > bytesMax || index.entries.count > filesMax else { return }
        for (name, _) in index.entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard index.bytes > bytesMax / 10 * 9 || index.entries.count > filesMax / 10 * 9 else { return }
            index.remove(name)
            try? Files.remove(folder + "/" + name)
        }
    }
}
