import KinCrypto
import KinPicture
import KinStore

extension SlowWork {
    /// Does the work, on whichever thread. Backups and checks need the store, so whoever has one hands in how it does
    /// them.
    public func run(
        withStore: (SlowWork) -> SlowResult = { _ in .failed("There is no store here to work on.") }
    ) -> SlowResult {
        switch self {
        case .newPassword(let password, let knownWords, let salt):
            return Self.hash(password, knownWords, salt, replacing: nil)
        case .checkPassword(let password, let encoded):
            return .passwordMatched(PasswordHash.matches(password, encoded), encoded: encoded)
        case .changePassword(let old, let encoded, let new, let knownWords, let salt):
            guard PasswordHash.matches(old, encoded) else { return .passwordMatched(false, encoded: encoded) }
            return Self.hash(new, knownWords, salt, replacing: encoded)
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
        case .rest(let done, let carried): return .rest(after: done, carrying: carried)
        case .backup, .check, .nearestTown: return withStore(self)
        }
    }

    private static func hash(
        _ password: String, _ knownWords: [String], _ salt: [UInt8], replacing old: String?
    ) -> SlowResult {
        let judgement = PasswordQuality.judge(password, knownWords: knownWords)
        if let advice = judgement.advice { return .weakPassword(advice) }
        return .passwordHash(PasswordHash.make(password, salt: salt), replacing: old)
    }
}
