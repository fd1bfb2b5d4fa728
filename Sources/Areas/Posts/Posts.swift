package import KinKeeper
import KinModel
import KinStore

/// The family's posts, the comments and likes on them, and, apart from these, news from outside. The rules stand in the
/// documentation's pages Posts and News.
package enum Posts {
    /// The quota of posts that one member writes in a day.
    static let posts = Quota("posts")
    /// The quota of comments.
    static let comments = Quota("comments")
    /// The quota of likes.
    static let likes = Quota("likes")

    package static let area = Area(
        "Posts", view: "posts",
        tables: [
            Table("posts", dated: ["at", "edited"]), Table("post_named"), Table("post_sight"),
            Table("comments", dated: ["at", "edited"]), Table("likes"), Table("post_pictures"),
            Table("post_links", dated: ["made_at"], ahead: ["until"]), Table("post_leavers"), Table("like_leavers"),
        ] + News.tables,
        migrations: migrations + News.migrations,
        methods: [
            add, update, remove, list, show, addComment, updateComment, removeComment, listComments, setLike,
        ] + PostLinks.methods + News.methods,
        events: [
            Post.added, Post.updated, Post.shown, Post.hidden, Post.removed, Comment.added, Comment.updated,
            Comment.removed, Like.set,
        ] + News.events,
        due: [
            PostLinks.endDue: { (act, about) throws(Rejection) in try PostLinks.fellDue(about, act) },
            News.due: { (act, _) throws(Rejection) in act.callOwn(News.readOutside.name) },
            leaverEnd: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try removeSome(of: member, act) }
            },
            leftBehind: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try leaveBehind(member, act) }
            },
            likesEnd: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try removeSomeLikes(of: member, act) }
            },
            SharedThings.guestsByNameDue: { (act, _) throws(Rejection) in
                try shared.takeFromGuests(about: about(), act)
            },
        ],
        upkeep: { (act) throws(Rejection) in try News.upkeep(act) },
        shared: [shared, News.shared], inbox: inboxRules + [News.inboxRule], inboxKinds: inboxKinds + [News.stopped],
        sees: [
            "post": { (act, post, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM post_sight s WHERE s.post = p.number AND s.member = ?2)
                    FROM posts p WHERE p.id = ?1 AND \(isThere)
                    """, .id(post), .id(member.id)
                ) { row in row.bool(0) }
            },
            "news": { (act, source, member) throws(Rejection) in try News.sees(act, source, member) },
        ],
        memories: [Guesses<PostLinks>.self], quotas: [posts, comments, likes],
        hooks: Area.Hooks(unhung: { (act, picture, place) throws(Rejection) in
            guard case .thing(let post) = place, var found = try StoredPost.find(post, act) else { return }
            try found.lose(picture, act)
        }),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try leaveBehind(from, act) },
            deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(member, act) },
            restored: { (act) throws(Rejection) in try PostLinks.endAll(act) },
            redated: { (act, redating) throws(Rejection) in
                guard case .toNow = redating else { return }
                try PostLinks.redate(act)
                try act.replan([News.due, leaverEnd, leftBehind, likesEnd], noLaterThan: act.now)
            }), formats: [Area.Format("feed", judge: FeedFile.judge)],
        searched: searched + [News.searched],
        snapshot: [
            .required(
                "posts", .list(Post.shape, max: Limits.postsSnapshotBytesMax / Limits.postBytesMin),
                "The newest posts in sight, and those that are pinned."),
            .required(
                "comments", .list(Comment.shape, max: Limits.commentsSnapshotBytesMax / Limits.postBytesMin),
                "The newest comments on those posts."),
        ],
        snapshotBytesMax: Limits.postsSnapshotBytesMax + Limits.commentsSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let posts = try StoredPost.newest(seenBy: viewer.id, database)
            let shown = snapshot.fitting(
                posts, in: "posts", bytesMax: Limits.postsSnapshotBytesMax, largest: Limits.postBytesMax
            ) { $0.json.bytes.count + 1 }
            for post in shown { snapshot.posts[post.id] = post }
            let comments = try StoredComment.newest(seenBy: viewer.id, database)
                .filter { snapshot.posts[$0.post] != nil }
            let fitting = snapshot.fitting(
                comments, in: "comments", bytesMax: Limits.commentsSnapshotBytesMax, largest: Limits.commentBytesMax
            ) { $0.json.bytes.count + 1 }
            for comment in fitting { snapshot.comments[comment.key] = comment }
        })

    /// `plain` is what is searched: the text, the link and the captions in lower case. The owner is the author as long as
    /// that is a member, and ``nobody`` afterwards. Of a like, `comment` is the comment's number, or 0
    /// for the post itself.
    static let migrations = [
        Migration(
            number: 33, name: "posts", tables: ["posts", "post_named", "post_sight", "comments", "likes"],
            sql: """
                CREATE TABLE posts (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, author BLOB NOT NULL,
                    at INTEGER NOT NULL, text TEXT, link TEXT, about TEXT, pinned INTEGER NOT NULL, edited INTEGER,
                    comments INTEGER NOT NULL, plain TEXT NOT NULL, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE INDEX posts_by_owner ON posts (owner);
                CREATE INDEX posts_by_author ON posts (author, id);
                CREATE INDEX posts_pinned ON posts (id) WHERE pinned = 1;
                """ + "\n" + SharedThings.sql("posts", column: "post", members: "post_named", sight: "post_sight")
                    + "\n"
                        + """
                        CREATE TABLE comments (
                            number INTEGER PRIMARY KEY,
                            owner_post INTEGER NOT NULL REFERENCES posts (number) ON DELETE CASCADE,
                            id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, author BLOB NOT NULL, at INTEGER NOT NULL,
                            text TEXT NOT NULL, edited INTEGER
                        ) STRICT;
                        CREATE INDEX comments_by_post ON comments (owner_post, id);
                        CREATE INDEX comments_by_owner ON comments (owner);
                        CREATE TABLE likes (
                            owner_post INTEGER NOT NULL REFERENCES posts (number) ON DELETE CASCADE,
                            comment INTEGER NOT NULL, member BLOB NOT NULL, reaction TEXT NOT NULL,
                            PRIMARY KEY (owner_post, comment, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX likes_by_member ON likes (member);
                        """),
        Migration(
            number: 48, name: "pictures in posts", tables: ["post_pictures"],
            sql: """
                CREATE TABLE post_pictures (
                    post INTEGER NOT NULL REFERENCES posts (number) ON DELETE CASCADE, place INTEGER NOT NULL,
                    picture BLOB NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, caption TEXT,
                    PRIMARY KEY (post, place)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            number: 54, name: "links to posts", tables: ["post_links"],
            sql: """
                CREATE TABLE post_links (
                    id BLOB NOT NULL PRIMARY KEY, post INTEGER NOT NULL REFERENCES posts (number) ON DELETE CASCADE,
                    author BLOB NOT NULL, secret BLOB NOT NULL UNIQUE, made_at INTEGER NOT NULL, until INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX post_links_by_post ON post_links (post);
                CREATE INDEX post_links_by_author ON post_links (author);
                """),
        Migration(
            number: 67, name: "films in posts", tables: ["post_pictures"],
            sql: "ALTER TABLE post_pictures ADD COLUMN film INTEGER NOT NULL DEFAULT 0;"),
        // `document` is the name of the document, `document_bytes` its length.
        Migration(
            number: 70, name: "documents in posts", tables: ["post_pictures"],
            sql: """
                ALTER TABLE post_pictures ADD COLUMN document TEXT;
                ALTER TABLE post_pictures ADD COLUMN document_bytes INTEGER;
                """),
        // Guests no longer see posts by their household alone.
        .part(
            of: 72, tables: ["post_sight"], reading: ["posts", "members"],
            sql: """
                DELETE FROM post_sight WHERE member IN (SELECT id FROM members WHERE role = 'guest')
                AND post IN (SELECT number FROM posts WHERE audience = 'household' AND owner <> member);
                """),
        // The comment that this comment answers; it may be gone.
        Migration(
            number: 76, name: "answers to comments", tables: ["comments"],
            sql: """
                ALTER TABLE comments ADD COLUMN answers BLOB;
                CREATE INDEX comments_by_answered ON comments (answers) WHERE answers IS NOT NULL;
                """),
        // Migration 72 left the events about those posts and pictures that guests had been told of.
        Migration(
            number: 79, name: "what guests were told of their household's", tables: ["due"],
            sql: "INSERT INTO due (at, kind, about) VALUES (0, '\(SharedThings.guestsByNameDue)', 'guests');"),
        // Members who left and took everything along, as long as some of it is still here.
        Migration(
            number: 91, name: "posts and likes that leave in turns", tables: ["post_leavers", "like_leavers"],
            sql: """
                CREATE TABLE post_leavers (member BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
                CREATE TABLE like_leavers (member BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
                """),
        // `untold` has the members who are not told yet that something that they saw is gone. Whether a member wrote
        // under a post is found by an index, as it is for likes: the rest of the key of likes makes their index fit.
        Migration(
            number: 95, name: "who is told later of who left", tables: ["post_leavers", "like_leavers", "comments"],
            sql: """
                CREATE INDEX comments_by_owner_and_post ON comments (owner, owner_post);
                DROP INDEX comments_by_owner;
                ALTER TABLE post_leavers ADD COLUMN untold TEXT NOT NULL DEFAULT '';
                ALTER TABLE like_leavers ADD COLUMN untold TEXT NOT NULL DEFAULT '';
                """),
        Migration(
            number: 100, name: "captions that are searched", tables: ["posts", "due"], reading: ["post_pictures"],
            sql: Searched.sql(takingIn: "post") + "\n" + StoredPost.takingInCaptions,
            step: { (database) throws(StoreFailure) in try StoredPost.lowerCaptions(database) }),
    ]

    /// Tells the mechanism how to find the members who see a post; guests see only posts that name them. A member who
    /// comes to see many is told the newest; the client asks for older ones.
    static let shared = SharedThings(
        "posts", column: "post", members: "post_named", sight: "post_sight", isForGuestsByName: true,
        gone: "t.owner IN (SELECT member FROM post_leavers)",
        // The links to a post end when any member loses sight of it.
        lostForGood: "t.number IN (SELECT post FROM post_links)"
    ) { (act, number, change) throws(Rejection) in try StoredPost.find(number, act)?.tell(change, act) }

    /// The `about` of the log's rows about a post. The rows about its comments and likes begin with it.
    static func about(_ post: Identifier) -> String { about() + post.description }

    /// The beginning that all these have.
    static func about() -> String { "post/" }

    /// The `about` of the log's rows about a comment.
    static func about(_ comment: Comment.Key) -> String { about(comment.post) + "/\(comment.id)" }
}
