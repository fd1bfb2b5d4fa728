/// The state of a simulated disk: what the process sees, and what a power cut would leave.
struct FaultDisk {
    /// The unit that a power cut keeps or loses as a whole.
    static let sectorBytes = 512
    /// Versions of a sector kept between two syncs. Older ones are dropped, and so can no longer come back.
    static let versionsMax = 4

    struct Fault {
        var kind: FaultVFS.Kind?
        var countdown: Int
        var effect: FaultVFS.Effect
        var lasting: Bool
    }
    /// The outcome of a change.
    enum Outcome { case done, failed, full }

    struct Node {
        var bytes: [UInt8] = []
        /// As of the last sync.
        var durable: [UInt8] = []
        /// What was written to a sector since, oldest first.
        var versions: [Int: [[UInt8]]] = [:]
        /// Lengths since.
        var lengths: [Int] = []
        /// Space reserved on the disk beyond `bytes`. It holds nothing, so no memory is used for it.
        var reserved = 0
        var locks = FileLocks()
        var shared: SharedMemory?
    }

    var nodes: [Int: Node] = [:]
    var entries: [String: Int] = [:]
    var durableEntries: [String: Int] = [:]
    var directories: Set<String> = []
    /// Paths locked by `Files.lock`.
    var held: [String: Int] = [:]
    /// Counts dead processes: a handle of an earlier one does nothing.
    var generation = 0
    var counts: [FaultVFS.Kind: Int] = [:]
    var fault: Fault?
    var isOff = false
    var capacity: Int?
    var random: SplitMix
    /// Numbers of connections, for their locks.
    var owners = 0
    private var nextNode = 1

    init(seed: UInt64) { random = SplitMix(state: seed) }

    // MARK: Faults

    /// Counts an operation, and says how it ends before it is tried.
    mutating func attempt(_ kind: FaultVFS.Kind) -> Outcome {
        counts[kind, default: 0] += 1
        if isOff { return .failed }
        guard var fault, fault.kind == kind || (fault.kind == nil && kind != .read) else { return .done }
        if fault.countdown > 1 {
            fault.countdown -= 1
            self.fault = fault
            return .done
        }
        if !fault.lasting { self.fault = nil }
        switch fault.effect {
        case .ioError: return .failed
        case .full: return kind == .sync ? .failed : .full
        case .powerOff:
            isOff = true
            self.fault = nil
            return .failed
        }
    }

    mutating func crash() {
        generation += 1
        isOff = false
        fault = nil
        held.removeAll()
        for id in nodes.keys {
            nodes[id]?.locks = FileLocks()
            nodes[id]?.shared = nil
        }
        sweep()
    }

    mutating func powerCut() {
        for id in nodes.keys.sorted() {
            guard var node = nodes[id] else { continue }
            node.bytes = survivor(of: node)
            node.durable = node.bytes
            node.versions = [:]
            node.lengths = []
            nodes[id] = node
        }
        for path in Set(entries.keys).union(durableEntries.keys).sorted() where entries[path] != durableEntries[path] {
            let kept = random.next() & 1 == 0 ? entries[path] : durableEntries[path]
            entries[path] = kept
            durableEntries[path] = kept
        }
        crash()
    }

    /// The content of a file after a power cut: for each sector written since the last sync, one of its versions or its
    /// old content.
    private mutating func survivor(of node: Node) -> [UInt8] {
        let lengths = [node.durable.count] + node.lengths
        let length = lengths[Int(random.next() % UInt64(lengths.count))]
        var bytes = node.durable
        Self.resize(&bytes, max(length, node.bytes.count))
        for sector in node.versions.keys.sorted() {
            guard let versions = node.versions[sector] else { continue }
            guard sector * Self.sectorBytes < bytes.count else { continue }
            let choice = Int(random.next() % UInt64(versions.count + 1))
            guard choice > 0 else { continue }
            let start = sector * Self.sectorBytes
            let version = versions[choice - 1].prefix(bytes.count - start)
            if !version.isEmpty { bytes.replaceSubrange(start..<start + version.count, with: version) }
        }
        Self.resize(&bytes, length)
        return bytes
    }

    // MARK: Files

    mutating func make(_ path: String?) -> Int {
        if let path, let id = entries[path] { return id }
        let id = nextNode
        nextNode += 1
        nodes[id] = Node()
        if let path { entries[path] = id }
        return id
    }

    mutating func place(_ path: String, _ bytes: [UInt8]) {
        let id = make(path)
        nodes[id]?.bytes = bytes
        nodes[id]?.durable = bytes
        nodes[id]?.versions = [:]
        nodes[id]?.lengths = []
        durableEntries[path] = id
    }

    mutating func write(_ id: Int, offset: Int, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        let outcome = attempt(.write)
        guard outcome == .done, let length = nodes[id]?.bytes.count else { return outcome == .done ? .failed : outcome }
        let end = offset + bytes.count
        if end > length, let capacity, used + end - length > capacity { return .full }
        unsafe nodes[id]?.write(offset: offset, bytes)
        return .done
    }

    mutating func truncate(_ id: Int, _ length: Int) -> Outcome {
        let outcome = attempt(.truncate)
        guard outcome == .done else { return outcome }
        if let old = nodes[id]?.bytes.count, old != length {
            // A sector cut in two is a version of its own; the rest reads as zeros.
            nodes[id]?.setLength(length)
        }
        return .done
    }

    /// Whether syncs report success and keep nothing: a planted fault.
    var syncsLie = false

    mutating func sync(_ id: Int) -> Outcome {
        let outcome = attempt(.sync)
        if outcome == .done, syncsLie { return .done }
        if outcome == .done {
            nodes[id]?.settle()
            for (path, node) in entries where node == id { durableEntries[path] = id }
        } else if !isOff {
            // The kernel forgets that these pages were dirty: no later sync writes them to the disk.
            nodes[id]?.versions = [:]
            nodes[id]?.lengths = []
        }
        return outcome
    }

    mutating func syncDirectory(_ directory: String) -> Outcome {
        let outcome = attempt(.sync)
        guard outcome == .done else { return outcome }
        for path in Set(entries.keys).union(durableEntries.keys) where Self.parent(of: path) == directory {
            durableEntries[path] = entries[path]
        }
        return .done
    }

    mutating func remove(_ path: String, durably: Bool) -> Outcome {
        let outcome = attempt(.remove)
        guard outcome == .done else { return outcome }
        entries[path] = nil
        if durably { durableEntries[path] = nil }
        return .done
    }

    mutating func rename(_ path: String, to new: String) -> Outcome {
        let outcome = attempt(.remove)
        guard outcome == .done, let id = entries[path] else { return outcome == .done ? .failed : outcome }
        entries[path] = nil
        entries[new] = id
        return .done
    }

    mutating func link(_ path: String, as other: String) -> Outcome {
        let outcome = attempt(.write)
        guard outcome == .done, let id = entries[path], entries[other] == nil else {
            return outcome == .done ? .failed : outcome
        }
        entries[other] = id
        return .done
    }

    /// Bytes of all files that have a name.
    var used: Int {
        Set(entries.values).reduce(0) { $0 + (nodes[$1].map { max($0.bytes.count, $0.reserved) } ?? 0) }
    }

    static func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    static func resize(_ bytes: inout [UInt8], _ length: Int) {
        if bytes.count > length {
            bytes.removeLast(bytes.count - length)
        } else if bytes.count < length {
            bytes.append(contentsOf: [UInt8](repeating: 0, count: length - bytes.count))
        }
    }

    /// Frees files without a name (in a dead process nobody holds them open).
    private mutating func sweep() {
        let named = Set(entries.values).union(durableEntries.values)
        nodes = nodes.filter { named.contains($0.key) }
    }
}

extension FaultDisk.Node {
    mutating func write(offset: Int, _ new: UnsafeRawBufferPointer) {
        guard unsafe !new.isEmpty else { return }
        let end = offset + new.count
        if end > bytes.count {
            // Writing beyond the end leaves zeros before it. Where the disk holds something, they are a version.
            let (gap, gapEnd) = (bytes.count, min(offset, durable.count))
            FaultDisk.resize(&bytes, end)
            lengths.append(end)
            if gapEnd > gap { note(from: gap, to: gapEnd) }
        }
        unsafe bytes.withUnsafeMutableBytes { target in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: new)
        }
        note(from: offset, to: end)
    }

    mutating func setLength(_ length: Int) {
        let shorter = min(length, bytes.count)
        FaultDisk.resize(&bytes, length)
        lengths.append(length)
        // Beyond the bytes on disk there are zeros anyway. Bytes that were cut off and read as zeros later are a
        // version.
        let end = min(length, durable.count)
        if end > shorter { note(from: shorter, to: end) }
    }

    /// Everything is on disk now.
    mutating func settle() {
        FaultDisk.resize(&durable, bytes.count)
        for sector in versions.keys {
            let start = sector * FaultDisk.sectorBytes
            let end = min(start + FaultDisk.sectorBytes, bytes.count)
            if start < end { durable.replaceSubrange(start..<end, with: bytes[start..<end]) }
        }
        versions = [:]
        lengths = []
    }

    private mutating func note(from start: Int, to end: Int) {
        for sector in (start / FaultDisk.sectorBytes)...((end - 1) / FaultDisk.sectorBytes) {
            let first = sector * FaultDisk.sectorBytes
            let content = Array(bytes[first..<min(first + FaultDisk.sectorBytes, bytes.count)])
            versions[sector, default: []].append(content)
            if let count = versions[sector]?.count, count > FaultDisk.versionsMax { versions[sector]?.removeFirst() }
        }
    }
}

/// A small generator of repeatable numbers (Steele, Lea and Flood's SplitMix64); nothing secret comes from it.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
