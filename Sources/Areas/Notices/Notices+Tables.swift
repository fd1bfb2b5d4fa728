import KinKeeper
import KinStore

extension Notices {
    /// `notice_devices` are phones and programs that ring for a member. Of a topic, which is the credential, only its digest
    /// is kept. `taken` is when the device last came for something.
    ///
    /// `notice_members` counts what a member's devices were told, so that a device says how far it has come; `salt`
    /// goes into the names of notices, so that a name from another database is recognised.
    ///
    /// `notice_rings` has one row for each entry of an inbox that rang, by the number of its last notice (`act`). The
    /// sentence is read from the inbox each time; no part of it is kept here. A test has a row by its device. A notice
    /// that stands for many has a row by its member, under the negative number of the newest of them.
    ///
    /// `notice_answers` has a member's offers: which buttons were shown below an entry (`names`), and whether one was
    /// pressed. Their secrets are stored nowhere (``Offer``).
    ///
    /// `notice_scripts` are programs of the house that may tell a member something, by the digest of their topic.
    /// `notice_messages` is what they told; `script` is what the script was called then.
    ///
    /// `notice_push` is what the family allows of push services, in one row, with its private key (RFC 8292).
    /// `notice_subscriptions` is what a browser gave: its address at the push service, and the keys. `told` is the
    /// number of the newest push that was accepted, `trouble` why none is. `notice_pushes` are the pushes that wait,
    /// until `next_at`; `flight` is the start of the daemon in which it last left; `urgent` is a ``PushQueue/Grade``.
    static let migrations = [
        Migration(
            number: 30, name: "devices that ring", tables: ["notice_devices", "notice_members", "notice_rings"],
            sql: """
                CREATE TABLE notice_devices (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    app TEXT NOT NULL, name TEXT NOT NULL, discreet INTEGER NOT NULL, topic BLOB NOT NULL UNIQUE,
                    made INTEGER NOT NULL, taken INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_devices_by_member ON notice_devices (member, id);
                CREATE TABLE notice_members (
                    member BLOB NOT NULL PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
                    salt BLOB NOT NULL, last INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE notice_rings (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, number INTEGER NOT NULL,
                    entry BLOB NOT NULL, about TEXT NOT NULL, act TEXT NOT NULL, at INTEGER NOT NULL,
                    PRIMARY KEY (member, number)
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX notice_rings_by_entry ON notice_rings (member, entry);
                CREATE INDEX notice_rings_by_about ON notice_rings (about);
                """),
        Migration(
            number: 34, name: "buttons below what rings", tables: ["notice_answers"],
            sql: """
                CREATE TABLE notice_answers (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    entry BLOB NOT NULL, about TEXT NOT NULL, names TEXT NOT NULL, made INTEGER NOT NULL, used INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_answers_by_entry ON notice_answers (member, entry);
                """),
        Migration(
            number: 35, name: "scripts of the house", tables: ["notice_scripts", "notice_messages"],
            sql: """
                CREATE TABLE notice_scripts (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    name TEXT NOT NULL, topic BLOB NOT NULL UNIQUE, made INTEGER NOT NULL, used INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_scripts_by_member ON notice_scripts (member, id);
                CREATE TABLE notice_messages (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    script TEXT NOT NULL, title TEXT, text TEXT NOT NULL, priority INTEGER, tags TEXT, click TEXT,
                    actions TEXT, at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_messages_by_member ON notice_messages (member, id);
                CREATE INDEX notice_messages_by_time ON notice_messages (at);
                """),
        Migration(
            number: 38, name: "browsers that ring",
            tables: ["notice_push", "notice_subscriptions", "notice_pushes"],
            sql: """
                CREATE TABLE notice_push (
                    one INTEGER NOT NULL PRIMARY KEY, is_on INTEGER NOT NULL, contact TEXT, hosts TEXT NOT NULL,
                    key BLOB NOT NULL
                ) STRICT;
                CREATE TABLE notice_subscriptions (
                    device BLOB NOT NULL PRIMARY KEY REFERENCES notice_devices (id) ON DELETE CASCADE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, endpoint TEXT NOT NULL UNIQUE,
                    p256dh BLOB NOT NULL, auth BLOB NOT NULL, page TEXT NOT NULL, told INTEGER NOT NULL, trouble TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_subscriptions_by_member ON notice_subscriptions (member);
                CREATE TABLE notice_pushes (
                    device BLOB NOT NULL REFERENCES notice_devices (id) ON DELETE CASCADE, entry BLOB NOT NULL,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, number INTEGER NOT NULL,
                    since INTEGER NOT NULL, tries INTEGER NOT NULL, next_at INTEGER NOT NULL, flight INTEGER NOT NULL,
                    urgent INTEGER NOT NULL,
                    PRIMARY KEY (device, entry)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX notice_pushes_by_time ON notice_pushes (next_at);
                CREATE INDEX notice_pushes_by_entry ON notice_pushes (member, entry);
                """),
        // `official` is 1 for official entries and 2 for alarms. A device that was away is told of alarms before
        // everything else.
        .part(
            of: 41, tables: ["notice_devices", "notice_rings"],
            sql: """
                ALTER TABLE notice_devices ADD COLUMN only TEXT;
                ALTER TABLE notice_rings ADD COLUMN official INTEGER NOT NULL DEFAULT 0;
                """),
    ]
}
