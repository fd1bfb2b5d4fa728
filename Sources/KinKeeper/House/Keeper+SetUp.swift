package import KinModel
package import KinStore

extension Keeper {
    /// A new one-time secret for founding the family through a link; the one of the last start ends. `nil` when the
    /// family is founded, or no area founds one. Called at the start, before the first turn.
    package func newSetUpLink(now: Instant) throws(StoreFailure) -> String? {
        guard !isFounded, let make = registry.hooks.setUpLink else { return nil }
        var secret: String?
        try byItself(now: now) { (act) throws(Rejection) in secret = try make(act) }
        return secret
    }
}
