import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// Documents: files of any kind that are kept as they are. A client that knows no documents sees the picture of a plain
/// sheet. A document is shared, found and removed as any picture is.
extension Pictures {
    /// The answer about a document that was sent. No data is read out of the document.
    private static let documentResult = Shape.object([
        .required("picture", OwnPicture.shape),
        .required(
            "keptAsItIs", .bool,
            "Always true: what the file says besides, such as who wrote it and where, stays in it."),
    ])

    static let addDocument = Method.command(
        "picture.addDocument",
        "Sends a document: a file of any kind, which is kept as it is and saved under its name.",
        access: .family,
        note: "Over HTTP the body is the document itself, of up to 2 GiB, and its name stands in the address.",
        [
            .required("document", .token(max: Limits.filmInMessageCharactersMax), "Any file in base64."),
            .required(
                "name", .text(max: documentNameCharactersMax),
                "What it is called; kept without a path, in at most 180 bytes."),
            .optional("category", Picture.nameForm.shape), .optional("album", Picture.nameForm.shape),
            .optional("caption", Picture.captionForm.shape),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName + " nobody else if left out."),
            .optional(
                "for", Form<Purpose>.word.shape,
                "It is sent for a message or a post, not for the gallery, and goes with that. One that stands nowhere in a day is gone."
            ),
        ],
        result: documentResult, route: Route("POST", "/api/documents", status: 201),
        events: [Picture.added, Picture.updated, Picture.shown, Picture.hidden], isSlow: true,
        again: { (act, ids) throws(Rejection) in said(try again(act, ids)) },
        apply: { (act, params) throws(Rejection) in
            let (member, text) = (try act.member, try params.string("document"))
            let name = DocumentName.cleaned(try params.string("name"))
            let hangs = try isToHang(params)
            // A document and a picture with the same bytes are two different things.
            let digest = "document/" + (act.parcel?.name ?? Parcel.name(of: text))
            if !hangs, let known = try StoredPicture.same(digest, of: member.id, act) {
                return try once(more: known, name, params, act)
            }
            if act.isFirstWay {
                guard try sent.take(1, of: Limits.galleryPerDayMax, for: member.id, act) else {
                    throw Quota.usedUp(
                        "You sent \(Limits.galleryPerDayMax) pictures today, which is the most; go on tomorrow.", act,
                        field: "document")
                }
                return .later(try keeping(text, act))
            }
            let made = try madeDocument(act.work)
            // A file that the owner has stored already is not kept twice: the copy that the worker kept is removed.
            let twin = try StoredPicture.twin(digest, of: member.id, act)
            let blob: String
            if let file = twin?.document {
                blob = file
            } else if let file = made.blob {
                try act.take(blob: file, bytes: made.bytes, of: member.id)
                blob = file
            } else {
                blob = try act.putBlob(made.content, of: member.id)
            }
            let sheet: String
            if let file = twin?.blobs.first {
                sheet = file
            } else {
                sheet = try act.putBlob(DocumentSheet.jpeg, of: member.id)
            }
            let id = act.newIdentifier()
            let document = Document(name: name, bytes: made.bytes)
            let wire = Picture(
                id: id, author: member.id, at: act.now, width: DocumentSheet.width, height: DocumentSheet.height,
                document: document)
            // A document has no day on which it was taken.
            var picture = StoredPicture(
                wire, sharedWith: .nobody, blobs: [sheet, sheet, sheet],
                bytes: made.bytes + Int64(DocumentSheet.jpeg.count), digest: digest, day: 0)
            picture.document = blob
            if hangs {
                picture.kept = StoredPicture.sentToHang
                try act.plan(expiry, about: id.description, at: act.now.adding(seconds: Limits.unhungSeconds))
            }
            try picture.take(params, isNew: true, act)
            return .done(said(rendered(picture, act)), ids: [id])
        }
    ).takingParcel(
        as: "document", bytesMax: Int(Limits.documentBytesMax), mediaTypes: ["application/pdf", "application/zip"])

    /// The same document sent again is the same item. It comes out of the bin, and has the name with which it was sent
    /// last.
    private static func once(
        more known: StoredPicture, _ name: String, _ params: Params, _ act: Act
    ) throws(Rejection) -> Outcome {
        var known = known
        if known.wire.binned != nil { try known.restore(act) }
        if let document = known.wire.document, !document.name.hasSameBytes(as: name) {
            known.wire.document = Document(name: name, bytes: document.bytes)
            try known.save(isChanged: true, act)
        }
        try known.take(params, act)
        return .done(said(rendered(known, act)), ids: [known.wire.id])
    }

    private static func keeping(_ text: String, _ act: Act) throws(Rejection) -> DocumentWork {
        if let parcel = act.parcel, parcel.name == text { return .parcel(parcel) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "document must be base64 with padding.", field: "document")
        }
        return .bytes(bytes)
    }

    private static func madeDocument(_ work: SlowResult?) throws(Rejection) -> DocumentWork.Made {
        if let made = work?.made(DocumentWork.Made.self) { return made }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: "document")
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your pictures wait to be looked at already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, DocumentWork.unread)
        }
    }

    private static func said(_ answer: JSON) -> JSON {
        guard var object = answer.object else { return answer }
        object["keptAsItIs"] = true
        return .object(object)
    }

    static let document = Method.query(
        "picture.document", "A document as it was sent.", access: .signedIn,
        note: """
            Who sees its picture. Over HTTP it is the document itself, saved under its name, also a part of it by Range.
            """,
        [.required("picture", .id)],
        result: .object([
            .required("mediaType", .token(max: 64)),
            .required("base64", .secret(max: Limits.filmInMessageCharactersMax)),
        ]),
        route: Route("GET", "/api/pictures/{picture}/document"),
        apply: { (act, params) throws(Rejection) in
            let picture = try StoredPicture.visible(act, try params.id("picture"))
            guard let blob = picture.document, let document = picture.wire.document else {
                throw Rejection(.notFound, "This picture is no document.", field: "picture")
            }
            let type = documentTypes[DocumentName.ending(of: document.name)] ?? documentTypeOfOthers
            return .done(.null, effect: .blob(name: blob, type: type, called: document.name))
        }
    ).answering(Set(documentTypes.values).sorted() + [documentTypeOfOthers])

    /// Characters of a name as it is given.
    private static let documentNameCharactersMax = 1000

    /// Media types by the endings of names. Only types are listed that browsers save and do not run. Pictures and films
    /// are not among them: one that was sent as a document still has all its metadata, and must not be shown.
    private static let documentTypes = [
        "csv": "text/csv", "geojson": "application/geo+json", "gpx": "application/gpx+xml", "ics": "text/calendar",
        "json": "application/json", "pdf": "application/pdf", "tar": "application/x-tar", "txt": "text/plain",
        "vcf": "text/vcard", "zip": "application/zip",
    ]
    private static let documentTypeOfOthers = "application/octet-stream"
}
