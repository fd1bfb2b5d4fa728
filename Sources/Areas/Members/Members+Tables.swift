import KinKeeper
import KinStore

extension Members {
    /// The tables of the area. Secrets lie here as SHA-256 of 80 random bits and more, passwords as scrypt hashes.
    static let migrations = [
        Migration(
            number: 1, name: "members",
            tables: [
                "family", "households", "members", "member_numbers", "parents", "partners", "invites", "sessions",
                "known_addresses", "app_passwords", "links",
            ],
            sql: """
                CREATE TABLE family (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    id BLOB NOT NULL,
                    name TEXT NOT NULL,
                    founded_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE households (
                    id BLOB NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    founded_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE members (
                    id BLOB NOT NULL PRIMARY KEY,
                    number INTEGER NOT NULL UNIQUE,
                    username TEXT NOT NULL UNIQUE,
                    display_name TEXT NOT NULL,
                    role TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    household BLOB NOT NULL REFERENCES households (id),
                    picture TEXT,
                    password TEXT NOT NULL,
                    joined_at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX members_by_household ON members (household);
                CREATE TABLE member_numbers (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    last INTEGER NOT NULL
                ) STRICT;
                INSERT INTO member_numbers (one, last) VALUES (1, 0);
                CREATE TABLE parents (
                    child BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    parent BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    PRIMARY KEY (child, parent)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX parents_by_parent ON parents (parent);
                CREATE TABLE partners (
                    one BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    other BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    PRIMARY KEY (one, other)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX partners_by_other ON partners (other);
                CREATE TABLE invites (
                    id BLOB NOT NULL PRIMARY KEY,
                    hash BLOB NOT NULL UNIQUE,
                    household BLOB NOT NULL REFERENCES households (id),
                    role TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    uses INTEGER NOT NULL,
                    used INTEGER NOT NULL DEFAULT 0,
                    inviter BLOB REFERENCES members (id),
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE sessions (
                    id BLOB NOT NULL PRIMARY KEY,
                    hash BLOB NOT NULL UNIQUE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    device TEXT NOT NULL,
                    agent TEXT NOT NULL,
                    address TEXT NOT NULL,
                    opened_at INTEGER NOT NULL,
                    used_at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX sessions_by_member ON sessions (member, used_at);
                CREATE TABLE known_addresses (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    address TEXT NOT NULL,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (member, address)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE app_passwords (
                    id BLOB NOT NULL PRIMARY KEY,
                    hash BLOB NOT NULL UNIQUE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    device TEXT NOT NULL,
                    scope TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    used_at INTEGER
                ) STRICT;
                CREATE INDEX app_passwords_by_member ON app_passwords (member);
                CREATE TABLE links (
                    hash BLOB NOT NULL PRIMARY KEY,
                    kind TEXT NOT NULL CHECK (kind IN ('set-up', 'sign-in')),
                    member BLOB REFERENCES members (id) ON DELETE CASCADE,
                    expires_at INTEGER
                ) STRICT;
                """),
        Migration(
            number: 8, name: "passwords seen in plain text, faces", tables: ["members", "known_addresses", "faces"],
            sql: """
                ALTER TABLE members ADD COLUMN password_exposed_at INTEGER;
                CREATE INDEX known_addresses_by_address ON known_addresses (address);
                CREATE TABLE faces (
                    member BLOB NOT NULL PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
                    jpeg BLOB NOT NULL
                ) STRICT;
                """),
        // The member who made the invite, or added the member; NULL where the machine did, or where it is not known any
        // more.
        Migration(
            number: 15, name: "who brought a member in", tables: ["members"],
            sql: "ALTER TABLE members ADD COLUMN brought_by BLOB;"),
        // A request to move is removed with the member who made it, an admission with the member who gave it. NULL:
        // made at the machine.
        Migration(
            number: 16, name: "who asks to move, which child says it is grown", tables: ["moves", "grown"],
            sql: """
                CREATE TABLE moves (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    household BLOB NOT NULL REFERENCES households (id) ON DELETE CASCADE,
                    is_admitted INTEGER NOT NULL,
                    by BLOB REFERENCES members (id) ON DELETE CASCADE,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (member, household)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX moves_by_household ON moves (household);
                CREATE INDEX moves_by_by ON moves (by);
                CREATE TABLE grown (
                    child BLOB NOT NULL PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
                    asked_at INTEGER NOT NULL,
                    refused_at INTEGER
                ) STRICT, WITHOUT ROWID;
                """),
        // The members who opened an account (``Makers``); NULL for the member. Older accounts are in use, and their
        // ways in are taken for the members' own, because nobody knows any more.
        Migration(
            number: 18, name: "who opened an account, who acts at the machine, neutral letters on the map",
            tables: ["members", "sessions", "links"],
            sql: """
                ALTER TABLE members ADD COLUMN password_set_by BLOB;
                ALTER TABLE members ADD COLUMN first_opened_at INTEGER;
                UPDATE members SET first_opened_at = joined_at;
                ALTER TABLE sessions ADD COLUMN opened_by BLOB;
                ALTER TABLE sessions ADD COLUMN waits_until INTEGER;
                ALTER TABLE sessions ADD COLUMN own_from INTEGER;
                CREATE INDEX sessions_waiting ON sessions (member) WHERE waits_until IS NOT NULL;
                ALTER TABLE links ADD COLUMN made_by BLOB;
                """),
        // Devices by the secret of their last sign-in, in place of addresses, which a whole household has in common.
        Migration(
            number: 21, name: "known devices, shares of a day", tables: ["known_addresses", "known_devices"],
            reading: ["members"],
            sql: """
                DROP TABLE known_addresses;
                CREATE TABLE known_devices (
                    hash BLOB NOT NULL PRIMARY KEY,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    session BLOB NOT NULL,
                    at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX known_devices_by_member ON known_devices (member, at);
                CREATE INDEX known_devices_by_session ON known_devices (session);
                """),
        // Questions to move in that were refused, so that they are not put again at once.
        Migration(
            number: 22, name: "refused questions, homes as they were agreed to, who proposed what",
            tables: ["refused_moves"],
            sql: """
                CREATE TABLE refused_moves (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    household BLOB NOT NULL REFERENCES households (id) ON DELETE CASCADE,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (member, household)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX refused_moves_by_household ON refused_moves (household);
                """),
        // Secrets by which a device takes an app password once.
        Migration(
            number: 57, name: "addresses that set a device up", tables: ["set_up_offers"],
            sql: """
                CREATE TABLE set_up_offers (
                    secret BLOB NOT NULL PRIMARY KEY,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    device TEXT NOT NULL,
                    scope TEXT NOT NULL,
                    expires_at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX set_up_offers_by_member ON set_up_offers (member, expires_at);
                """),
    ]
}
