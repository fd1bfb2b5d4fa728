import KinModel

/// What people in the box agree to do together, with slots and deadlines that pass while the box runs.
extension World {
    /// Something about a meeting that somebody has on the screen.
    func meetingIdea(_ who: Int, _ op: String) -> Idea {
        let meetings = (view(of: who)?.meetings ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        guard !meetings.isEmpty, !dice.once(in: 5) else { return proposal(who, op) }
        let meeting = dice.pick(meetings).meeting
        switch dice.below(10) {
        case 0..<5: return answer(who, meeting)
        default:
            // Mostly the host decides; others try.
            let host = people.firstIndex { $0.id == meeting.host }
            return decision(dice.once(in: 5) ? who : host ?? who, meeting)
        }
    }

    private func proposal(_ who: Int, _ op: String) -> Idea {
        var params: JSON = [
            "title": .string("Meet \(op)"), "kind": .string(dice.pick(["solo", "group", "group", "public"])),
            "slots": .array((0...dice.below(3)).map { _ in span() }), "zone": "Europe/Berlin",
            "invitees": somebody(),
        ]
        if dice.once(in: 2) { params["deadline"] = soon() }
        if dice.once(in: 3) { params["note"] = "Bring something." }
        return (who, "meeting.propose", params)
    }

    private func answer(_ who: Int, _ meeting: Meeting) -> Idea {
        let id = JSON.id(meeting.id)
        if meeting.state == .confirmed {
            return (who, "meeting.attend", ["meeting": id, "answer": .string(dice.pick(["going", "notGoing"]))])
        }
        switch dice.below(8) {
        case 0: return (who, "meeting.refuse", ["meeting": id, "reason": .string("No \(dice.below(9)).")])
        case 1: return (who, "meeting.suggest", ["meeting": id, "slot": span()])
        default:
            let votes: [JSON] = meeting.slots.filter { _ in !dice.once(in: 4) }.map { slot in
                ["slot": .id(slot.id), "answer": .string(dice.pick(Vote.Answer.allCases).rawValue)]
            }
            return (who, "meeting.vote", ["meeting": id, "votes": .array(votes)])
        }
    }

    private func decision(_ who: Int, _ meeting: Meeting) -> Idea {
        let id = JSON.id(meeting.id)
        switch dice.below(13) {
        case 0, 1:
            let slot = meeting.slots.isEmpty ? meeting.id : dice.pick(meeting.slots).id
            return (who, "meeting.confirm", ["meeting": id, "slot": .id(slot)])
        case 2 where dice.once(in: 2): return (who, "meeting.cancel", ["meeting": id])
        case 3: return (who, "meeting.nudge", ["meeting": id])
        case 4: return (who, "meeting.handOver", ["meeting": id, "to": .id(dice.pick(people).id)])
        case 5: return (who, "meeting.clearPast", [:])
        case 6...7 where !meeting.suggestions.isEmpty:
            let method = dice.once(in: 3) ? "meeting.decline" : "meeting.accept"
            return (who, method, ["meeting": id, "suggestion": .id(dice.pick(meeting.suggestions).slot.id)])
        case 8: return (who, "meeting.update", ["meeting": id, "invitees": somebody()])
        case 9, 10:
            var slots: [JSON] = meeting.slots.filter { _ in !dice.once(in: 3) }.map { ["id": .id($0.id)] }
            if slots.isEmpty || dice.once(in: 2) { slots.append(span()) }
            return (who, "meeting.update", ["meeting": id, "slots": .array(slots)])
        case 11:
            return (who, "meeting.update", ["meeting": id, "deadline": dice.once(in: 4) ? JSON.null : soon()])
        default: return (who, "meeting.update", ["meeting": id, "title": .string("T\(dice.below(100))")])
        }
    }

    private func somebody() -> JSON { .array(people.filter { _ in !dice.once(in: 3) }.map { .id($0.id) }) }

    private func moment(_ from: Int, _ to: Int) -> Instant {
        Instant(milliseconds: time.trueMilliseconds() + Int64(1000 * (from + dice.below(to - from))))
    }

    private func soon() -> JSON { .time(moment(1, 60)) }

    private func span() -> JSON {
        let start = moment(5, 400)
        return ["start": .time(start), "end": .time(start.adding(seconds: 10 + Int64(dice.below(100))))]
    }
}
