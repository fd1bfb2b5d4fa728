/// What snapshots take that are being made or are on their way, over all connections: whoever finds it full waits.
struct SnapshotRoom {
    /// Asked of the reader, and not come yet.
    var asked = 0
    /// Each snapshot that somebody takes, and how many do.
    private var kept: [ObjectIdentifier: Int] = [:]
    /// Connections that take one, the first to begin first.
    private(set) var takers: [UInt64] = []
    /// Bytes of the snapshots, each counted once, and of the piece that each connection has ready.
    private(set) var bytes = 0
    let bytesMax: Int
    private let pieceBytesMax: Int
    /// Snapshots that are made at a time: the reader always has the next one waiting.
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

    /// It has taken all, or is gone.
    mutating func end(_ made: SnapshotMade, _ taker: UInt64) {
        let uses = kept[ObjectIdentifier(made), default: 1] - 1
        kept[ObjectIdentifier(made)] = uses > 0 ? uses : nil
        if uses == 0 { bytes -= made.bytesHeld }
        bytes -= readyBytes(made)
        if let index = takers.firstIndex(of: taker) { takers.remove(at: index) }
    }

    /// What a connection has ready of it at a time.
    private func readyBytes(_ made: SnapshotMade) -> Int {
        made.pieces.count == 1 ? made.bytesHeld : pieceBytesMax
    }
}
