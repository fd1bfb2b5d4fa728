package import KinKeeper
import KinModel
import KinStore

/// What members say of themselves: something about them, the birthday, ways to reach them. Each entry is shared by itself,
/// by the member alone. The rules stand in the documentation's page Profiles.
package enum Profiles {
    package static let area = Area(
        "Profiles", view: "profiles",
        tables: [Table("profile_entries"), Table("profile_named"), Table("profile_sight")],
        migrations: migrations, methods: [add, update, remove, show, one],
        events: [
            ProfileEntry.added, ProfileEntry.changed, ProfileEntry.shown, ProfileEntry.hidden, ProfileEntry.removed,
        ],
        shared: [shared],
        sees: [
            "profile": { (act, entry, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM profile_sight s WHERE s.entry = e.number AND s.member = ?2)
                    FROM profile_entries e WHERE e.id = ?1
                    """, .id(entry), .id(member.id)
                ) { row in row.bool(0) }
            }
        ],
        hooks: Area.Hooks(
            birthdays: { (act, member) throws(Rejection) in try birthdays(to: member, act) },
            mailboxes: { (act, member) throws(Rejection) in try mailboxes(to: member, act) }),
        life: Area.Life(
            // A leaving member's profile is deleted, whoever inherits the rest.
            inherit: { (act, from, _) throws(Rejection) in try delete(of: from, act) },
            deleteOwned: { (act, member) throws(Rejection) in try delete(of: member, act) }),
        searched: [searched],
        snapshot: [
            .required(
                "profiles",
                .list(ProfileEntry.shape, max: Limits.profilesSnapshotBytesMax / 100), "Entries of profiles in sight.")
        ],
        snapshotBytesMax: Limits.profilesSnapshotBytesMax + 32,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let entries = try StoredEntry.seen(by: viewer.id, of: nil, database)
            let shown = snapshot.fitting(
                entries, in: "profiles", bytesMax: Limits.profilesSnapshotBytesMax,
                largest: Limits.profileEntryBytesMax
            ) { $0.wire.json.bytes.count + 1 }
            for entry in shown { snapshot.profiles[entry.wire.id] = entry.wire }
        })

    static let migrations = [
        Migration(
            number: 26, name: "profiles", tables: ["profile_entries", "profile_named", "profile_sight"],
            sql: """
                CREATE TABLE profile_entries (
                    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, kind TEXT NOT NULL,
                    value TEXT NOT NULL, label TEXT, audience TEXT NOT NULL, household BLOB
                ) STRICT;
                CREATE INDEX profile_entries_by_owner ON profile_entries (owner, id);
                """ + "\n"
                    + SharedThings.sql(
                        "profile_entries", column: "entry", members: "profile_named", sight: "profile_sight")),
        Migration(
            number: 86, name: "profiles that are searched", tables: ["due"], sql: Searched.sql(takingIn: "profile")),
    ]

    /// Tells the mechanism how to find the members who see an entry.
    static let shared = SharedThings(
        "profile_entries", column: "entry", members: "profile_named", sight: "profile_sight"
    ) { (act, number, change) throws(Rejection) in try StoredEntry.find(number, act)?.tell(change, act) }

    /// Birthdays of members who show them to a member.
    private static func birthdays(to viewer: Identifier, _ act: Act) throws(Rejection) -> [KnownBirthday] {
        let entries = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.seen(by: viewer, of: nil, database)
        }
        var known: [KnownBirthday] = []
        for entry in entries where entry.wire.kind == .birthday {
            guard let birthday = Birthday(entry.wire.value),
                let member = try act.ask({ (database) throws(StoreFailure) in
                    try People.member(entry.wire.member, database)
                })
            else { continue }
            known.append(KnownBirthday(of: member.id, isMembers: true, name: member.displayName, birthday))
        }
        return known
    }

    /// The e-mail addresses that members show a member.
    private static func mailboxes(to viewer: Identifier, _ act: Act) throws(Rejection) -> [Identifier: [String]] {
        let entries = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.seen(by: viewer, of: nil, database)
        }
        var known: [Identifier: [String]] = [:]
        for entry in entries where entry.wire.kind == .email {
            known[entry.wire.member, default: []].append(entry.wire.value)
        }
        return known
    }

    /// The `about` of the log's rows about an entry.
    static func about(_ entry: Identifier) -> String { "profile/\(entry)" }

    /// A member leaves: the whole profile is removed.
    private static func delete(of member: Identifier, _ act: Act) throws(Rejection) {
        let leaving = try act.roster.only(member)
        for entry in try StoredEntry.owned(by: member, act) { try entry.remove(except: leaving, act) }
    }
}
