package import KinModel

extension Voice {
    /// What happened to a meeting.
    func meeting() -> String? {
        switch event.type {
        case Meeting.proposed.name:
            let meeting = event[Meeting.proposed]?.meeting
            let sentence = phrase(
                "event.meeting.proposed", ["by": who, "title": title(meeting), "times": times(meeting)])
            guard let deadline = meeting?.deadline else { return sentence }
            return sentence + phrase("event.meeting.until", ["time": near(deadline)])
        case Meeting.shown.name:
            let data = event[Meeting.shown]
            return phrase(
                data?.own.isInvited == true ? "event.meeting.invited" : "event.meeting.shown",
                ["host": member(data?.meeting.host), "title": title(data?.meeting), "times": times(data?.meeting)])
        case Meeting.hidden.name: return phrase("event.meeting.hidden", ["title": title])
        case Meeting.deleted.name: return phrase("event.meeting.deleted", ["title": title])
        case Meeting.ended.name: return phrase("event.meeting.ended", ["title": title])
        case Meeting.updated.name:
            let data = event[Meeting.updated]
            let changes = data?.changes.map(\.rawValue) ?? Self.words(self.data["changes"])
            return phrase(
                "event.meeting.updated",
                ["by": who, "title": title(data?.meeting), "changes": reader.changes(changes)])
        case Meeting.voted.name: return voted
        case Meeting.refused.name:
            let data = event[Meeting.refused]
            let sentence = phrase("event.meeting.refused", ["member": member(data?.member), "title": title])
            return counted(because(sentence, data?.reason), data?.tally)
        case Meeting.suggested.name:
            let slot = event[Meeting.suggested]?.suggestion.slot
            return phrase("event.meeting.suggested", ["by": who, "title": title, "time": span(slot)])
        case Meeting.attended.name:
            let data = event[Meeting.attended]
            let sentence = phrase(
                data?.answer == .going ? "event.meeting.going" : "event.meeting.not-going",
                ["member": member(data?.member), "title": title])
            return going(sentence, data?.tally)
        case Meeting.confirmed.name:
            let meeting = event[Meeting.confirmed]?.meeting
            let sentence = phrase(
                "event.meeting.confirmed", ["title": title(meeting), "time": span(meeting?.confirmedSlot)])
            return going(sentence, meeting?.tally)
        case Meeting.cancelled.name:
            return because(
                phrase("event.meeting.cancelled", ["by": who, "title": title]), event[Meeting.cancelled]?.reason)
        case Meeting.closed.name:
            return counted(phrase("event.meeting.closed", ["title": title]), event[Meeting.closed]?.tally)
        case Meeting.nudged.name: return phrase("event.meeting.nudged", ["by": who, "title": title])
        case Meeting.deadlineNear.name:
            return phrase(
                "event.meeting.deadline-near", ["title": title, "time": near(event[Meeting.deadlineNear]?.deadline)])
        case Meeting.handedOver.name:
            return phrase(
                "event.meeting.handed-over", ["host": member(event[Meeting.handedOver]?.host), "title": title])
        case Meeting.cleared.name: return phrase("event.meeting.cleared")
        default: return nil
        }
    }

    /// `Ada voted yes for Sun 17:00 · 3 of 5 · Sunday dinner`.
    private var voted: String {
        let data = event[Meeting.voted]
        let votes = data?.votes ?? []
        let member = member(data?.member)
        let known = names.meeting(data?.meeting)?.slots ?? []
        var sentence: String
        if votes.count == 1, let vote = votes.first, let slot = known.first(where: { $0.id == vote.slot }) {
            sentence = phrase(
                "event.meeting.voted-once",
                ["member": member, "answer": reader.answer(vote.answer), "time": near(slot.start)])
        } else {
            let counts = Vote.Answer.allCases.compactMap { answer -> String? in
                let count = votes.count { $0.answer == answer }
                return count == 0 ? nil : "\(count) \(reader.answer(answer))"
            }
            sentence =
                counts.isEmpty
                ? phrase("event.meeting.voted-nothing", ["member": member])
                : phrase("event.meeting.voted", ["member": member, "votes": counts.joined(separator: ", ")])
        }
        sentence = counted(sentence, data?.tally)
        return "\(sentence) · \(title)"
    }

    /// The one that the event is about, as far as it is known.
    private var title: String {
        let id = Identifier(event.about.drop { $0 != "/" }.dropFirst())
        return names.title(event.data["meeting"]?.identifier ?? id, reader)
    }
    private func title(_ meeting: Meeting?) -> String { meeting.map { Plain.line($0.title) } ?? title }
    private var who: String { by ?? phrase("by.daemon") }

    private func span(_ slot: Slot?) -> String {
        slot.map { reader.range($0.start, $0.end, now: now) } ?? phrase("names.a-time")
    }

    /// Up to three slots by name, else how many and the first.
    private func times(_ meeting: Meeting?) -> String {
        guard let slots = meeting?.slots, let first = slots.first else { return phrase("names.a-time") }
        guard slots.count > 3 else { return slots.map { near($0.start) }.joined(separator: ", ") }
        return phrase("event.meeting.times", ["n": slots.count, "time": near(first.start)])
    }

    private func because(_ sentence: String, _ reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return sentence }
        return "\(sentence): \(Plain.line(reason))"
    }

    private func counted(_ sentence: String, _ tally: Tally?) -> String {
        guard let tally else { return sentence }
        let id = event.data["meeting"]?.identifier ?? Identifier(event.about.drop { $0 != "/" }.dropFirst())
        // Who may vote at a public meeting is no number of the event's.
        if names.meeting(id)?.kind == .public { return "\(sentence) · " + phrase("tally.so-far", ["n": tally.voted]) }
        return "\(sentence) · " + phrase("tally.voted", ["n": tally.voted, "total": tally.invitees])
    }

    private func going(_ sentence: String, _ tally: Tally?) -> String {
        guard let count = tally?.going else { return sentence }
        return "\(sentence) · " + phrase("tally.going", ["n": count])
    }

    private static func words(_ json: JSON?) -> [String] { (json?.array ?? []).compactMap(\.string) }
}

extension Reader {
    /// `yes`, `if need be`, `no`.
    package func answer(_ answer: Vote.Answer) -> String { phrase("answer.\(answer.rawValue)") }

    /// `title, slots` in the words of people; a word that is not known here as it came.
    package func changes(_ words: [String]) -> String {
        let said = words.map { word in
            knows("change.\(word)") ? phrase("change.\(word)") : Plain.line(word)
        }
        return said.isEmpty ? phrase("change.something") : said.joined(separator: ", ")
    }
}
