import KinKeeper
import KinModel
import KinStore

extension Pictures {
    /// The words that a family begins with; it uses what words it likes.
    static let startCategories = [
        "everyday", "holidays", "celebrations", "trips", "school", "animals", "nature", "old times",
    ]

    /// A category or an album, and how much is in it.
    private struct Counted: WireRecord {
        let name: String
        let pictures: Int64

        static let fields = Fields(
            nil, Counted.init(name:pictures:), .required("name", \.name, Picture.nameForm),
            .required("pictures", \.pictures, Form<Int64>.integer(0...Int64.max), "How many the caller sees."))
        static let columns = Columns<Counted>()
    }

    /// An album.
    private struct Album: WireRecord {
        let counted: Counted
        /// ``SharedWith`` as the wire has it.
        let audience: JSON?

        static let fields = Fields(
            nil, Album.init(counted:audience:), .all(of: \.counted),
            .optional(
                "audience", \.audience, .json(SharedWith.shape),
                "With whom the caller shared it as a whole: what the caller puts into it is shared so."))
    }

    static let categories = Method.query(
        "picture.categories",
        "The categories and albums of what the caller sees, and the words that a family begins with.",
        access: .signedIn,
        result: .object([
            .required("categories", .list(Counted.shape, max: Limits.albumsMax)),
            .required("albums", .list(Album.shape, max: Limits.albumsMax)),
        ]),
        route: Route("GET", "/api/picture-categories"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let used = try names("category", of: member, act)
            let others = startCategories.filter { word in !used.contains { $0.name == word } }.map {
                Counted(name: $0, pictures: 0)
            }
            var albums: [Album] = []
            for album in try names("album", of: member, act) {
                let with = try AlbumShare.find(album.name, of: member, act)
                albums.append(Album(counted: album, audience: with?.json))
            }
            return .done([
                "categories": .array((used + others).prefix(Limits.albumsMax).map(\.json)),
                "albums": .array(albums.map(\.json)),
            ])
        }
    ).listing()

    private static func names(
        _ column: String, of member: Identifier, _ act: Act
    ) throws(Rejection) -> [Counted] {
        try act.rows(
            """
            SELECT p.\(column) AS name, count(*) AS pictures FROM picture_sight s JOIN pictures p ON p.number = s.picture
            WHERE s.member = ? AND p.\(column) IS NOT NULL AND p.binned IS NULL AND \(isThere)
            GROUP BY p.\(column) ORDER BY max(p.moment) DESC LIMIT \(Limits.albumsMax)
            """, .id(member)
        ) { (row) throws(StoreFailure) in try Counted.columns.read(row) }
    }

    /// How far the sharing has come: the last picture that was handled, and how many were shared anew.
    private struct Sharing: Sendable {
        var last = Identifier(high: 0, low: 0)
        var count: Int64 = 0
    }

    /// Refuses an album in which no picture is the caller's. What stands in posts counts, so that what comes into the album
    /// later is shared as the caller says.
    private static func requireOwn(_ album: String, _ act: Act) throws(Rejection) {
        let member = try act.member.id
        let isOwn = try act.first(
            "SELECT 1 FROM pictures p WHERE p.owner = ? AND p.album = ? AND p.binned IS NULL LIMIT 1", .id(member),
            .text(album)
        ) { row in row.bool(0) }
        guard isOwn == nil else { return }
        guard try names("album", of: member, act).contains(where: { $0.name == album }) else {
            throw Rejection.notFound("album", album, field: "album")
        }
        throw Rejection(
            .conflict, "No picture in this album is yours; each member shares their own.", field: "album")
    }

    static let shareAlbum = Method.command(
        "picture.shareAlbum",
        "Shares the caller's pictures of an album; what the caller puts into it later is shared in the same way.",
        access: .family,
        note: "What stands in a post stays shared as the post is, and what lies in the bin stays there.",
        [
            .required("album", Picture.nameForm.shape),
            .required("audience", SharedWith.shape, SharedWith.summaryByName),
        ],
        result: .object([.required("pictures", .integer(0...Int64.max), "How many are shared with others than before.")]
        ),
        route: Route("PATCH", "/api/picture-albums"),
        events: [Picture.shown, Picture.hidden, Picture.named], isSlow: true,
        again: { (_, _) throws(Rejection) in ["pictures": 0] },
        apply: { (act, params) throws(Rejection) in
            let (member, album) = (try act.member, try params.string("album"))
            let with = try SharedWith(params["audience"] ?? [], household: member.household, act)
            var run = act.carried as? Sharing ?? Sharing()
            let some = try StoredPicture.ofAlbum(album, by: member.id, after: run.last, act)
            if some.isEmpty, run.last.high == 0 { try requireOwn(album, act) }
            // At the beginning alone: meanwhile the album may be shared with others, or have no picture any more.
            if run.last.high == 0 { try AlbumShare.save(with, album, of: member.id, act) }
            for var picture in some {
                run.last = picture.wire.id
                guard picture.sharedWith != with else { continue }
                picture.sharedWith = with
                try picture.save(isChanged: false, act)
                run.count += 1
            }
            // It goes in turns, so that ten years of pictures hold nobody up.
            guard some.count < Limits.picturesPerTurnMax else { return .later(.rest(after: 0, carrying: run)) }
            return .done(["pictures": .int(run.count)])
        })
}
