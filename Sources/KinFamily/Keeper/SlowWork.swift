public import KinModel

/// Work that would hold the keeper up, done by a worker that owns nothing and sees only these values.
public enum SlowWork: Sendable {
    /// Judge a new password and hash it.
    case newPassword(String, knownWords: [String], salt: [UInt8])
    /// Compare a password with a stored hash (or with the decoy, so that the time tells nothing).
    case checkPassword(String, encoded: String)
    /// Compare the old password, then judge and hash the new one.
    case changePassword(old: String, encoded: String, new: String, knownWords: [String], salt: [UInt8])
    /// Make a picture square, at most 1,600 pixels, without metadata.
    case squarePicture([UInt8])
    /// The same with one that came as a file.
    case squareParcel(Parcel)
    /// Write a backup archive into the data directory's `backups`, and say in it when that was.
    case backup(name: String, at: Instant)
    /// Check the database and the blobs.
    case check
    /// Find the town that is nearest to a spot, in degrees.
    case nearestTown(lat: Double, lon: Double)
    /// Nothing slow: so many of a long list are done, and the rest waits until others had their turn. What the method
    /// carries along comes back to it.
    case rest(after: Int, carrying: (any Sendable)? = nil)

    /// Who does it: work of one sort never waits for that of another.
    public enum Sort: Sendable {
        /// 32 MiB and a tenth of a second.
        case password
        /// As much memory as `Picture.bytesMax`, for seconds.
        case picture
        /// Minutes.
        case long
        /// A look into the database.
        case read
        /// Nobody: it is only somebody else's turn.
        case none
    }

    /// Who does it.
    public var sort: Sort {
        switch self {
        case .newPassword, .checkPassword, .changePassword: .password
        case .squarePicture, .squareParcel: .picture
        case .backup, .check: .long
        case .nearestTown: .read
        case .rest: .none
        }
    }
}

/// What a worker made of it.
public enum SlowResult: Sendable {
    /// The new password's encoded hash; and the old one it was checked against, where one was.
    case passwordHash(String, replacing: String?)
    /// The password is too weak; the sentence says why and what to do.
    case weakPassword(String)
    /// Whether the password was right, and the hash it was compared with: it may be another by now.
    case passwordMatched(Bool, encoded: String)
    /// The picture as JPEG, and the small one that phone apps show on a map.
    case picture([UInt8], face: [UInt8])
    /// A file was written: its name and size in bytes.
    case file(name: String, bytes: Int64)
    /// What was handed in cannot be used; the sentence says why.
    case refused(String)
    /// What is wrong, a sentence each; none when all is well.
    case checked([String])
    /// The nearest town, if one is known.
    case town(NearestTown?)
    /// It did not work here; the sentence says why.
    case failed(String)
    /// It is its turn again, after so many.
    case rest(after: Int, carrying: (any Sendable)? = nil)
    /// Nobody looked at it: too much of the same party waits already.
    case crowdedOut

    /// Whether nobody looked at it.
    var isCrowdedOut: Bool { if case .crowdedOut = self { true } else { false } }
}
