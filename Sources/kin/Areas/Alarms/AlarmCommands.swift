import KinCalendar
import KinModel
import KinWords

/// Alarms, raised and answered. An alarm is named by its number in the last list, or by the member who raised it. A
/// single alarm need not be named.
enum AlarmCommands {
    private static func all(_ call: Invocation) throws(Problem) -> [Alarm] {
        (try call.call("alarm.list")["alarms"]?.array ?? []).compactMap(Alarm.init)
    }

    static func list(_ call: Invocation) throws(Problem) {
        let alarms = try all(call)
        if call.wantsJSON { return call.output.say(["alarms": .array(alarms.map(\.json))]) }
        guard !alarms.isEmpty else { return call.output.say(phrase("alarm.none")) }
        LastList(call, "alarms")?.keep(alarms.map(\.id))
        var names = try People(call).names
        for place in (try call.call("place.list")["places"]?.array ?? []).compactMap(Place.init) { names.learn(place) }
        let now = LocalTime.now
        for (index, alarm) in alarms.enumerated() {
            call.output.say(line(index, alarm, names))
            if let at = alarm.position {
                // A member who drives there also needs the coordinates.
                let position = Position(member: alarm.by, lat: at.lat, lon: at.lon, at: at.at, accuracy: at.accuracy)
                Towns.learn(position, &names) { method, params in try? call.call(method, params) }
                let place = names.whereabouts(position, Reader.here)
                call.output.say(
                    "    "
                        + phrase(
                            "alarm.at",
                            [
                                "where": place, "numbers": Reader.here.place(position),
                                "age": Words.age(at.at, now: now),
                            ]))
            }
            for one in alarm.called {
                call.output.say(
                    "    "
                        + phrase(
                            "alarm.called",
                            [
                                "name": names.member(one.member),
                                "answer": phrase(
                                    "alarm.answer.\(one.answer?.rawValue ?? (one.reached == nil ? "none" : "reached"))"),
                            ]))
            }
        }
    }

    static func raise(_ kind: Alarm.Kind, _ call: Invocation) throws(Problem) {
        let people = try People(call)
        let to = try called(call, people)
        let expected = try call.value("by").map { (text) throws(Problem) in
            let now = LocalTime.now
            if let seconds = Words.seconds(text) { return now.adding(seconds: seconds) }
            return try TypedTime(text, now: now, zone: Zone.system ?? .utc).start
        }
        var goal: JSON?
        if let name = call.value("place") { goal = try place(name, kind, call).json }
        let text = call.words.dropFirst().joined(separator: " ")
        let result = try call.call(
            "alarm.raise",
            .object(leavingOut: [
                "kind": .string(kind.rawValue), "text": text.isEmpty ? nil : .string(text),
                "to": to.isEmpty ? nil : .array(to.map { .id($0) }), "expected": expected.map { .time($0) },
                "place": goal,
            ]))
        if call.wantsJSON { return call.output.say(result) }
        guard let alarm = result["alarm"].flatMap(Alarm.init) else { return }
        let names = people.names
        call.output.say(
            phrase("alarm.raised", ["names": alarm.called.map { names.member($0.member) }.joined(separator: ", ")]))
        if alarm.position != nil { call.output.say(phrase("alarm.lent")) }
    }

    /// The place that `--place` names.
    private static func place(_ name: String, _ kind: Alarm.Kind, _ call: Invocation) throws(Problem) -> AlarmPlace {
        guard kind == .onTheWay else { throw call.misused }
        let places = (try call.call("place.list")["places"]?.array ?? []).compactMap(Place.init)
        guard let found = places.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw Problem(.refused, phrase("alarm.no-place", ["place": Plain.line(name)]))
        }
        // The size may be hidden from the caller: the place is then taken to be as large as a house.
        return AlarmPlace(name: found.name, lat: found.lat, lon: found.lon, radius: found.radius ?? 100)
    }

    /// The members and households that `--to` names.
    static func called(_ call: Invocation, _ people: People) throws(Problem) -> [Identifier] {
        var to: [Identifier] = []
        for name in call.values("to").joined(separator: ",").split(separator: ",") {
            let name = String(name.drop { $0 == " " })
            if let household = people.households.first(where: { $0.name.lowercased() == name.lowercased() }) {
                to.append(household.id)
            } else {
                to.append(try people.member(name).id)
            }
        }
        return to
    }

    static func answer(_ call: Invocation) throws(Problem) {
        let words = ["coming": AlarmCall.Answer.coming, "cannot": .cannot, "well": .allWell, "seen": .seen]
        guard call.words.count <= 3, let answer = words[call.words.dropFirst().first?.lowercased() ?? ""] else {
            throw call.misused
        }
        let alarm = try find(call.words.dropFirst(2).first, call) { $0.by != $1 }
        call.answer(
            try call.call("alarm.answer", ["alarm": .id(alarm), "answer": .string(answer.rawValue)]),
            phrase("alarm.answered"))
    }

    static func end(_ call: Invocation) throws(Problem) {
        guard call.words.count <= 2 else { throw call.misused }
        let alarm = try find(call.words.dropFirst().first, call) { $0.by == $1 }
        call.answer(try call.call("alarm.end", ["alarm": .id(alarm)]), phrase("alarm.over"))
    }

    /// The alarm that is meant: by its number or by the member who raised it, else the only one of its sort, else the
    /// only one there is. If there are several, the problem lists them.
    private static func find(
        _ text: String?, _ call: Invocation, _ isMeant: (Alarm, _ me: Identifier?) -> Bool
    ) throws(Problem) -> Identifier {
        if let text, let id = Identifier(text) { return id }
        let all = try all(call)
        let people = try People(call)
        if let text, let number = Int(text) {
            let kept = LastList(call, "alarms")?.ids ?? []
            let ids = kept.isEmpty ? all.map(\.id) : kept
            guard ids.indices.contains(number - 1) else {
                throw Problem(.refused, phrase("alarm.no-number", ["number": Plain.line(text)]))
            }
            return ids[number - 1]
        }
        var meant = all
        if let text {
            let raiser = try people.member(text).id
            meant = all.filter { $0.by == raiser }
        } else {
            let own = all.filter { isMeant($0, people.names.me) }
            if !own.isEmpty { meant = own }
        }
        guard let first = meant.first else { throw Problem(.refused, phrase("alarm.nothing")) }
        guard meant.count == 1 else {
            if !call.wantsJSON {
                LastList(call, "alarms")?.keep(meant.map(\.id))
                for (index, alarm) in meant.enumerated() { call.output.say(line(index, alarm, people.names)) }
            }
            throw Problem(.refused, phrase("alarm.several"))
        }
        return first.id
    }

    /// An alarm in a list.
    private static func line(_ index: Int, _ alarm: Alarm, _ names: Names) -> String {
        let said = phrase("alarm.\(alarm.kind.rawValue)", ["by": names.member(alarm.by)])
        let text = alarm.text.map { ": " + Plain.line($0) } ?? ""
        return "\(Plain.padded("\(index + 1)", 4))\(said)\(text) (\(Words.age(alarm.at, now: LocalTime.now)))"
    }
}
