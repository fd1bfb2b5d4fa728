import KinKeeper
import KinStore

extension Activity {
    /// `announcements` are stored once for everybody. A member has a watermark (`seen`: the last one that the member
    /// has read, or that was told before the member joined) and the few that were dismissed. `seq` is the log's
    /// position, so it is never used twice; announcements from before there were inboxes have none. `author` stays when
    /// an announcement is handed over to another member.
    ///
    /// `said_to` has the members who were told when something was said. `addressed` has those whom its author named;
    /// none means the family. `by` is empty when the author has left.
    ///
    /// `quiet_days` are days of the week, from 1 for Monday; none: every day. `still` and `sound_from` are members; of the
    /// latter none: everybody.
    ///
    /// `announcement_numbers` and `saying_numbers` give each announcement and each saying a number, by which a search
    /// finds it (``Searched/sql(numbers:of:columns:)``).
    ///
    /// `state` of an entry: see ``EntryState``.
    static let migrations = [
        Migration(
            number: 2, name: "announcements", tables: ["announcements"],
            sql: """
                CREATE TABLE announcements (
                    id BLOB PRIMARY KEY, by BLOB, at INTEGER NOT NULL, text TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX announcements_by ON announcements (by);
                """),
        Migration(
            number: 7, name: "inboxes, silent phones",
            tables: ["announcements", "inbox_members", "inbox", "inbox_lines", "inbox_dismissed"],
            reading: ["members"],
            sql: """
                ALTER TABLE announcements ADD COLUMN seq INTEGER;
                ALTER TABLE announcements ADD COLUMN author BLOB;
                DROP INDEX announcements_by;
                CREATE INDEX announcements_by_seq ON announcements (seq);
                CREATE TABLE inbox_members (
                    member BLOB NOT NULL PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
                    joined INTEGER NOT NULL, seen INTEGER NOT NULL, muted TEXT NOT NULL DEFAULT '',
                    quiet_from INTEGER, quiet_to INTEGER, quiet_zone TEXT
                ) STRICT, WITHOUT ROWID;
                INSERT INTO inbox_members (member, joined, seen) SELECT id, 0, 0 FROM members;
                CREATE TABLE inbox (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    about TEXT NOT NULL, official INTEGER NOT NULL, state INTEGER NOT NULL, at INTEGER NOT NULL,
                    title TEXT, more INTEGER NOT NULL DEFAULT 0
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX inbox_by_member ON inbox (member, at, id);
                CREATE INDEX inbox_unread ON inbox (member, at, id) WHERE state = 0;
                CREATE INDEX inbox_held ON inbox (member) WHERE state = 1;
                CREATE INDEX inbox_by_about ON inbox (about, member);
                CREATE TABLE inbox_lines (
                    entry BLOB NOT NULL REFERENCES inbox (id) ON DELETE CASCADE, number INTEGER NOT NULL,
                    kind TEXT NOT NULL, at INTEGER NOT NULL, by BLOB, count INTEGER NOT NULL, word TEXT, name TEXT,
                    time INTEGER, PRIMARY KEY (entry, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE inbox_dismissed (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    announcement BLOB NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
                    PRIMARY KEY (member, announcement)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX inbox_dismissed_by_announcement ON inbox_dismissed (announcement);
                """),
        .part(
            of: 18, tables: ["inbox_lines"],
            sql: "ALTER TABLE inbox_lines ADD COLUMN at_machine INTEGER NOT NULL DEFAULT 0;"),
        // An inbox's entry knows the digest that sums it up.
        .part(
            of: 19, tables: ["inbox"],
            sql: """
                ALTER TABLE inbox ADD COLUMN digest BLOB;
                CREATE INDEX inbox_by_digest ON inbox (digest) WHERE digest IS NOT NULL;
                """),
        Migration(
            number: 28, name: "sayings", tables: ["announcements", "sayings", "said_to"],
            sql: """
                ALTER TABLE announcements ADD COLUMN corrected INTEGER;
                CREATE TABLE sayings (
                    id BLOB NOT NULL PRIMARY KEY, by BLOB, at INTEGER NOT NULL, text TEXT NOT NULL,
                    corrected INTEGER, addressed TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX sayings_by_author ON sayings (by, id);
                CREATE TABLE said_to (
                    saying BLOB NOT NULL REFERENCES sayings (id) ON DELETE CASCADE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, PRIMARY KEY (saying, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX said_to_by_member ON said_to (member);
                """),
        Migration(
            number: 43, name: "rules of what rings, whom alarms reach", tables: ["inbox_members"],
            sql: """
                ALTER TABLE inbox_members ADD COLUMN quiet_days TEXT;
                ALTER TABLE inbox_members ADD COLUMN still TEXT NOT NULL DEFAULT '';
                ALTER TABLE inbox_members ADD COLUMN sound_from TEXT;
                """),
        Migration(
            number: 51, name: "rules of single devices", tables: ["inbox_devices"],
            sql: """
                CREATE TABLE inbox_devices (
                    device BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    muted TEXT NOT NULL, quiet_from INTEGER, quiet_to INTEGER, quiet_zone TEXT, quiet_days TEXT,
                    still TEXT NOT NULL, sound_from TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX inbox_devices_by_member ON inbox_devices (member);
                """),
        // Kinds that ring for the member although they only wait for others.
        .part(
            of: 75, tables: ["inbox_members"],
            sql: "ALTER TABLE inbox_members ADD COLUMN ringing TEXT NOT NULL DEFAULT '';"),
        Migration(
            number: 84, name: "numbers of what is said, to be searched",
            tables: ["announcements", "announcement_numbers", "sayings", "saying_numbers", "due"],
            sql: [
                Searched.sql(
                    numbers: "announcement_numbers", of: "announcements", columns: ["at", "author", "text"]),
                Searched.sql(numbers: "saying_numbers", of: "sayings", columns: ["at", "by", "text"]),
                Searched.sql(takingIn: "announcement"), Searched.sql(takingIn: "saying"),
            ].joined(separator: "\n")),
    ]
}

/// The state of an entry. The numbers are the database's.
enum EntryState: Int64 {
    /// In the inbox.
    case unread = 0
    /// Came in quiet hours: in nobody's sight until they end.
    case held = 1
    /// Read by the member, or summed up by a digest: still listed.
    case read = 2
    /// Listed no more; its text is gone.
    case dismissed = 3
}
