internal import CSQLite
internal import Glibc
internal import Synchronization

/// SQLite's own file system for Linux, with the syncs counted: for the metrics, and for showing that one turn is one
/// sync. A copy of the table of the default one in which `xOpen` gives files a table whose `xSync` counts first.
enum CountingVFS {
    static let name = "kinwire"
    private static let syncs = Atomic<Int>(0)

    /// Syncs of files and directories made by this process through the store.
    static var syncCount: Int { syncs.load(ordering: .relaxed) }
    static func countSync() { syncs.wrappingAdd(1, ordering: .relaxed) }

    /// Registers it, once. Rule for the three statics: written here only, before any file is opened through it.
    static let registered: Bool = {
        guard let original = unsafe sqlite3_vfs_find(nil) else { return false }
        unsafe table.initialize(to: original.pointee)
        unsafe openOriginal = original.pointee.xOpen
        unsafe table.pointee.pNext = nil
        // Lives as long as the process, as SQLite demands.
        unsafe table.pointee.zName = UnsafePointer(strdup(name))
        unsafe table.pointee.xOpen = { vfs, path, file, flags, outFlags in
            let code = unsafe CountingVFS.openOriginal?(vfs, path, file, flags, outFlags) ?? SQLITE_CANTOPEN
            if code == SQLITE_OK { unsafe CountingVFS.count(file) }
            return code
        }
        return unsafe sqlite3_vfs_register(table, 0) == SQLITE_OK
    }()

    // Filled and registered once, before anything is opened through it; SQLite keeps its address for good.
    nonisolated(unsafe) private static let table = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Set once with the table, only read afterwards.
    nonisolated(unsafe) private static var openOriginal:
        (
            @convention(c) (
                UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
                UnsafeMutablePointer<Int32>?
            ) -> Int32
        )?

    /// A table of methods that was met, and the counting one made from it. SQLite's file system has a few, all with the
    /// same `xSync` (the database file is locked, others are not). A table with another `xSync` stays uncounted.
    @safe private struct Methods {
        let original: UnsafePointer<sqlite3_io_methods>
        let counting: UnsafePointer<sqlite3_io_methods>
    }
    /// Changed under the lock only.
    nonisolated(unsafe) private static var methods: [Methods] = []
    /// Set once under the lock, before a file can call it.
    nonisolated(unsafe) private static var sync: (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?
    private static let methodsLock = Mutex(())

    private static func count(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let file = unsafe file, let original = unsafe file.pointee.pMethods else { return }
        methodsLock.withLock { _ in
            #if WATCH_THREADS
                unsafe lockTaken(table)
                defer { unsafe lockGivenBack(table) }
            #endif
            if unsafe sync == nil { unsafe sync = original.pointee.xSync }
            if let known = unsafe methods.first(where: { unsafe $0.original == original }) {
                unsafe file.pointee.pMethods = known.counting
                return
            }
            guard unsafe unsafeBitCast(sync, to: UInt.self) == unsafeBitCast(original.pointee.xSync, to: UInt.self)
            else { return }
            let counting = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            unsafe counting.initialize(to: original.pointee)
            unsafe counting.pointee.xSync = { file, flags in
                CountingVFS.countSync()
                return unsafe CountingVFS.sync?(file, flags) ?? SQLITE_IOERR
            }
            unsafe methods.append(Methods(original: original, counting: UnsafePointer(counting)))
            unsafe file.pointee.pMethods = UnsafePointer(counting)
        }
    }
}

#if WATCH_THREADS
    // ThreadSanitizer does not know `Mutex`, so it is told where the lock was taken and given back.
    @_silgen_name("__tsan_acquire") private func lockTaken(_ lock: UnsafeMutableRawPointer)

    @_silgen_name("__tsan_release") private func lockGivenBack(_ lock: UnsafeMutableRawPointer)
#endif
