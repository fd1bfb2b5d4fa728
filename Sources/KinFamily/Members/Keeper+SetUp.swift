public import KinModel
public import KinStore

extension Keeper {
    /// A new one-time secret for founding the family through a link; the one of the last start ends. `nil` when the
    /// family is founded. Called at the start, before the first turn.
    public func newSetUpLink(now: Instant) throws(StoreFailure) -> String? {
        guard !isFounded else { return nil }
        let secret = randomSecret(bytes: 32)
        try store.beginTurn()
        do throws(StoreFailure) {
            try store.database.run("DELETE FROM links WHERE kind = 'set-up'")
            try store.database.run(
                "INSERT INTO links (hash, kind) VALUES (?, 'set-up')", values: [Secret.digest(secret)])
        } catch {
            store.rollbackTurn()
            throw error
        }
        try store.commitTurn()
        return secret
    }
}
