internal import KinCrypto
internal import Synchronization

/// Reading a blob piece by piece, so that none has to be held.
extension Blobs {
    /// What is known of a blob before it is read.
    public struct Look: Sendable, Equatable {
        /// How long it is.
        public let bytes: Int
        /// A digest of its content, of more than 64 MiB of its name: a blob's content never changes.
        public let digest: [UInt8]
    }

    /// Digests made so far, by blob: a blob's content never changes.
    final class Digests: Sendable {
        private let made = Mutex<[String: [UInt8]]>([:])
        private static let countMax = 1024

        subscript(name: String) -> [UInt8]? {
            get { made.withLock { $0[name] } }
            set {
                made.withLock { made in
                    if made.count >= Self.countMax { made.removeAll(keepingCapacity: true) }
                    made[name] = newValue
                }
            }
        }
    }

    /// A blob's length and digest; `nil` where there is none of that name. The first look at a blob reads all of it,
    /// piece by piece.
    public func look(_ name: String) throws(StoreFailure) -> Look? {
        let system = files.system
        guard Self.isName(name), system.exists(path(name)) else { return nil }
        let bytes = try system.size(path(name))
        // A film of gigabytes is not read to be asked for its first seconds: its name stands for its content.
        if bytes > Self.digestedBytesMax { return Look(bytes: bytes, digest: Digest.sha256(Array(name.utf8))) }
        if let digest = digests[name] { return Look(bytes: bytes, digest: digest) }
        let digest = try Self.digest(path(name), bytes, system)
        digests[name] = digest
        return Look(bytes: bytes, digest: digest)
    }

    /// A blob's length; `nil` where there is none of that name.
    public func size(_ name: String) throws(StoreFailure) -> Int? {
        guard Self.isName(name), files.system.exists(path(name)) else { return nil }
        return try files.system.size(path(name))
    }

    /// Bytes of a blob from an offset on, fewer only at its end; `nil` where there is no such blob any more.
    public func read(_ name: String, from offset: Int, count: Int) throws(StoreFailure) -> [UInt8]? {
        let system = files.system
        guard Self.isName(name), system.exists(path(name)) else { return nil }
        return try system.read(path(name), offset: offset, count: count)
    }

    /// A digest of content that need not be in memory: each block is digested together with the digest of those before.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest: [UInt8] = []
        var rest = bytes[...]
        repeat {
            digest = Digest.sha256(digest + rest.prefix(digestedBytes))
            rest = rest.dropFirst(digestedBytes)
        } while !rest.isEmpty
        return digest
    }

    private static func digest(
        _ path: String, _ bytes: Int, _ system: any FileSystem
    ) throws(StoreFailure) -> [UInt8] {
        var digest: [UInt8] = []
        var offset = 0
        repeat {
            let block = try system.read(path, offset: offset, count: min(digestedBytes, bytes - offset))
            digest = Digest.sha256(digest + block)
            offset += digestedBytes
        } while offset < bytes
        return digest
    }

    private static var digestedBytes: Int { 256 << 10 }
    private static var digestedBytesMax: Int { 64 << 20 }
}
