/// The room of snapshots that are being made or sent, over all connections. When it is full, others wait.
struct SnapshotRoom {
    /// Snapshots that the reader was asked for and has not made yet.
    var asked = 0
    /// Each snapshot that is being sent, with its number of takers.
    private var kept: [ObjectIdentifier: Int] = [:]
    /// Connections that are being sent one, in the order in which they began.
    private(set) var takers: [UInt64] = []
    /// Bytes of the snapshots, each counted once, and of the piece that each connection has ready.
    private(set) var bytes = 0
    let bytesMax: Int
    private let pieceBytesMax: Int
    /// Snapshots that are requested at a time: enough that the reader always has the next one waiting.
    static let askedMax = 4

    init(bytesMax: Int, pieceBytesMax: Int) {
        self.bytesMax = bytesMax
        self.pieceBytesMax = pieceBytesMax
    }

    /// Whether another one may be asked for.
    func hasRoom(early: Int) -> Bool { bytes < bytesMax && asked + early < Self.askedMax }

    /// A connection begins to take one.
    mutating func begin(_ made: SnapshotMade, _ taker: UInt64) {
        let uses = kept[ObjectIdentifier(made), default: 0]
        if uses == 0 { bytes += made.bytesHeld }
        kept[ObjectIdentifier(made)] = uses + 1
        bytes += readyBytes(made)
        takers.append(taker)
    }

    /// A connection has taken all of its snapshot, or is gone.
    mutating func end(_ made: SnapshotMade, _ taker: UInt64) {
        let uses = kept[ObjectIdentifier(made), default: 1] - 1
        kept[ObjectIdentifier(made)] = uses > 0 ? uses : nil
        if uses == 0 { bytes -= made.bytesHeld }
        bytes -= readyBytes(made)
        if let index = takers.firstIndex(of: taker) { takers.remove(at: index) }
    }

    /// Bytes of it that a connection has ready at a time.
    private func readyBytes(_ made: SnapshotMade) -> Int {
        made.pieces.count == 1 ? made.bytesHeld : pieceBytesMax
    }
}
