import KinKeeper
import KinModel
import KinStore

/// The database's own list of entries that changed (`entry_changes`), and the place up to which it is known.
///
/// Triggers write a row for every row of entries, of their people and of their stars that is written, whichever
/// statement writes it. A row has the next number, and a random stamp. The list is a part of the database, so a row
/// comes and goes with the change that it is about. As long as the row that was known last still stands there with its
/// stamp, everything before it still holds, and the rows behind it name all later changes. Otherwise something was
/// rolled back, or the database is another one, or the list has grown so long that this row was dropped with the
/// oldest. Then nothing is known.
struct EntryChanges {
    /// The row that was known last; `nil` as long as there was none.
    private var last: Place?
    /// The counts of writes to the list, and of rollbacks, at the last reading. As long as they are the same, the list
    /// need not be read.
    private var seen = (writes: -1, rollbacks: -1)

    private struct Place: Equatable {
        let number: Int64
        let stamp: Int64
    }

    /// The changes since the last reading.
    enum News {
        case nothing
        /// These entries, by their numbers, and no other: new ones, changed ones and removed ones.
        case entries(Set<Int64>)
        /// The changes are not known.
        case anything
    }

    /// Rows of the list that are read. If there are more, it is not found out which entries they name.
    private static let most = 100

    /// The changes since the last reading, and the place up to which the list is then known. The caller must keep this
    /// place, or the changes are reported again.
    func news(_ act: Act) throws(Rejection) -> (News, EntryChanges) {
        var next = self
        next.seen = (act.changes(of: ["entry_changes"]), act.database.rollbacks)
        guard next.seen != seen else { return (.nothing, self) }
        if let last {
            let rows = try act.rows(
                "SELECT number, stamp, entry FROM entry_changes WHERE number >= ? ORDER BY number LIMIT \(Self.most + 2)",
                .int(last.number)
            ) { row in (place: Place(number: row.int("number"), stamp: row.int("stamp")), entry: row.int("entry")) }
            if rows.count <= Self.most + 1, rows.first?.place == last {
                next.last = rows.last?.place
                return (rows.count == 1 ? .nothing : .entries(Set(rows.dropFirst().map(\.entry))), next)
            }
        }
        next.last = try act.first("SELECT number, stamp FROM entry_changes ORDER BY number DESC LIMIT 1") { row in
            Place(number: row.int("number"), stamp: row.int("stamp"))
        }
        return (.anything, next)
    }
}

extension Calendars {
    /// The list of entries that changed, with its newest thousand rows. (Triggers are not called for a row that another
    /// replaces because of a conflict, so no statement on these tables may replace rows. What a foreign key deletes is noted.)
    static let changesMigration = Migration(
        number: 89, name: "which entries changed", tables: ["entry_changes", "entries", "entry_people", "entry_stars"],
        sql: """
            CREATE TABLE entry_changes (
                number INTEGER PRIMARY KEY, entry INTEGER NOT NULL, stamp INTEGER NOT NULL
            ) STRICT;
            CREATE TRIGGER entry_changes_most AFTER INSERT ON entry_changes
            BEGIN DELETE FROM entry_changes WHERE number <= NEW.number - 1000; END;
            \(noted("entries", by: "number"))
            \(noted("entry_people", by: "entry"))
            \(noted("entry_stars", by: "entry"))
            """)

    private static func noted(_ table: String, by column: String) -> String {
        func trigger(_ deed: String, _ row: String) -> String {
            """
            CREATE TRIGGER \(table)_noted_\(deed.lowercased()) AFTER \(deed) ON \(table)
            BEGIN INSERT INTO entry_changes (entry, stamp) VALUES (\(row).\(column), random()); END;

            """
        }
        return trigger("INSERT", "NEW") + trigger("UPDATE", "NEW") + trigger("DELETE", "OLD")
    }
}
