import KinModel
import KinStore

/// The calendars of the family in the box.
final class CalendarsLife: SimulatedArea {
    let weight = 4
    /// List + events = list; no snapshot has any.
    let lists = [ListQuestion(method: "entry.all", params: ["limit": 200], part: "entries")]
    /// Entries and calendars that answers told of: they may be gone.
    private var known: [(id: Identifier, start: String)] = []
    private var calendars: [Identifier] = []
    private static let mostKnown = 30

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let month = 1 + world.dice.below(9)
        let start = "2027-0\(month)-1\(world.dice.below(9))T1\(world.dice.below(9)):30"
        if !known.isEmpty, world.dice.below(3) > 0 || known.count >= Self.mostKnown {
            let one = world.dice.pick(known)
            let entry: JSON.Object = ["entry": .id(one.id)]
            func with(_ more: JSON.Object) -> JSON {
                var params = entry
                for member in more.members { params[member.name] = member.value }
                return .object(params)
            }
            switch world.dice.below(11) {
            case 0: return (who, "entry.remove", with(["erase": .bool(world.dice.once(in: 2))]))
            case 1: return (who, "entry.remove", with(["scope": "this", "occurrence": .string(one.start)]))
            case 2: return (who, "entry.restore", with([:]))
            case 3: return (who, "entry.star", with(["on": .bool(world.dice.once(in: 2))]))
            case 4:
                return (
                    who, "entry.update",
                    with(["scope": "this", "occurrence": .string(one.start), "subject": .string(op)])
                )
            case 5:
                let people = world.people.filter { _ in world.dice.once(in: 3) }.map { JSON.id($0.id) }
                return (who, "entry.update", with(["invitees": .array(people), "start": .string(start)]))
            case 6:
                let privacy = world.dice.pick(Entry.Privacy.allCases)
                return (who, "entry.update", with(["privacy": .string(privacy.rawValue)]))
            case 7: return (who, "entry.remind", with(["minutes": [10, 1440]]))
            case 8: return (who, "entry.update", with(["audience": SharedSight.audience(world)]))
            default:
                let answer = world.dice.pick(Entry.Answer.allCases)
                return (
                    who, "entry.answer",
                    world.dice.once(in: 2)
                        ? with(["answer": .string(answer.rawValue)])
                        : with(["answer": .string(answer.rawValue), "occurrence": .string(one.start)])
                )
            }
        }
        if world.dice.once(in: 6) { return (who, "calendar.add", ["name": .string(op)]) }
        if !calendars.isEmpty, world.dice.once(in: 5) {
            let calendar = JSON.id(world.dice.pick(calendars))
            if world.dice.once(in: 6) {
                return (who, "calendar.remove", ["calendar": calendar, "keep": .bool(world.dice.once(in: 2))])
            }
            if world.dice.once(in: 6) {
                let minutes: JSON = world.dice.once(in: 3) ? .null : [30]
                return (who, "calendar.remind", ["calendar": calendar, "minutes": minutes])
            }
            if world.dice.once(in: 8) {
                return (who, "calendar.update", ["calendar": calendar, "name": .string(op), "remind": [10, 60]])
            }
            let right = world.dice.pick(FamilyCalendar.Right.allCases)
            let with = Self.somebody(world, who)
            return (who, "calendar.share", ["calendar": calendar, "with": with, "right": .string(right.rawValue)])
        }
        var params: JSON.Object = ["subject": .string(op), "start": .string(start), "zone": "Europe/Berlin"]
        let household = world.view(of: who)?.members[world.people[who].id]?.household
        switch world.dice.below(4) {
        case 0: params["calendar"] = household.map { .id($0) }
        case 1 where !calendars.isEmpty: params["calendar"] = .id(world.dice.pick(calendars))
        default: break
        }
        if world.dice.once(in: 2) {
            params["repeat"] = .string(world.dice.pick(["daily", "weekly", "monthly", "yearly"]))
        }
        if world.dice.once(in: 3) {
            params["invitees"] = .array(world.people.filter { _ in world.dice.once(in: 2) }.map { .id($0.id) })
        }
        if world.dice.once(in: 3) { params["remind"] = [30] }
        if world.dice.once(in: 4) { params["audience"] = SharedSight.audience(world) }
        return (who, "entry.add", .object(params))
    }

    /// With whom a calendar is shared: everyone, a household of which somebody knows, or a member.
    private static func somebody(_ world: World, _ who: Int) -> JSON {
        switch world.dice.below(4) {
        case 0: return "everyone"
        case 1:
            let households = world.view(of: who)?.households.keys.sorted() ?? []
            if !households.isEmpty { return .id(world.dice.pick(households)) }
            return .id(world.dice.pick(world.people).id)
        default: return .id(world.dice.pick(world.people).id)
        }
    }

    func answered(_ method: String, _ result: JSON) {
        if method == "entry.add" || method == "entry.restore", let entry = result["entry"].flatMap(Entry.init),
            !known.contains(where: { $0.id == entry.id })
        {
            if known.count >= Self.mostKnown { known.removeFirst() }
            known.append((entry.id, entry.times.start))
        }
        if method == "calendar.add", let calendar = result["calendar"].flatMap(FamilyCalendar.init) {
            if calendars.count >= 8 { calendars.removeFirst() }
            calendars.append(calendar.id)
        }
    }

    /// Every entry is found by its words, and what reminds is of something that is there.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        let unfound = try daemon.reader.first(
            """
            SELECT subject FROM entries WHERE number NOT IN (SELECT rowid FROM entry_words)
            UNION ALL SELECT 'none' FROM entry_words WHERE rowid NOT IN (SELECT number FROM entries)
            """
        ) { row in row.text(0) }
        if let unfound {
            return Finding(checker: "entries", what: "the words of \(unfound) are not those of an entry")
        }
        let turned = try daemon.reader.first("SELECT subject FROM entries WHERE first > last") { row in row.text(0) }
        return turned.map { Finding(checker: "entries", what: "\($0) ends before it begins") }
    }

    /// An entry that was added twice by one command: its subject is the command's `op`. What is split off has it again.
    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first("SELECT name FROM calendars WHERE name IS NOT NULL GROUP BY name HAVING count(*) > 1") {
            row in row.text(0)
        }
    }

    /// By rights, of those for whom it is, by being asked, or by being the owner.
    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) -> Bool] {
        struct Seen {
            var calendar: Identifier
            var kind: String
            var owners: Set<Identifier>
            var invited: Set<Identifier> = []
            var isPublic: Bool
            /// For whom it is, of those who may read the calendar, and their identifiers or their household's.
            var audience: String?
            var named: [Identifier] = []
            var grants: [(String, Identifier?)] = []
        }
        var seen: [Identifier: Seen] = [:]
        try daemon.reader.each(
            """
            SELECT e.id, c.id AS calendar, c.kind AS calendar_kind, e.owner, c.owner AS calendar_owner,
            e.privacy = 'public' AS is_public, p.member AS invitee, r.kind AS granted, r.grantee, e.audience,
            e.audience_ids
            FROM entries e JOIN calendars c ON c.number = e.calendar LEFT JOIN entry_people p ON p.entry = e.number
            LEFT JOIN calendar_rights r ON r.calendar = c.number AND r.power IN ('read', 'write', 'own')
            """
        ) { (row) throws(StoreFailure) in
            let id = row.identifier("id")
            var one =
                seen[id]
                ?? Seen(
                    calendar: row.identifier("calendar"), kind: row.text("calendar_kind"),
                    owners: Set(
                        [row.identifier("owner"), row.optionalIdentifier("calendar_owner")].compactMap(\.self)),
                    isPublic: row.bool("is_public"), audience: row.optionalText("audience"),
                    named: (row.optionalText("audience_ids") ?? "").split(separator: " ").compactMap { Identifier($0) })
            if let member = row.optionalIdentifier("invitee") { one.invited.insert(member) }
            if let kind = row.optionalText("granted") {
                one.grants.append((kind, kind == "everyone" ? nil : row.optionalIdentifier("grantee")))
            }
            seen[id] = one
            return true
        }
        // Of what is gone, or came back as another entry, nothing is told but that it was called off.
        var told: Set<Identifier> = []
        try daemon.reader.each(
            """
            SELECT i.about FROM inbox i JOIN inbox_lines l ON l.entry = i.id
            WHERE i.about LIKE 'entry/%' AND i.state <> 3 AND l.kind <> 'entryCancelled'
            """
        ) { (row) throws(StoreFailure) in
            if let id = Identifier(row.text(0).dropFirst("entry/".count)) { told.insert(id) }
            return true
        }
        return [
            "entry": { onlooker, id in
                guard let one = seen[id] else { return !told.contains(id) }
                if one.owners.contains(onlooker.id) || one.invited.contains(onlooker.id) { return true }
                guard one.isPublic else { return false }
                switch one.audience {
                case nil: break
                case "everyone": if onlooker.role == "guest" { return false }
                case "household": if one.named.first != onlooker.household { return false }
                default: if !one.named.contains(onlooker.id) { return false }
                }
                if one.kind == "family", onlooker.role != "guest" { return true }
                if one.kind == "household", one.calendar == onlooker.household { return true }
                return one.grants.contains { kind, whom in
                    switch kind {
                    case "everyone": onlooker.role != "guest"
                    case "household": whom == onlooker.household
                    default: whom == onlooker.id
                    }
                }
            }
        ]
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        fault == .lostEntryWords ? ["DELETE FROM entry_words"] : []
    }
}

extension Fault {
    /// Entries are found by no word any more.
    public static let lostEntryWords = Fault("lostEntryWords")
}
