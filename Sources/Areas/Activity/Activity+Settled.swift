import KinKeeper
import KinModel
import KinStore

/// Questions that no longer wait for an answer.
extension Activity {
    /// Takes them out of every inbox (``InboxHook/settle``).
    static func settle(
        _ act: Act, _ kind: String, about: String,
        where isSettled: (InboxHook.Line, Identifier) throws(Rejection) -> Bool
    ) throws(Rejection) {
        let asked = try act.rows(
            """
            SELECT asked, member, \(InboxLine.columns) FROM inbox_lines
            JOIN (SELECT id AS asked, member FROM inbox WHERE about = ?1) ON entry = asked
            WHERE kind = ?2 ORDER BY asked
            """, .text(about), .text(kind)
        ) { row in
            (
                entry: row.identifier("asked"), member: row.identifier("member"),
                line: InboxLine(row, act.inboxKinds)
            )
        }
        var settled: [Identifier: [Identifier]] = [:]
        for (entry, member, line) in asked {
            guard let line else { continue }
            let seen = InboxHook.Line(by: line.by, word: line.word, name: line.name, time: line.time)
            guard try isSettled(seen, member) else { continue }
            settled[member, default: []].append(entry)
        }
        for (member, entries) in settled.sorted(by: { $0.key < $1.key }) {
            if let reader = try act.roster[member] { try OwnInbox(reader, act).remove(entries) }
        }
    }

    /// Whether somebody has a line of one of some kinds about a thing.
    static func holds(_ act: Act, _ kinds: [String], about: String) throws(Rejection) -> Bool {
        let found = try act.rows(
            "SELECT DISTINCT l.kind FROM inbox i JOIN inbox_lines l ON l.entry = i.id WHERE i.about = ?", .text(about)
        ) { row in row.text(0) }
        return found.contains { kinds.contains($0) }
    }
}
