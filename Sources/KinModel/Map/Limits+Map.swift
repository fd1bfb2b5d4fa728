/// Limits of what is seen of places, each with its unit.
extension Limits {
    /// Degrees north.
    package static let latBounds = -90.0...90.0
    /// Degrees east.
    package static let lonBounds = -180.0...180.0
    /// Characters of a place's icon: an emoji may take several.
    package static let placeIconCharactersMax = 16
    /// Characters of the text of a place.
    package static let placeNoteCharactersMax = 1000
    /// Metres of a place's circle at least: less is not told apart by any phone.
    package static let placeRadiusMin = 20.0
    /// Metres of a place's circle at most.
    package static let placeRadiusMax = 50_000.0
}
