public import KinModel
public import KinStore

extension Keeper {
    /// What a restored family begins with: no sessions, no app passwords, no links, sharing off for everybody.
    public static func afterRestore(directory: String, now: Instant) throws(StoreFailure) {
        let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
        try store.beginTurn()
        for table in ["sessions", "app_passwords", "links"] { try store.database.run("DELETE FROM \(table)") }
        try store.database.run("UPDATE sharing SET is_on = 0, until = NULL, is_paused = 1 WHERE is_on = 1")
        try store.commitTurn()
        store.afterTurn(idle: true, now: now)
    }
}
