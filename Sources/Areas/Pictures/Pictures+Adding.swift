import KinCalendar
import KinCrypto
import KinKeeper
import KinModel
import KinPicture
import KinStore

extension Pictures {
    /// The purpose of a picture that is not for the gallery.
    enum Purpose: String, Sendable, CaseIterable {
        case message, post
    }

    /// A picture. Its author also sees its audience.
    struct OwnPicture: WireRecord {
        let picture: Picture
        let audience: JSON?

        static let fields = Fields(
            nil, OwnPicture.init(picture:audience:), .all(of: \.picture),
            .optional("audience", \.audience, .json(SharedWith.shape), "With whom it is shared; for its author."))
    }
    static let result = Shape.object([.required("picture", OwnPicture.shape)])

    private static let bytesShape = Shape.token(max: (Limits.galleryPictureBytesMax + 2) / 3 * 4)

    static let add = Method.command(
        "picture.add",
        "Sends a picture: opened in a process of its own, turned upright, kept in three sizes without metadata.",
        access: .family,
        note: "Over HTTP the body is the picture itself, and what goes with it follows by picture.update.",
        [
            .required(
                "picture", bytesShape, "JPEG, PNG, WebP, GIF or HEIC in base64; of one that moves the first frame."),
            .optional("category", Picture.nameForm.shape), .optional("album", Picture.nameForm.shape),
            .optional("caption", Picture.captionForm.shape),
            .optional("people", .list(.id, max: Limits.peopleMax), "Who is in it; each is told, and can undo it."),
            .optional("audience", SharedWith.shape, SharedWith.summaryByName + " nobody else if left out."),
            .optional(
                "original", .bool,
                "What was sent is kept too, with its pixels as they are and without what tells where it was taken; of a HEIC nothing is taken out, so only its author gets it (picture.original)."
            ),
            .optional(
                "for", Form<Purpose>.word.shape,
                "It is sent for a message or a post, not for the gallery: it is a new picture, and goes with that. One that stands nowhere in a day is gone."
            ),
        ],
        result: result, route: Route("POST", "/api/pictures", status: 201),
        events: [Picture.added, Picture.named, Picture.updated, Picture.shown], isSlow: true,
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let (member, text) = (try act.member, try params.string("picture"))
            let name = act.parcel?.name ?? Parcel.name(of: text)
            let hangs = try isToHang(params)
            let keepsOriginal = params["original"]?.bool ?? false
            let known = hangs ? nil : try StoredPicture.same(name, of: member.id, act)
            if var known, !keepsOriginal || known.wire.original != nil {
                // The same bytes are the same picture. If that picture is in the bin, it comes out again.
                if known.wire.binned != nil { try known.restore(act) }
                try known.take(params, act)
                return .done(rendered(known, act), ids: [known.wire.id])
            }
            if act.isFirstWay {
                try spend("picture", act)
                let work = try developing(text, act)
                return .later(keepsOriginal ? .withOriginal(work) : work)
            }
            let made = try developed(act.work)
            if var known {
                if known.wire.binned != nil { try known.restore(act) }
                try known.keep(made.original, act)
                try known.take(params, act)
                return .done(rendered(known, act), ids: [known.wire.id])
            }
            var picture = try new(made, digest: name, of: member.id, act)
            if hangs {
                picture.kept = StoredPicture.sentToHang
                let id = picture.wire.id
                try act.plan(expiry, about: id.description, at: act.now.adding(seconds: Limits.unhungSeconds))
            }
            try picture.keep(made.original, act)
            try picture.take(params, isNew: true, act)
            return .done(rendered(picture, act), ids: [picture.wire.id])
        }
    ).takingParcel(as: "picture", bytesMax: Limits.galleryPictureBytesMax)

    /// A picture that a worker made, with its pixels kept. It is stored once its audience is known.
    static func new(
        _ made: DevelopWork.Made, digest: String, of member: Identifier, _ act: Act
    ) throws(Rejection) -> StoredPicture {
        // Pixels that the owner has stored already are not stored twice.
        let twin = try StoredPicture.twin(digest, of: member, act).flatMap { twin in
            twin.wire.width == made.width && twin.wire.height == made.height ? twin : nil
        }
        var blobs = twin?.blobs ?? []
        for jpeg in twin == nil ? made.jpegs : [] {
            // A small picture is the same in several sizes.
            let index = made.jpegs.firstIndex(of: jpeg) ?? 0
            blobs.append(index < blobs.count ? blobs[index] : try act.putBlob(jpeg, of: member))
        }
        let when = try When(made.taken, of: member, act)
        return StoredPicture(
            Picture(
                id: act.newIdentifier(), author: member, at: act.now, taken: when.taken, width: made.width,
                height: made.height),
            sharedWith: .nobody, blobs: blobs, bytes: made.bytes, digest: digest, day: when.day)
    }

    /// Takes one from the caller's quota of the day.
    static func spend(_ field: String, _ act: Act) throws(Rejection) {
        guard try sent.take(1, of: Limits.galleryPerDayMax, for: act.member.id, act) else {
            throw Quota.usedUp(
                "You sent \(Limits.galleryPerDayMax) pictures today, which is the most; go on tomorrow.", act,
                field: field)
        }
    }

    /// Whether the picture is sent for a message or a post, and not for the gallery.
    static func isToHang(_ params: Params) throws(Rejection) -> Bool {
        let hangs = params.has("for")
        if hangs, params.has("audience") {
            throw Rejection(
                .invalid, "A picture for a message or a post is shared as that is; leave audience out.",
                field: "audience")
        }
        return hangs
    }

    private static func developing(_ text: String, _ act: Act) throws(Rejection) -> DevelopWork {
        if let parcel = act.parcel, parcel.name == text { return .parcel(parcel) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "picture must be base64 with padding.", field: "picture")
        }
        return .bytes(bytes)
    }

    /// The picture that a worker made. If there is none, the reason is thrown.
    static func developed(
        _ work: SlowResult?, field: String = "picture"
    ) throws(Rejection) -> DevelopWork.Made {
        if let made = work?.made(DevelopWork.Made.self), made.jpegs.count == Picture.Size.allCases.count { return made }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: field)
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your pictures wait to be looked at already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The picture could not be read; try again.")
        }
    }

    /// The answer to a repeated command: the present state.
    static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try StoredPicture.visible(act, id), act)
    }

    /// The month and day of a moment, as one number, by the clock of a member.
    static func day(of moment: Instant, for member: Identifier, _ act: Act) throws(Rejection) -> Int64 {
        let zone = try zone(of: member, act)
        let text = zone.civil(at: moment).description.split(separator: "-")
        let (month, day) = (text.dropFirst().first ?? "", text.dropFirst(2).first?.prefix(2) ?? "")
        return (Int64(month) ?? 0) * 100 + (Int64(day) ?? 0)
    }

    /// The zone of a member's settings, else this machine's.
    fileprivate static func zone(of member: Identifier, _ act: Act) throws(Rejection) -> Zone {
        try act.hooks.settings?(act, member).zone.flatMap { Zone($0) } ?? Zone.system ?? .utc
    }

    static func json(of picture: StoredPicture, _ act: Act) -> JSON {
        let audience = picture.isOwn(act) ? picture.sharedWith : nil
        return OwnPicture(picture: picture.wire, audience: audience?.json).json
    }

    static func rendered(_ picture: StoredPicture, _ act: Act) -> JSON { ["picture": json(of: picture, act)] }
}

extension DevelopWork.Made {
    /// The bytes it takes on disk. Sizes with the same content count once.
    fileprivate var bytes: Int64 { Int64(Set(jpegs).reduce(0) { $0 + $1.count }) }
}

/// The time at which a picture was taken: a moment, and the day of the year by the camera's own clock.
private struct When {
    let taken: Instant?
    let day: Int64

    /// A camera that names no zone is read in its owner's, else in this machine's.
    init(_ taken: DevelopWork.Taken?, of member: Identifier, _ act: Act) throws(Rejection) {
        let zone = try Pictures.zone(of: member, act)
        guard let taken,
            let civil = Civil(
                year: taken.year, month: taken.month, day: taken.day, hour: taken.hour, minute: taken.minute,
                second: taken.second)
        else {
            self.taken = nil
            day = try Pictures.day(of: act.now, for: member, act)
            return
        }
        day = Int64(taken.month * 100 + taken.day)
        if let offset = taken.offsetMinutes, case .one(let moment) = Zone.utc.instant(of: civil) {
            self.taken = moment.adding(seconds: Int64(-offset * 60))
            return
        }
        switch zone.instant(of: civil) {
        case .one(let moment), .skipped(_, let moment), .repeated(let moment, _): self.taken = moment
        }
    }
}
