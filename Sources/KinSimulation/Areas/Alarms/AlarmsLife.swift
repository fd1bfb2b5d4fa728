import KinModel
import KinStore

/// The alarms of the members of the box.
final class AlarmsLife: SimulatedArea {
    let weight = 2
    let lists = [ListQuestion(method: "alarm.list", params: [:], part: "alarms")]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.alarms.values ?? [:].values).sorted { $0.id < $1.id }
        guard !seen.isEmpty, world.dice.below(3) > 0 else {
            let kind = world.dice.pick(Alarm.Kind.allCases)
            var params: JSON.Object = ["kind": .string(kind.rawValue), "text": .string(op)]
            if kind == .onTheWay, world.dice.once(in: 2) {
                params["place"] = ["name": "School", "lat": 52.5, "lon": 13.4, "radius": 200]
            }
            return (who, "alarm.raise", .object(params))
        }
        let alarm = world.dice.pick(seen)
        if world.dice.once(in: 3) { return (who, "alarm.end", ["alarm": .id(alarm.id)]) }
        let answer = world.dice.pick(AlarmCall.Answer.allCases)
        return (who, "alarm.answer", ["alarm": .id(alarm.id), "answer": .string(answer.rawValue)])
    }

    /// Who is called and who calls see one, and nobody else.
    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) -> Bool] {
        var seers: [Identifier: Set<Identifier>] = [:]
        for (alarm, member) in try daemon.reader.rows(
            "SELECT id, raiser FROM alarms UNION ALL SELECT alarm, member FROM alarm_called",
            map: { row in (row.identifier("id"), row.identifier("raiser")) })
        {
            seers[alarm, default: []].insert(member)
        }
        // Of one that is over nothing is told but that it was called off.
        var told: Set<Identifier> = []
        try daemon.reader.each(
            """
            SELECT i.about FROM inbox i JOIN inbox_lines l ON l.entry = i.id
            WHERE i.about LIKE 'alarm/%' AND i.state <> 3 AND l.kind <> 'alarmOver'
            """
        ) { (row) throws(StoreFailure) in
            if let id = Identifier(row.text(0).dropFirst("alarm/".count)) { told.insert(id) }
            return true
        }
        return ["alarm": { onlooker, id in seers[id]?.contains(onlooker.id) ?? !told.contains(id) }]
    }

    /// Whoever raised one is not called by it, and nothing stays of one that is over.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        let own = try daemon.reader.first(
            "SELECT id FROM alarms a JOIN alarm_called c ON c.alarm = a.id AND c.member = a.raiser"
        ) { row in row.identifier(0) }
        if let own { return Finding(checker: "alarms", what: "the alarm \(own) calls who raised it") }
        let left = try daemon.reader.first(
            "SELECT about FROM due WHERE about LIKE 'alarm/%' AND substr(about, 7) NOT IN (SELECT '' FROM alarms)"
                + " AND NOT EXISTS (SELECT 1 FROM alarms)"
        ) { row in row.text(0) }
        return left.map { Finding(checker: "alarms", what: "\($0) is over and still falls due") }
    }
}
