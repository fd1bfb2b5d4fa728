/// Limits of posts that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a post.
    public static let postCharactersMax = 4000
    /// Characters of a comment.
    public static let commentCharactersMax = 2000
    /// Characters of a post's link.
    public static let linkCharactersMax = 2048
    /// Comments of one post.
    public static let commentsMax = 1000
    /// Pictures of one post or one message.
    public static let postPicturesMax = 20
    /// Characters of a picture's caption.
    public static let captionCharactersMax = 200
    /// Pixels of a picture's longer side, in the largest size.
    public static let pictureSideMax = 2560
    /// Characters of a post's `about`, such as `meeting/` with an identifier.
    public static let postAboutCharactersMax = 64
    /// Characters of the headline of a piece of news.
    public static let newsTitleCharactersMax = 200
    /// Characters of the text of a piece of news.
    public static let newsTextCharactersMax = 2000
    /// News that one reading of a source takes: the newest ones.
    public static let newsOfReadingMax = 200
    /// Bytes of a document.
    public static let documentBytesMax: Int64 = 2 << 30
    /// Bytes of the name under which a document is kept, in UTF-8.
    public static let documentNameBytesMax = 180
}
