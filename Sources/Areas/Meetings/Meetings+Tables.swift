import KinKeeper
import KinStore

extension Meetings {
    /// `number` stands for the meeting in the other tables; `past` numbers the meetings that are over or cancelled, in
    /// the order in which they became so, and is NULL before: lists of past meetings page by it. Counts are kept beside
    /// what they count, so that a vote costs the same for three invitees and for five hundred. `invited` holds the
    /// invitees' member numbers, two bytes each, for audiences.
    ///
    /// `meeting_past` has a row for the host and each invitee of a past meeting: a member's list is read from there, and
    /// public meetings from `meetings_public`. `meeting_words` is the full text, by `past`, or by the negative `number`
    /// before that; its column `seers` holds the words `m7` (member number 7) and `everyone`, so that a search looks at
    /// what the member may see and at nothing else.
    static let migrations = [
        Migration(
            number: 6, name: "meetings",
            tables: [
                "meetings", "meeting_slots", "meeting_people", "meeting_votes", "meeting_past", "meeting_clearings",
                "meeting_words",
            ],
            sql: """
                CREATE TABLE meetings (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, title TEXT NOT NULL, kind TEXT NOT NULL,
                    host BLOB NOT NULL, state TEXT NOT NULL, zone TEXT NOT NULL, place TEXT, note TEXT,
                    deadline INTEGER, confirmed BLOB, starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL,
                    past INTEGER UNIQUE, bytes INTEGER NOT NULL, invited BLOB NOT NULL, voted INTEGER NOT NULL DEFAULT 0,
                    refused INTEGER NOT NULL DEFAULT 0, no_reply INTEGER NOT NULL DEFAULT 0,
                    going INTEGER NOT NULL DEFAULT 0, not_going INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX meetings_current ON meetings (host, bytes) WHERE past IS NULL;
                CREATE INDEX meetings_public ON meetings (past) WHERE kind = 'public' AND past IS NOT NULL;
                CREATE INDEX meetings_by_host ON meetings (host);
                CREATE TABLE meeting_slots (
                    id BLOB PRIMARY KEY NOT NULL, meeting INTEGER NOT NULL REFERENCES meetings (number) ON DELETE CASCADE,
                    place INTEGER NOT NULL, starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, suggested_by BLOB,
                    yes INTEGER NOT NULL DEFAULT 0, if_need_be INTEGER NOT NULL DEFAULT 0, no INTEGER NOT NULL DEFAULT 0
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX meeting_slots_by_meeting ON meeting_slots (meeting, place);
                CREATE TABLE meeting_people (
                    meeting INTEGER NOT NULL REFERENCES meetings (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    is_invited INTEGER NOT NULL, reply TEXT NOT NULL DEFAULT 'none', reason TEXT, attendance TEXT,
                    PRIMARY KEY (meeting, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX meeting_people_by_member ON meeting_people (member);
                CREATE TABLE meeting_votes (
                    meeting INTEGER NOT NULL REFERENCES meetings (number) ON DELETE CASCADE, member BLOB NOT NULL,
                    slot BLOB NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (meeting, member, slot)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE meeting_past (
                    member BLOB NOT NULL, past INTEGER NOT NULL, PRIMARY KEY (member, past)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX meeting_past_by_past ON meeting_past (past);
                CREATE TABLE meeting_clearings (
                    member BLOB PRIMARY KEY NOT NULL, through INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE meeting_words USING fts5(
                    title, place, note, seers, tokenize = 'unicode61 remove_diacritics 2'
                );
                """),
        // The room that each member used up by a meeting.
        .part(
            of: 22, tables: ["meetings"],
            sql: """
                ALTER TABLE meetings ADD COLUMN counted_for BLOB;
                UPDATE meetings SET counted_for = host;
                """),
    ]
}
