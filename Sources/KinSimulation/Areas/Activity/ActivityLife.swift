import KinKeeper
import KinModel
import KinStore

/// What the members of the box are told of, and what they do with it.
final class ActivityLife: SimulatedArea {
    let weight = 4
    let lists = [
        ListQuestion(
            method: "activity.list",
            fault: { (result, snapshot) in
                guard result["unread"]?.int != snapshot.inbox.unread else { return nil }
                return
                    "activity.list tells of \(result["unread"]?.text ?? "none"), the snapshot of \(snapshot.inbox.unread)"
            })
    ]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea { world.inboxIdea(who) }

    /// As many unread entries as an inbox says, where all of them are in view.
    func check(_ snapshot: Snapshot, of client: SimulatedClient) throws(Finding) {
        let inbox = snapshot.inbox
        guard
            inbox.unread == inbox.entries.count || inbox.unread > 20 && inbox.unread > inbox.entries.count
        else {
            throw Finding(
                checker: "unread",
                what:
                    "\(client.username) is told of \(inbox.unread) unread entries and sees \(inbox.entries.count)"
            )
        }
    }

    /// An entry of an inbox about what its reader may not see.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        var sight: [String: (Onlooker, Identifier) -> Bool] = [:]
        for area in world.areas { sight.merge(try area.sight(daemon)) { first, _ in first } }
        let readers = Dictionary(uniqueKeysWithValues: try daemon.onlookers().map { ($0.id, $0) })
        let entries = try daemon.reader.rows(
            """
            SELECT member, about, (SELECT group_concat(kind, ' ') FROM inbox_lines WHERE entry = inbox.id) AS kinds
            FROM inbox WHERE state <> 3
            """
        ) { row in
            (member: row.identifier("member"), about: row.text("about"), kinds: row.optionalText("kinds") ?? "")
        }
        for entry in entries {
            guard let owner = readers[entry.member] else {
                return Finding(checker: "inbox", what: "an inbox of nobody tells of \(entry.about)")
            }
            let parts = entry.about.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let id = Identifier(parts[1]) else { continue }
            guard sight[String(parts[0])]?(owner, id) ?? true else {
                return Finding(
                    checker: "inbox", what: "\(owner.username)'s inbox tells of \(entry.about) (\(entry.kinds))")
            }
        }
        return nil
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        let households = Dictionary(uniqueKeysWithValues: try daemon.onlookers().map { ($0.id, $0.household) })
        var authors: [Identifier: Identifier?] = [:]
        _ = try daemon.reader.rows("SELECT id, by FROM sayings") { row in
            authors[row.identifier("id")] = .some(row.optionalIdentifier("by"))
        }
        var told: [Identifier: Set<Identifier>] = [:]
        _ = try daemon.reader.rows("SELECT saying, member FROM said_to") { row in
            _ = told[row.identifier("saying"), default: []].insert(row.identifier("member"))
        }
        return [
            "announcement": { (owner, _) in owner.role != "guest" },
            "said": { (reader, id) in
                guard let author = authors[id], told[id]?.contains(reader.id) ?? false else { return false }
                return reader.role != "guest" || author.map { households[$0] == reader.household } ?? true
            },
        ]
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first("SELECT text FROM announcements GROUP BY text HAVING count(*) > 1") {
            $0.text(0)
        }
    }

    func plant(_ fault: Fault, _ commit: inout Commit) {
        guard fault == .staleRead else { return }
        commit.events = commit.events.map { row in
            guard row.type == "activity.read" else { return row }
            let text = String(decoding: row.payload, as: UTF8.self).replacing(
                "\"upTo\":\"2026", with: "\"upTo\":\"2025")
            return LogRow(
                position: row.position, at: row.at, type: row.type, by: row.by, about: row.about,
                key: row.key,
                audience: row.audience, salt: row.salt, payload: Array(text.utf8))
        }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        guard fault == .inboxOfAnother else { return [] }
        return [
            "UPDATE inbox SET member = (SELECT id FROM members WHERE role = 'guest') WHERE about LIKE 'meeting/%'"
        ]
    }
}

extension Fault {
    /// Entries about meetings get into a guest's inbox.
    public static let inboxOfAnother = Fault("inboxOfAnother")
    /// What one has read is told as less.
    public static let staleRead = Fault("staleRead")
}
