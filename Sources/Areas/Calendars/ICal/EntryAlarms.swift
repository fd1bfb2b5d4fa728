import KinICal
import KinKeeper
import KinModel
import KinStore

/// What rings of an entry in a member's programs (VALARM), as they wrote it: it is that member's alone, and given back to
/// nobody else.
enum EntryAlarms {
    /// What rings for a member, by the entries' numbers.
    static func all(
        of member: Identifier, _ entries: [StoredEntry], _ act: Act
    ) throws(Rejection) -> [Int64: String] {
        guard !entries.isEmpty else { return [:] }
        let found = try act.rows(
            "SELECT entry, text FROM entry_alarms WHERE member = ? AND entry IN (SELECT value FROM json_each(?))",
            .id(member), .text(JSON.array(entries.map { .int($0.number) }).text)
        ) { row in (row.int(0), row.text(1)) }
        return Dictionary(found) { one, _ in one }
    }

    /// From now on that rings for a member; `nil`: nothing. Answers whether something else rang before.
    @discardableResult
    static func set(_ text: String?, of member: Identifier, for entry: Int64, _ act: Act) throws(Rejection) -> Bool {
        guard let text, text.utf8.count <= Limits.entryAlarmsBytesMax else {
            return try act.run("DELETE FROM entry_alarms WHERE entry = ? AND member = ?", .int(entry), .id(member)) > 0
        }
        return try act.run(
            """
            INSERT INTO entry_alarms (entry, member, text) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text
            """, .int(entry), .id(member), .text(text)) > 0
    }

    /// What rings stood with the entry itself once: that is its owner's.
    static func takeOver(_ stored: StoredEntry, _ act: Act) throws(Rejection) {
        guard let raw = stored.raw, raw.hasBytes(of: "BEGIN:VALARM"), var kept = try? ICalComponent(raw.utf8) else {
            return
        }
        kept.lines = []
        kept.components = kept.components.compactMap { part in
            guard part.name == "VEVENT" else { return part.name == "VALARM" ? part : nil }
            let ringing = part.components.filter { $0.name == "VALARM" }
            guard !ringing.isEmpty, let line = part["RECURRENCE-ID"] else { return nil }
            return ICalComponent(part.name, [line], components: ringing)
        }
        guard !kept.components.isEmpty else { return }
        try set(kept.text, of: stored.wire.owner, for: stored.number, act)
    }

    /// What rings of one entry rings of another too.
    static func copy(from entry: Int64, to other: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR IGNORE INTO entry_alarms (entry, member, text) SELECT ?, member, text FROM entry_alarms WHERE entry = ?",
            .int(other), .int(entry))
    }
}
