package import KinKeeper
import KinModel
import KinStore

/// Lists of things to buy, to do or to pack, which several members edit at once, also without network. The rules stand
/// in the documentation's page Lists.
package enum Lists {
    /// Items that one member may remove in a day without that they were there.
    static let unseenRemovals = Quota("unseenRemovals")

    package static let area = Area(
        "Lists", view: "lists",
        tables: [
            Table("lists"), Table("list_named"), Table("list_sight"),
            Table("list_items", dated: ["ticked_at", "removed_at", "said_at"]), Table("list_stamps", dated: ["at"]),
            Table("list_ticks", dated: ["at"]), Table("list_todos"), Table("list_readers"), Table("list_names"),
            Table("list_ties"), Table("list_asked", dated: ["told_at"]),
        ],
        migrations: migrations,
        methods: [
            add, update, remove, list, show, notify, put, removeItems, suggest, shelves, named, todos,
            putTodo, dropTodo, makeShelf, setShelf, dropShelf,
        ],
        events: [
            SharedList.added, SharedList.changed, SharedList.shown, SharedList.hidden, SharedList.removed, ListItem.put,
            ListItem.removed, SharedList.tied,
        ],
        told: [
            Meal.removed.name: { (act, told) throws(Rejection) in try untie(told.about, act) }
        ],
        shared: [shared], inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "list": { (act, list, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM list_sight s WHERE s.list = l.number AND s.member = ?2)
                    FROM lists l WHERE l.id = ?1
                    """, .id(list), .id(member.id)
                ) { row in row.bool(0) }
            }
        ],
        quotas: [unseenRemovals], hooks: Area.Hooks(listing: listing),
        life: Area.Life(
            inherit: { (act, from, to) throws(Rejection) in
                try inherit(act, from, to)
                try leaveTurns(from, act)
            },
            deleteOwned: { (act, member) throws(Rejection) in
                let leaving = try act.roster.only(member)
                for list in try StoredList.owned(by: member, act) { try list.remove(except: leaving, act) }
                try leaveTurns(member, act)
            },
            restored: { (act) throws(Rejection) in try ListBook.renew(act) }),
        searched: searched,
        snapshot: [
            .required(
                "lists", .list(SharedList.shape, max: Limits.listsSnapshotBytesMax / 100), "Lists in sight."),
            .required(
                "listItems", .list(ListItem.shape, max: Limits.listItemsSnapshotBytesMax / Limits.itemBytesMin),
                "Items of those lists."),
        ],
        snapshotBytesMax: Limits.listsSnapshotBytesMax + Limits.listItemsSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let lists = try StoredList.seen(by: viewer.id, Choice(), database).map(\.wire)
            let shown = snapshot.fitting(
                lists, in: "lists", bytesMax: Limits.listsSnapshotBytesMax, largest: Limits.listBytesMax
            ) { $0.json.bytes.count + 1 }
            for list in shown { snapshot.lists[list.id] = list }
            let items = try StoredItem.newest(seenBy: viewer.id, database).filter { snapshot.lists[$0.list] != nil }
            let fitting = snapshot.fitting(
                items, in: "listItems", bytesMax: Limits.listItemsSnapshotBytesMax, largest: Limits.itemBytesMax
            ) { $0.json.bytes.count + 1 }
            for item in fitting { snapshot.listItems[item.key] = item }
        })

    /// `plain` is the text that is searched: the name or text in lower case. `sections` has a line for each section. A
    /// removed item is a row with nothing but its identifier and the moment. `list_stamps` says since when a field of
    /// an item has its value.
    static let migrations = [
        Migration(
            number: 32, name: "lists", tables: ["lists", "list_named", "list_sight", "list_items", "list_stamps"],
            sql: """
                CREATE TABLE lists (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL,
                    plain TEXT NOT NULL, owner BLOB NOT NULL, sections TEXT NOT NULL, audience TEXT NOT NULL,
                    household BLOB
                ) STRICT;
                CREATE INDEX lists_by_owner ON lists (owner, id);
                """ + "\n" + SharedThings.sql("lists", column: "list", members: "list_named", sight: "list_sight")
                    + "\n"
                        + """
                        CREATE TABLE list_items (
                            number INTEGER PRIMARY KEY, owner_list INTEGER NOT NULL REFERENCES lists (number) ON DELETE CASCADE,
                            id BLOB NOT NULL, text TEXT NOT NULL, plain TEXT NOT NULL, amount REAL, unit TEXT, section TEXT,
                            note TEXT, member BLOB, due TEXT, place TEXT, ticked INTEGER NOT NULL, ticked_by BLOB,
                            ticked_at INTEGER, removed_at INTEGER, UNIQUE (owner_list, id)
                        ) STRICT;
                        CREATE INDEX list_items_by_list ON list_items (owner_list, ticked, number) WHERE removed_at IS NULL;
                        CREATE INDEX list_items_removed ON list_items (owner_list, removed_at) WHERE removed_at IS NOT NULL;
                        CREATE TABLE list_stamps (
                            item INTEGER NOT NULL REFERENCES list_items (number) ON DELETE CASCADE, field TEXT NOT NULL,
                            at INTEGER NOT NULL, PRIMARY KEY (item, field)
                        ) STRICT, WITHOUT ROWID;
                        """),
        // Each item's change has a number of its own from the beginning, so that a client may stand between any two. The
        // numbers are the list's own: they say nothing of other lists. `list_readers` has, for members who did not see the
        // list from its beginning, the change at which they came. `list_names` has the names that a member's programs give
        // to lists. No client has a number from before this migration, so nobody is told of earlier removals.
        Migration(
            number: 55, name: "lists as task programs keep them",
            tables: ["lists", "list_items", "list_todos", "list_readers", "list_names"],
            sql: """
                ALTER TABLE lists ADD COLUMN epoch TEXT NOT NULL DEFAULT '0';
                ALTER TABLE lists ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE lists ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE list_items ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
                UPDATE list_items SET changed = counted.place FROM (
                    SELECT number, row_number() OVER (PARTITION BY owner_list ORDER BY number) AS place FROM list_items
                ) AS counted WHERE counted.number = list_items.number;
                UPDATE lists SET changes = coalesce(
                    (SELECT max(i.changed) FROM list_items i WHERE i.owner_list = lists.number), 0);
                UPDATE lists SET forgotten = changes;
                CREATE TABLE list_readers (
                    list INTEGER NOT NULL REFERENCES lists (number) ON DELETE CASCADE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, seen_from INTEGER NOT NULL,
                    PRIMARY KEY (list, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX list_readers_by_member ON list_readers (member);
                CREATE TABLE list_names (
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, name TEXT NOT NULL,
                    list INTEGER NOT NULL REFERENCES lists (number) ON DELETE CASCADE,
                    PRIMARY KEY (member, name)
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX list_names_by_list ON list_names (list, member);
                CREATE INDEX list_items_changed ON list_items (owner_list, changed);
                CREATE TABLE list_todos (
                    item INTEGER PRIMARY KEY REFERENCES list_items (number) ON DELETE CASCADE,
                    name TEXT, uid TEXT, rest TEXT, due_day TEXT
                ) STRICT;
                CREATE INDEX list_todos_name ON list_todos (name) WHERE name IS NOT NULL;
                CREATE INDEX list_todos_uid ON list_todos (uid) WHERE uid IS NOT NULL;
                """),
        // The words about an item stand beside their result, because the next day and the turn of an item that repeats are
        // reckoned from them. `turns` has the members' identifiers, spaces between; `list_ticks` has what was said of each
        // day.
        Migration(
            number: 73, name: "what repeats on lists", tables: ["list_items", "list_ticks"],
            sql: """
                ALTER TABLE list_items ADD COLUMN repeat TEXT;
                ALTER TABLE list_items ADD COLUMN turns TEXT;
                ALTER TABLE list_items ADD COLUMN done TEXT;
                ALTER TABLE list_items ADD COLUMN said_due TEXT;
                ALTER TABLE list_items ADD COLUMN said_member BLOB;
                ALTER TABLE list_items ADD COLUMN said_ticked INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE list_items ADD COLUMN said_by BLOB;
                ALTER TABLE list_items ADD COLUMN said_at INTEGER;
                UPDATE list_items SET said_due = due, said_member = member, said_ticked = ticked, said_by = ticked_by,
                    said_at = ticked_at;
                CREATE TABLE list_ticks (
                    item INTEGER NOT NULL REFERENCES list_items (number) ON DELETE CASCADE, day TEXT NOT NULL,
                    ticked INTEGER NOT NULL, said_by BLOB NOT NULL, at INTEGER NOT NULL, through TEXT NOT NULL,
                    PRIMARY KEY (item, day)
                ) STRICT, WITHOUT ROWID;
                """),
        // The one thing that a list belongs to, such as `meal/` with an identifier.
        Migration(
            number: 74, name: "what lists belong to", tables: ["list_ties"],
            sql: """
                CREATE TABLE list_ties (
                    list INTEGER PRIMARY KEY REFERENCES lists (number) ON DELETE CASCADE, about TEXT NOT NULL
                ) STRICT;
                CREATE INDEX list_ties_about ON list_ties (about);
                """),
        // Members who asked to be told of a list's changes, and when they were told last.
        Migration(
            number: 75, name: "lists to be told of, what rings too", tables: ["list_asked"],
            sql: """
                CREATE TABLE list_asked (
                    list INTEGER NOT NULL REFERENCES lists (number) ON DELETE CASCADE,
                    member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE, told_at INTEGER,
                    PRIMARY KEY (list, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX list_asked_by_member ON list_asked (member);
                """),
        // The edit from which each field or day has its value. Nothing is kept of earlier edits.
        .part(
            of: 93, tables: ["list_stamps", "list_ticks"],
            sql: """
                ALTER TABLE list_stamps ADD COLUMN edit BLOB;
                ALTER TABLE list_ticks ADD COLUMN edit BLOB;
                """),
    ]

    /// Tells the mechanism how to find the members who see a list.
    static let shared = SharedThings(
        "lists", column: "list", members: "list_named", sight: "list_sight", lostForGood: "TRUE"
    ) { (act, number, change) throws(Rejection) in try StoredList.find(number, act)?.tell(change, act) }

    /// The `about` of the log's rows about a list; those about its items begin with it.
    static func about(_ list: Identifier) -> String { "list/\(list)" }

    /// The `about` of the log's rows about an item.
    static func about(_ item: ListItem.Key) -> String { about(item.list) + "/\(item.id)" }

    /// The lists that are asked for.
    struct Choice {
        /// Words in lower case. Each must stand in the name, or in an item that is not ticked.
        var words: [String] = []
        /// The thing that the lists belong to; `nil` for any.
        var about: String?
        var limit = Limits.listsPerAnswerMax
    }

    /// Gives the lists of a leaving member to another member.
    private static func inherit(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        for var list in try StoredList.owned(by: from, act) {
            list.wire.owner = to
            try list.save(isChanged: true, act)
        }
    }
}
