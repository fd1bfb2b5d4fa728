public import KinKeeper
import KinModel
import KinPicture
import KinStore

/// Removes from a film the data that tell where it was made, and keeps it as a file, without a copy.
public enum FilmWork: SlowWork {
    /// A film whose bytes came in the request.
    case bytes([UInt8])
    /// A film that came as a file.
    case parcel(Parcel)

    /// The result.
    struct Made: MadeOfFile {
        let film: Film
        let bytes: Int64
        /// The blob that holds the film; `nil` for a film in memory.
        let blob: String?
        let content: [UInt8]
    }

    /// The workers that do it.
    public var sort: WorkSort { .picture }

    /// Removes the place from the film and keeps it.
    public func run(at place: borrowing Workplace) -> SlowResult {
        do throws(PictureFailure) {
            switch self {
            case .bytes(let bytes):
                var content = FilmBytes(bytes)
                let film = try Film.clean(&content)
                return .made(Made(film: film, bytes: Int64(content.count), blob: nil, content: content.bytes))
            case .parcel(let parcel):
                guard let spool = parcel.spool, var content = SpooledFilm(spool) else { throw .unread }
                let film = try Film.clean(&content)
                guard let blob = try? spool.becomeBlob(bytes: content.count) else { throw .unread }
                return .made(Made(film: film, bytes: Int64(content.count), blob: blob, content: []))
            }
        } catch {
            if error == .damaged {
                return .refused("The film is damaged or incomplete: send it again, or choose another.")
            }
            return error.isOfMachine ? .failed(error.sentence) : .refused(error.sentence)
        }
    }
}

/// A film in the file in which it arrived.
private struct SpooledFilm: FilmContent {
    let spool: Spool
    let count: Int

    init?(_ spool: Spool) {
        guard let count = try? spool.count() else { return nil }
        (self.spool, self.count) = (spool, count)
    }

    func bytes(from offset: Int, count: Int) throws(PictureFailure) -> [UInt8] {
        do throws(StoreFailure) { return try spool.read(from: offset, count: min(count, self.count - offset)) } catch {
            throw .unread
        }
    }

    func overwrite(at offset: Int, _ bytes: [UInt8]) throws(PictureFailure) {
        do throws(StoreFailure) { try spool.overwrite(at: offset, bytes) } catch { throw .unread }
    }
}
