import KinCodec
import KinKeeper
import KinModel

/// One HTTP request: its head, the content that is held, its door, and the state of its answer.
final class HTTPExchange {
    let head: HTTPRequestHead
    /// The door that has the request.
    var door: any Door
    private(set) var body: [UInt8] = []
    /// Counts the bodies of all connections.
    private let room: BodyRoom
    /// Bytes of that room that are this request's.
    private var heldBytes = 0
    /// A long body on its way to a file.
    var upload: Upload?
    /// The parameter that came as a file.
    var parcel: Parcel?
    /// Whether the content goes to the door piece by piece.
    var takesPieces = false
    /// Whether the door holds as much of the content as it may: no more is read for now.
    var isFull = false
    /// The numbers of what workers do for the door while the content is read.
    var beside: [UInt64] = []
    /// The party that these count for: the same for all of them, because only one party's are done in their order.
    var besideParty: Party?
    /// The secrets that were shown in plain text.
    var exposure = Exposure()
    /// While an answer in pieces is on its way: the number of this request, which keeps anything else of the connection
    /// from being read.
    var standing: UInt64?
    /// The position in the log at which the keeper's last answer to it is true.
    var answeredAt: Int64 = 0
    /// Whether the answer in pieces has no length, so that chunks say where it ends.
    var isChunked = false
    /// Whether the answer goes on until the client leaves.
    var isHeldOpen = false
    /// Whether the connection may go on after the answer.
    var keepsAlive: Bool

    /// Whether the head of an answer in pieces was sent.
    var isBegun: Bool { standing != nil }

    init(head: HTTPRequestHead, room: BodyRoom) {
        self.room = room
        self.head = head
        // Until a door claims the request.
        door = AnsweredDoor(HTTPAnswer(404))
        keepsAlive = head.keepAlive
    }

    deinit { room.bytes -= heldBytes }

    /// Takes a piece of the body; false when all bodies together are too much.
    func take(_ bytes: [UInt8]) -> Bool {
        guard hold(bytes.count) else { return false }
        body += bytes
        return true
    }

    /// Counts bytes as held; false when all together would be too much.
    func hold(_ count: Int) -> Bool {
        guard room.bytes + count <= room.bytesMax else { return false }
        room.bytes += count
        heldBytes += count
        return true
    }

    /// Counts bytes as held no longer.
    func letGo(_ count: Int) {
        room.bytes -= count
        heldBytes -= count
    }

    /// Counts bytes as held until a worker's job is done, though the request is over by then.
    func leave(_ count: Int, until job: Ticket) {
        let left = min(count, heldBytes)
        heldBytes -= left
        room.left[job, default: 0] += left
    }

    /// The body, to be held elsewhere; it stays counted.
    func moveBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// Puts the short rest of a long body in the body's place. Its bytes were counted when it began.
    func setOutline(_ bytes: [UInt8]) { body = bytes }

    /// Drops the body: it was read, or never will be.
    func dropBody() {
        body = []
        letGo(heldBytes)
    }

    var isHead: Bool { head.method == .head }
}

/// The memory that request bodies hold, for all connections together. On the loop's thread.
final class BodyRoom {
    let bytesMax: Int
    var bytes = 0
    /// The connection that each upload's file grows by.
    var uploads: [String: UInt64] = [:]
    /// Bytes that workers still have of requests that are over, by the last job of each.
    fileprivate(set) var left: [Ticket: Int] = [:]

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// A worker's job is done.
    func done(_ job: Ticket) { bytes -= left.removeValue(forKey: job) ?? 0 }
}
