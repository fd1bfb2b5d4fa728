import KinModel
import KinStore

/// Questions that wait for no answer any more.
extension Activity {
    /// Takes lines that asked something out of every inbox, read or not: it was answered, on another device or by somebody
    /// else who may, or is asked no longer. So nobody acts on what is settled. `isSettled`: which lines, for which reader.
    static func settle(
        _ kind: InboxKind, about: String, _ act: Act,
        where isSettled: (InboxLine, Identifier) throws(Rejection) -> Bool = { _, _ in true }
    ) throws(Rejection) {
        let asked = try act.rows(
            """
            SELECT asked, member, \(InboxLine.columns) FROM inbox_lines
            JOIN (SELECT id AS asked, member FROM inbox WHERE about = ?1) ON entry = asked
            WHERE kind = ?2 ORDER BY asked
            """, .text(about), .text(kind.rawValue)
        ) { row in (entry: row.identifier(0), member: row.identifier(1), line: InboxLine(row, from: 2)) }
        var settled: [Identifier: [Identifier]] = [:]
        for (entry, member, line) in asked {
            guard let line, try isSettled(line, member) else { continue }
            settled[member, default: []].append(entry)
        }
        for (member, entries) in settled.sorted(by: { $0.key < $1.key }) {
            if let reader = try act.roster[member] { try OwnInbox(reader, act).remove(entries) }
        }
    }
}
