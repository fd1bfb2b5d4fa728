import KinKeeper
import KinModel
import KinStore

/// A picture as it is stored: with whom it is shared, and where its pixels are.
struct StoredPicture {
    /// The pictures that are asked for.
    struct Choice: Sendable, Equatable {
        /// A picture that all of them are older than; `nil` for no such bound.
        var before: (moment: Instant, id: Identifier)?
        var author: Identifier?
        var who: Identifier?
        var category: String?
        var album: String?
        var from: Instant?
        var to: Instant?
        /// Month and day as one number, such as 501 for 1 May.
        var day: Int64?
        var isBin = false
        var limit: Int64 = 20

        static func == (one: Choice, other: Choice) -> Bool {
            one.before?.id == other.before?.id && one.author == other.author && one.who == other.who
                && one.category == other.category && one.album == other.album && one.from == other.from
                && one.to == other.to && one.day == other.day && one.isBin == other.isBin && one.limit == other.limit
        }
    }

    /// The small number that other tables name it by; 0 before it is stored.
    var number: Int64 = 0
    /// The part that members who see the picture are told.
    var wire: Picture
    /// The audience, besides the author. While the picture lies in the bin, it is nobody.
    var sharedWith: SharedWith
    /// The audience before the picture came into the bin, or out of the gallery into a post or a message: the word, and
    /// members. ``sentToHang`` stands for a picture that was sent for a post or a message and was never in the gallery.
    var kept: String?
    /// The blobs of its sizes: large, middle, small.
    let blobs: [String]
    /// The blob of the original, if that is kept.
    var original: String?
    /// The blob of its film.
    var film: String?
    /// The blob of its document.
    var document: String?
    /// The bytes that it takes of its owner's quota.
    var bytes: Int64
    /// The digest of what was sent.
    let digest: String
    /// The month and day on which it was taken, by the camera's own clock.
    var day: Int64

    init(
        _ wire: Picture, sharedWith: SharedWith, blobs: [String], bytes: Int64, digest: String, day: Int64
    ) {
        self.wire = wire
        self.sharedWith = sharedWith
        self.blobs = blobs
        self.bytes = bytes
        self.digest = digest
        self.day = day
    }

    // MARK: Reading

    static let columns = Columns<Picture>(elsewhere: ["people", "document", "likes"])
    /// The columns of the document that it stands for.
    static let documents = Columns<Document>(called: ["name": "document", "bytes": "document_bytes"])
    private static let selected =
        "p.number, p.audience, p.household, p.kept, p.large, p.middle, p.small, p.original_blob, p.film_blob, p.bytes, p.digest, p.day, "
        + "\(documents.names(of: "p")), p.document_blob, " + columns.names(of: "p")

    private init(_ row: borrowing Row, _ database: Database) throws(StoreFailure) {
        let number = row.int("number")
        self.number = number
        let people = try database.rows(
            "SELECT member FROM picture_people WHERE picture = ? ORDER BY member", .int(number)
        ) { row in JSON.id(row.identifier(0)) }
        let likes = try Self.likes(of: number, database)
        var others: [String: JSON] = ["people": .array(people), "likes": .array(likes.map(\.json))]
        if let document = try Self.documents.readUnlessNull(row) { others["document"] = document.json }
        wire = try Self.columns.read(row, others)
        sharedWith = try SharedWith(word: row.text("audience"), household: row.optionalIdentifier("household")) {
            () throws(StoreFailure) in try Pictures.shared.members(of: number, database)
        }
        blobs = [row.text("large"), row.text("middle"), row.text("small")]
        original = row.optionalText("original_blob")
        film = row.optionalText("film_blob")
        document = row.optionalText("document_blob")
        kept = row.optionalText("kept")
        (bytes, digest, day) = (row.int("bytes"), row.text("digest"), row.int("day"))
    }

    private static func rows(
        _ rest: String, _ values: [Value], _ database: Database
    ) throws(StoreFailure) -> [StoredPicture] {
        try database.rows("SELECT \(selected) FROM pictures p " + rest, values: values) {
            (row) throws(StoreFailure) in try StoredPicture(row, database)
        }
    }

    /// The pictures of a choice that a member sees, newest first. They are found by their age, so that the cost of a
    /// page depends on its length alone.
    static func seen(
        by member: Identifier, _ choice: Choice, _ database: Database
    ) throws(StoreFailure) -> [StoredPicture] {
        var conditions =
            "s.member = ? AND s.picture = p.number AND \(Pictures.isThere) AND p.binned IS \(choice.isBin ? "NOT " : "")NULL"
        var values: [Value] = [.id(member)]
        if let before = choice.before {
            conditions += " AND (p.moment, p.id) < (?, ?)"
            values += [.time(before.moment), .id(before.id)]
        }
        func add(_ condition: String, _ value: Value?) {
            guard let value else { return }
            conditions += " AND " + condition
            values.append(value)
        }
        add("p.author = ?", choice.author.map { .id($0) })
        add("p.category = ?", choice.category.map { .text($0) })
        add("p.album = ?", choice.album.map { .text($0) })
        add("p.moment >= ?", choice.from.map { .time($0) })
        add("p.moment < ?", choice.to.map { .time($0) })
        add("p.day = ?", choice.day.map { .int($0) })
        add(
            "EXISTS (SELECT 1 FROM picture_people w WHERE w.picture = p.number AND w.member = ?)",
            choice.who.map { .id($0) })
        return try rows(
            "CROSS JOIN picture_sight s WHERE \(conditions) ORDER BY p.moment DESC, p.id DESC LIMIT \(choice.limit)",
            values, database)
    }

    /// As many of the newest pictures as a snapshot may have, including pictures in the bin.
    static func newest(seenBy member: Identifier, _ database: Database) throws(StoreFailure) -> [Picture] {
        let most = Limits.picturesSnapshotBytesMax / Limits.pictureJSONBytesMin
        return try rows(
            """
            CROSS JOIN picture_sight s WHERE s.member = ? AND s.picture = p.number AND \(Pictures.isThere)
            ORDER BY p.id DESC LIMIT \(most)
            """, [.id(member)], database
        ).map(\.wire)
    }

    /// A picture that a member sees.
    static func seen(
        by member: Identifier, _ id: Identifier, _ database: Database
    ) throws(StoreFailure) -> StoredPicture? {
        try rows(
            "JOIN picture_sight s ON s.picture = p.number WHERE s.member = ? AND p.id = ? AND \(Pictures.isThere)",
            [.id(member), .id(id)], database
        ).first
    }

    /// A picture that the caller sees; 1404 for any other, whether it exists or not.
    static func visible(_ act: Act, _ id: Identifier) throws(Rejection) -> StoredPicture {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in try seen(by: member, id, database) }
        guard let found else { throw Rejection.notFound("picture", id.description, field: "picture") }
        return found
    }

    /// The picture with a number.
    static func find(_ number: Int64, _ act: Act) throws(Rejection) -> StoredPicture? {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE p.number = ?", [.int(number)], database).first
        }
    }

    /// The picture with an identifier, whoever sees it.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredPicture? {
        try act.ask { (database) throws(StoreFailure) in try rows("WHERE p.id = ?", [.id(id)], database).first }
    }

    /// The picture of an owner's gallery that was sent with these bytes. A picture in a post or a message, or sent for
    /// one, is another picture.
    static func same(_ digest: String, of owner: Identifier, _ act: Act) throws(Rejection) -> StoredPicture? {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                """
                WHERE p.owner = ? AND p.digest = ? AND p.post IS NULL AND p.room IS NULL AND p.kept IS NOT ?
                ORDER BY p.binned IS NOT NULL, p.id LIMIT 1
                """, [.id(owner), .text(digest), .text(sentToHang)], database
            ).first
        }
    }

    /// A picture of this owner that was sent with these bytes, wherever it stands; both then share its files. A picture
    /// with an original comes first.
    static func twin(_ digest: String, of owner: Identifier, _ act: Act) throws(Rejection) -> StoredPicture? {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                "WHERE p.owner = ? AND p.digest = ? ORDER BY p.original_blob IS NULL, p.id LIMIT 1",
                [.id(owner), .text(digest)], database
            ).first
        }
    }

    /// The pictures that an owner put into an album, after one of them, as many as one turn takes. Pictures in posts
    /// and in the bin are not among them, nor those that wait for a post or a message.
    static func ofAlbum(
        _ album: String, by owner: Identifier, after last: Identifier, _ act: Act
    ) throws(Rejection) -> [StoredPicture] {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                """
                WHERE p.owner = ? AND p.album = ? AND p.id > ? AND p.post IS NULL AND p.room IS NULL AND p.binned IS NULL
                AND p.kept IS NOT ? ORDER BY p.id LIMIT \(Limits.picturesPerTurnMax)
                """, [.id(owner), .text(album), .id(last), .text(sentToHang)], database)
        }
    }

    /// The picture that an owner put into an album last. A picture that waits for a post or a message does not count,
    /// because nobody else sees it.
    static func last(
        ofAlbum album: String, by owner: Identifier, _ act: Act
    ) throws(Rejection) -> StoredPicture? {
        try act.ask { (database) throws(StoreFailure) in
            try rows(
                """
                WHERE p.owner = ? AND p.album = ? AND p.post IS NULL AND p.room IS NULL AND p.binned IS NULL
                AND p.kept IS NOT ? ORDER BY p.id DESC LIMIT 1
                """, [.id(owner), .text(album), .text(sentToHang)], database
            ).first
        }
    }

    /// Some or all pictures of an owner, as many as are asked for.
    static func all(of owner: Identifier, atMost limit: Int, _ act: Act) throws(Rejection) -> [StoredPicture] {
        try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE p.owner = ? ORDER BY p.id LIMIT \(limit)", [.id(owner)], database)
        }
    }

    /// Pictures that hang in a place: all of them, or as many as are asked for. Pictures of a member who left and took
    /// everything along are removed elsewhere.
    static func hanging(
        in place: Area.HangingPlace, atMost limit: Int = -1, _ act: Act
    ) throws(Rejection) -> [StoredPicture] {
        let (condition, values): (String, [Value]) =
            switch place {
            case .thing(let post): ("p.post = ?", [.id(post)])
            case .part(let message, let room): ("p.room = ? AND p.message = ?", [.id(room), .id(message)])
            case .parts(let room): ("p.room = ?", [.id(room)])
            }
        return try act.ask { (database) throws(StoreFailure) in
            try rows("WHERE \(condition) AND \(Pictures.isThere) ORDER BY p.id LIMIT \(limit)", values, database)
        }
    }

    /// Whether the caller sent it.
    func isOwn(_ act: Act) -> Bool { act.isOneself(wire.author) }

    /// The members who see it.
    func seers(_ act: Act) throws(Rejection) -> Audience { try Pictures.shared.seers(of: number, act) }
}
