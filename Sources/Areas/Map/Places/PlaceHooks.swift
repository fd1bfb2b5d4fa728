import KinKeeper
import KinModel
import KinStore

/// What the room above makes of what happens to places: it asks people whether they are seen there. This room names
/// nobody of it; `Map` joins the two.
struct PlaceHooks: Sendable {
    /// Somebody made or moved a place, or made it somebody's home.
    let made: @Sendable (Pin, Act) throws(Rejection) -> Void
    /// Members see a place no longer.
    let sightLost: @Sendable (Pin, Audience, Act) throws(Rejection) -> Void
    /// A place is about to be gone.
    let removing: @Sendable (Pin, Act) throws(Rejection) -> Void
}
