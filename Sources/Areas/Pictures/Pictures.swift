package import KinKeeper
import KinModel
import KinPicture
import KinStore

/// The family's gallery: pictures, films and documents, each seen by those it is shared with and by nobody else, by address too. The rules stand
/// in the documentation's page Pictures.
package enum Pictures {
    /// The quota of pictures that one member sends in a day.
    static let sent = Quota("galleryPictures", today: "galleryPicturesToday")
    /// The quota of reactions to pictures, of one word each, that one member gives in a day.
    static let likes = Quota("pictureLikes")
    /// Due when a picture has lain in the bin for a week, or was sent for a message or a post and is in none.
    static let expiry = "picture"
    /// Due while there are pictures of a room that was removed.
    static let roomEnd = "picturesOfRoom"
    /// Due while there are pictures to be removed of a member who left.
    static let leaverEnd = "picturesOfLeaver"
    /// Due until it is decided, for each picture of a member who left, whether it stays.
    static let leftBehind = "picturesLeftBehind"
    /// Due while pictures still name a member who left as being in them.
    static let namedEnd = "picturesNamingLeaver"

    package static let area = Area(
        "Pictures", view: "pictures",
        tables: [
            Table("pictures", dated: ["at", "binned"]), Table("picture_named"), Table("picture_sight"),
            Table("picture_people"), Table("picture_leavers"), Table("picture_likes"), Table("album_shares"),
        ],
        migrations: migrations,
        methods: [
            add, update, remove, restore, leave, like, list, show, image, original, setFilm, film, addDocument,
            document, onThisDay, categories, shareAlbum, collage, takeOut,
        ],
        events: [
            Picture.added, Picture.updated, Picture.shown, Picture.hidden, Picture.removed, Picture.named,
            Picture.liked,
        ],
        due: [
            expiry: { (act, about) throws(Rejection) in
                guard let id = Identifier(about), let picture = try StoredPicture.find(id, act),
                    picture.wire.binned != nil || picture.isSentToHang && picture.place == nil
                else { return }
                try picture.remove(act)
            },
            roomEnd: { (act, about) throws(Rejection) in
                if let room = Identifier(about) { try end(room: room, act) }
            },
            leaverEnd: { (act, about) throws(Rejection) in try goOn(about, act) },
            leftBehind: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try leaveBehind(member, act) }
            },
            namedEnd: { (act, about) throws(Rejection) in
                if let member = Identifier(about) { try forget(member, act) }
            },
            SharedThings.guestsByNameDue: { (act, _) throws(Rejection) in
                try shared.takeFromGuests(about: about(), act)
            },
        ],
        shared: [shared], inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "picture": { (act, picture, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM picture_sight s WHERE s.picture = p.number AND s.member = ?2)
                    FROM pictures p WHERE p.id = ?1 AND \(isThere)
                    """, .id(picture), .id(member.id)
                ) { row in row.bool(0) }
            }
        ],
        quotas: [sent, likes],
        blobs: { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT large FROM pictures UNION SELECT middle FROM pictures UNION SELECT small FROM pictures
                UNION SELECT original_blob FROM pictures WHERE original_blob IS NOT NULL
                UNION SELECT film_blob FROM pictures WHERE film_blob IS NOT NULL
                UNION SELECT document_blob FROM pictures WHERE document_blob IS NOT NULL
                """
            ) { row in row.text(0) }
        },
        lacks: { Darkroom.missing.map { [$0] } ?? [] },
        hooks: Area.Hooks(
            hanging: hanging),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try leaveBehind(from, act) },
            deleteOwned: { (act, member) throws(Rejection) in
                try takeAlong(member, act)
                try forget(member, act)
                try AlbumShare.forget(member, act)
            },
            redated: { (act, redating) throws(Rejection) in
                guard case .toNow = redating else { return }
                try act.replan([roomEnd, leaverEnd, leftBehind, namedEnd], noLaterThan: act.now)
                try act.replan([expiry], noLaterThan: act.now.adding(seconds: Limits.binSeconds))
            }),
        formats: [Area.Format("film", judge: judgeFilm), Area.Format("documentname", judge: judgeName)],
        searched: [searched],
        snapshot: [
            .required(
                "pictures",
                .list(Picture.shape, max: Limits.picturesSnapshotBytesMax / Limits.pictureJSONBytesMin),
                "The pictures in sight that were sent last.")
        ],
        snapshotBytesMax: Limits.picturesSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let pictures = try StoredPicture.newest(seenBy: viewer.id, database)
            let shown = snapshot.fitting(
                pictures, in: "pictures", bytesMax: Limits.picturesSnapshotBytesMax,
                largest: Limits.pictureJSONBytesMax
            ) { $0.json.bytes.count + 1 }
            for picture in shown { snapshot.pictures[picture.id] = picture }
        })

    /// `moment` is when it was taken, else when it was sent: pictures are in this order. `day` is the month and day of it.
    /// The owner is the author as long as that is a member, and ``nobody`` afterwards.
    static let migrations = [
        Migration(
            number: 47, name: "pictures",
            tables: ["pictures", "picture_named", "picture_sight", "picture_people"],
            sql: """
                CREATE TABLE pictures (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, author BLOB NOT NULL,
                    at INTEGER NOT NULL, taken INTEGER, moment INTEGER NOT NULL, day INTEGER NOT NULL,
                    width INTEGER NOT NULL, height INTEGER NOT NULL, category TEXT, album TEXT, caption TEXT, post BLOB,
                    binned INTEGER, large TEXT NOT NULL, middle TEXT NOT NULL, small TEXT NOT NULL,
                    bytes INTEGER NOT NULL, digest TEXT NOT NULL, kept TEXT, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE INDEX pictures_by_owner ON pictures (owner, digest);
                CREATE INDEX pictures_by_moment ON pictures (moment, id);
                CREATE INDEX pictures_by_day ON pictures (day, moment, id);
                CREATE INDEX pictures_by_album ON pictures (owner, album, id) WHERE album IS NOT NULL;
                CREATE INDEX pictures_by_post ON pictures (post) WHERE post IS NOT NULL;
                """ + "\n"
                    + SharedThings.sql("pictures", column: "picture", members: "picture_named", sight: "picture_sight")
                    + "\n"
                        + """
                        CREATE TABLE picture_people (
                            picture INTEGER NOT NULL REFERENCES pictures (number) ON DELETE CASCADE, member BLOB NOT NULL,
                            PRIMARY KEY (picture, member)
                        ) STRICT, WITHOUT ROWID;
                        CREATE INDEX picture_people_by_member ON picture_people (member);
                        """),
        Migration(
            number: 52, name: "pictures in messages", tables: ["pictures"],
            sql: """
                ALTER TABLE pictures ADD COLUMN room BLOB;
                ALTER TABLE pictures ADD COLUMN message BLOB;
                CREATE INDEX pictures_by_room ON pictures (room, message) WHERE room IS NOT NULL;
                """),
        // `original` is the media type of what was sent, where that is kept.
        Migration(
            number: 61, name: "originals of pictures", tables: ["pictures"],
            sql: """
                ALTER TABLE pictures ADD COLUMN original TEXT;
                ALTER TABLE pictures ADD COLUMN original_blob TEXT;
                """),
        // `film` is the media type of the film whose poster it is.
        Migration(
            number: 66, name: "films", tables: ["pictures"],
            sql: """
                ALTER TABLE pictures ADD COLUMN film TEXT;
                ALTER TABLE pictures ADD COLUMN seconds INTEGER;
                ALTER TABLE pictures ADD COLUMN film_blob TEXT;
                """),
        // `document` is the name of the document that the picture stands for, `document_bytes` its length.
        Migration(
            number: 69, name: "documents", tables: ["pictures"],
            sql: """
                ALTER TABLE pictures ADD COLUMN document TEXT;
                ALTER TABLE pictures ADD COLUMN document_bytes INTEGER;
                ALTER TABLE pictures ADD COLUMN document_blob TEXT;
                """),
        // Guests no longer see pictures by their household alone.
        Migration(
            number: 72, name: "pictures and posts for guests by name", tables: ["picture_sight"],
            reading: ["pictures", "members"],
            sql: """
                DELETE FROM picture_sight WHERE member IN (SELECT id FROM members WHERE role = 'guest')
                AND picture IN (SELECT number FROM pictures WHERE audience = 'household' AND owner <> member);
                """),
        // Members who left and took everything along, as long as some of it is still here.
        .part(
            of: 79, tables: ["picture_leavers"],
            sql: "CREATE TABLE picture_leavers (member BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;"),
        Migration(
            number: 93, name: "what members think of pictures, and edits by name", tables: ["picture_likes"],
            sql: """
                CREATE TABLE picture_likes (
                    picture INTEGER NOT NULL REFERENCES pictures (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    reaction TEXT NOT NULL, PRIMARY KEY (picture, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX picture_likes_by_member ON picture_likes (member);
                """),
        .part(of: 100, tables: ["album_shares", "pictures"], sql: AlbumShare.sql),
    ]

    /// Tells the mechanism how to find the members who see a picture; guests see only pictures that name them. A member
    /// who comes to see many is told the newest; the client asks for older ones.
    static let shared = SharedThings(
        "pictures", column: "picture", members: "picture_named", sight: "picture_sight", isForGuestsByName: true,
        gone: "t.owner IN (SELECT member FROM picture_leavers)"
    ) { (act, number, change) throws(Rejection) in try StoredPicture.find(number, act)?.tell(change, act) }

    /// The condition on a row `p` of the pictures that its owner has not left with all of them. Such an owner's
    /// pictures that are not removed yet are seen by nobody, whoever saw them before. Every query for a member has this
    /// condition.
    static let isThere = "p.owner NOT IN (SELECT member FROM picture_leavers)"

    /// The `about` of the log's rows about a picture.
    static func about(_ picture: Identifier) -> String { about() + picture.description }

    /// The beginning that all these have.
    static func about() -> String { "picture/" }
}
