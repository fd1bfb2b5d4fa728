extension Migration {
    /// The tables that find a member's own rows of the log, and what retention has removed of them. Older files get
    /// them by a migration, so every statement may run twice.
    ///
    /// `log_floors` has each member's newest own row that retention removed: a replay after it is complete for that
    /// member, whatever else left the log. Member 0 stands for everybody: for rows that were removed before this table
    /// existed.
    public static let ownRows = """
        CREATE INDEX IF NOT EXISTS log_by_audience ON log (audience);
        CREATE INDEX IF NOT EXISTS audience_members_by_member ON audience_members (member);
        CREATE TABLE IF NOT EXISTS log_floors (member INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;
        INSERT OR IGNORE INTO log_floors (member, position) SELECT 0, first_kept FROM log_state;
        """

    /// The tables that this SQL makes or changes.
    package static let ownRowTables: Set<String> = ["log", "audience_members", "log_floors"]

    /// The store's own tables.
    package static let storeTables: Set<String> = [
        "migrations", "epochs", "audiences", "audience_members", "log_state", "log", "log_floors", "ops", "due",
    ]

    /// The store's own tables: number 0, before every area's.
    static let store = Migration(
        number: 0, name: "log, epochs, audiences, ops, due", tables: storeTables,
        sql: """
            CREATE TABLE migrations (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE epochs (
                id INTEGER NOT NULL UNIQUE, key BLOB NOT NULL, first INTEGER NOT NULL, at INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE audiences (
                id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE
            ) STRICT;
            CREATE TABLE audience_members (
                audience INTEGER NOT NULL REFERENCES audiences (id) ON DELETE CASCADE, member INTEGER NOT NULL,
                PRIMARY KEY (audience, member)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE log_state (
                one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL, first_kept INTEGER NOT NULL,
                latest INTEGER NOT NULL, bytes INTEGER NOT NULL
            ) STRICT;
            INSERT INTO log_state (one, position, first_kept, latest, bytes) VALUES (1, 0, 0, 0, 0);
            CREATE TABLE log (
                position INTEGER PRIMARY KEY, audience INTEGER NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
                by BLOB, about TEXT NOT NULL, key TEXT, salt INTEGER NOT NULL, payload BLOB NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX log_key ON log (key) WHERE key IS NOT NULL;
            CREATE INDEX log_about ON log (about);
            CREATE TABLE ops (
                id INTEGER PRIMARY KEY, scope TEXT NOT NULL, op TEXT NOT NULL, method TEXT NOT NULL,
                digest BLOB NOT NULL, ids BLOB NOT NULL, at INTEGER NOT NULL, UNIQUE (scope, op)
            ) STRICT;
            CREATE TABLE due (
                kind TEXT NOT NULL, about TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, about)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX due_at ON due (at);
            """ + ownRows)
}
