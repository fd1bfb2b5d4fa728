package import KinModel

/// Shapes that several areas use.
extension Shape {
    /// A name that people read.
    package static let name = Shape.line(max: Limits.nameCharactersMax)
    /// A code, token or link secret.
    package static let code = Shape.secret(max: 200)
    /// A position in the log, as clients see it.
    package static let cursor = Shape.token(max: 64)
    /// A role.
    package static let role = Shape.oneOf(Role.allCases.map(\.rawValue))
    /// Adult or child.
    package static let kind = Shape.oneOf(MemberKind.people.map(\.rawValue))
    /// `{}`.
    package static let nothing = Shape.object([])
}
