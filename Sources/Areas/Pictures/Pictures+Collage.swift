import KinKeeper
import KinModel
import KinPicture
import KinStore

extension Pictures {
    static let collage = Method.command(
        "picture.collage",
        "Makes one picture of two to twelve, which stand beside each other in their order; it is a picture of its own.",
        access: .family, note: "who sees all of them",
        [
            .required(
                "pictures", .list(.id, max: Collage.counts.upperBound), "In their order, each once; at least two."),
            .optional(
                "layout", Form<Collage.Layout>.word.shape,
                "How they stand: a mosaic with larger ones first, if left out; a grid of rows of one height; a row or a column of squares."
            ),
            .optional("category", Picture.nameForm.shape), .optional("album", Picture.nameForm.shape),
            .optional("caption", Picture.captionForm.shape),
            .optional("people", .list(.id, max: Limits.peopleMax), "Who is in it; each is told, and can undo it."),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName + " nobody else if left out."),
        ],
        result: result, route: Route("POST", "/api/picture-collages", status: 201),
        events: [Picture.added, Picture.named, Picture.updated, Picture.shown], isSlow: true,
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let ids = (params["pictures"]?.array ?? []).compactMap(\.identifier)
            guard Collage.counts.contains(ids.count), Set(ids).count == ids.count else {
                throw Rejection(
                    .invalid, "A collage is made of two to twelve pictures, each of them once.", field: "pictures")
            }
            var blobs: [String] = []
            // The pictures are judged in each turn: the caller may no longer see one that was in sight when the work
            // began.
            for id in ids { blobs.append(try seenForCollage(id, act).blob(.large)) }
            let layout = params["layout"]?.string.flatMap { Collage.Layout(rawValue: $0) } ?? .mosaic
            // The same pictures in the same order and layout are the same collage: pixels never change.
            let kind = layout == .mosaic ? "" : layout.rawValue + " "
            let digest = Parcel.name(of: "collage " + kind + ids.map(\.description).joined(separator: " "))
            if var known = try StoredPicture.same(digest, of: member, act) {
                if known.wire.binned != nil { try known.restore(act) }
                try known.take(params, act)
                return .done(rendered(known, act), ids: [known.wire.id])
            }
            if act.isFirstWay {
                try spend("pictures", act)
                return .later(DevelopWork.collage(DevelopWork.Sources(blobs, layout, of: act.blobs)))
            }
            var picture = try new(try developed(act.work, field: "pictures"), digest: digest, of: member, act)
            try picture.take(params, isNew: true, act)
            return .done(rendered(picture, act), ids: [picture.wire.id])
        })

    private static func seenForCollage(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredPicture {
        let member = try act.member.id
        let found = try act.ask { (database) throws(StoreFailure) in
            try StoredPicture.seen(by: member, id, database)
        }
        guard let found, found.wire.binned == nil else {
            throw Rejection.notFound("picture", id.description, field: "pictures")
        }
        return found
    }
}
