import KinKeeper
import KinModel
import KinStore

extension Pictures {
    static let like = Method.command(
        "picture.like", "Says in one word what the caller thinks of a picture, or takes it back.", access: .signedIn,
        note: "who sees it",
        [
            .required("picture", .id),
            .required("reaction", .nullable(Form<Like.Reaction>.word.shape), "null takes it back."),
        ],
        result: .object([.required("likes", Like.list.shape, "By member.")]),
        route: Route("PUT", "/api/pictures/{picture}/like"), events: [Picture.liked],
        apply: { (act, params) throws(Rejection) in
            let picture = try StoredPicture.visible(act, try params.id("picture"))
            guard picture.wire.binned == nil else {
                throw Rejection(.conflict, "The picture is in your bin; take it out first.", field: "picture")
            }
            let reaction = params["reaction"]?.string.flatMap { Like.Reaction(rawValue: $0) }
            let member = try act.member.id
            let after = picture.wire.likes.with(reaction, of: member)
            if after != picture.wire.likes {
                guard try likes.take(1, of: Limits.pictureLikesPerDayMax, for: member, act) else {
                    throw Quota.usedUp(
                        "You liked \(Limits.pictureLikesPerDayMax) pictures today, which is the most; go on tomorrow.",
                        act)
                }
                try picture.set(reaction, of: member, act)
            }
            return .done(["likes": .array(after.map(\.json))])
        })
}

/// Members' reactions to pictures, as they are stored. A member who sees a picture sees the reactions to it, in every
/// list alike.
extension StoredPicture {
    private static let liked = Columns<Like>()

    /// The reactions to one picture, in the order of the members.
    static func likes(of number: Int64, _ database: Database) throws(StoreFailure) -> [Like] {
        try database.rows(
            "SELECT \(liked.names) FROM picture_likes WHERE picture = ? ORDER BY member", .int(number)
        ) { (row) throws(StoreFailure) in try liked.read(row) }
    }

    /// Sets or removes a member's reaction, and tells the members who see the picture.
    func set(_ reaction: Like.Reaction?, of member: Identifier, _ act: Act) throws(Rejection) {
        if let reaction {
            try act.run(
                """
                INSERT OR REPLACE INTO picture_likes (picture, \(Self.liked.names))
                VALUES (?, \(Self.liked.placeholders))
                """, values: [.int(number)] + Self.liked.values(of: Like(member: member, reaction: reaction)))
        } else {
            try act.run("DELETE FROM picture_likes WHERE picture = ? AND member = ?", .int(number), .id(member))
        }
        let about = Pictures.about(wire.id)
        try act.emit(
            Picture.liked, .init(picture: wire.id, member: member, reaction: reaction), about: about,
            to: try seers(act), key: "like/\(about)/\(member)", title: wire.caption, owner: wire.author)
    }

    /// Takes back some of a member's likes, at most so many; answers whether more are left. Likes that are about to go
    /// with all of the picture owner's things are left out.
    static func takeBackLikes(of member: Identifier, atMost most: Int, _ act: Act) throws(Rejection) -> Bool {
        let numbers = try act.rows(
            """
            SELECT l.picture FROM picture_likes l JOIN pictures p ON p.number = l.picture
            WHERE l.member = ?1 AND \(Pictures.isThere) ORDER BY l.picture LIMIT \(most + 1)
            """, .id(member)
        ) { row in row.int(0) }
        for number in numbers.prefix(most) { try find(number, act)?.set(nil, of: member, act) }
        return numbers.count > most
    }
}
