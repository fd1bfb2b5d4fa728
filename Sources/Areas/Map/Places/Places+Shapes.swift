import KinKeeper
import KinModel

extension Places {
    static let name = Shape.line(max: Limits.nameCharactersMax)
    static let icon = Shape.line(max: Limits.placeIconCharactersMax)
    static let kind = Form<Place.Kind>.word.shape
    static let radius = Shape.number(Limits.placeRadiusMin...Limits.placeRadiusMax)
    static let note = Shape.text(max: Limits.placeNoteCharactersMax)

    /// A place as a method answers it: with its audience for those who may change it.
    static let ownPlace = Shape.named(
        "OwnPlace",
        .object(
            Place.fields.list + [
                .optional("audience", SharedWith.shape, "Who sees it beside the owner; for those who may change it.")
            ]))

    static let placeResult = Shape.object([.required("place", ownPlace)])
}
