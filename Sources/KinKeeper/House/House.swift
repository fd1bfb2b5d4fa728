import KinModel
import KinStore

/// The requests of an administrator at the machine about the house itself: a check, a backup.
package enum House {
    /// The area of the house, with the sums that the other areas declare.
    package static func area(of areas: [Area]) -> Area {
        area(quotas: areas.flatMap(\.quotas), sums: FamilySum.all(areas))
    }

    private static func area(quotas: [Quota], sums: [FamilySum]) -> Area {
        Area(
            "House",
            tables: [
                Table("house", dated: ["last_backup_at"], isKept: true),
                Table("clock", ahead: ["doubt_since"], isKept: true),
                Table("used_today"), OutsideHosts.table,
            ],
            migrations: [
                Migration(
                    number: 5, name: "the key of remembered operations", tables: ["house"],
                    sql:
                        "CREATE TABLE house (one INTEGER PRIMARY KEY CHECK (one = 1), operations_key BLOB NOT NULL) STRICT"
                ),
                Migration(
                    number: 9, name: "the last backup", tables: ["house"],
                    sql: """
                        ALTER TABLE house ADD COLUMN last_backup_at INTEGER;
                        ALTER TABLE house ADD COLUMN last_backup_bytes INTEGER NOT NULL DEFAULT 0;
                        """),
                // The index by which a member's own rows of the log are found.
                .part(of: 19, tables: Migration.ownRowTables, reading: ["log_state"], sql: Migration.ownRows),
                // The last moment at which the clock was believed. An older version never let the log's time go back.
                // Where the clock had once been ahead, the log holds later moments; they are dated anew once the clock
                // is right.
                Migration(
                    number: 20, name: "the clock", tables: ["clock"], reading: ["log_state"],
                    sql: """
                        CREATE TABLE clock (
                            one INTEGER PRIMARY KEY CHECK (one = 1), moment INTEGER NOT NULL, since_boot INTEGER NOT NULL,
                            boot TEXT NOT NULL, doubt TEXT, doubt_since INTEGER
                        ) STRICT;
                        INSERT INTO clock (one, moment, since_boot, boot)
                        SELECT 1, latest, 0, 'unknown' FROM log_state WHERE latest > 0;
                        """),
                // What each member used of a day's share.
                .part(
                    of: 21, tables: ["used_today"],
                    sql: """
                        CREATE TABLE used_today (
                            member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                            what TEXT NOT NULL,
                            day INTEGER NOT NULL,
                            used INTEGER NOT NULL,
                            PRIMARY KEY (member, what)
                        ) STRICT, WITHOUT ROWID;
                        """),
                OutsideHosts.migration,
            ], methods: [check, backup, status(sums), metrics, trustClock] + OutsideHosts.methods,
            events: [Quota.near.shaped(Quota.Near.fields(what: .oneOf(quotas.map(\.name))).shape)],
            upkeep: { (act) throws(Rejection) in try Quota.prune(act) },
            inbox: [
                // The member is told, although the member's own acts use the quota up.
                InboxRule(
                    Quota.near, quotaNear(quotas), .audience, by: { _ in nil }, word: \.what, isForDoerToo: true)
            ],
            inboxKinds: [quotaNear(quotas)], memories: [QuotaMemory.self], quotas: [.operations])
    }

    private static func quotaNear(_ quotas: [Quota]) -> InboxKind {
        InboxKind("quotaNear", word: .optional("what", .oneOf(quotas.map(\.name)), "what is nearly used up."))
    }

    /// The area of the mechanism itself, before the other areas' declarations are known.
    package static var area: Area {
        var area = area(quotas: [], sums: [])
        area.completed = { (areas) in self.area(of: areas) }
        return area
    }

    package static let check = Method.query(
        "family.check", "Checks the database, the blobs, the folder's permissions and the programs beside the daemon.",
        access: .admins,
        result: .object([.required("problems", .list(.text(max: 4000), max: 1000))]), isSlow: true,
        apply: { (act, _) throws(Rejection) in
            guard let work = act.work else { return .later(HouseWork.check) }
            guard let problems = work.made([String].self) else {
                throw Rejection(.unavailable, "The check could not be made; try again.")
            }
            return .done(["problems": .array((problems + act.registry.lacks).map { .string($0) })])
        })

    package static let backup = Method.command(
        "family.backup",
        "Writes one archive (database and blobs) into the data directory's backups folder while everything goes on.",
        access: .machine,
        [.required("name", .token(max: 100), "The archive's file name, without slashes.")],
        result: .object([.required("path", .text(max: 4096)), .required("bytes", .integer(0...Int64.max))]), events: [],
        isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let name = try params.string("name")
            guard !name.utf8.contains(UInt8(ascii: "/")), !name.hasPrefix(".") else {
                throw Rejection(.invalid, "name must be a plain file name.", field: "name")
            }
            switch act.work {
            case nil: return .later(HouseWork.backup(name: name, at: act.now))
            case .made(let made as HouseWork.File):
                try act.run(
                    "UPDATE house SET last_backup_at = ?, last_backup_bytes = ?", .time(act.now), .int(made.bytes))
                act.note(.backup, "A backup of \(made.bytes) bytes was written to \(made.path).")
                return .done(["path": .string(made.path), "bytes": .int(made.bytes)])
            case .failed(let sentence): throw Rejection(.unavailable, sentence)
            default: throw Rejection(.unavailable, "The backup was not written.")
            }
        })
}
