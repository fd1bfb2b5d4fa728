public import KinModel
public import KinStore

extension Keeper {
    /// What a restored family begins with: no sessions, no app passwords, no links, sharing off for everybody.
    public static func afterRestore(
        directory: String, now: Instant, files: Files = .disk
    ) throws(StoreFailure) {
        let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now, files: files)
        try store.beginTurn()
        for table in ["sessions", "app_passwords", "links", "invites"] {
            try store.database.run("DELETE FROM \(table)")
        }
        // The backup's time may come of a wrong clock: nothing goes back before what the family did last.
        let now = max(now, try TrustedClock.Kept.load(store.database)?.moment ?? now, TrustedClock.earliest)
        // By the area itself, so that what the log holds for others goes too; before all else that is due.
        try store.due.add(at: Instant(milliseconds: 0), kind: Consent.pauseDue, about: "sharing")
        try store.commitTurn()
        let commit = try Keeper(store: store).turn([], clock: now)
        if case .refused(let failure) = commit.fate { throw failure }
        if case .unknown(let failure) = commit.fate { throw failure }
        store.afterTurn(idle: true, now: now)
    }
}
