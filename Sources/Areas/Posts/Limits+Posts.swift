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
    /// Posts and comments that go, or change their owner, in one turn of the keeper with a member; likes that are told of.
    package static let postsPerTurnMax = 200
    /// Likes of a member who has left that go in one turn where they are very many, and told of to nobody.
    package static let likesPerTurnMax = 2000
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
    /// Sources of news of a family.
    package static let newsSourcesMax: Int64 = 30
    /// News of one source that are kept; the oldest that it no longer shows go first.
    package static let newsOfSourceMax: Int64 = 500
    /// Days for which news that their source no longer shows are kept.
    package static let newsGoneDays: Int64 = 90
    /// Days for which such news are kept where a member is interested.
    package static let newsStarredDays: Int64 = 366
    /// Bytes of the file of a source.
    package static let newsBytesMax = 4 << 20
    /// Milliseconds in which it has to come.
    package static let newsMilliseconds = 30_000
    /// How often one host outside is asked for news in a minute.
    package static let newsPerMinute = 30
    /// Seconds from one reading to the next, where the source does not say it: an hour.
    package static let newsSeconds: Int64 = 3600
    /// Seconds from one reading to the next at least, whatever it says.
    package static let newsSecondsMin: Int64 = 900
    /// Seconds from one reading to the next at most, whatever it says: a day.
    package static let newsSecondsMax: Int64 = 86_400
    /// Seconds after which a failed reading is tried again; twice as many after each further one.
    package static let newsRetrySeconds: Int64 = 900
    /// Seconds between two tries at most: a day.
    package static let newsRetrySecondsMax: Int64 = 86_400
    /// Seconds of failing after which admins are told: a day.
    package static let newsToldSeconds: Int64 = 86_400
    /// Seconds after which a new address is read, if nobody asks for it before.
    package static let newsFirstSeconds: Int64 = 15
    /// Seconds after which a reading without a result is tried again.
    package static let newsFlightSeconds: Int64 = 900
    /// Seconds between two readings that somebody asks for.
    package static let newsAskedSeconds: Int64 = 10
    /// Characters of one text of a feed, with its markup, that are looked at.
    package static let newsMarkupCharactersMax = 20_000
    /// Unread news that are counted; more are as many.
    package static let newsUnreadMax: Int64 = 100
}
