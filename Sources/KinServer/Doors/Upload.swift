import KinKeeper

/// A long body between its connection and the file it goes to. At most two pieces of it are in memory: one that a worker
/// has, and one that gathers meanwhile; then the connection is not read until the first is written.
struct Upload {
    /// Finds the way back from the worker.
    let ticket: Ticket
    /// What reads it; `nil` while a worker has it.
    var intake: Intake?
    /// What no worker has yet.
    var waiting: [UInt8]
    /// What a worker has.
    var writing: [UInt8] = []
    /// All of it is here.
    var isWhole = false

    /// Whether another reading could be too much. While nothing is being written there is always room for one.
    func isFull(_ limits: ServerLimits) -> Bool {
        !writing.isEmpty && waiting.count + writing.count + Server.readBytesMax > limits.pictureBodyHeldBytesMax
    }

    /// Whether a worker is to have what waits.
    func isPieceReady(_ limits: ServerLimits) -> Bool {
        intake != nil && !waiting.isEmpty && (isWhole || waiting.count >= limits.pictureBodyHeldBytesMax / 2)
    }
}
