package import KinModel
package import KinStore

extension Keeper {
    /// A new one-time secret for founding the family through a link. The secret of the last start becomes invalid.
    /// `nil` when the family is founded already, or when no area can found one. Called at the start, before the first
    /// turn.
    package func newSetUpLink(now: Instant) throws(StoreFailure) -> String? {
        guard !isFounded, let make = registry.hooks.setUpLink else { return nil }
        var secret: String?
        try byItself(now: now) { (act) throws(Rejection) in secret = try make(act) }
        return secret
    }
}
