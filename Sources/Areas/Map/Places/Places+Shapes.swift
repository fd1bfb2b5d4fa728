import KinKeeper
import KinModel

extension Places {
    static let name = Shape.line(max: Limits.nameCharactersMax)
    static let icon = Shape.line(max: Limits.placeIconCharactersMax)
    static let kind = Shape.oneOf(Place.Kind.allCases.map(\.rawValue))
    static let radius = Shape.number(Limits.placeRadiusMin...Limits.placeRadiusMax)
    static let note = Shape.text(max: Limits.placeNoteCharactersMax)

    private static let fields: [Field] = [
        .required("id", .id), .required("kind", kind), .required("name", name),
        .optional("icon", icon, "What to draw; absent for the usual pin."),
        .required("lat", .number(Point.latBounds), "Degrees north (WGS 84)."),
        .required("lon", .number(Point.lonBounds), "Degrees east (WGS 84)."),
        .optional("radius", radius, "Metres; only of the kind place."),
        .required("owner", .id), .optional("homeOf", .id, "The household whose home it is."),
        .optional("note", note),
    ]

    /// A place as whoever sees it is told.
    static let place = Shape.named("Place", .object(fields))

    /// A place as a method answers it: with its audience for those who may change it.
    static let ownPlace = Shape.named(
        "OwnPlace",
        .object(
            fields + [
                .optional("audience", SharedWith.shape, "Who sees it beside the owner; for those who may change it.")
            ]))

    static let placeResult = Shape.object([.required("place", ownPlace)])
}
