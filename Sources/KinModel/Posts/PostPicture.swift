/// A picture that stands in a post or a message. Its pixels have addresses: `/api/pictures/{picture}/{size}`.
public struct PostPicture: WireRecord, Hashable {
    /// Which one.
    public let picture: Identifier
    /// Pixels across, in the largest size.
    public let width: Int
    /// Pixels down, in the largest size.
    public let height: Int
    /// What is written under it.
    public var caption: String?
    /// Whether it is the poster of a film.
    public let isFilm: Bool
    /// The document that it stands for.
    public let document: Document?

    /// A picture of a post or a message.
    public init(
        picture: Identifier, width: Int, height: Int, caption: String? = nil, isFilm: Bool = false,
        document: Document? = nil
    ) {
        self.picture = picture
        self.width = width
        self.height = height
        self.caption = caption
        self.isFilm = isFilm
        self.document = document
    }

    /// As it is written.
    public static let fields = Fields(
        "PostPicture", PostPicture.init(picture:width:height:caption:isFilm:document:),
        .required("picture", \.picture, .id),
        .required("width", \.width, sideForm, "Pixels, in the largest size."),
        .required("height", \.height, sideForm, "Pixels, in the largest size."),
        .optional("caption", \.caption, .line(max: Limits.captionCharactersMax)),
        .required("film", \.isFilm, .bool, "It is the poster of a film (picture.film).", absent: false),
        .optional(
            "document", \.document, Document.form,
            "The document that it stands for, as a plain sheet (picture.document)."))

    /// A side.
    package static let sideForm = Form<Int>.count(max: Limits.pictureSideMax)
    /// Those of one post or message, in their order.
    package static let list = Form.list(PostPicture.form, max: Limits.postPicturesMax)
}
