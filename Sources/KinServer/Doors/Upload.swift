import KinKeeper

/// A long body between its connection and the file it goes to. At most two pieces of it are in memory: one at a worker,
/// and one that fills meanwhile. When that is full, the connection is not read until the first is written.
struct Upload {
    /// Finds the way back from the worker.
    let ticket: Ticket
    /// The reader of the body; `nil` while a worker has it.
    var intake: Intake?
    /// Bytes that no worker has yet.
    var waiting: [UInt8]
    /// Bytes that a worker has.
    var writing: [UInt8] = []
    /// Whether all of the body is here.
    var isWhole = false

    /// Whether another read could be too much. While nothing is being written there is always room for one.
    func isFull(_ limits: ServerLimits) -> Bool {
        !writing.isEmpty && waiting.count + writing.count + ReadBuffers.bytesMax > limits.pictureBodyHeldBytesMax
    }

    /// Whether a worker should get what waits.
    func isPieceReady(_ limits: ServerLimits) -> Bool {
        intake != nil && !waiting.isEmpty && (isWhole || waiting.count >= limits.pictureBodyHeldBytesMax / 2)
    }
}
