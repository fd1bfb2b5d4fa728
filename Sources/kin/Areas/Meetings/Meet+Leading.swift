import KinCalendar
import KinModel
import KinWords

/// The commands of hosts.
extension Meet {
    func confirm() throws(Problem) {
        let meeting = try meant().meeting
        let slot = try call.words.count == 2 ? onlySlot(of: meeting) : slot(call.words[2], of: meeting)
        if meeting.state == .confirmed,
            let other = meeting.slots.firstIndex(where: { $0.id == meeting.confirmedSlot?.id }),
            meeting.slots[other].id != slot.id
        {
            throw Problem(
                .refused,
                phrase(
                    "meet.other-confirmed",
                    ["time": span(meeting.slots[other]), "meeting": MeetingScreen.slug(meeting.title), "n": other + 1]))
        }
        let (result, now) = try act("meeting.confirm", meeting, ["slot": .id(slot.id)])
        call.answer(
            result,
            phrase(
                "meet.confirmed",
                ["title": title(meeting), "time": span(slot), "n": now.meeting.tally.going ?? 0]))
    }

    /// If there is only one time, the host need not name it.
    private func onlySlot(of meeting: Meeting) throws(Problem) -> Slot {
        guard meeting.slots.count == 1, let slot = meeting.slots.first else {
            throw .usage(phrase("meet.confirm-which", ["n": meeting.slots.count]))
        }
        return slot
    }

    func cancel() throws(Problem) {
        let meeting = try meant().meeting
        let (result, _) = try act("meeting.cancel", meeting, ["reason": call.value("reason").map { .string($0) }])
        call.answer(result, phrase("meet.cancelled", ["title": title(meeting)]))
    }

    func nudge() throws(Problem) {
        let meeting = try meant().meeting
        let (result, _) = try act("meeting.nudge", meeting)
        let count = result["nudged"]?.int ?? Int64(meeting.tally.noReply)
        call.answer(result, phrase("meet.nudged", ["title": title(meeting), "n": count]))
    }

    func handOver() throws(Problem) {
        let meeting = try meant().meeting
        let member = try People(call).member(call.words[2])
        let (result, _) = try act("meeting.handOver", meeting, ["to": .id(member.id)])
        call.answer(
            result,
            phrase("meet.handed-over", ["title": title(meeting), "name": Plain.line(member.displayName)]))
    }

    /// Accepts or drops a suggestion, which is named by its letter in the grid.
    func settle() throws(Problem) {
        let meeting = try meant().meeting
        let letters = meeting.suggestions.indices.map { MeetingScreen.letter($0) }
        guard let index = letters.firstIndex(of: call.words[2].lowercased()) else {
            throw .usage(phrase("meet.no-suggestion", ["letter": Plain.line(call.words[2]), "n": letters.count]))
        }
        let suggestion = meeting.suggestions[index]
        let isAccepted = call.words[0] == "accept"
        let (result, now) = try act(
            isAccepted ? "meeting.accept" : "meeting.decline", meeting, ["suggestion": .id(suggestion.slot.id)])
        let time = span(suggestion.slot)
        call.answer(
            result,
            isAccepted
                ? phrase("meet.accepted", ["time": time, "number": now.meeting.slots.count])
                : phrase("meet.declined", ["time": time]))
    }

    /// Changes a meeting; properties that are not named stay.
    func update() throws(Problem) {
        let meeting = try meant().meeting
        var changes: [(String, JSON?)] = [("title", call.value("title").map { .string($0) })]
        for name in ["place", "note"] {
            changes.append((name, call.value(name).map { $0.isEmpty ? .null : .string($0) }))
        }
        let zone = try zone(of: meeting)
        if call.value("zone") != nil { changes.append(("zone", .string(zone.name))) }
        var deadline: Instant?
        if let text = call.value("deadline") {
            let isNone = ["none", "keine", ""].contains(text.lowercased())
            deadline = isNone ? nil : try self.deadline(text, zone: zone)
            changes.append(("deadline", deadline.map { .time($0) } ?? .null))
        }
        let added = try typed(call.values("add"), zone: zone)
        var dropped: [Identifier] = []
        for text in call.values("drop") { dropped.append(try slot(text, of: meeting).id) }
        if !added.isEmpty || !dropped.isEmpty {
            let kept = meeting.slots.filter { !dropped.contains($0.id) }.map(\.json)
            changes.append(("slots", .array(kept + added.map { Self.json($0) })))
        }
        if !call.values("with").isEmpty || !call.values("without").isEmpty {
            changes.append(("invitees", try invitees(of: meeting)))
        }
        let kept = meeting.slots.filter { !dropped.contains($0.id) }.map(\.start).min()
        for doubt in Self.doubts(added, besides: kept, deadline: deadline, now: now) {
            try settle(doubt, "meet.update-it")
        }
        guard changes.contains(where: { $0.1 != nil }) else { throw .usage(phrase("meet.nothing-to-change")) }
        var params: JSON.Object = ["meeting": .id(meeting.id)]
        for (key, value) in changes where value != nil { params[key] = value }
        let result = try call.call("meeting.update", .object(params))
        if call.wantsJSON { return call.output.say(result) }
        for time in added { call.output.say(phrase("meet.understood", ["time": time.said(now: now)])) }
        let now = SeenMeeting(result)?.meeting ?? meeting
        call.output.say(phrase("meet.updated", ["title": title(now)]))
        if meeting.state == .confirmed, now.state == .open { call.output.say(phrase("meet.reopened")) }
    }

    /// All members who are invited from now on.
    private func invitees(of meeting: Meeting) throws(Problem) -> JSON {
        let shown = try call.call("meeting.show", ["meeting": .id(meeting.id)])
        var ids = (shown["invitees"]?.array ?? []).filter { $0["isInvited"]?.bool != false }
            .compactMap { $0["member"]?.identifier }
        let people = try People(call)
        let without = try named(call.values("without"), people)
        ids.removeAll { without.contains($0) }
        for id in try named(call.values("with"), people) where !ids.contains(id) { ids.append(id) }
        return .array(ids.map { .id($0) })
    }
}
