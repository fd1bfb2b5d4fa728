import KinCalendar
import KinKeeper
import KinModel
import KinStore

extension Pictures {
    static let update = Method.command(
        "picture.update", "Changes what is said of a picture, or with whom it is shared.", access: .signedIn,
        note: "its author",
        [
            .required("picture", .id), .optional("category", .nullable(Picture.nameForm.shape)),
            .optional(
                "album", .nullable(Picture.nameForm.shape),
                "What was sent for a post or a message and stands nowhere yet is of the gallery then, shared as the caller's others in the album if audience is left out."
            ),
            .optional("caption", .nullable(Picture.captionForm.shape)),
            .optional("people", .list(.id, max: Limits.peopleMax), "Who is in it; each is told, and can undo it."),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName),
        ],
        result: result, route: Route("PATCH", "/api/pictures/{picture}"),
        events: [Picture.updated, Picture.shown, Picture.hidden, Picture.named],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var picture = try own(try params.id("picture"), act)
            guard picture.wire.binned == nil else {
                throw Rejection(.conflict, "The picture is in your bin; take it out first.", field: "picture")
            }
            if params.has("audience"), picture.place != nil {
                throw Rejection(
                    .conflict, "The picture stands in a post or a message: who sees that sees it.", field: "audience")
            }
            try picture.take(params, act)
            return .done(rendered(picture, act), ids: [picture.wire.id])
        })

    static let remove = Method.command(
        "picture.remove",
        "Puts a picture into its author's bin, where nobody else sees it and which it leaves for good in a week; or removes it at once.",
        access: .signedIn, note: "its author; admins at once",
        [.required("picture", .id), .optional("atOnce", .bool, "Its pixels are gone now.")], result: .nothing,
        route: Route("DELETE", "/api/pictures/{picture}"),
        events: [Picture.updated, Picture.hidden, Picture.removed],
        apply: { (act, params) throws(Rejection) in
            var picture = try StoredPicture.visible(act, try params.id("picture"))
            try act.require(
                picture.isOwn(act) || act.isAdministrator, "Only its author and admins remove a picture.")
            try picture.fall(act)
            if params["atOnce"]?.bool ?? false || !picture.isOwn(act) {
                try picture.remove(act)
            } else if picture.wire.binned == nil {
                try picture.bin(act)
            }
            return .done([:])
        }
    ).freeingRoom()

    static let restore = Method.command(
        "picture.restore", "Takes a picture out of the bin: who saw it sees it again.", access: .signedIn,
        note: "its author", [.required("picture", .id)], result: result,
        route: Route("POST", "/api/pictures/{picture}/restore"),
        events: [Picture.updated, Picture.shown, Picture.named],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var picture = try own(try params.id("picture"), act)
            if picture.wire.binned != nil { try picture.restore(act) }
            return .done(rendered(picture, act), ids: [picture.wire.id])
        })

    static let leave = Method.command(
        "picture.leave", "Says that the caller is not in a picture.", access: .signedIn, note: "who sees it",
        [.required("picture", .id)], result: result, route: Route("DELETE", "/api/pictures/{picture}/people"),
        events: [Picture.updated], again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var picture = try StoredPicture.visible(act, try params.id("picture"))
            let member = try act.member.id
            if picture.wire.people.contains(member) {
                picture.wire.people.removeAll { $0 == member }
                try picture.save(isChanged: true, act)
            }
            return .done(rendered(picture, act), ids: [picture.wire.id])
        })

    static let list = Method.query(
        "picture.list", "The pictures that the caller sees, those first that were taken last.", access: .signedIn,
        note: "who sees them; a guest those that name the guest",
        [
            .optional("category", Picture.nameForm.shape), .optional("album", Picture.nameForm.shape),
            .optional("by", .id, "Only this member's."), .optional("who", .id, "Only those with this member in them."),
            .optional("from", .time, "Only those taken from then on."),
            .optional("to", .time, "Only those taken before then."),
            .optional("before", .id, "Only older ones than this picture: the last that is shown."),
            .optional("bin", .bool, "Those in the caller's bin instead."),
            .optional("limit", .integer(1...Limits.picturesPerAnswerMax), "20 if left out."),
        ],
        result: .object([
            .required("pictures", .list(OwnPicture.shape, max: Int(Limits.picturesPerAnswerMax))),
            .optional("next", .id, "To be given as before; there while there are more."),
        ]),
        route: Route("GET", "/api/pictures"),
        apply: { (act, params) throws(Rejection) in
            var choice = StoredPicture.Choice(
                author: params.optionalID("by"), who: params.optionalID("who"),
                category: params.optionalString("category"), album: params.optionalString("album"),
                from: params.optionalTime("from"), to: params.optionalTime("to"), isBin: params["bin"]?.bool ?? false)
            if let id = params.optionalID("before") {
                let before = try StoredPicture.visible(act, id).wire
                choice.before = (before.moment, before.id)
            }
            return .done(try page(choice, params.optionalInt("limit") ?? 20, act))
        }
    ).listing()

    static let onThisDay = Method.query(
        "picture.onThisDay", "Pictures that were taken on a day of other years, those first that were taken last.",
        access: .signedIn, note: "who sees them",
        [
            .required("month", .integer(1...12)), .required("day", .integer(1...31)),
            .optional("to", .time, "Only those taken before then; a year's beginning leaves that year out."),
        ],
        result: .object([.required("pictures", .list(OwnPicture.shape, max: Int(Limits.picturesPerAnswerMax)))]),
        route: Route("GET", "/api/pictures-of-the-day"),
        apply: { (act, params) throws(Rejection) in
            let day = (params.optionalInt("month") ?? 0) * 100 + (params.optionalInt("day") ?? 0)
            var answer = try page(
                StoredPicture.Choice(to: params.optionalTime("to"), day: day), Limits.picturesPerAnswerMax, act)
            if var object = answer.object {
                object["next"] = nil
                answer = .object(object)
            }
            return .done(answer)
        }
    ).listing()

    static let show = Method.query(
        "picture.show", "One picture, without its pixels.", access: .signedIn, note: "who sees it",
        [.required("picture", .id)], result: result, route: Route("GET", "/api/pictures/{picture}"),
        apply: { (act, params) throws(Rejection) in
            .done(rendered(try StoredPicture.visible(act, try params.id("picture")), act))
        }
    ).listing()

    static let image = Method.query(
        "picture.image", "A picture's pixels as JPEG, in one of its sizes; they never change, so they can be kept.",
        access: .signedIn, note: "Who sees it. Over HTTP it is the picture itself.",
        [
            .required("picture", .id),
            .required("size", Form<Picture.Size>.word.shape, "At most 320, 1,280 or 2,560 pixels a side."),
        ],
        result: .object([
            .required("mediaType", .token(max: 64)),
            .required("base64", .secret(max: Limits.galleryJPEGCharactersMax)),
        ]),
        route: Route("GET", "/api/pictures/{picture}/{size}"),
        apply: { (act, params) throws(Rejection) in
            let picture = try StoredPicture.visible(act, try params.id("picture"))
            let size = Picture.Size(rawValue: try params.string("size")) ?? .small
            return .done(.null, effect: .blob(name: picture.blob(size), type: "image/jpeg"))
        }
    ).answering(["image/jpeg"])

    static let original = Method.query(
        "picture.original",
        "A picture as it was sent, where that is kept: its pixels as they were, without where, when and with what it was taken. A HEIC has that still, and is for its author alone.",
        access: .signedIn, note: "Who sees it; of a HEIC its author. Over HTTP it is the picture itself.",
        [.required("picture", .id)],
        result: .object([
            .required("mediaType", .token(max: 64)),
            .required("base64", .secret(max: Limits.galleryOriginalCharactersMax)),
        ]),
        route: Route("GET", "/api/pictures/{picture}/original"),
        apply: { (act, params) throws(Rejection) in
            let picture = try StoredPicture.visible(act, try params.id("picture"))
            guard let blob = picture.original, let kind = picture.wire.original else {
                throw Rejection(
                    .notFound, "Of this picture no original was kept; its largest size is there.", field: "picture")
            }
            try act.require(
                kind != .heic || picture.isOwn(act),
                "Only its author gets this original: it is a HEIC, which may still say where it was taken.")
            return .done(.null, effect: .blob(name: blob, type: kind.rawValue))
        }
    ).answering(Picture.Original.allCases.map(\.rawValue))

    private static func page(
        _ choice: StoredPicture.Choice, _ limit: Int64, _ act: Act
    ) throws(Rejection) -> JSON {
        var choice = choice
        choice.limit = limit + 1
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try StoredPicture.seen(by: member, choice, database)
        }
        let page = found.prefix(Int(limit))
        return .object(leavingOut: [
            "pictures": .array(page.map { json(of: $0, act) }),
            "next": found.count > page.count ? page.last.map { .id($0.wire.id) } : nil,
        ])
    }

    /// A picture that the caller sent.
    static func own(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredPicture {
        let picture = try StoredPicture.visible(act, id)
        try act.require(picture.isOwn(act), "Only its author changes a picture.")
        return picture
    }
}

extension StoredPicture {
    /// Takes the fields that were given, and stores them.
    mutating func take(_ params: Params, isNew: Bool = false, _ act: Act) throws(Rejection) {
        let before = self
        if let given = params["category"] { wire.category = given.string }
        if let given = params["album"] { wire.album = given.string }
        if let given = params["caption"] { wire.caption = given.string }
        if let given = params["audience"], place == nil {
            sharedWith = try SharedWith(given, household: try act.roster[wire.author]?.household, act)
            // A picture that its author shares is in the gallery from now on.
            try waitNoLonger(act)
        } else {
            // A picture that waits for a post and is put into an album is in the gallery from now on.
            let isComing = !isNew && isSentToHang && place == nil && params["album"]?.string != nil
            if isComing { try waitNoLonger(act) }
            if let with = try albumAudience(before, isNew: isNew || isComing, act) { sharedWith = with }
        }
        if let given = params["people"]?.array {
            var people: [Identifier] = []
            for id in given.compactMap(\.identifier) where !people.contains(id) {
                people.append(try act.member(id, field: "people").id)
                try act.roster[id]?.mustAnswer(field: "people")
            }
            wire.people = people.sorted()
        }
        if isNew || wire != before.wire || sharedWith != before.sharedWith || kept != before.kept {
            try save(isChanged: !isNew && wire != before.wire, act)
        }
        if !isNew, let former = before.wire.caption, former != wire.caption {
            try act.retitle(Pictures.about(wire.id), wire.caption, instead: former)
        }
    }

    /// Ends the picture's wait for a post or a message, if it waited.
    private mutating func waitNoLonger(_ act: Act) throws(Rejection) {
        guard isSentToHang else { return }
        kept = nil
        try act.unplan(Pictures.expiry, about: wire.id.description)
    }

    /// The audience of a picture that is put into an album: that of the album as a whole, or else, for a new picture,
    /// that of the picture that its author put there last. A picture that was shared with others before keeps its
    /// audience: putting it into an album takes it from nobody, and shows it to nobody else.
    private func albumAudience(
        _ before: StoredPicture, isNew: Bool, _ act: Act
    ) throws(Rejection) -> SharedWith? {
        guard let album = wire.album, kept == nil, place == nil else { return nil }
        guard isNew || album != before.wire.album && before.sharedWith.isOnly(wire.author) else { return nil }
        if let with = try AlbumShare.find(album, of: wire.author, act) { return with }
        return try isNew ? Self.last(ofAlbum: album, by: wire.author, act)?.sharedWith : nil
    }

    /// Takes it out of the bin: shared as before, with those who are in the family still.
    mutating func restore(_ act: Act) throws(Rejection) {
        wire.binned = nil
        sharedWith = try keptAudience(act) ?? sharedWith
        kept = nil
        try act.unplan(Pictures.expiry, about: wire.id.description)
        try save(isChanged: true, act)
    }
}
