package import KinModel

/// Shapes that several areas speak of.
extension Shape {
    /// A name people read.
    package static let name = Shape.line(max: Limits.nameCharactersMax)
    /// A code, token or link secret.
    package static let code = Shape.secret(max: 200)
    /// A place in the log, as clients are told it.
    package static let cursor = Shape.token(max: 64)
    /// A role.
    package static let role = Shape.oneOf(Role.allCases.map(\.rawValue))
    /// Grown or not.
    package static let kind = Shape.oneOf(MemberKind.allCases.map(\.rawValue))
    /// `{}`.
    package static let nothing = Shape.object([])
}
