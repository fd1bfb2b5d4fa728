/// Events of pictures, with their data.
extension Picture {
    package static let added = EventType("picture.added", "A picture is new; who sees it.", Whole.self)
    package static let updated = EventType(
        "picture.updated", "Something about a picture is another; who sees it.", Whole.self)
    package static let shown = EventType(
        "picture.shown", "A picture, to each who sees it from now on.", Whole.self, sight: .gives)
    package static let hidden = EventType(
        "picture.hidden", "To each who sees the picture no longer.", Named.self, sight: .takes,
        clears: { ["picture/\($0.picture)"] })
    package static let removed = EventType(
        "picture.removed", "A picture is gone with its pixels; who saw it.", Named.self, sight: .ends)
    package static let named = EventType(
        "picture.named", "A member is said to be in a picture; that member, who sees it.", Who.self)
    package static let liked = EventType(
        "picture.liked", "What a member thinks of a picture, or nothing any more; who sees it.", Liked.self,
        isLatestOnly: true)

    /// The whole picture, without its pixels.
    package struct Whole: WireRecord {
        package let picture: Picture

        package init(picture: Picture) { self.picture = picture }

        package static let fields = Fields(nil, Whole.init(picture:), .required("picture", \.picture, Picture.form))
    }

    /// The picture, by its identifier.
    package struct Named: WireRecord {
        package let picture: Identifier

        package init(picture: Identifier) { self.picture = picture }

        package static let fields = Fields(nil, Named.init(picture:), .required("picture", \.picture, .id))
    }

    /// Who is in which picture.
    package struct Who: WireRecord {
        package let picture: Identifier
        package let member: Identifier

        package init(picture: Identifier, member: Identifier) { (self.picture, self.member) = (picture, member) }

        package static let fields = Fields(
            nil, Who.init(picture:member:), .required("picture", \.picture, .id), .required("member", \.member, .id))
    }

    /// A member's word about a picture.
    package struct Liked: WireRecord {
        package let picture: Identifier
        package let member: Identifier
        package let reaction: Like.Reaction?

        package init(picture: Identifier, member: Identifier, reaction: Like.Reaction?) {
            (self.picture, self.member, self.reaction) = (picture, member, reaction)
        }

        package static let fields = Fields(
            nil, Liked.init(picture:member:reaction:), .required("picture", \.picture, .id),
            .required("member", \.member, .id), .optional("reaction", \.reaction, .word, "Absent: taken back."))
    }
}
