import KinCodec
import KinCrypto
import KinKeeper
import KinModel
package import KinStore

/// An upload as the keeper knows it.
struct UploadUnderWay {
    let id: String
    let file: String
    let method: String
    let params: JSON.Object
    let length: Int?
    let bytesMax: Int
    let isOnce: Bool
    /// The condition that must hold when the file is complete; it was given when the upload began.
    let condition: Condition?

    /// The name under which the condition is kept beside the method's parameters. No parameter has this name.
    static let ifMatch = "If-Match"

    init?(_ json: JSON) {
        guard let id = json["upload"]?.string, let file = json["file"]?.string, let method = json["method"]?.string,
            let text = json["params"]?.string, var params = (try? JSON.parse(Array(text.utf8)))?.object,
            let bytesMax = json["bytesMax"]?.int
        else { return nil }
        if let tags = params[Self.ifMatch] {
            params[Self.ifMatch] = nil
            condition = Condition(method, params, tags: tags.array.map { Set($0.compactMap { $0.string }) })
        } else {
            condition = nil
        }
        self.id = id
        self.file = file
        self.method = method
        self.params = params
        self.bytesMax = Int(bytesMax)
        length = json["length"]?.int.map { Int($0) }
        isOnce = json["isOnce"]?.bool ?? false
    }

    /// Its address.
    var path: String { "/api/uploads/\(id)" }
    /// The field `Upload-Limit`.
    var limit: String { "max-size=\(bytesMax), max-age=\(Limits.uploadSeconds)" }
}

/// The bytes of one request on their way to their upload's file. A few pieces wait for the worker or are being written,
/// and one fills meanwhile: neither the worker nor the loop has to wait for the other's next turn. When as much is held
/// as may be, the connection is not read until a piece is written.
final class UploadFlow {
    enum State {
        /// There is more to come, or to write.
        case flowing
        /// All that came is written.
        case whole
        /// Another request wrote to the file; it ends there.
        case endsElsewhere(Int)
        case failed(String)
    }

    private var file = ""
    /// The end of what is written.
    private var offset = 0
    /// Pieces that no worker has yet, as they were read. To join them would copy every file once more.
    private var waiting: [[UInt8]] = []
    private var waitingBytes = 0
    /// The bytes of each piece that the worker has, in the order in which it writes them.
    private var pieces: [Int] = []
    private var writing = 0
    private var isEnded = false
    /// Whether nothing of what the worker still says matters: the request is over, or a piece was not written.
    private var isOver = false
    private var isClosed = false
    /// Whether it can be resumed: what is written of it is synced from time to time.
    private var isKept = false
    /// Whether the answer says how much arrived: the last piece is synced as it is written.
    private var isTold = false
    /// Bytes that were written since a sync was last asked for.
    private var unsynced = 0
    /// Whether a sync is under way.
    private var isSyncing = false
    /// Whether the last piece is synced as it is written.
    private var endsSynced = false
    /// Bytes that the disk was not yet told to write.
    private var unbegun = 0
    private static let begunBytes = 1 << 20
    /// Into so many pieces is divided what may be held.
    private static let piecesHeld = 4
    /// A smaller piece is appended to the one before it, so that thousands of small chunks do not become as many
    /// arrays.
    private static let pieceBytesMin = 32 << 10

    /// The end once all that came is written.
    var end: Int { offset + writing + waitingBytes }
    /// Whether all that came to this request is on the disk.
    var isSynced: Bool { isKept && endsSynced && writing == 0 && waitingBytes == 0 && offset > start }
    private var start = 0

    func begin(_ file: String, at offset: Int, isKept: Bool, isTold: Bool) {
        self.file = file
        self.isKept = isKept
        self.isTold = isTold
        self.offset = offset
        start = offset
    }

    /// A piece came.
    func take(_ bytes: [UInt8], _ doorway: Doorway) {
        guard doorway.hold(bytes.count) else {
            return doorway.refuse(
                .problem(503, "Too much is being sent at once; try again.", headers: ["Retry-After": "5"]))
        }
        if let last = waiting.last, last.count + bytes.count <= Self.pieceBytesMin {
            waiting[waiting.count - 1] += bytes
        } else {
            waiting.append(bytes)
        }
        waitingBytes += bytes.count
        goOn(doorway)
    }

    /// The last one came.
    func ended(_ doorway: Doorway) -> State {
        isEnded = true
        goOn(doorway)
        return state
    }

    /// A piece is written, or the write failed.
    func written(_ written: UploadWrite.Written, _ doorway: Doorway) -> State {
        guard !isOver, !pieces.isEmpty else { return .flowing }
        switch written {
        case .added(.written):
            let piece = pieces.removeFirst()
            offset += piece
            doorway.heldNoMore(piece)
            writing -= piece
            doorway.gotOn()
            sync(doorway, afterMore: piece)
        case .added(.endsElsewhere(let end)):
            isOver = true
            return .endsElsewhere(end)
        case .failed(let sentence):
            isOver = true
            return .failed(sentence)
        }
        goOn(doorway)
        return state
    }

    /// The earlier part is synced, or the sync failed: then the file lost what was not synced.
    func synced(_ synced: UploadSync.Synced, _ doorway: Doorway) -> State {
        guard !isOver else { return .flowing }
        if case .failed(let sentence) = synced {
            isOver = true
            return .failed(sentence)
        }
        isSyncing = false
        sync(doorway, afterMore: 0)
        goOn(doorway)
        return state
    }

    /// A failed sync has to be known before anything is said of the whole.
    private var state: State { isEnded && writing == 0 && waitingBytes == 0 && !isSyncing ? .whole : .flowing }

    /// Has so much synced that a power cut takes little, while the next pieces are written.
    private func sync(_ doorway: Doorway, afterMore bytes: Int) {
        guard isKept else { return }
        unsynced += bytes
        guard !isSyncing, unsynced >= doorway.limits.uploadUnsyncedBytesMax / 2, !(isEnded && writing == 0) else {
            return
        }
        (isSyncing, unsynced) = (true, 0)
        doorway.sync(UploadSync(file: file))
    }

    private func goOn(_ doorway: Doorway) {
        let held = doorway.limits.uploadHeldBytesMax
        // With what the sync under way may lose it would be too much to lose.
        let waitsForDisk = isSyncing && unsynced + writing >= doorway.limits.uploadUnsyncedBytesMax / 2
        if waitingBytes > 0, !waitsForDisk, isEnded || waitingBytes >= held / Self.piecesHeld {
            endsSynced = isKept && isEnded && isTold
            // An order to the disk costs about as much as 100 kB, so one is given for each MiB.
            unbegun += waitingBytes
            let begins = isKept && !endsSynced && unbegun >= Self.begunBytes
            if begins || endsSynced { unbegun = 0 }
            doorway.workBeside(waitingWrite(at: offset + writing, begins: begins, isSynced: endsSynced))
            pieces.append(waitingBytes)
            writing += waitingBytes
            waitingBytes = 0
        }
        // While nothing is under way, nothing would say that there is room again.
        let isUnderWay = writing > 0 || isSyncing
        doorway.fill(isUnderWay && writing + waitingBytes + ReadBuffers.bytesMax > held)
    }

    private func waitingWrite(at offset: Int, begins: Bool = false, isSynced: Bool) -> UploadWrite {
        defer { waiting = [] }
        return UploadWrite(file: file, pieces: waiting, offset: offset, begins: begins, isSynced: isSynced)
    }

    /// The request is over: bytes that came and are not written go to the file all the same.
    func close(_ doorway: Doorway) {
        guard !isClosed else { return }
        (isClosed, isOver) = (true, true)
        if waitingBytes > 0 {
            doorway.workBeside(waitingWrite(at: offset + writing, isSynced: isKept))
        } else if isKept, unsynced + writing > 0 {
            doorway.workBeside(UploadLook(file: file))
        }
        doorway.leave(writing + waitingBytes)
        waitingBytes = 0
    }
}

/// How much of an upload is on the disk.
struct UploadLook: DoorWork {
    let file: String

    enum Seen: Sendable {
        /// So many bytes, which are on the disk.
        case arrived(Int)
        /// It ended meanwhile.
        case over
        /// The disk cannot say.
        case unread
    }

    func run(at blobs: Blobs) -> any Sendable {
        do throws(StoreFailure) { return try blobs.arrived(file).map { Seen.arrived($0) } ?? .over } catch {
            return Seen.unread
        }
    }
}

/// Puts the written part of an upload on the disk.
package struct UploadSync: DoorWork {
    package let file: String

    package init(file: String) { self.file = file }

    enum Synced: Sendable {
        case done
        case failed(String)
    }

    package func run(at blobs: Blobs) -> any Sendable {
        do throws(StoreFailure) { try blobs.arrived(file) } catch { return Synced.failed(error.sentence) }
        return Synced.done
    }
}

/// A piece for its file.
package struct UploadWrite: DoorWork {
    package let file: String
    /// One after the other.
    package let pieces: [[UInt8]]
    package let offset: Int
    /// Whether the disk begins to write all of it now, while more comes.
    package let begins: Bool
    /// Whether everything so far is synced, and counts as arrived whatever happens.
    package let isSynced: Bool

    package init(file: String, pieces: [[UInt8]], offset: Int, begins: Bool, isSynced: Bool) {
        self.file = file
        self.pieces = pieces
        self.offset = offset
        self.begins = begins
        self.isSynced = isSynced
    }

    enum Written: Sendable {
        case added(Blobs.Added)
        case failed(String)
    }

    package func run(at blobs: Blobs) -> any Sendable {
        do throws(StoreFailure) {
            let added = try blobs.add(pieces, to: file, at: offset, isToBeSynced: begins)
            guard isSynced else { return Written.added(added) }
            let arrived = try blobs.arrived(file) ?? 0
            // Another request's sync may have failed meanwhile, which took this piece back.
            if added == .written, arrived < pieces.reduce(offset, { $0 + $1.count }) {
                return Written.added(.endsElsewhere(arrived))
            }
            return Written.added(added)
        } catch { return Written.failed(error.sentence) }
    }
}

/// A whole upload as a method takes it: its name is made of its content, as if it had come as text. A long one is read in
/// several jobs, so that others' work comes between them.
struct UploadName: DoorWork {
    let file: String
    /// Its length. A shorter file is none: another request's sync may have failed meanwhile, which took bytes back.
    let bytes: Int
    var naming = Parcel.Naming()
    var offset = 0

    struct Named: Sendable { let parcel: Parcel? }

    /// Bytes that one job reads; as many as one block of base64 holds.
    private static let jobBytes = 16 << 20
    private static let blockBytes = Limits.parcelBlockBytes / 4 * 3

    /// What it became, or how it goes on.
    func run(at blobs: Blobs) -> any Sendable {
        var next = self
        while next.offset < offset + Self.jobBytes {
            guard let read = try? blobs.readUnfinished(file, from: next.offset, count: Self.blockBytes) else {
                return Named(parcel: nil)
            }
            if read.isEmpty {
                guard next.offset == bytes else { return Named(parcel: nil) }
                return Named(parcel: Parcel(name: next.naming.name, spool: blobs.whole(file, bytes: bytes)))
            }
            next.naming.add(Array(Base64.encode(read).utf8))
            next.offset += read.count
        }
        return next
    }
}
