import KinLoop

/// With two processors or more, the other side gets the first and this program the second: neither takes the other's time.
enum Cores {
    static var areEnough: Bool { Machine.processors >= 2 }

    static func takeSecond() { if areEnough { Machine.keep(thread: 0, on: 1) } }

    /// Gives all threads of a process the first one.
    static func giveFirst(_ child: Child) {
        guard areEnough else { return }
        for thread in child.threads { if let number = Int32(thread) { Machine.keep(thread: number, on: 0) } }
    }
}
