package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a post stand beside the post.
extension Limits {
    /// Posts that one member writes in a day; a changed post counts again.
    package static let postsPerDayMax: Int64 = 500
    /// Comments that one member writes in a day; a changed comment counts again.
    package static let commentsPerDayMax: Int64 = 2000
    /// Likes that one member gives in a day; likes that were taken back count too.
    package static let likesPerDayMax: Int64 = 5000
    /// Posts that are pinned at once, in the whole family.
    package static let postsPinnedMax = 10
    /// Posts and comments that are removed, or get another owner, in one turn of the keeper when a member leaves; also
    /// likes that members are told of in one turn.
    package static let postsPerTurnMax = 200
    /// Likes of a member who has left that are removed in one turn where there are very many. Nobody is told of each.
    package static let likesPerTurnMax = 2000
    /// Posts or comments in one answer.
    package static let postsPerAnswerMax: Int64 = 50
    /// Posts that a member who comes to see them is told of without asking; the member's client asks for older ones.
    package static let postsShownMax: Int64 = 200
    /// Comments that are told along with each of these posts.
    package static let commentsShownMax = 50
    /// Days for which a link to a post is valid at most.
    package static let postLinkDaysMax: Int64 = 30
    /// Links to posts of one member that are valid at the same time.
    package static let postLinksPerMemberMax = 50
    /// Links to posts in one answer.
    package static let postLinksPerAnswerMax = 1000
    /// Characters of a search for posts.
    package static let postSearchCharactersMax = 100
    /// Bytes of posts in a snapshot.
    package static let postsSnapshotBytesMax = 128 << 10
    /// Bytes of comments in a snapshot.
    package static let commentsSnapshotBytesMax = 96 << 10
    /// Bytes in a snapshot that every post stays below, with the comma behind it.
    package static let postBytesMax = 80 << 10
    /// Bytes in a snapshot that every comment stays below, with the comma behind it.
    package static let commentBytesMax = 56 << 10
    /// Bytes that every post and every comment takes in a snapshot at least.
    package static let postBytesMin = 120
    /// Sources of news that a family has.
    package static let newsSourcesMax: Int64 = 30
    /// News of one source that are kept. If there are more, the oldest that the source no longer shows are removed
    /// first.
    package static let newsOfSourceMax: Int64 = 500
    /// Days for which news are kept that their source no longer shows.
    package static let newsGoneDays: Int64 = 90
    /// Days for which such news are kept if a member has starred them.
    package static let newsStarredDays: Int64 = 366
    /// Bytes of the file that a source sends.
    package static let newsBytesMax = 4 << 20
    /// Milliseconds within which that file must arrive.
    package static let newsMilliseconds = 30_000
    /// Requests for news to one host outside in a minute.
    package static let newsPerMinute = 30
    /// Seconds from one reading to the next, if the source does not say it: an hour.
    package static let newsSeconds: Int64 = 3600
    /// Seconds from one reading to the next at least, whatever the source says.
    package static let newsSecondsMin: Int64 = 900
    /// Seconds from one reading to the next at most, whatever the source says: a day.
    package static let newsSecondsMax: Int64 = 86_400
    /// Seconds after which a failed reading is repeated; they double with each further failure.
    package static let newsRetrySeconds: Int64 = 900
    /// Seconds between two attempts at most: a day.
    package static let newsRetrySecondsMax: Int64 = 86_400
    /// Seconds for which readings must have failed before admins are told: a day.
    package static let newsToldSeconds: Int64 = 86_400
    /// Seconds after which a new address is read, if nobody asks for it earlier.
    package static let newsFirstSeconds: Int64 = 15
    /// Seconds after which a reading without a result is repeated.
    package static let newsFlightSeconds: Int64 = 900
    /// Seconds between two readings that somebody asks for.
    package static let newsAskedSeconds: Int64 = 10
    /// Characters, including markup, that are read of one text of a feed.
    package static let newsMarkupCharactersMax = 20_000
    /// Unread news that are counted; a larger number is given as this one.
    package static let newsUnreadMax: Int64 = 100
}
