import KinKeeper
import KinStore

extension Contacts {
    /// `number` stands for the contact in the other tables. `place` is its place in a list: its name in plain lower
    /// case. `uid` is the UID of the vCard that it came from. `contact_words` is the full text, by `number`. `changed`
    /// is the number of its last change, `written` the number of the change by which a client wrote its card.
    /// `contacts_gone` has the names of removed contacts. Before migration 65 a day of birth stood in the card alone.
    /// `contact_imports` has the files that are taken in, until all of them is; one that is not `is_whole` was cut off,
    /// and nothing of it was taken. `member` is NULL where the machine gave it.
    static let migrations = [
        Migration(
            number: 25, name: "contacts", tables: ["contacts", "contact_ways", "contact_words"],
            sql: """
                CREATE TABLE contacts (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, uid TEXT UNIQUE, place TEXT NOT NULL,
                    category TEXT, company TEXT, title TEXT, first_name TEXT, last_name TEXT, note TEXT,
                    bytes INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX contacts_by_place ON contacts (place, id);
                CREATE TABLE contact_ways (
                    contact INTEGER NOT NULL REFERENCES contacts (number) ON DELETE CASCADE, kind TEXT NOT NULL,
                    place INTEGER NOT NULL, value TEXT NOT NULL, label TEXT, PRIMARY KEY (contact, kind, place)
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE contact_words USING fts5(
                    words, tokenize = 'unicode61 remove_diacritics 2'
                );
                """),
        Migration(
            number: 37, name: "cards of contacts",
            tables: ["contacts", "contact_book", "contact_cards", "contacts_gone"],
            sql: """
                ALTER TABLE contacts ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
                UPDATE contacts SET changed = number;
                CREATE INDEX contacts_by_change ON contacts (changed);
                CREATE TABLE contact_book (
                    one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL, changes INTEGER NOT NULL,
                    forgotten INTEGER NOT NULL
                ) STRICT;
                INSERT INTO contact_book SELECT 1, '0', coalesce(max(number), 0), 0 FROM contacts;
                CREATE TABLE contact_cards (
                    contact INTEGER PRIMARY KEY REFERENCES contacts (number) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE,
                    written INTEGER NOT NULL, bytes INTEGER NOT NULL, card BLOB NOT NULL
                ) STRICT;
                CREATE INDEX contact_cards_by_bytes ON contact_cards (bytes);
                CREATE TABLE contacts_gone (
                    changed INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX contacts_gone_by_name ON contacts_gone (name);
                CREATE INDEX contacts_gone_by_time ON contacts_gone (at);
                """),
        Migration(
            number: 65, name: "birthdays of contacts", tables: ["contacts"], reading: ["contact_cards"],
            sql: "ALTER TABLE contacts ADD COLUMN birthday TEXT;",
            step: { (database) throws(StoreFailure) in try ContactBirthdays.takeFromCards(database) }),
        Migration(
            number: 83, name: "files of contacts on their way", tables: ["contact_imports", "contact_import_parts"],
            sql: """
                CREATE TABLE contact_imports (
                    number INTEGER PRIMARY KEY, member BLOB, is_whole INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE contact_import_parts (
                    import INTEGER NOT NULL REFERENCES contact_imports (number) ON DELETE CASCADE, part INTEGER NOT NULL,
                    bytes BLOB NOT NULL, PRIMARY KEY (import, part)
                ) STRICT;
                """),
    ]
}
