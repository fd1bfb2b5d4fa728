import KinKeeper
import KinModel
import KinStore

/// Calls for the code that asks members whether they may be seen at a place. This folder does not name that code; `Map`
/// connects the two.
struct PlaceHooks: Sendable {
    /// Somebody made or moved a place, or made it somebody's home.
    let made: @Sendable (StoredPlace, Act) throws(Rejection) -> Void
    /// Members see a place no longer.
    let sightLost: @Sendable (StoredPlace, Audience, Act) throws(Rejection) -> Void
    /// A place is about to be gone.
    let removing: @Sendable (StoredPlace, Act) throws(Rejection) -> Void
}
