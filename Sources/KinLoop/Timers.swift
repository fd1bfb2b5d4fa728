/// Planned moments, each under a key; a key has one moment at most.
///
/// It is a binary heap in which the entry of a moved or cancelled moment stays until it comes up. Putting a moment off,
/// which every byte of an idle connection does, only writes to the table. The heap's entry is moved when it comes up.
public struct Timers<Key: Hashable> {
    private struct Planned {
        var at: UInt64
        /// The moment under which the heap holds it; not later than `at`.
        var queuedAt: UInt64
        var sequence: UInt64
    }

    private struct Entry {
        var at: UInt64
        var sequence: UInt64
        var key: Key

        static func < (left: Entry, right: Entry) -> Bool {
            (left.at, left.sequence) < (right.at, right.sequence)
        }
    }

    private var planned: [Key: Planned] = [:]
    private var heap: [Entry] = []
    private var sequence: UInt64 = 0

    /// Nothing planned.
    public init() {}

    /// How many keys have a moment.
    public var count: Int { planned.count }

    /// How many entries the heap holds, including void ones.
    var queuedCount: Int { heap.count }

    /// The moment of a key.
    public subscript(key: Key) -> UInt64? { planned[key]?.at }

    /// Plans a key for a moment of ``TimeSource/monotonicNanoseconds()``, in place of the one it had.
    public mutating func set(_ key: Key, at moment: UInt64) {
        sequence += 1
        if let former = planned[key], former.queuedAt <= moment {
            planned[key] = Planned(at: moment, queuedAt: former.queuedAt, sequence: sequence)
            return
        }
        planned[key] = Planned(at: moment, queuedAt: moment, sequence: sequence)
        push(Entry(at: moment, sequence: sequence, key: key))
        if heap.count > 2 * planned.count + 64 { rebuild() }
    }

    /// Takes a key's moment back; a key without one is no mistake.
    public mutating func cancel(_ key: Key) {
        planned[key] = nil
        if planned.isEmpty { heap.removeAll(keepingCapacity: true) }
    }

    /// The next moment of all.
    public var next: UInt64? {
        mutating get {
            settle()
            return heap.first?.at
        }
    }

    /// Takes the key whose moment came first, if it is not after `now`; of equal moments the one planned first.
    public mutating func popDue(now: UInt64) -> Key? {
        guard let next, next <= now, let key = heap.first?.key else { return nil }
        removeFirst()
        planned[key] = nil
        return key
    }

    /// How long to wait for the next moment, in whole milliseconds rounded up; `nil` when nothing is planned.
    public mutating func timeoutMilliseconds(now: UInt64) -> Int? {
        guard let next else { return nil }
        return next <= now ? 0 : Int(clamping: (next - now - 1) / 1_000_000 + 1)
    }

    /// Brings a valid entry to the top.
    private mutating func settle() {
        while let top = heap.first {
            guard let plan = planned[top.key], plan.queuedAt == top.at else {
                removeFirst()
                continue
            }
            if plan.at == top.at, plan.sequence == top.sequence { return }
            removeFirst()
            planned[top.key]?.queuedAt = plan.at
            push(Entry(at: plan.at, sequence: plan.sequence, key: top.key))
        }
    }

    private mutating func rebuild() {
        heap.removeAll(keepingCapacity: true)
        for (key, plan) in planned {
            planned[key]?.queuedAt = plan.at
            push(Entry(at: plan.at, sequence: plan.sequence, key: key))
        }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child] < heap[least] { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
