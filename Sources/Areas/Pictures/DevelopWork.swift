public import KinKeeper
import KinModel
import KinPicture
import KinStore

/// Opens a picture in a process of its own, and makes it in three sizes.
public enum DevelopWork: SlowWork {
    /// A picture whose bytes came in the request.
    case bytes([UInt8])
    /// A picture that came as a file.
    case parcel(Parcel)
    /// A collage, made of pictures that are stored already.
    case collage(Sources)
    /// A picture in one of the forms above, whose original file is kept too.
    indirect case withOriginal(DevelopWork)

    /// The stored pictures that a collage is made of, in their largest size.
    public struct Sources: Sendable {
        /// The names of their blobs.
        package let names: [String]
        /// The layout of the collage.
        fileprivate let layout: Collage.Layout
        private let blobs: Blobs

        init(_ names: [String], _ layout: Collage.Layout, of blobs: Blobs) {
            (self.names, self.layout, self.blobs) = (names, layout, blobs)
        }

        /// Reads the bytes of all these pictures. A blob may be gone by now.
        fileprivate func read() throws(PictureFailure) -> [[UInt8]] {
            var all: [[UInt8]] = []
            for name in names {
                guard let bytes = try? blobs.get(name) else { throw .unread }
                all.append(bytes)
            }
            return all
        }
    }

    /// The result.
    public struct Made: Sendable {
        /// The JPEGs: large, middle, small.
        public let jpegs: [[UInt8]]
        /// The width of the large JPEG, in pixels.
        public let width: Int
        /// The height of the large JPEG, in pixels.
        public let height: Int
        /// The time at which the picture was taken.
        let taken: Taken?
        /// The file that was sent, without the place where the picture was taken. It is there only if originals are
        /// kept.
        fileprivate(set) var original: Original?

        /// Makes a result from its parts.
        init(jpegs: [[UInt8]], width: Int, height: Int, taken: Taken?) {
            (self.jpegs, self.width, self.height, self.taken) = (jpegs, width, height, taken)
        }

        /// Makes a result without opening a picture, with a time as Exif writes it. A box without cameras uses it.
        package init(jpegs: [[UInt8]], width: Int, height: Int, exif: String) {
            self.init(jpegs: jpegs, width: width, height: height, taken: Taken(exif: exif, offset: "+00:00"))
        }
    }

    /// The time at which a picture was taken, by the clock of its camera.
    typealias Taken = KinPicture.Taken

    /// The workers that do it.
    public var sort: WorkSort { .picture }

    /// The sizes, largest first.
    private static let prints: [Print] = Picture.Size.allCases.reversed().map { .whole($0.sideMax) }

    /// Opens the picture and makes its sizes.
    public func run(at place: borrowing Workplace) -> SlowResult {
        do throws(PictureFailure) {
            let developed: Developed
            switch self {
            case .withOriginal(let work):
                let result = work.run(at: place)
                guard var made = result.made(Made.self) else { return result }
                made.original = try Original(of: try work.sent())
                return .made(made)
            case .bytes(let bytes):
                developed = try Darkroom.develop(Self.prints, of: bytes, memoryBytesMax: Limits.galleryMemoryBytesMax)
            case .collage(let sources):
                developed = try Darkroom.collage(
                    Self.prints, of: try sources.read(), layout: sources.layout,
                    memoryBytesMax: Limits.galleryMemoryBytesMax)
            case .parcel(let parcel):
                developed = try Darkroom.develop(Self.prints, memoryBytesMax: Limits.galleryMemoryBytesMax) { offset in
                    try? parcel.spool?.read(from: offset, count: Limits.galleryPieceBytes)
                }
            }
            return .made(
                Made(
                    jpegs: developed.sheets.map(\.jpeg), width: developed.sheets[0].width,
                    height: developed.sheets[0].height, taken: developed.taken))
        } catch {
            return error.isOfMachine ? .failed(error.sentence) : .refused(error.sentence)
        }
    }

    /// All bytes that were sent.
    private func sent() throws(PictureFailure) -> [UInt8] {
        switch self {
        case .withOriginal(let work): return try work.sent()
        case .bytes(let bytes): return bytes
        case .collage: throw .unread
        case .parcel(let parcel):
            guard let spool = parcel.spool else { throw .unread }
            var bytes: [UInt8] = []
            while bytes.count < Limits.galleryPictureBytesMax {
                guard
                    let piece = try? spool.read(from: bytes.count, count: Limits.galleryPieceBytes)
                else { throw .unread }
                guard !piece.isEmpty else { break }
                bytes += piece
            }
            return bytes
        }
    }
}
