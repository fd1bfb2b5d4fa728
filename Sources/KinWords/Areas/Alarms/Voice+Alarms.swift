package import KinModel

/// Alarms: calls for help or for company, and the question whether all is well.
extension AlarmsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "alarms",
            known: [KnownAlarms.self], sentence: { $0.alarms() }, line: { (voice, line, _) in voice.alarm(line) },
            headings: ["alarm": { (voice, _) in voice.reader.phrase("names.an-alarm") }],
            signs: ["alarm": ("rotating_light", "home")],
            isCalm: { line in
                switch line["kind"]?.string {
                case "alarm": ["onTheWay", "check"].contains(line["alarm"]?.string)
                case "alarmOver": true
                default: false
                }
            })
    }
}

/// Alarms as one sees them: of what kind each is, and whose.
package struct KnownAlarms: Known {
    private var kinds: [Identifier: (kind: Alarm.Kind, by: Identifier)] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) { for alarm in snapshot.alarms.values { learn(alarm) } }

    package mutating func learn(_ data: JSON) { if let alarm = data["alarm"].flatMap(Alarm.init) { learn(alarm) } }

    package mutating func learn(_ event: Event) { learn(event.data) }

    private mutating func learn(_ alarm: Alarm) { kinds[alarm.id] = (alarm.kind, alarm.by) }

    fileprivate subscript(id: Identifier) -> (kind: Alarm.Kind, by: Identifier)? { kinds[id] }
}

extension Voice {
    /// What happened to an alarm.
    func alarms() -> String? {
        switch event.type {
        case Alarm.raised.name:
            event[Alarm.raised].map { data in
                let said = phrase("alarm.\(data.alarm.kind.rawValue)", ["by": names.member(data.alarm.by, reader)])
                return data.alarm.text.map { "\(said): \(Plain.line($0))" } ?? said
            }
        case Alarm.updated.name:
            event[Alarm.updated].map { data in
                let key = data.alarm.isOverdue ? "alarm.overdue.\(data.alarm.kind.rawValue)" : "event.alarm.family"
                return phrase(key, ["by": names.member(data.alarm.by, reader)])
            }
        case Alarm.answered.name:
            event[Alarm.answered].map { data in
                let said = phrase(
                    "event.alarm.\(data.call.answer?.rawValue ?? "seen")",
                    ["by": names.member(data.call.member, reader)])
                return data.text.map { "\(said): \(Plain.line($0))" } ?? said
            }
        case Alarm.reached.name:
            event[Alarm.reached].map { phrase("event.alarm.reached", ["by": names.member($0.member, reader)]) }
        case Alarm.moved.name: event[Alarm.moved].map { _ in phrase("event.alarm.moved") }
        case Alarm.ended.name:
            event[Alarm.ended].map {
                phrase("alarm.ended.\($0.kind.rawValue)", ["by": names.member($0.raiser, reader)])
            }
        default: nil
        }
    }
}

extension InboxVoice {
    /// What a line says of an alarm.
    func alarm(_ line: JSON) -> String? {
        let by = by(line)
        let kind = line["alarm"]?.string.flatMap { Alarm.Kind(rawValue: $0) }?.rawValue ?? "sos"
        switch line["kind"]?.string {
        case "alarm": return phrase("alarm.\(kind)", ["by": by])
        case "alarmOverdue": return phrase("inbox.alarm-overdue.\(kind)")
        case "alarmAnswered":
            let reply = line["reply"]?.string.flatMap { AlarmCall.Answer(rawValue: $0) }?.rawValue ?? "seen"
            return phrase("event.alarm.\(reply)", ["by": by])
        case "alarmOver":
            let over = phrase("inbox.alarm-over", ["by": by])
            // Another member may have ended it: then it is said whose it was.
            guard let raiser = line["of"]?.identifier, raiser != line["by"]?.identifier else { return over }
            return "\(over) (\(phrase("alarm.ended.\(kind)", ["by": member(raiser)])))"
        default: return nil
        }
    }
}
