import Glibc
import KinCrypto
import KinKeeper
import KinMembers
import KinModel
import KinServer
import KinStore

/// Pictures in the simulation: random bytes. A judge removes some byte values, where a worker would make the picture
/// square. Unjudged content has one of those bytes, and no text has any.
final class Pictures {
    /// In each picture that nobody has judged, and in nothing else.
    static let unjudged: UInt8 = 0xF5
    /// The second byte of what is no picture.
    private static let refused = UInt8(ascii: "<")

    /// What was sent, as it is once it was judged: by the member's identifier.
    private var sent: [Identifier: [[UInt8]]] = [:]
    /// Blobs that were looked at.
    private var known: Set<String> = []

    func file(for member: Identifier, _ dice: inout Dice) -> SentFile {
        let isGood = !dice.once(in: 5)
        var bytes = (0..<dice.pick([2, 500, 3000, 12_000, 25_000])).map { _ in UInt8(dice.below(0xF0)) }
        for _ in 0..<5 { bytes[dice.below(bytes.count)] = Self.unjudged }
        bytes[0] = Self.unjudged
        bytes[1] = isGood ? 1 : Self.refused
        if isGood { sent[member, default: []].append(Self.judged(bytes)) }
        return SentFile(path: "/api/members/\(member)/picture", content: bytes, isGood: isGood)
    }

    static func judged(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != unjudged } }

    /// What a worker would do.
    func judge(_ work: PictureWork) -> SlowResult {
        let bytes: [UInt8]
        switch work {
        case .squarePicture(let picture): bytes = picture
        case .squareParcel(let parcel):
            guard let spool = parcel.spool else { return .failed("The picture is no longer there; send it again.") }
            do throws(StoreFailure) { bytes = try spool.read() } catch { return .failed(error.sentence) }
        }
        guard bytes.first == Self.unjudged, bytes.dropFirst().first != Self.refused else {
            return .refused("It is no picture.")
        }
        return .picture(Self.judged(bytes), face: [])
    }

    /// Nobody is shown what nobody judged.
    func check(_ message: [UInt8], _ name: String) throws(Finding) {
        guard !Self.isUnjudged(message) else {
            throw Finding(checker: "unjudged", what: "\(name) is shown a picture that nobody judged")
        }
    }

    /// What the daemon draws itself, such as the sheet that stands for a document, is a real JPEG and has any byte.
    /// Nobody sends one here: what is sent begins with ``unjudged``, and what a judge leaves of it has no byte as great
    /// as a JPEG's first.
    private static func isUnjudged(_ bytes: [UInt8]) -> Bool {
        guard !bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return false }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe memchr(start, Int32(unjudged), buffer.count) != nil
        }
    }

    /// A member's picture is one that was sent for that member, byte by byte, and no blob is one that nobody judged.
    func books(_ daemon: SimulatedDaemon, isWhole: Bool) throws(StoreFailure) -> Finding? {
        if isWhole { known = [] }
        let pictures = try daemon.reader.rows("SELECT id, username, picture FROM members WHERE picture IS NOT NULL") {
            row in (id: row.identifier("id"), username: row.text("username"), name: row.text("picture"))
        }
        for picture in pictures where known.insert(picture.name).inserted {
            guard let bytes = try daemon.store.blobs.get(picture.name) else {
                return Finding(checker: "pictures", what: "\(picture.username) has a picture that is not there")
            }
            guard sent[picture.id]?.contains(bytes) ?? false else {
                return Finding(checker: "pictures", what: "\(picture.username) has a picture that nobody sent")
            }
        }
        for name in try daemon.store.blobs.all() where known.insert(name).inserted {
            let bytes = try daemon.store.blobs.get(name) ?? []
            if Self.isUnjudged(bytes) {
                let head = Hex.encode(Array(bytes.prefix(24)))
                return Finding(
                    checker: "unjudged",
                    what: "the blob \(name) is a picture that nobody judged, of \(bytes.count) bytes: \(head)")
            }
        }
        return nil
    }
}

extension Fault {
    /// Pictures become blobs as they were sent.
    public static let unjudgedPicture = Fault("unjudgedPicture")
}
