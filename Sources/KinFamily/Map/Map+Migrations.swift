import KinStore

extension Map {
    /// Numbers 300 to 399.
    ///
    /// `sharing` has a row for each member who ever reported or switched; its `track` is a small number, so that a
    /// million rows of history do not carry a million identifiers. `positions` is its own index: one tree, in the
    /// order in which it is read and pruned. `mark` tells points of one device and moment apart, where the phone
    /// names its messages; else 0.
    static let migrations = [
        Migration(
            number: 3, name: "sharing, positions, latest positions, tracker ids",
            sql: """
                CREATE TABLE sharing (
                    track INTEGER PRIMARY KEY, member BLOB NOT NULL UNIQUE, is_on INTEGER NOT NULL DEFAULT 0,
                    until INTEGER, since INTEGER NOT NULL DEFAULT 0, is_paused INTEGER NOT NULL DEFAULT 0,
                    history_days INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE position_devices (
                    device INTEGER PRIMARY KEY, track INTEGER NOT NULL REFERENCES sharing (track),
                    name TEXT NOT NULL, UNIQUE (track, name)
                ) STRICT;
                CREATE TABLE positions (
                    track INTEGER NOT NULL, at INTEGER NOT NULL, device INTEGER NOT NULL, mark INTEGER NOT NULL,
                    lat REAL NOT NULL, lon REAL NOT NULL, accuracy REAL, altitude REAL, speed REAL, course REAL,
                    battery REAL, PRIMARY KEY (track, at, device, mark)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE latest_positions (
                    member BLOB NOT NULL, shown INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL,
                    at INTEGER NOT NULL, accuracy REAL, altitude REAL, speed REAL, course REAL, battery REAL,
                    PRIMARY KEY (member, shown)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE tracker_ids (
                    member BLOB PRIMARY KEY NOT NULL, tid TEXT NOT NULL UNIQUE
                ) STRICT, WITHOUT ROWID;
                """)
    ]
}
