import KinCodec
import KinKeeper
import KinModel

/// One HTTP request: its head, its content as far as that is held, its door, and where its answer stands.
final class HTTPExchange {
    let head: HTTPRequestHead
    /// Whose the request is.
    var door: any Door
    private(set) var body: [UInt8] = []
    /// Counts the bodies of all connections.
    private let room: BodyRoom
    /// Bytes of that room which are this request's.
    private var heldBytes = 0
    /// A long body on its way to a file.
    var upload: Upload?
    /// What came as a file.
    var parcel: Parcel?
    /// Its content goes to the door piece by piece.
    var takesPieces = false
    /// The door has as much of the content as it may hold: no more is read for now.
    var isFull = false
    /// What a worker does for the door while the content is read.
    var beside: UInt64?
    /// What of its secrets was shown in plain text.
    var exposure = Exposure()
    /// While an answer in pieces is on its way: the request by which nothing else of the connection is read.
    var standing: UInt64?
    /// The position in the log at which the keeper's last answer to it is true.
    var answeredAt: Int64 = 0
    /// An answer in pieces has no length: chunks say where it ends.
    var isChunked = false
    /// Whether the connection may go on after the answer.
    var keepsAlive: Bool

    /// The head of an answer in pieces is on its way.
    var isBegun: Bool { standing != nil }

    init(head: HTTPRequestHead, room: BodyRoom) {
        self.room = room
        self.head = head
        // Until it is known whose it is.
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

    /// Counts them no longer.
    func letGo(_ count: Int) {
        room.bytes -= count
        heldBytes -= count
    }

    /// The body, to be held elsewhere; it stays counted.
    func moveBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// What is left of a long body, which was counted when it began.
    func setOutline(_ bytes: [UInt8]) { body = bytes }

    /// The body was read by whoever needed it, or nobody will.
    func dropBody() {
        body = []
        letGo(heldBytes)
    }

    var isHead: Bool { head.method == .head }
}

/// How much of request bodies is held in memory, for all connections together. On the loop's thread.
final class BodyRoom {
    let bytesMax: Int
    var bytes = 0
    /// The connection that each upload's file grows by.
    var uploads: [String: UInt64] = [:]

    init(bytesMax: Int) { self.bytesMax = bytesMax }
}
