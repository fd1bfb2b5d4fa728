public import KinModel
public import KinStore

extension Keeper {
    /// What a restored family begins with: no sessions, no app passwords, no links, sharing off for everybody.
    public static func afterRestore(directory: String, now: Instant) throws(StoreFailure) {
        let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
        try store.beginTurn()
        for table in ["sessions", "app_passwords", "links", "invites"] {
            try store.database.run("DELETE FROM \(table)")
        }
        // By the area itself, so that what the log holds for others goes too; before all else that is due.
        try store.due.add(at: Instant(milliseconds: 0), kind: Consent.pauseDue, about: "sharing")
        try store.commitTurn()
        let commit = try Keeper(store: store).turn([], clock: now)
        if case .refused(let failure) = commit.fate { throw failure }
        if case .unknown(let failure) = commit.fate { throw failure }
        store.afterTurn(idle: true, now: now)
    }
}
