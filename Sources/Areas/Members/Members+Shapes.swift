import KinKeeper
import KinModel

extension Shape {
    /// A password.
    static let password = Shape.secret(max: Limits.passwordBytesMax)

    /// `{"member":…}`.
    static let memberResult = Member.Shown.shape
    /// `{"household":…}`.
    static let householdResult = Household.Shown.shape
    /// What a sign-in answers.
    static let signedIn = Sessions.SignedIn.shape
}
