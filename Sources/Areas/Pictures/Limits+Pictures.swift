package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a picture stand beside it.
extension Limits {
    /// Bytes of a picture as it comes.
    package static let galleryPictureBytesMax = 64 << 20
    /// Bytes that one picture may take while it is opened: a PNG of 50 megapixels, a HEIC of as many.
    package static let galleryMemoryBytesMax = 400 << 20
    /// Bytes of it that are read at a time.
    package static let galleryPieceBytes = 1 << 20
    /// Characters of a picture that is sent within a message.
    package static let galleryJPEGCharactersMax = 32 << 20
    /// Characters of an original that is sent within a message.
    package static let galleryOriginalCharactersMax = (galleryPictureBytesMax + 2) / 3 * 4
    /// Bytes of a film.
    package static let filmBytesMax = 2 << 30
    /// Characters of a film that is sent or given out within a message; over HTTP it may be longer.
    package static let filmInMessageCharactersMax = galleryOriginalCharactersMax
    /// Pictures that one member sends in a day.
    package static let galleryPerDayMax: Int64 = 2000
    /// Reactions to pictures that one member gives in a day, those taken back counted.
    package static let pictureLikesPerDayMax: Int64 = 5000
    /// Seconds that a picture lies in its author's bin: a week.
    package static let binSeconds: Int64 = 7 * 86_400
    /// Seconds after which a picture that was sent for a message or a post, and stands in none, is gone: a day.
    package static let unhungSeconds: Int64 = 86_400
    /// Pictures of an album that are shared anew, or of a room or a member that go with it, in one turn of the keeper.
    package static let picturesPerTurnMax = 200
    /// Pictures that are looked at in one turn to find out who saw some of a member who has left, over all who may have.
    package static let picturesLookedPerTurn = 40_000
    /// Pictures in one answer.
    package static let picturesPerAnswerMax: Int64 = 100
    /// Names of categories or albums in one answer.
    package static let albumsMax = 200
    /// Pictures that are told to a member who comes to see them; older ones are asked for.
    package static let picturesShownMax: Int64 = 200
    /// Bytes of pictures in a snapshot.
    package static let picturesSnapshotBytesMax = 64 << 10
    /// Bytes that no picture takes in a snapshot, with the comma behind it.
    package static let pictureJSONBytesMax = 40 << 10
    /// Bytes that every picture takes in a snapshot at least.
    package static let pictureJSONBytesMin = 180
    /// Pictures in one piece of an archive: the caller's sight is judged anew for each piece.
    package static let picturesPerPiece = 8
}
