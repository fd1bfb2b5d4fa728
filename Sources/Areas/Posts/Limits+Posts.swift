package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a post stand beside it.
extension Limits {
    /// Posts of one member in a day, changed ones counted.
    package static let postsPerDayMax: Int64 = 500
    /// Comments of one member in a day, changed ones counted.
    package static let commentsPerDayMax: Int64 = 2000
    /// Likes of one member in a day, those taken back counted.
    package static let likesPerDayMax: Int64 = 5000
    /// Posts that are pinned at once, in the whole family.
    package static let postsPinnedMax = 10
    /// Posts or comments in one answer.
    package static let postsPerAnswerMax: Int64 = 50
    /// Posts that are told to a member who comes to see them; older ones are asked for.
    package static let postsShownMax: Int64 = 200
    /// Comments of each of them that are told along.
    package static let commentsShownMax = 50
    /// Days for which a link to a post is good at most.
    package static let postLinkDaysMax: Int64 = 30
    /// Links to posts of one member that are good at the same time.
    package static let postLinksPerMemberMax = 50
    /// Links to posts in one answer.
    package static let postLinksPerAnswerMax = 1000
    /// Characters of a search for posts.
    package static let postSearchCharactersMax = 100
    /// Bytes of posts in a snapshot.
    package static let postsSnapshotBytesMax = 128 << 10
    /// Bytes of comments in a snapshot.
    package static let commentsSnapshotBytesMax = 96 << 10
    /// Bytes that no post takes in a snapshot, with the comma behind it.
    package static let postBytesMax = 80 << 10
    /// Bytes that no comment takes in a snapshot, with the comma behind it.
    package static let commentBytesMax = 56 << 10
    /// Bytes that every post and every comment takes in a snapshot at least.
    package static let postBytesMin = 120
}
