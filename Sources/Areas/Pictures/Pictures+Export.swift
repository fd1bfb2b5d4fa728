import KinCalendar
import KinKeeper
import KinModel
import KinStore

extension Pictures {
    static let takeOut = Method.longRead(
        "picture.export",
        "The pictures that the caller sees, or those of an album, as an archive: those first that were taken first.",
        access: .signedIn,
        note: """
            Over HTTP it is the archive, of the format ustar (`tar`) or ZIP, with the large size of each, and its film; \
            of a document the document. Elsewhere it comes in pieces that name the pictures.
            """,
        [
            .optional("album", Picture.nameForm.shape), .optional("by", .id, "Only this member's."),
            .optional("after", .token(max: 64), "next of the piece before, for the piece after it."),
            .optional("format", .oneOf(["tar", "zip"]), "Of the archive over HTTP; tar if left out."),
        ],
        result: .object([
            .required("pictures", .integer(0...Int64(Limits.picturesPerPiece)), "How many are in the piece."),
            .required(
                "files", .list(ArchivedFile.shape, max: 2 * Limits.picturesPerPiece), "What each is called there."),
            .optional("next", .token(max: 64), "To be given as after; left out with the last."),
        ]),
        route: Route("GET", "/api/pictures-archive"),
        admit: { (act, params, _: ArchiveQuestion?) throws(Rejection) in try ArchiveQuestion(params, act) },
        begin: { asked in ArchiveQuestion.Found(last: asked.after) },
        read: { (database, asked, found, time) throws(StoreFailure) in try asked.goOn(&found, time, database) },
        answer: { (_, _, asked, found) throws(Rejection) in
            .done(
                .null,
                effect: .piece(
                    FilePiece(
                        archive: found.files, of: "pictures", next: found.isCut ? found.last?.text : nil,
                        mediaType: asked.isZip ? "application/zip" : "application/x-tar",
                        fileName: asked.isZip ? "pictures.zip" : "pictures.tar")))
        }
    ).answering(["application/x-tar", "application/zip"])
}

/// The question for the pictures of an archive. It is a long read, since the pictures of one album may stand far apart
/// among all others.
struct ArchiveQuestion: Sendable, Equatable {
    /// The place of a picture in the order of all pictures, which is the order of their moments.
    struct Place: Sendable, Equatable {
        let moment: Instant
        let id: Identifier

        var text: String { "\(moment.milliseconds).\(id)" }

        init(moment: Instant, id: Identifier) { (self.moment, self.id) = (moment, id) }

        init?(_ text: String) {
            let parts = text.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let moment = Int64(parts[0]), let id = Identifier(parts[1]) else { return nil }
            self.init(moment: Instant(milliseconds: moment), id: id)
        }
    }

    /// The result so far.
    struct Found: Sendable {
        /// The last picture that was looked at.
        var last: Place?
        var files: [ArchivedFile] = []
        var pictures = 0
        /// Whether there may be more.
        var isCut = false
    }

    let member: Identifier
    let album: String?
    let author: Identifier?
    /// The place after which the search begins.
    let after: Place?
    /// The zone by which days are named.
    let zone: String
    let isZip: Bool

    init(_ params: Params, _ act: Act) throws(Rejection) {
        member = try act.member.id
        album = params.optionalString("album")
        author = params.optionalID("by")
        isZip = params.optionalString("format") == "zip"
        after = try params.optionalString("after").map { (text) throws(Rejection) in
            guard let place = Place(text) else {
                throw Rejection(.invalid, "after is not the next of a piece before.", field: "after")
            }
            return place
        }
        let zone = try act.hooks.settings?(act, member).zone.flatMap { Zone($0) } ?? Zone.system ?? .utc
        self.zone = zone.name
    }

    /// Goes on with the search as long as there is time.
    func goOn(_ found: inout Found, _ time: ReadTime, _ database: Database) throws(StoreFailure) -> Bool {
        var (rows, isWhole) = (found, true)
        try database.each(
            """
            SELECT p.id, p.moment, p.caption, p.large, p.album, p.author, p.film, p.film_blob,
            p.document, p.document_blob FROM pictures p
            CROSS JOIN picture_sight s WHERE (p.moment, p.id) > (?2, ?3) AND p.binned IS NULL
            AND s.member = ?1 AND s.picture = p.number AND \(Pictures.isThere) ORDER BY p.moment, p.id
            """, .id(member), .int(rows.last?.moment.milliseconds ?? .min),
            .id(rows.last?.id ?? Identifier(high: 0, low: 0))
        ) { (row) throws(StoreFailure) in
            let place = Place(moment: row.instant("moment"), id: row.identifier("id"))
            if album == nil || row.optionalText("album") == album, author == nil || row.identifier("author") == author {
                guard rows.pictures < Limits.picturesPerPiece else {
                    rows.isCut = true
                    return false
                }
                let caption = row.isNull("document") ? row.optionalText("caption") : nil
                let name = try name(place, caption, database)
                let ahead = Int64((Zone(zone) ?? .utc).offset(at: place.moment))
                rows.pictures += 1
                // The sheet that stands for a document is left out.
                let document = row.optionalText("document_blob")
                if let document {
                    rows.files.append(
                        ArchivedFile(
                            name: name + " " + Self.fileName(row.optionalText("document")), at: place.moment,
                            ahead: ahead,
                            thing: place.id, blob: document, part: "document"))
                } else {
                    rows.files.append(
                        ArchivedFile(
                            name: name + ".jpg", at: place.moment, ahead: ahead, thing: place.id,
                            blob: row.text("large")))
                }
                if let film = row.optionalText("film_blob") {
                    let kind: Picture.Film = row.optionalWord("film") ?? .mp4
                    rows.files.append(
                        ArchivedFile(
                            name: name + "." + kind.fileExtension, at: place.moment, ahead: ahead, thing: place.id,
                            blob: film, part: "film"))
                }
            }
            rows.last = place
            isWhole = !time.isOver
            return isWhole
        }
        found = rows
        return isWhole
    }

    /// `2026-05-01 12.30.05 Soup`. If other pictures are of the same second, or the clock shows that second twice, the
    /// end of the picture's identifier follows, so that no two names are the same: `2026-05-01 12.30.05-0123456789ab
    /// Soup`.
    private func name(_ place: Place, _ caption: String?, _ database: Database) throws(StoreFailure) -> String {
        let zone = Zone(zone) ?? .utc
        let local = zone.civil(at: place.moment)
        let civil = local.description
        // A whole minute is written without its seconds.
        let seconds = civil.count > 16 ? civil.prefix(19) : civil + ":00"
        let when = seconds.map { $0 == "T" ? " " : $0 == ":" ? "." : String($0) }.joined()
        let second = place.moment.milliseconds - (place.moment.milliseconds % 1000 + 1000) % 1000
        let isShared = try database.first(
            """
            SELECT EXISTS (SELECT 1 FROM pictures p CROSS JOIN picture_sight s WHERE p.moment >= ?2 AND p.moment < ?3
            AND p.id <> ?4 AND s.member = ?1 AND s.picture = p.number AND \(Pictures.isThere))
            """, .id(member), .int(second), .int(second + 1000), .id(place.id)
        ) { row in row.bool(0) }
        let isTwice = if case .repeated = zone.instant(of: local) { true } else { false }
        let end = isShared == true || isTwice ? "-\(place.id.description.suffix(12))" : ""
        return when + end + Self.words(caption)
    }

    /// A document's name as far as it can stand in the name of a file, on any system.
    private static func fileName(_ name: String?) -> String {
        let kept = (name ?? "").filter { letter in
            letter.isLetter || letter.isNumber || " -_,.()".contains(letter)
        }
        return DocumentName.cleaned(kept)
    }

    /// A caption as far as it can stand in the name of a file, on any system.
    private static func words(_ caption: String?) -> String {
        let kept = (caption ?? "").filter { letter in
            letter.isLetter || letter.isNumber || letter == " " || letter == "-" || letter == "_" || letter == ","
        }
        let trimmed = kept.split(separator: " ").joined(separator: " ").prefix(60)
        return trimmed.isEmpty ? "" : " " + trimmed
    }
}
