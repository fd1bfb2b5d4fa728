package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a picture stand beside the picture.
extension Limits {
    /// Bytes of a picture that is sent.
    package static let galleryPictureBytesMax = 64 << 20
    /// Bytes that one picture may take while it is opened: a PNG of 50 megapixels, a HEIC of as many.
    package static let galleryMemoryBytesMax = 400 << 20
    /// Bytes of a picture that are read at a time.
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
    /// Reactions to pictures that one member gives in a day; reactions that were taken back count too.
    package static let pictureLikesPerDayMax: Int64 = 5000
    /// Seconds that a picture lies in its author's bin: a week.
    package static let binSeconds: Int64 = 7 * 86_400
    /// Seconds after which a picture is removed that was sent for a message or a post and is in none: a day.
    package static let unhungSeconds: Int64 = 86_400
    /// Pictures that one turn of the keeper handles when an album is shared anew, or when a room or a member goes.
    package static let picturesPerTurnMax = 200
    /// Pictures that one turn looks through to find the members who saw a picture of a member who has left, for all
    /// these members together.
    package static let picturesLookedPerTurn = 40_000
    /// Pictures in one answer.
    package static let picturesPerAnswerMax: Int64 = 100
    /// Names of categories or albums in one answer.
    package static let albumsMax = 200
    /// Pictures that a member who comes to see them is told of without asking; the member's client asks for older ones.
    package static let picturesShownMax: Int64 = 200
    /// Bytes of pictures in a snapshot.
    package static let picturesSnapshotBytesMax = 64 << 10
    /// Bytes in a snapshot that every picture stays below, with the comma behind it.
    package static let pictureJSONBytesMax = 40 << 10
    /// Bytes that every picture takes in a snapshot at least.
    package static let pictureJSONBytesMin = 180
    /// Pictures in one piece of an archive. For each piece it is judged anew which pictures the caller sees.
    package static let picturesPerPiece = 8
}
