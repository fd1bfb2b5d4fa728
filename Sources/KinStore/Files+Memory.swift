internal import Synchronization

/// A simulated disk as the file system of everything that is not SQLite's.
extension FaultVFS: FileSystem {
    var vfsName: String { name }

    func makeDirectory(_ path: String) throws(StoreFailure) {
        let made = disk.withLock { disk in
            if disk.isOff { return false }
            disk.directories.insert(path)
            return true
        }
        if !made { throw .io(code: 5) }
    }

    func exists(_ path: String) -> Bool { disk.withLock { $0.entries[path] != nil || $0.directories.contains(path) } }

    func list(_ directory: String) throws(StoreFailure) -> [String] {
        disk.withLock { disk in
            disk.entries.keys.filter { FaultDisk.parent(of: $0) == directory }.map {
                String($0.dropFirst(directory.count + 1))
            }.sorted()
        }
    }

    func size(_ path: String) throws(StoreFailure) -> Int {
        let size = disk.withLock { disk in
            disk.entries[path].flatMap { disk.nodes[$0] }.map { max($0.bytes.count, $0.reserved) }
        }
        guard let size else { throw .io(code: 2) }
        return size
    }

    func read(_ path: String, offset: Int, count: Int) throws(StoreFailure) -> [UInt8] {
        guard let bytes = bytes(path) else { throw .io(code: 2) }
        return Array(bytes.dropFirst(offset).prefix(count))
    }

    func touch(_ path: String) throws(StoreFailure) {
        try change(path) { disk in
            if disk.isOff { return .failed }
            _ = disk.make(path)
            return .done
        }
    }

    func append(_ path: String, _ bytes: [UInt8]) throws(StoreFailure) {
        try change(path) { disk in
            if disk.isOff { return .failed }
            let id = disk.make(path)
            let end = disk.nodes[id]?.bytes.count ?? 0
            return unsafe bytes.withUnsafeBytes { unsafe disk.write(id, offset: end, $0) }
        }
    }

    func overwrite(_ path: String, at offset: Int, _ bytes: [UInt8]) throws(StoreFailure) {
        try change(path) { disk in
            guard !disk.isOff, let id = disk.entries[path] else { return .failed }
            return unsafe bytes.withUnsafeBytes { unsafe disk.write(id, offset: offset, $0) }
        }
    }

    func link(_ path: String, as other: String) throws(StoreFailure) {
        try change(path) { $0.link(path, as: other) }
    }

    func names(of path: String) throws(StoreFailure) -> Int {
        let count = disk.withLock { disk in
            disk.entries[path].map { id in disk.entries.values.count { $0 == id } }
        }
        guard let count else { throw .io(code: 2) }
        return count
    }

    func truncate(_ path: String, to bytes: Int) throws(StoreFailure) {
        try change(path) { disk in disk.entries[path].map { disk.truncate($0, bytes) } ?? .failed }
    }

    func sync(_ path: String) throws(StoreFailure) {
        // Unlike SQLite's own sync this leaves the name to ``syncDirectory(_:)``, as Linux may.
        try change(path) { disk in
            guard let id = disk.entries[path] else { return .failed }
            let kept = disk.durableEntries
            let outcome = disk.sync(id)
            disk.durableEntries = kept
            return outcome
        }
    }

    func syncDirectory(_ path: String) throws(StoreFailure) { try change(path) { $0.syncDirectory(path) } }

    func remove(_ path: String) throws(StoreFailure) {
        try change(path) { $0.entries[path] == nil ? .done : $0.remove(path, durably: false) }
    }

    func removeDirectory(_ path: String) throws(StoreFailure) {
        disk.withLock { disk in _ = disk.isOff ? nil : disk.directories.remove(path) }
    }

    func rename(_ path: String, to new: String) throws(StoreFailure) { try change(path) { $0.rename(path, to: new) } }

    func reserve(_ path: String, bytes: Int) throws(StoreFailure) {
        try change(path) { disk in
            let outcome = disk.attempt(.write)
            guard outcome == .done else { return outcome }
            let id = disk.make(path)
            let length = disk.nodes[id].map { max($0.bytes.count, $0.reserved) } ?? 0
            if bytes > length, let capacity = disk.capacity, disk.used + bytes - length > capacity { return .full }
            disk.nodes[id]?.reserved = max(length, bytes)
            return .done
        }
    }

    func room(_ directory: String) -> Int {
        disk.withLock { disk in disk.capacity.map { max(0, $0 - disk.used) } ?? .max }
    }

    func rewrite(_ path: String) throws(StoreFailure) {
        try change(path) { disk in
            guard !disk.isOff, let id = disk.entries[path], let bytes = disk.nodes[id]?.bytes else { return .failed }
            let outcome = unsafe bytes.withUnsafeBytes { unsafe disk.write(id, offset: 0, $0) }
            return outcome == .done ? disk.sync(id) : outcome
        }
    }

    func identity(_ path: String) -> FileIdentity? {
        disk.withLock { disk in disk.entries[path].map { FileIdentity(device: 0, number: UInt64($0)) } }
    }

    func lock(_ path: String, of directory: String) throws(StoreFailure) -> FileLock {
        try touch(path)
        let generation: Int? = disk.withLock { disk in
            if disk.held[path] != nil { return nil }
            disk.held[path] = disk.generation
            return disk.generation
        }
        guard let generation else { throw .inUse(path: directory) }
        return FileLock { [self] in
            disk.withLock { if $0.held[path] == generation { $0.held[path] = nil } }
        }
    }

    func random(_ count: Int) -> [UInt8] {
        disk.withLock { disk in (0..<count).map { _ in UInt8(truncatingIfNeeded: disk.random.next()) } }
    }

    private func change(_ path: String, _ body: (inout FaultDisk) -> FaultDisk.Outcome) throws(StoreFailure) {
        switch disk.withLock({ body(&$0) }) {
        case .done: return
        case .failed: throw .io(code: 5)
        case .full: throw .full
        }
    }
}
