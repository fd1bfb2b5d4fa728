public import KinKeeper
import KinModel
import KinPicture
import KinStore

/// Makes a picture square, at most 1,600 pixels, without metadata.
public enum PictureWork: SlowWork {
    /// One that came in the request.
    case squarePicture([UInt8])
    /// The same with one that came as a file.
    case squareParcel(Parcel)

    /// The picture as JPEG, and the small one that phone apps show on a map.
    public struct Made: Sendable {
        /// The picture.
        public let jpeg: [UInt8]
        /// The small one.
        public let face: [UInt8]
    }

    /// The worker that does it.
    public var sort: WorkSort { .picture }

    /// Does it.
    public func run(at place: borrowing Workplace) -> SlowResult {
        do throws(PictureFailure) {
            let developed: Developed
            switch self {
            case .squarePicture(let bytes):
                developed = try Darkroom.develop(Self.prints, of: bytes, memoryBytesMax: Limits.pictureMemoryBytesMax)
            case .squareParcel(let parcel):
                developed = try Darkroom.develop(Self.prints, memoryBytesMax: Limits.pictureMemoryBytesMax) { offset in
                    try? parcel.spool?.read(from: offset, count: Limits.picturePieceBytes)
                }
            }
            return .picture(developed.sheets[0].jpeg, face: developed.sheets[1].jpeg)
        } catch {
            return error.isOfMachine ? .failed(error.sentence) : .refused(error.sentence)
        }
    }

    /// The picture, and the small one.
    private static let prints: [Print] = [.square(1600), .square(192)]
}

extension SlowResult {
    /// A picture was made square.
    public static func picture(_ jpeg: [UInt8], face: [UInt8]) -> SlowResult {
        .made(PictureWork.Made(jpeg: jpeg, face: face))
    }

    /// The picture that was made.
    public var picture: PictureWork.Made? { made(PictureWork.Made.self) }
}

extension Quota {
    /// Pictures set in a day.
    public static let pictures = Quota("pictures", today: "picturesToday")
}
