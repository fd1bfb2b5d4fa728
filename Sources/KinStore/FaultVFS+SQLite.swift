internal import CSQLite
internal import Glibc
internal import Synchronization

/// What SQLite allocates for an open file: its own part first.
@safe private struct OpenFile {
    var base: sqlite3_file
    /// A retained `FaultFile`.
    var file: UnsafeMutableRawPointer?
}

/// An open file of a simulated disk. Rule for `@unchecked`: confined to its connection, as SQLite's files are.
private final class FaultFile: @unchecked Sendable {
    let vfs: FaultVFS
    let node: Int
    let generation: Int
    let owner: Int
    let deletesOnClose: String?
    var level: Int32 = SQLITE_LOCK_NONE
    var shared: SharedMemory?

    init(vfs: FaultVFS, node: Int, generation: Int, owner: Int, deletesOnClose: String?) {
        self.vfs = vfs
        self.node = node
        self.generation = generation
        self.owner = owner
        self.deletesOnClose = deletesOnClose
    }

    /// Does something with the disk, unless this file belongs to a dead process or the power is off.
    func alive(_ body: (inout FaultDisk) -> Int32) -> Int32 {
        vfs.disk.withLock { disk in
            disk.generation == generation && !disk.isOff ? body(&disk) : SQLITE_IOERR
        }
    }

    /// As ``alive(_:)``, for operations that count even when the power is off.
    func present(_ body: (inout FaultDisk) -> Int32) -> Int32 {
        vfs.disk.withLock { disk in disk.generation == generation ? body(&disk) : SQLITE_IOERR }
    }

    static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FaultFile {
        let opened = unsafe UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: OpenFile.self)
        guard let object = unsafe opened?.pointee.file else { preconditionFailure("SQLite passes files it opened") }
        return unsafe Unmanaged<FaultFile>.fromOpaque(object).takeUnretainedValue()
    }
}

private func code(_ outcome: FaultDisk.Outcome, failed: Int32) -> Int32 {
    switch outcome {
    case .done: SQLITE_OK
    case .failed: failed
    case .full: SQLITE_FULL
    }
}

// SQLite's extended codes, which are expressions in C that Swift does not see.
private let shortRead = SQLITE_IOERR | (2 << 8)
private let readFailed = SQLITE_IOERR | (1 << 8)
private let writeFailed = SQLITE_IOERR | (3 << 8)
private let syncFailed = SQLITE_IOERR | (4 << 8)
private let truncateFailed = SQLITE_IOERR | (6 << 8)
private let deleteFailed = SQLITE_IOERR | (10 << 8)

extension FaultVFS {
    /// Puts the disk into SQLite's list. The table and the reference it holds live until ``unregister()``.
    func register() -> Bool {
        guard Database.prepared, unsafe sqlite3_vfs_find(name) == nil else { return false }
        let table = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_vfs())
        unsafe table.pointee.iVersion = 2
        unsafe table.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.size)
        unsafe table.pointee.mxPathname = 512
        unsafe table.pointee.zName = UnsafePointer(strdup(name))
        unsafe table.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
        unsafe table.pointee.xOpen = { table, path, file, flags, outFlags in
            unsafe FaultVFS.of(table).open(path, file, flags, outFlags)
        }
        unsafe table.pointee.xDelete = { table, path, syncs in
            let vfs = unsafe FaultVFS.of(table)
            guard let path = unsafe path.map({ unsafe String(cString: $0) }) else { return SQLITE_OK }
            return vfs.disk.withLock { disk in
                if disk.isOff { return deleteFailed }
                guard disk.entries[path] != nil else { return SQLITE_IOERR | (23 << 8) }
                return code(disk.remove(path, durably: syncs != 0), failed: deleteFailed)
            }
        }
        unsafe table.pointee.xAccess = { table, path, _, result in
            let vfs = unsafe FaultVFS.of(table)
            let there = unsafe path.map { path in
                let path = unsafe String(cString: path)
                return vfs.disk.withLock { $0.entries[path] != nil }
            }
            unsafe result?.pointee = there == true ? 1 : 0
            return SQLITE_OK
        }
        unsafe table.pointee.xFullPathname = { _, path, size, out in
            guard let path = unsafe path, let out = unsafe out, unsafe strlen(path) < Int(size) else {
                return SQLITE_CANTOPEN
            }
            unsafe strcpy(out, path)
            return SQLITE_OK
        }
        unsafe table.pointee.xRandomness = { table, size, out in
            let bytes = unsafe FaultVFS.of(table).random(Int(size))
            for (index, byte) in bytes.enumerated() { unsafe out?[index] = CChar(bitPattern: byte) }
            return size
        }
        unsafe table.pointee.xSleep = { _, microseconds in microseconds }
        // Nothing in a simulation may depend on the machine's clock: it is always 2000-01-01 here (a Julian day).
        unsafe table.pointee.xCurrentTime = { _, out in
            unsafe out?.pointee = 2_451_544.5
            return SQLITE_OK
        }
        unsafe table.pointee.xCurrentTimeInt64 = { _, out in
            unsafe out?.pointee = 211_813_444_800_000
            return SQLITE_OK
        }
        unsafe table.pointee.xGetLastError = { _, _, _ in 0 }
        return unsafe sqlite3_vfs_register(table, 0) == SQLITE_OK
    }

    private static func of(_ table: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultVFS {
        guard let data = unsafe table?.pointee.pAppData else {
            preconditionFailure("SQLite passes the table it was given")
        }
        return unsafe Unmanaged<FaultVFS>.fromOpaque(data).takeUnretainedValue()
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file = unsafe file else { return SQLITE_CANTOPEN }
        unsafe file.pointee.pMethods = nil
        let path = unsafe path.map { unsafe String(cString: $0) }
        let opened: FaultFile? = disk.withLock { disk in
            if disk.isOff { return nil }
            if let path, disk.entries[path] == nil, flags & SQLITE_OPEN_CREATE == 0 { return nil }
            let node = disk.make(path)
            disk.owners += 1
            return FaultFile(
                vfs: self, node: node, generation: disk.generation, owner: disk.owners,
                deletesOnClose: flags & SQLITE_OPEN_DELETEONCLOSE != 0 ? path : nil)
        }
        guard let opened else { return SQLITE_CANTOPEN }
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).pointee.file =
            unsafe Unmanaged.passRetained(opened).toOpaque()
        unsafe file.pointee.pMethods = UnsafePointer(faultMethods)
        unsafe outFlags?.pointee = flags
        return SQLITE_OK
    }
}

/// The methods of every open file of every simulated disk; made once, lives as long as the process.
nonisolated(unsafe) private let faultMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: sqlite3_io_methods())
    unsafe methods.pointee.iVersion = 2
    unsafe methods.pointee.xClose = { pointer in
        let file = unsafe FaultFile.of(pointer)
        _ = file.present { disk in
            disk.nodes[file.node]?.locks.lower(file.owner, to: SQLITE_LOCK_NONE)
            if let path = file.deletesOnClose { disk.entries[path] = nil }
            return SQLITE_OK
        }
        unsafe Unmanaged.passUnretained(file).release()
        unsafe pointer?.pointee.pMethods = nil
        return SQLITE_OK
    }
    unsafe methods.pointee.xRead = { pointer, out, count, offset in
        let file = unsafe FaultFile.of(pointer)
        guard let out = unsafe out, let offset = Int(exactly: offset) else { return readFailed }
        return file.alive { disk in
            guard disk.attempt(.read) == .done, let length = disk.nodes[file.node]?.bytes.count else {
                return readFailed
            }
            let there = max(0, min(Int(count), length - offset))
            unsafe disk.nodes[file.node]?.bytes.withUnsafeBytes { bytes in
                if there > 0 {
                    unsafe out.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + there]).baseAddress
                            ?? UnsafeRawPointer(out), byteCount: there)
                }
            }
            if there == Int(count) { return SQLITE_OK }
            unsafe (out + there).initializeMemory(as: UInt8.self, repeating: 0, count: Int(count) - there)
            return shortRead
        }
    }
    unsafe methods.pointee.xWrite = { pointer, bytes, count, offset in
        let file = unsafe FaultFile.of(pointer)
        guard let offset = Int(exactly: offset) else { return writeFailed }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return file.present { disk in
            unsafe code(disk.write(file.node, offset: offset, buffer), failed: writeFailed)
        }
    }
    unsafe methods.pointee.xTruncate = { pointer, length in
        let file = unsafe FaultFile.of(pointer)
        guard let length = Int(exactly: length) else { return truncateFailed }
        return file.present { disk in code(disk.truncate(file.node, length), failed: truncateFailed) }
    }
    unsafe methods.pointee.xSync = { pointer, _ in
        let file = unsafe FaultFile.of(pointer)
        return file.present { disk in code(disk.sync(file.node), failed: syncFailed) }
    }
    unsafe methods.pointee.xFileSize = { pointer, out in
        let file = unsafe FaultFile.of(pointer)
        return file.alive { disk in
            unsafe out?.pointee = Int64(disk.nodes[file.node]?.bytes.count ?? 0)
            return SQLITE_OK
        }
    }
    unsafe methods.pointee.xLock = { pointer, level in
        let file = unsafe FaultFile.of(pointer)
        return file.alive { disk in
            disk.nodes[file.node]?.locks.raise(file.owner, to: level) == true ? SQLITE_OK : SQLITE_BUSY
        }
    }
    unsafe methods.pointee.xUnlock = { pointer, level in
        let file = unsafe FaultFile.of(pointer)
        _ = file.present { disk in
            disk.nodes[file.node]?.locks.lower(file.owner, to: level)
            return SQLITE_OK
        }
        return SQLITE_OK
    }
    unsafe methods.pointee.xCheckReservedLock = { pointer, out in
        let file = unsafe FaultFile.of(pointer)
        return file.alive { disk in
            let reserved = disk.nodes[file.node]?.locks.levels.values.contains { $0 >= SQLITE_LOCK_RESERVED }
            unsafe out?.pointee = reserved == true ? 1 : 0
            return SQLITE_OK
        }
    }
    unsafe methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    unsafe methods.pointee.xSectorSize = { _ in 4096 }
    unsafe methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    unsafe methods.pointee.xShmMap = { pointer, index, bytes, extend, out in
        let file = unsafe FaultFile.of(pointer)
        return file.alive { disk in
            if file.shared == nil {
                let shared = disk.nodes[file.node]?.shared ?? SharedMemory()
                disk.nodes[file.node]?.shared = shared
                file.shared = shared
            }
            unsafe out?.pointee = unsafe file.shared?.region(Int(index), bytes: Int(bytes), extend: extend != 0)
            return SQLITE_OK
        }
    }
    unsafe methods.pointee.xShmLock = { pointer, offset, count, flags in
        let file = unsafe FaultFile.of(pointer)
        let range = Int(offset)..<Int(offset) + Int(count)
        return file.alive { disk in
            if flags & SQLITE_SHM_UNLOCK != 0 {
                disk.nodes[file.node]?.locks.unlockSlots(file.owner, range)
                return SQLITE_OK
            }
            let exclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
            let locked = disk.nodes[file.node]?.locks.lockSlots(file.owner, range, exclusive: exclusive)
            return locked == true ? SQLITE_OK : SQLITE_BUSY
        }
    }
    // The disk's lock is taken and let go: that orders memory as SQLite asks.
    unsafe methods.pointee.xShmBarrier = { pointer in _ = unsafe FaultFile.of(pointer).alive { _ in SQLITE_OK } }
    unsafe methods.pointee.xShmUnmap = { pointer, deletes in
        let file = unsafe FaultFile.of(pointer)
        _ = file.present { disk in
            disk.nodes[file.node]?.locks.unlockSlots(file.owner, 0..<8)
            if deletes != 0 { disk.nodes[file.node]?.shared = nil }
            return SQLITE_OK
        }
        file.shared = nil
        return SQLITE_OK
    }
    return unsafe methods
}()
