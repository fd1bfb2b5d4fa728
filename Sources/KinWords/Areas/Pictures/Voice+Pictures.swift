import KinModel

/// What the family sees of itself.
extension PicturesPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "pictures",
            known: [KnownPictures.self], sentence: { $0.pictures() }, line: { (voice, line, _) in voice.picture(line) },
            headings: [
                "picture": { (voice, id) in id.map { voice.names.picture($0, voice.reader) } ?? "" }
            ],
            signs: ["picture": ("framed_picture", "pictures"), "pictures": ("framed_picture", "pictures")])
    }
}

extension Voice {
    /// What happened to a picture.
    func pictures() -> String? {
        switch event.type {
        case Picture.added.name: event[Picture.added].map { told("event.picture.added", $0.picture) }
        case Picture.updated.name: event[Picture.updated].map { told("event.picture.updated", $0.picture) }
        case Picture.shown.name: event[Picture.shown].map { told("event.picture.shown", $0.picture) }
        case Picture.hidden.name: event[Picture.hidden].map { _ in phrase("event.picture.hidden") }
        case Picture.removed.name: event[Picture.removed].map { _ in phrase("event.picture.removed", ["by": somebody]) }
        case Picture.named.name:
            event[Picture.named].map {
                phrase(
                    "event.picture.named",
                    [
                        "by": somebody, "who": names.member($0.member, reader),
                        "picture": names.picture($0.picture, reader),
                    ])
            }
        case Picture.liked.name: event[Picture.liked].map { liked($0) }
        default: nil
        }
    }

    private func liked(_ like: Picture.Liked) -> String {
        phrase(
            like.reaction == nil ? "event.picture.liked.none" : "event.picture.liked",
            [
                "by": names.member(like.member, reader), "picture": names.picture(like.picture, reader),
                "sign": like.reaction?.sign ?? "",
            ])
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ picture: Picture) -> String {
        phrase(
            picture.binned == nil ? key : "event.picture.binned",
            ["by": names.member(picture.author, reader), "picture": names.picture(picture.id, reader)])
    }
}

extension InboxVoice {
    /// What a line says of a picture.
    func picture(_ line: JSON) -> String? {
        switch line["kind"]?.string {
        case "pictured": phrase("inbox.pictured", ["by": by(line)])
        case "pictures": phrase("inbox.pictures", ["by": by(line)])
        case "pictureLiked":
            phrase(
                "inbox.picture-liked",
                [
                    "by": by(line),
                    "sign": line["reaction"]?.string.flatMap { Like.Reaction(rawValue: $0) }?.sign ?? "",
                ])
        default: nil
        }
    }
}
