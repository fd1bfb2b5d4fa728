/// Small calls about files and folders.
public enum Files {
    /// Makes a folder with permission bits, or leaves one that exists as it is. Its parent must exist.
    public static func makeDirectory(_ path: String, mode: UInt32) throws(LoopFailure) {}
    /// The permission bits (0…0o7777) of a file or folder; `nil` when there is none.
    public static func mode(of path: String) -> UInt32? { nil }
    /// Bytes an ordinary user may still write at a path; `nil` when it cannot be asked.
    public static func freeBytes(at path: String) -> Int? { nil }
    /// Writes a folder's entries to disk, so that a file made or renamed in it survives a crash.
    public static func syncDirectory(_ path: String) throws(LoopFailure) {}
    /// The whole of a small file, at most `max` bytes.
    public static func read(_ path: String, max: Int = 1 << 20) throws(LoopFailure) -> [UInt8] { [] }
    /// Puts a file in place whole or not at all (written aside, synced, renamed, the folder synced).
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(LoopFailure) {}
    /// Removes a file; one that is not there is no mistake.
    public static func remove(_ path: String) throws(LoopFailure) {}
}
