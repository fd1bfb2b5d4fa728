/// Limits of profiles that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a member's text about themselves.
    public static let profileAboutCharactersMax = 500
    /// Characters of a way to reach a member.
    public static let profileWayCharactersMax = 300
    /// Characters of a label, such as `work`.
    public static let profileLabelCharactersMax = 32
}
