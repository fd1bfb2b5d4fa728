import KinKeeper
import KinStore

extension Places {
    /// `place_sight` is who sees a place: the audience of its events, so that gain and loss of sight are found by
    /// comparison, whatever the cause. `place_index` holds the boxes around circles. They are wide enough that a point
    /// outside says nothing about arriving. A circle across the antimeridian has two, `2 × number` and the one after.
    /// `stays` is what is known about a member and a place; a missing row means outside.
    static let migrations = [
        Migration(
            number: 10, name: "places, stays, points kept apart",
            tables: ["places", "place_members", "place_sight", "place_index", "stays", "place_rules"],
            sql: """
                CREATE TABLE places (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL,
                    icon TEXT, lat REAL NOT NULL, lon REAL NOT NULL, radius REAL, owner BLOB NOT NULL,
                    home_of BLOB UNIQUE, note TEXT, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE TABLE place_members (
                    place INTEGER NOT NULL REFERENCES places (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    PRIMARY KEY (place, member)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE place_sight (
                    member BLOB NOT NULL, place INTEGER NOT NULL REFERENCES places (number) ON DELETE CASCADE,
                    PRIMARY KEY (member, place)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX place_sight_place ON place_sight (place);
                CREATE VIRTUAL TABLE place_index USING rtree (entry, south, north, west, east);
                CREATE TABLE stays (
                    member BLOB NOT NULL, place INTEGER NOT NULL REFERENCES places (number) ON DELETE CASCADE,
                    phase INTEGER NOT NULL, since INTEGER, score REAL NOT NULL, start INTEGER, last INTEGER,
                    PRIMARY KEY (member, place)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX stays_place ON stays (place);
                CREATE TABLE place_rules (
                    id BLOB PRIMARY KEY NOT NULL, owner BLOB NOT NULL, who BLOB,
                    place INTEGER REFERENCES places (number) ON DELETE CASCADE, moment TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX place_rules_owner ON place_rules (owner);
                CREATE INDEX place_rules_place ON place_rules (place);
                """),
        agreementMigration,
        // The member whose home a place was when somebody agreed to be seen there, as far as that can be found out for
        // older agreements.
        .part(
            of: 22, tables: ["place_agreements"], reading: ["places"],
            sql: """
                ALTER TABLE place_agreements ADD COLUMN home_of BLOB;
                UPDATE place_agreements SET home_of = (SELECT home_of FROM places p WHERE p.number = place)
                WHERE state = 1;
                """),
    ]

    /// `place_agreements` is each member's answer about a place (see ``PlaceAgreements``), with the circle that was
    /// agreed to. When the circle has changed, the answer does not count.
    private static let agreementMigration = Migration(
        number: 19, name: "places agreed to, what digests sum up, own rows of the log", tables: ["place_agreements"],
        sql: """
            CREATE TABLE place_agreements (
                track INTEGER NOT NULL REFERENCES sharing (track) ON DELETE CASCADE,
                place INTEGER NOT NULL REFERENCES places (number) ON DELETE CASCADE, state INTEGER NOT NULL,
                lat REAL, lon REAL, radius REAL, until INTEGER, PRIMARY KEY (track, place)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX place_agreements_place ON place_agreements (place);
            """)
}
