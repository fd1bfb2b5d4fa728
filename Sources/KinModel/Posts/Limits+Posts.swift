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
    /// Characters of what a post is about, such as `meeting/` with an identifier.
    public static let postAboutCharactersMax = 64
}
