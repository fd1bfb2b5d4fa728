import KinKeeper
import KinStore

extension Contacts {
    /// `number` stands for the contact in the other tables. `place` is where it stands in a list: its name in plain lower
    /// case. `uid` is what a vCard called it that it came from. `contact_words` is the full text, by `number`.
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
                """)
    ]
}
