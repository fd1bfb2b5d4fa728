/// Limits of pictures that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a category's or an album's name.
    public static let albumCharactersMax = 40
    /// Members that are said to be in one picture.
    public static let peopleMax = 30
}
