import KinKeeper
import KinModel
import KinStore

extension Calendars {
    /// A calendar that exists without being made by anybody gets a row once it has an entry or a setting. Of a right,
    /// `grantee` is a household or a member, and empty for everyone.
    ///
    /// `start` is seconds since 1970 by the clock on the wall; `dates` and `exceptions` are JSON as on the wire.
    /// `first` and `last` are the moments between which the entry lies, widened by a day on both sides for whole days.
    /// `is_long` is 1 for an entry that repeats or lasts longer than a month: these few are looked through, and all
    /// others are found by their beginning. `position` is the position of the log at the last change. `raw` has the
    /// lines of iCalendar for which there is no column. Of people, `occurrence` is empty for what holds for the whole
    /// entry. `entries_gone` has the body for as long as it can be brought back.
    static let migrations = [
        Migration(
            number: 41, name: "calendars",
            tables: [
                "calendars", "calendar_rights", "entries", "entry_people", "entry_stars", "entry_reminders",
                "entries_gone", "entry_categories", "entry_words",
            ],
            sql: """
                CREATE TABLE calendars (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT, color TEXT,
                    owner BLOB
                ) STRICT;
                CREATE INDEX calendars_by_owner ON calendars (owner);
                CREATE TABLE calendar_rights (
                    calendar INTEGER NOT NULL REFERENCES calendars (number) ON DELETE CASCADE, kind TEXT NOT NULL,
                    grantee BLOB NOT NULL, power TEXT NOT NULL, PRIMARY KEY (calendar, kind, grantee)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE entries (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
                    calendar INTEGER NOT NULL REFERENCES calendars (number) ON DELETE CASCADE, owner BLOB NOT NULL,
                    uid TEXT NOT NULL, subject TEXT NOT NULL, note TEXT, category TEXT, status TEXT NOT NULL,
                    privacy TEXT NOT NULL, start INTEGER NOT NULL, zone TEXT, minutes INTEGER, days INTEGER, rule TEXT,
                    dates TEXT, place TEXT, lat REAL, lon REAL, pin BLOB, exceptions TEXT, answers TEXT, meeting BLOB,
                    slot BLOB, sequence INTEGER NOT NULL, made_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
                    position INTEGER NOT NULL, raw TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL,
                    is_long INTEGER NOT NULL, UNIQUE (calendar, uid)
                ) STRICT;
                CREATE INDEX entries_by_first ON entries (first) WHERE is_long = 0;
                CREATE INDEX entries_long ON entries (last) WHERE is_long = 1;
                CREATE INDEX entries_by_owner ON entries (owner);
                CREATE INDEX entries_by_meeting ON entries (meeting) WHERE meeting IS NOT NULL;
                CREATE TABLE entry_people (
                    entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    answer TEXT NOT NULL, note TEXT, PRIMARY KEY (entry, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_people_by_member ON entry_people (member);
                CREATE TABLE entry_stars (
                    entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    PRIMARY KEY (entry, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_stars_by_member ON entry_stars (member);
                CREATE TABLE entry_reminders (
                    entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    minutes INTEGER NOT NULL, PRIMARY KEY (entry, member, minutes)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_reminders_by_member ON entry_reminders (member);
                CREATE TABLE entries_gone (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
                    calendar INTEGER NOT NULL REFERENCES calendars (number) ON DELETE CASCADE, owner BLOB NOT NULL,
                    uid TEXT NOT NULL, remover BLOB, at INTEGER NOT NULL, position INTEGER NOT NULL, body TEXT, raw TEXT
                ) STRICT;
                CREATE INDEX entries_gone_by_time ON entries_gone (at);
                CREATE INDEX entries_gone_by_owner ON entries_gone (owner);
                CREATE TABLE entry_categories (
                    name TEXT PRIMARY KEY NOT NULL, color TEXT, icon TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE entry_words USING fts5(
                    subject, note, place, tokenize = 'unicode61 remove_diacritics 2'
                );
                """),
        // The `calendar` of `calendar_feeds` is the one that is read there; NULL: every entry that the member sees.
        Migration(
            number: 42, name: "addresses of calendars", tables: ["calendar_feeds"],
            sql: """
                CREATE TABLE calendar_feeds (
                    id BLOB PRIMARY KEY, member BLOB NOT NULL, name TEXT NOT NULL, calendar BLOB,
                    secret BLOB NOT NULL UNIQUE, made INTEGER NOT NULL, used INTEGER
                ) STRICT;
                CREATE INDEX calendar_feeds_by_member ON calendar_feeds (member);
                """),
        // `shown_uid` is the UID under which the owner's programs know an entry, if another entry that the owner does
        // not see has its UID. `shelf_names` has the names that a member's programs give to entries, and to calendars
        // where `calendar` is empty. `shelf_traces` has the members who saw an entry in a calendar until `position`. A
        // row without an entry names members whose calendars are to be read anew. A row for nobody says how far the log
        // was at a moment.
        Migration(
            number: 45, name: "calendars as programs keep them", tables: ["entries", "shelf_names", "shelf_traces"],
            sql: """
                ALTER TABLE entries ADD COLUMN shown_uid TEXT;
                CREATE INDEX entries_by_position ON entries (calendar, position);
                CREATE TABLE shelf_names (
                    member BLOB NOT NULL, calendar BLOB NOT NULL, name TEXT NOT NULL, thing BLOB NOT NULL,
                    PRIMARY KEY (member, calendar, name)
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX shelf_names_by_thing ON shelf_names (member, calendar, thing);
                CREATE TABLE shelf_traces (
                    number INTEGER PRIMARY KEY, calendar BLOB NOT NULL, entry BLOB, position INTEGER NOT NULL,
                    audience BLOB NOT NULL, at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX shelf_traces_by_position ON shelf_traces (position);
                """),
        // Entries that may be hidden from readers of a calendar. They are few, and each client that asks for news looks for
        // them.
        Migration(
            number: 49, name: "an index of what is private", tables: ["entries"],
            sql: "CREATE INDEX entries_hidden ON entries (calendar, last) WHERE privacy <> 'public';"),
        // Of `calendar_subscriptions`, `address` is often a secret; `mark` (later `validators`) and `digest` name the state
        // that was read last; `every` is seconds. `calendar_outside` has a row once an admin said anything.
        Migration(
            number: 56, name: "calendars from outside", tables: ["calendar_subscriptions", "calendar_outside"],
            sql: """
                CREATE TABLE calendar_subscriptions (
                    calendar INTEGER PRIMARY KEY REFERENCES calendars (number) ON DELETE CASCADE,
                    address TEXT NOT NULL, mark TEXT, digest BLOB, every INTEGER NOT NULL, next_at INTEGER NOT NULL,
                    asked INTEGER, refreshed INTEGER, tries INTEGER NOT NULL, failing INTEGER, trouble TEXT,
                    is_told INTEGER NOT NULL, left_out INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX calendar_subscriptions_by_next ON calendar_subscriptions (next_at);
                CREATE TABLE calendar_outside (is_on INTEGER NOT NULL) STRICT;
                """),
        Migration(
            number: 58, name: "the bounds of rules, reckoned anew", tables: ["due"],
            sql: "INSERT INTO due (at, kind, about) VALUES (0, 'entries.measure', 'entries');"),
        // The bounds are stored moments; a day is left on either side, so that they hold when a zone's rules change.
        Migration(
            number: 60, name: "bounds that outlive a zone's rules", tables: ["entries"],
            sql: """
                UPDATE entries SET first = first - 86400000 WHERE zone IS NOT NULL;
                UPDATE entries SET last = last + 86400000 WHERE zone IS NOT NULL AND last < 253402214399999;
                UPDATE entries SET is_long = 1 WHERE is_long = 0 AND last - first > 2851200000;
                """),
        // The `text` of `entry_alarms` has the alarms of a member's programs, as they wrote them. `imports` has the
        // files whose import is not finished. One that is not `is_whole` was cut off, and nothing of it was imported.
        Migration(
            number: 62, name: "what rings of an entry, for whom", tables: ["entry_alarms", "imports", "import_parts"],
            sql: """
                CREATE TABLE entry_alarms (
                    entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    text TEXT NOT NULL, PRIMARY KEY (entry, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_alarms_by_member ON entry_alarms (member);
                CREATE TABLE imports (
                    number INTEGER PRIMARY KEY, member BLOB NOT NULL, calendar BLOB NOT NULL,
                    is_whole INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE import_parts (
                    import INTEGER NOT NULL REFERENCES imports (number) ON DELETE CASCADE, part INTEGER NOT NULL,
                    bytes BLOB NOT NULL, PRIMARY KEY (import, part)
                ) STRICT;
                """),
        // The audience of an entry, among the readers of its calendar; NULL: all of them (`EntryAudience`).
        Migration(
            number: 77, name: "for whom an entry is", tables: ["entries", "entries_gone"],
            sql: """
                ALTER TABLE entries ADD COLUMN audience TEXT;
                ALTER TABLE entries ADD COLUMN audience_ids TEXT;
                ALTER TABLE entries_gone ADD COLUMN audience TEXT;
                ALTER TABLE entries_gone ADD COLUMN audience_ids TEXT;
                CREATE INDEX entries_of_households ON entries (number) WHERE audience = 'household';
                """),
        // In `entry_touched`, `position` is the position of the log when an entry changed for one member alone: by that
        // member's alarms, or by places that the member sees. The other tables find entries by the places that they
        // name.
        Migration(
            number: 78, name: "what one member alone is told of entries", tables: ["entries", "entry_touched"],
            sql: """
                CREATE TABLE entry_touched (
                    entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    position INTEGER NOT NULL, PRIMARY KEY (entry, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX entry_touched_by_member ON entry_touched (member, position);
                CREATE INDEX entries_by_pin ON entries (pin) WHERE pin IS NOT NULL;
                CREATE INDEX entries_with_placed_days ON entries (id) WHERE instr(exceptions, '"place":{') > 0;
                """),
        // The validators of HTTP are not the marks that clients keep (`live.mark`).
        Migration(
            number: 81, name: "validators of calendars from outside", tables: ["calendar_subscriptions"],
            sql: "ALTER TABLE calendar_subscriptions RENAME COLUMN mark TO validators;"),
        changesMigration, remindersMigration,
        // The place of an entry on the map gets the name that it has on the wire, also in entries in the bin. Text that
        // somebody wrote cannot be taken for a key: its quotation marks are escaped.
        Migration(
            number: 96, name: "the map's place of an entry", tables: ["entries", "entries_gone", "entry_changes"],
            sql: """
                DROP INDEX entries_by_pin;
                ALTER TABLE entries RENAME COLUMN pin TO map_place;
                CREATE INDEX entries_by_map_place ON entries (map_place) WHERE map_place IS NOT NULL;
                UPDATE entries SET exceptions = replace(exceptions, '"place":"', '"mapPlace":"')
                WHERE instr(exceptions, '"place":"') > 0;
                UPDATE entries_gone SET body = replace(body, '"place":"', '"mapPlace":"')
                WHERE instr(body, '"place":"') > 0;
                """),
        .retelling(
            number: 98, name: "the map's place of an entry in the log", type: "entry.*",
            field: (former: "place", now: "mapPlace")),
        KeptDays.migration,
    ]
}
