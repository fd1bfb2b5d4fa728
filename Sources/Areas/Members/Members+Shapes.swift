import KinKeeper
import KinModel

extension Shape {
    /// A password.
    static let password = Shape.secret(max: Limits.passwordBytesMax)

    /// `{"member":…}`.
    static let memberResult = Member.Shown.shape
    /// `{"household":…}`.
    static let householdResult = Household.Shown.shape
    /// The answer to a sign-in.
    static let signedIn = Sessions.SignedIn.shape
}
