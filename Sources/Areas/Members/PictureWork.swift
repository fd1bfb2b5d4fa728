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

    /// Who does it.
    public var sort: WorkSort { .picture }

    /// Does it.
    public func run(at place: borrowing Workplace) -> SlowResult {
        switch self {
        case .squarePicture(let bytes):
            do throws(PictureFailure) {
                let picture = try Picture.square(bytes, memoryBytesMax: Limits.pictureMemoryBytesMax)
                return .picture(picture, face: try Picture.owntracksFace(picture))
            } catch {
                return error == .unavailable ? .failed(error.sentence) : .refused(error.sentence)
            }
        case .squareParcel(let parcel):
            guard let spool = parcel.spool else { return .failed("The picture is no longer there; send it again.") }
            do throws(StoreFailure) { return Self.squarePicture(try spool.read()).run() } catch {
                return .failed(error.sentence)
            }
        }
    }
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
