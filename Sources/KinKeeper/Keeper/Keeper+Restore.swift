public import KinModel
public import KinStore

extension Keeper {
    /// Prepares a restored family: no secret from before the restore is valid, and areas end the permissions that
    /// somebody may have revoked since the backup (``Area/Life/restored``).
    public static func afterRestore(
        directory: String, registry: Registry, now: Instant, files: Files = .disk
    ) throws(StoreFailure) {
        let store = try Store(directory: directory, migrations: registry.migrations, now: now, files: files)
        // The backup's time may come from a wrong clock: no moment is earlier than the family's last act.
        let now = max(now, try TrustedClock.Kept.load(store.database)?.moment ?? now, TrustedClock.earliest)
        try store.beginTurn()
        // The areas do it themselves, so that the log tells the members concerned; it is due before all other work.
        try store.due.add(at: Instant(milliseconds: 0), kind: restoredDue, about: "family")
        try store.commitTurn()
        let commit = try Keeper(store: store, registry: registry).turn([], clock: now)
        if case .refused(let failure) = commit.fate { throw failure }
        if case .unknown(let failure) = commit.fate { throw failure }
        store.afterTurn(idle: true, now: now)
    }

    /// Due work of a family that was put back from a backup.
    package static let restoredDue = "restored"

    package func restored(_ act: Act) throws(Rejection) {
        for table in registry.areas.flatMap(\.tables) where table.givesWayIn {
            try act.run("DELETE FROM \(table.name)")
        }
        for area in registry.areas { try area.life.restored?(act) }
    }

    /// Acts as the daemon itself, in a transaction of its own, while there is no turn: at the start, or after a
    /// restore. Nobody follows yet, so the events that it emits wait in the log.
    public func byItself(now: Instant, _ body: (Act) throws(Rejection) -> Void) throws(StoreFailure) {
        try store.beginTurn()
        let act = Act(keeper: self, now: now, caller: .nobody, origin: Origin(), work: nil)
        do throws(Rejection) {
            try body(act)
            try act.tellAreas()
        } catch {
            store.rollbackTurn()
            throw act.failure ?? .corrupt(error.message)
        }
        try store.commitTurn()
    }
}
