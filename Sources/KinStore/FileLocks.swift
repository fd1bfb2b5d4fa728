internal import CSQLite

/// SQLite's locks on a simulated file: those of the database file, and the eight of its shared index.
struct FileLocks {
    /// Each connection's level by its number: SQLITE_LOCK_SHARED, _RESERVED, _PENDING, _EXCLUSIVE.
    var levels: [Int: Int32] = [:]
    /// For each of the eight slots: holders, and whether the one holder holds it alone.
    var slots: [Int: (holders: Set<Int>, exclusive: Bool)] = [:]

    /// Raises a connection's level; `false` when other locks prevent that.
    mutating func raise(_ owner: Int, to level: Int32) -> Bool {
        let held = levels[owner] ?? SQLITE_LOCK_NONE
        if held >= level { return true }
        let others = levels.filter { $0.key != owner }.values
        switch level {
        case SQLITE_LOCK_SHARED:
            guard !others.contains(where: { $0 >= SQLITE_LOCK_PENDING }) else { return false }
        case SQLITE_LOCK_RESERVED:
            guard !others.contains(where: { $0 >= SQLITE_LOCK_RESERVED }) else { return false }
        default:
            guard !others.contains(where: { $0 >= SQLITE_LOCK_RESERVED }) else { return false }
            if others.contains(where: { $0 >= SQLITE_LOCK_SHARED }) {
                levels[owner] = SQLITE_LOCK_PENDING
                return false
            }
        }
        levels[owner] = level
        return true
    }

    mutating func lower(_ owner: Int, to level: Int32) {
        levels[owner] = level == SQLITE_LOCK_NONE ? nil : level
    }

    mutating func lockSlots(_ owner: Int, _ range: Range<Int>, exclusive: Bool) -> Bool {
        for index in range {
            guard let slot = slots[index] else { continue }
            if slot.exclusive, !slot.holders.contains(owner) { return false }
            if exclusive, !slot.holders.subtracting([owner]).isEmpty { return false }
        }
        for index in range {
            var slot = slots[index] ?? ([], false)
            slot.holders.insert(owner)
            slot.exclusive = exclusive
            slots[index] = slot
        }
        return true
    }

    mutating func unlockSlots(_ owner: Int, _ range: Range<Int>) {
        for index in range {
            slots[index]?.holders.remove(owner)
            slots[index]?.exclusive = false
            if slots[index]?.holders.isEmpty == true { slots[index] = nil }
        }
    }
}

/// The index of a WAL, shared by the connections to one simulated file; freed when the last of them releases it. Rule
/// for `@unchecked`: `regions` is changed under the disk's lock only; SQLite guards the memory itself.
@safe final class SharedMemory: @unchecked Sendable {
    private(set) var regions: [UnsafeMutableRawPointer] = unsafe []

    /// The region of that number, made (zeroed) if `extend`; `nil` if it is not there.
    func region(_ index: Int, bytes: Int, extend: Bool) -> UnsafeMutableRawPointer? {
        while unsafe regions.count <= index {
            guard extend else { return nil }
            let region = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
            unsafe region.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
            unsafe regions.append(region)
        }
        return unsafe regions[index]
    }

    deinit {
        while let region = unsafe regions.popLast() { unsafe region.deallocate() }
    }
}
