import KinKeeper
import KinModel

extension Places {
    static let name = Shape.line(max: Limits.nameCharactersMax)
    static let icon = Shape.line(max: Limits.placeIconCharactersMax)
    static let kind = Form<Place.Kind>.word.shape
    static let radius = Shape.number(Limits.placeRadiusMin...Limits.placeRadiusMax)
    static let note = Shape.text(max: Limits.placeNoteCharactersMax)

    /// A place as a method answers it: with its audience for those who may change it.
    struct OwnPlace: WireRecord {
        let place: Place
        let audience: JSON?

        static let fields = Fields(
            "OwnPlace", OwnPlace.init(place:audience:), .all(of: \.place),
            .optional(
                "audience", \.audience, .json(SharedWith.shape),
                "Who sees it beside the owner; for those who may change it."))
    }

    static let placeResult = Shape.object([.required("place", OwnPlace.shape)])
}
