import KinKeeper
import KinStore

extension Map {
    /// `sharing` has a row for each member who ever reported or switched. Its `track` is a small number, so that a
    /// million rows of history need not hold a million identifiers. `positions` is its own index: one tree, in the
    /// order in which it is read and pruned. `mark` (later `digest`) tells points of one device and moment apart, where
    /// the phone names its messages; otherwise it is 0.
    static let migrations = [
        Migration(
            number: 3, name: "sharing, positions, latest positions, tracker ids",
            tables: ["sharing", "position_devices", "positions", "latest_positions", "tracker_ids"],
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
                """),
        .part(
            of: 7, tables: ["sharing"], sql: "ALTER TABLE sharing ADD COLUMN is_silent INTEGER NOT NULL DEFAULT 0;"),
        .part(
            of: 10, tables: ["positions", "doubted_points"],
            sql: """
                ALTER TABLE positions ADD COLUMN quality INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE doubted_points (
                    track INTEGER PRIMARY KEY, lat REAL NOT NULL, lon REAL NOT NULL, at INTEGER NOT NULL,
                    accuracy REAL, count INTEGER NOT NULL
                ) STRICT;
                """),
        sightMigration,
        // A position says whether the member is on the way; the last four columns are where the present rest began.
        // A phone goes with the app password by which it comes.
        Migration(
            number: 12, name: "phones, their commands and transitions, questions; motion",
            tables: ["latest_positions", "phones", "phone_commands", "phone_transitions", "position_asks"],
            sql: """
                ALTER TABLE latest_positions ADD COLUMN charging INTEGER;
                ALTER TABLE latest_positions ADD COLUMN moving INTEGER;
                ALTER TABLE latest_positions ADD COLUMN since INTEGER;
                ALTER TABLE latest_positions ADD COLUMN rest_lat REAL;
                ALTER TABLE latest_positions ADD COLUMN rest_lon REAL;
                ALTER TABLE latest_positions ADD COLUMN rest_accuracy REAL;
                ALTER TABLE latest_positions ADD COLUMN rest_at INTEGER;
                CREATE TABLE phones (
                    id BLOB PRIMARY KEY NOT NULL, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    app TEXT NOT NULL, name TEXT NOT NULL,
                    app_password BLOB REFERENCES app_passwords (id) ON DELETE CASCADE,
                    since INTEGER NOT NULL, contact INTEGER NOT NULL, place INTEGER, battery REAL, charging INTEGER,
                    troubles TEXT NOT NULL, takes_commands INTEGER, regions INTEGER, UNIQUE (member, app, name)
                ) STRICT;
                CREATE INDEX phones_by_app_password ON phones (app_password);
                CREATE TABLE phone_commands (
                    phone BLOB NOT NULL REFERENCES phones (id) ON DELETE CASCADE, key TEXT NOT NULL,
                    message TEXT NOT NULL, added INTEGER NOT NULL, post INTEGER, PRIMARY KEY (phone, key)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE phone_transitions (
                    phone BLOB NOT NULL REFERENCES phones (id) ON DELETE CASCADE, at INTEGER NOT NULL,
                    mark INTEGER NOT NULL, entering INTEGER NOT NULL, name TEXT, region TEXT, lat REAL, lon REAL,
                    accuracy REAL, PRIMARY KEY (phone, at, mark)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE position_asks (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    asker BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    at INTEGER NOT NULL, PRIMARY KEY (member, asker)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX position_asks_by_asker ON position_asks (asker);
                """),
        // The places that each phone with OwnTracks has (see `Waypoints`); those that are known are told once.
        Migration(
            number: 13, name: "places on phones", tables: ["phones", "phone_waypoints", "phone_commands"],
            sql: """
                ALTER TABLE phones ADD COLUMN waypoints INTEGER NOT NULL DEFAULT 1;
                CREATE TABLE phone_waypoints (
                    phone BLOB NOT NULL REFERENCES phones (id) ON DELETE CASCADE, place BLOB NOT NULL,
                    tst INTEGER NOT NULL, sent INTEGER, said INTEGER, PRIMARY KEY (phone, place), UNIQUE (phone, tst)
                ) STRICT, WITHOUT ROWID;
                INSERT OR IGNORE INTO phone_commands (phone, key, message, added)
                SELECT id, 'waypoints', 'null', contact FROM phones WHERE app = 'owntracks';
                """),
        cellMigration,
        groupMigration,
        .part(
            of: 18, tables: ["neutral_tracker_ids"],
            sql: """
                CREATE TABLE neutral_tracker_ids (
                    member BLOB NOT NULL PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE, tid TEXT NOT NULL UNIQUE
                ) STRICT, WITHOUT ROWID;
                """),
        // Agreements from before this table existed are asked about in the first turn.
        .part(
            of: 19, tables: ["due"], reading: ["sharing"],
            sql: """
                INSERT INTO due (kind, about, at)
                SELECT '\(PlaceAgreements.upgradeDue)', 'places', 0 WHERE EXISTS (SELECT 1 FROM sharing);
                """),
        countMigration, digestMigration, linkMigration,
        MapSource.migration, coarseMigration,
    ]

    /// The coarse position stands beside the others of ``LatestPositions``, and is called as they are. So the table of
    /// migration 11, `coarse_dots`, is made anew.
    private static let coarseMigration = Migration(
        number: 80, name: "latest coarse positions, by that name", tables: ["coarse_dots", "latest_coarse_positions"],
        sql: """
            CREATE TABLE latest_coarse_positions (
                member BLOB PRIMARY KEY NOT NULL, cell_row INTEGER NOT NULL, cell_column INTEGER NOT NULL,
                at INTEGER NOT NULL, away_since INTEGER
            ) STRICT, WITHOUT ROWID;
            INSERT INTO latest_coarse_positions (member, cell_row, cell_column, at, away_since)
            SELECT member, cell_row, cell_column, at, away_since FROM coarse_dots;
            DROP TABLE coarse_dots;
            """)

    /// The name that a guest link gives its member, and the places that it tells.
    private static let linkMigration = Migration(
        number: 31, name: "names on guest links", tables: ["guest_links", "guest_link_places"],
        sql: """
            ALTER TABLE guest_links ADD COLUMN name TEXT;
            CREATE TABLE guest_link_places (
                link BLOB NOT NULL REFERENCES guest_links (id) ON DELETE CASCADE,
                place INTEGER NOT NULL REFERENCES places (number) ON DELETE CASCADE, PRIMARY KEY (link, place)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX guest_link_places_by_place ON guest_link_places (place);
            """)

    /// The number of points, for the family's sums. Triggers count rows as they come and go, whatever the statement.
    /// (Measured: 0.4 µs for each row that comes, 0.8 µs for each that goes.)
    private static let countMigration = Migration(
        number: 23, name: "how many points there are", tables: ["point_count", "positions"],
        sql: """
            CREATE TABLE point_count (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL) STRICT;
            INSERT INTO point_count (one, count) SELECT 1, count(*) FROM positions;
            CREATE TRIGGER point_added AFTER INSERT ON positions
            BEGIN UPDATE point_count SET count = count + 1; END;
            CREATE TRIGGER point_removed AFTER DELETE ON positions
            BEGIN UPDATE point_count SET count = count - 1; END;
            """)

    /// The number that tells points of one moment apart is no mark like those that clients keep (`live.mark`), so the
    /// column is renamed.
    private static let digestMigration = Migration(
        number: 29, name: "digests of what phones call their messages", tables: ["positions", "phone_transitions"],
        sql: """
            ALTER TABLE positions RENAME COLUMN mark TO digest;
            ALTER TABLE phone_transitions RENAME COLUMN mark TO digest;
            """)

    /// A rule for a group applies to the members who were in it (see `SharingGroups`). Rules from before are asked
    /// about in the first turn, which knows the time.
    private static let groupMigration = Migration(
        number: 17, name: "whom of a group a rule is for, and holds that are to be confirmed",
        tables: ["sharing_groups", "sharing", "due"],
        sql: """
            CREATE TABLE sharing_groups (
                track INTEGER NOT NULL REFERENCES sharing (track), kind INTEGER NOT NULL, agreed BLOB NOT NULL,
                declined BLOB NOT NULL, unconfirmed BLOB NOT NULL, until INTEGER, PRIMARY KEY (track, kind)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE sharing ADD COLUMN asked BLOB;
            ALTER TABLE sharing ADD COLUMN held_until INTEGER;
            ALTER TABLE sharing ADD COLUMN waits_for_parent INTEGER NOT NULL DEFAULT 0;
            INSERT INTO due (at, kind, about) SELECT 0, 'sharing.upgrade', 'sharing' WHERE EXISTS (SELECT 1 FROM sharing);
            """)

    /// Cells decide what moves coarse positions (see `CellJudge`). A member who loses sight of one is told so by a row
    /// of its own.
    private static let cellMigration = Migration(
        number: 14, name: "cells judged apart from points", tables: ["cell_judges", "sharing_versions"],
        reading: ["latest_positions", "sharing", "positions"],
        sql: """
            CREATE TABLE cell_judges (
                member BLOB PRIMARY KEY NOT NULL, cell_row INTEGER NOT NULL, cell_column INTEGER NOT NULL,
                at INTEGER NOT NULL, device INTEGER, doubted_row INTEGER, doubted_column INTEGER,
                doubted_at INTEGER, doubted_device INTEGER, doubted_count INTEGER, shown_at INTEGER
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE sharing_versions ADD COLUMN hidden_cells BLOB;
            """, step: CellJudge.begin)

    /// The history of sharing. A row of `sharing_versions` is the result of a member's rules from a moment on. A point
    /// names the version at its own time and, where that is another, the version when it arrived. It names them only
    /// while somebody may look at the history, so most points name none.
    private static let sightMigration = Migration(
        number: 11, name: "rules of sharing, what they came to, coarse dots, who looked, guest links",
        tables: [
            "sharing", "sharing_rules", "sharing_versions", "positions", "coarse_dots", "stopovers", "coarse_positions",
            "looks", "guest_links",
        ],
        sql: """
            ALTER TABLE sharing ADD COLUMN has_rules INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sharing ADD COLUMN version INTEGER;
            ALTER TABLE sharing ADD COLUMN holder BLOB;
            CREATE TABLE sharing_rules (
                track INTEGER NOT NULL REFERENCES sharing (track), kind INTEGER NOT NULL, viewer BLOB NOT NULL,
                precision TEXT NOT NULL, until INTEGER, shows_history INTEGER NOT NULL,
                PRIMARY KEY (track, kind, viewer)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE sharing_versions (
                version INTEGER PRIMARY KEY AUTOINCREMENT, track INTEGER NOT NULL REFERENCES sharing (track),
                since INTEGER NOT NULL, viewers BLOB NOT NULL, hidden BLOB
            ) STRICT;
            CREATE INDEX sharing_versions_by_track ON sharing_versions (track, version);
            ALTER TABLE positions ADD COLUMN version INTEGER;
            ALTER TABLE positions ADD COLUMN taken INTEGER;
            CREATE TABLE coarse_dots (
                member BLOB PRIMARY KEY NOT NULL, cell_row INTEGER NOT NULL, cell_column INTEGER NOT NULL,
                at INTEGER NOT NULL, away_since INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE stopovers (
                member BLOB PRIMARY KEY NOT NULL, name TEXT, seers BLOB NOT NULL, is_home INTEGER, at INTEGER NOT NULL,
                partings INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE coarse_positions (
                track INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, cell_row INTEGER NOT NULL,
                cell_column INTEGER NOT NULL, version INTEGER NOT NULL, taken INTEGER,
                PRIMARY KEY (track, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX coarse_positions_by_time ON coarse_positions (track, at);
            CREATE TABLE looks (
                track INTEGER NOT NULL REFERENCES sharing (track), number INTEGER NOT NULL, viewer BLOB,
                link BLOB, how TEXT NOT NULL, at_machine INTEGER NOT NULL, day INTEGER NOT NULL,
                first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, count INTEGER NOT NULL, from_at INTEGER,
                to_at INTEGER, PRIMARY KEY (track, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX looks_by_day ON looks (track, day);
            CREATE TABLE guest_links (
                id BLOB PRIMARY KEY NOT NULL, track INTEGER NOT NULL REFERENCES sharing (track),
                secret BLOB NOT NULL UNIQUE, precision TEXT NOT NULL, until INTEGER NOT NULL, made_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX guest_links_by_track ON guest_links (track);
            """)
}
