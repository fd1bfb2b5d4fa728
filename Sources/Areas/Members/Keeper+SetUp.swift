package import KinKeeper
package import KinModel
package import KinStore

extension Keeper {
    /// A new one-time secret for founding the family through a link; the one of the last start ends. `nil` when the
    /// family is founded. Called at the start, before the first turn.
    package func newSetUpLink(now: Instant) throws(StoreFailure) -> String? {
        guard !isFounded else { return nil }
        var secret: String?
        try byItself(now: now) { (act) throws(Rejection) in
            let new = act.newSecret()
            try act.run("DELETE FROM links WHERE kind = 'set-up'")
            try act.run("INSERT INTO links (hash, kind) VALUES (?, 'set-up')", Secret.digest(new))
            secret = new
        }
        return secret
    }
}
