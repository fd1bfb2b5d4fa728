import KinCalendar
import KinCrypto
import KinKeeper
import KinModel
import KinPicture
import KinStore

/// Films. The picture that has a film is its poster. A film is shared, found and removed as any picture is.
extension Pictures {
    static let setFilm = Method.command(
        "picture.setFilm",
        "Gives a picture its film: the picture is the film's poster. What tells where it was made is taken out; pictures and sound stay as they are.",
        access: .family, note: "Its author. Over HTTP the body is the film itself, of up to 2 GiB.",
        [
            .required("picture", .id),
            .required(
                "film", .token(max: Limits.filmInMessageCharactersMax),
                "MP4, MOV or 3GP (ISO/IEC 14496-12) in base64."),
        ],
        result: result, route: Route("PUT", "/api/pictures/{picture}/film"), events: [Picture.updated], isSlow: true,
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var picture = try poster(params, act)
            let text = try params.string("film")
            if act.isFirstWay {
                guard try sent.take(1, of: Limits.galleryPerDayMax, for: picture.wire.author, act) else {
                    throw Quota.usedUp(
                        "You sent \(Limits.galleryPerDayMax) pictures today, which is the most; go on tomorrow.", act,
                        field: "film")
                }
                if let parcel = act.parcel, parcel.name == text { return .later(FilmWork.parcel(parcel)) }
                guard let bytes = Base64.decode(text), !bytes.isEmpty else {
                    throw Rejection(.invalid, "film must be base64 with padding.", field: "film")
                }
                return .later(FilmWork.bytes(bytes))
            }
            try picture.take(try made(act.work), act)
            return .done(rendered(picture, act), ids: [picture.wire.id])
        }
    ).takingParcel(
        as: "film", bytesMax: Limits.filmBytesMax, mediaTypes: Picture.Film.allCases.map(\.rawValue)
    ).judgingUploads { (act, params) throws(Rejection) in _ = try poster(params, act) }

    /// The caller's picture that a film is for, if it may have one. It is asked before the film comes, and again once it is
    /// here: another may have been sent meanwhile.
    private static func poster(_ params: Params, _ act: Act) throws(Rejection) -> StoredPicture {
        let picture = try own(try params.id("picture"), act)
        guard picture.wire.film == nil else {
            throw Rejection(
                .conflict, "The picture has a film already; send another picture for another film.",
                field: "picture")
        }
        guard picture.wire.document == nil else {
            throw Rejection(.conflict, "A document has no film; send a picture for it.", field: "picture")
        }
        guard picture.wire.binned == nil else {
            throw Rejection(.conflict, "The picture is in your bin; take it out first.", field: "picture")
        }
        guard picture.place == nil else {
            throw Rejection(
                .conflict, "The picture stands in a post or a message already; send its film before that.",
                field: "picture")
        }
        return picture
    }

    private static func made(_ work: SlowResult?) throws(Rejection) -> FilmWork.Made {
        if let made = work?.made(FilmWork.Made.self) { return made }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: "film")
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your pictures wait to be looked at already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The film could not be read; try again.")
        }
    }

    static let film = Method.query(
        "picture.film", "A picture's film, without where and with what it was made.", access: .signedIn,
        note: "Who sees the picture. Over HTTP it is the film itself, also a part of it by Range.",
        [.required("picture", .id)],
        result: .object([
            .required("mediaType", .token(max: 64)),
            .required("base64", .secret(max: Limits.filmInMessageCharactersMax)),
        ]),
        route: Route("GET", "/api/pictures/{picture}/film"),
        apply: { (act, params) throws(Rejection) in
            let picture = try StoredPicture.visible(act, try params.id("picture"))
            guard let blob = picture.film, let kind = picture.wire.film else {
                throw Rejection(.notFound, "This picture has no film.", field: "picture")
            }
            return .done(.null, effect: .blob(name: blob, type: kind.rawValue))
        }
    ).answering(Picture.Film.allCases.map(\.rawValue))
}

extension StoredPicture {
    /// Takes the film, and the time at which it was made.
    mutating func take(_ made: FilmWork.Made, _ act: Act) throws(Rejection) {
        if let blob = made.blob {
            try act.take(blob: blob, bytes: made.bytes, of: wire.author)
            film = blob
        } else {
            film = try act.putBlob(made.content, of: wire.author)
        }
        bytes += made.bytes
        wire.film = Picture.Film(rawValue: made.film.format.rawValue)
        wire.seconds = made.film.seconds
        if wire.taken == nil, let seconds = made.film.made {
            let moment = Instant(milliseconds: seconds * 1000)
            wire.taken = moment
            day = try Pictures.day(of: moment, for: wire.author, act)
        }
        try save(isChanged: true, act)
    }
}
