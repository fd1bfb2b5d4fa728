import KinCodec
import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// An upload as the keeper knows it.
struct UploadUnderWay {
    let id: String
    let file: String
    let method: String
    let params: JSON.Object
    let length: Int?
    let bytesMax: Int
    let isOnce: Bool

    init?(_ json: JSON) {
        guard let id = json["upload"]?.string, let file = json["file"]?.string, let method = json["method"]?.string,
            let text = json["params"]?.string, let params = (try? JSON.parse(Array(text.utf8)))?.object,
            let bytesMax = json["bytesMax"]?.int
        else { return nil }
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

/// The bytes of one request on their way to their upload's file: one piece is being written, and one gathers meanwhile;
/// then the connection is not read until the first is written.
final class UploadFlow {
    enum State {
        /// There is more to come, or to be written.
        case flowing
        /// All that came is written.
        case whole
        /// Somebody else wrote to the file.
        case endsElsewhere(Int)
        case failed(String)
    }

    private var file = ""
    /// Where the file ends, as far as it is written.
    private var offset = 0
    private var waiting: [UInt8] = []
    private var writing = 0
    private var isEnded = false
    private var isClosed = false

    /// Where it will end with all that came.
    var end: Int { offset + writing + waiting.count }

    func begin(_ file: String, at offset: Int) {
        self.file = file
        self.offset = offset
    }

    /// A piece came.
    func take(_ bytes: [UInt8], _ doorway: Doorway) {
        guard doorway.hold(bytes.count) else {
            return doorway.refuse(
                .problem(503, "Too much is being sent at once; try again.", headers: ["Retry-After": "5"]))
        }
        waiting += bytes
        goOn(doorway)
    }

    /// The last one came.
    func ended(_ doorway: Doorway) -> State {
        isEnded = true
        goOn(doorway)
        return writing == 0 ? .whole : .flowing
    }

    /// A piece is written, or not.
    func written(_ written: UploadWrite.Written, _ doorway: Doorway) -> State {
        guard !isClosed else { return .flowing }
        switch written {
        case .added(.written):
            offset += writing
            doorway.heldNoMore(writing)
            writing = 0
            doorway.gotOn()
        case .added(.endsElsewhere(let end)): return .endsElsewhere(end)
        case .failed(let sentence): return .failed(sentence)
        }
        goOn(doorway)
        return isEnded && writing == 0 ? .whole : .flowing
    }

    private func goOn(_ doorway: Doorway) {
        let half = doorway.limits.pictureBodyHeldBytesMax / 2
        if writing == 0, !waiting.isEmpty, isEnded || waiting.count >= half {
            writing = waiting.count
            doorway.workBeside(UploadWrite(file: file, bytes: waiting, offset: offset))
            waiting = []
        }
        doorway.exchange.isFull = writing > 0 && writing + waiting.count + Server.readBytesMax > 2 * half
    }

    /// The request is over: what came and is not written goes to the file all the same.
    func close(_ doorway: Doorway) {
        guard !isClosed else { return }
        isClosed = true
        if !waiting.isEmpty {
            doorway.workBeside(UploadWrite(file: file, bytes: waiting, offset: offset + writing))
        }
        waiting = []
    }
}

/// How much of an upload is on the disk.
struct UploadLook: DoorWork {
    let file: String

    struct Seen: Sendable {
        /// `nil`: the disk does not say.
        let arrived: Int?
    }

    func run(at blobs: Blobs) -> any Sendable { Seen(arrived: try? blobs.arrived(file)) }
}

/// A piece for its file.
struct UploadWrite: DoorWork {
    let file: String
    let bytes: [UInt8]
    let offset: Int

    enum Written: Sendable {
        case added(Blobs.Added)
        case failed(String)
    }

    func run(at blobs: Blobs) -> any Sendable {
        do throws(StoreFailure) { return Written.added(try blobs.add(bytes, to: file, at: offset)) } catch {
            return Written.failed(error.sentence)
        }
    }
}

/// A whole upload as a method takes it: its name is made of its content, as if it had come as text.
struct UploadName: DoorWork {
    let file: String

    struct Named: Sendable { let parcel: Parcel? }

    func run(at blobs: Blobs) -> any Sendable {
        var naming = Parcel.Naming()
        var offset = 0
        // As many bytes as make a block of base64.
        let block = Limits.parcelBlockBytes / 4 * 3
        while true {
            guard let bytes = try? blobs.readUnfinished(file, from: offset, count: block) else {
                return Named(parcel: nil)
            }
            if bytes.isEmpty { break }
            naming.add(Array(Base64.encode(bytes).utf8))
            offset += bytes.count
        }
        return Named(parcel: Parcel(name: naming.name, spool: blobs.whole(file)))
    }
}
