import KinModel

extension Voice {
    /// What happened to a meeting.
    func meeting() -> String? {
        guard event.type.hasPrefix("meeting.") else { return nil }
        switch event.type.dropFirst("meeting.".count) {
        case "proposed":
            return withDeadline(phrase("event.meeting.proposed", ["by": who, "title": title, "times": times]))
        case "shown":
            let isInvited = data["own"]?["isInvited"]?.bool == true
            let host = names.member(whole?.host)
            return phrase(
                isInvited ? "event.meeting.invited" : "event.meeting.shown",
                ["host": host, "title": title, "times": times])
        case "hidden": return phrase("event.meeting.hidden", ["title": title])
        case "deleted": return phrase("event.meeting.deleted", ["title": title])
        case "ended": return phrase("event.meeting.ended", ["title": title])
        case "updated":
            return phrase(
                "event.meeting.updated", ["by": who, "title": title, "changes": Self.changes(data["changes"])])
        case "voted": return voted
        case "refused":
            return counted(
                because(phrase("event.meeting.refused", ["member": member(data["member"]), "title": title])))
        case "suggested":
            let slot = data["suggestion"].flatMap(Suggestion.init)?.slot
            return phrase(
                "event.meeting.suggested",
                ["by": who, "title": title, "time": slot.map { span($0) } ?? phrase("names.a-time")])
        case "attended":
            let isGoing = data["answer"]?.string == OwnPart.Attendance.going.rawValue
            let sentence = phrase(
                isGoing ? "event.meeting.going" : "event.meeting.not-going",
                ["member": member(data["member"]), "title": title])
            return going(sentence, tally)
        case "confirmed":
            let slot = whole?.confirmedSlot.map { span($0) } ?? phrase("names.a-time")
            return going(phrase("event.meeting.confirmed", ["title": title, "time": slot]), whole?.tally)
        case "cancelled": return because(phrase("event.meeting.cancelled", ["by": who, "title": title]))
        case "closed": return counted(phrase("event.meeting.closed", ["title": title]))
        case "nudged": return phrase("event.meeting.nudged", ["by": who, "title": title])
        case "deadlineNear":
            let deadline = data["deadline"]?.instant.map { LocalTime.near($0, now: now) } ?? "?"
            return phrase("event.meeting.deadline-near", ["title": title, "time": deadline])
        case "handedOver":
            return phrase("event.meeting.handed-over", ["host": member(data["host"]), "title": title])
        case "cleared": return phrase("event.meeting.cleared")
        default: return nil
        }
    }

    /// `18:04 Ada voted yes for Sun 17:00 · 3 of 5 · Sunday dinner`.
    private var voted: String {
        let votes = (data["votes"]?.array ?? []).compactMap(Vote.init)
        let member = member(data["member"])
        let known = names.meeting(id)?.slots ?? []
        var sentence: String
        if votes.count == 1, let vote = votes.first, let slot = known.first(where: { $0.id == vote.slot }) {
            sentence = phrase(
                "event.meeting.voted-once",
                [
                    "member": member, "answer": Self.answer(vote.answer),
                    "time": LocalTime.near(slot.start, now: now),
                ])
        } else {
            let counts = Vote.Answer.allCases.compactMap { answer -> String? in
                let count = votes.count { $0.answer == answer }
                return count == 0 ? nil : "\(count) \(Self.answer(answer))"
            }
            sentence =
                counts.isEmpty
                ? phrase("event.meeting.voted-nothing", ["member": member])
                : phrase("event.meeting.voted", ["member": member, "votes": counts.joined(separator: ", ")])
        }
        sentence = counted(sentence)
        return "\(sentence) · \(title)"
    }

    static func answer(_ answer: Vote.Answer) -> String { phrase("answer.\(answer.rawValue)") }

    /// `title, slots` in the words of people.
    static func changes(_ changes: JSON?) -> String {
        let words = (changes?.array ?? []).compactMap(\.string)
        let said = words.map { word in
            let key = "change.\(word)"
            return Language.current.phrases[key] == nil ? Plain.line(word) : phrase(key)
        }
        return said.isEmpty ? phrase("change.something") : said.joined(separator: ", ")
    }

    /// In most events the meeting's id, in some the whole meeting.
    private var id: Identifier? {
        data["meeting"]?.identifier ?? data["meeting"]?["id"]?.identifier
            ?? Identifier(event.about.drop { $0 != "/" }.dropFirst())
    }
    private var whole: Meeting? { data["meeting"].flatMap(Meeting.init) }
    private var title: String { whole.map { Plain.line($0.title) } ?? names.title(id) }
    private var tally: Tally? { data["tally"].flatMap(Tally.init) }
    private var who: String { by ?? phrase("by.daemon") }

    private func member(_ json: JSON?) -> String { names.member(json?.identifier) }
    private func span(_ slot: Slot) -> String { LocalTime.span(slot.start, slot.end, now: now) }

    /// Up to three slots by name, else how many and the first.
    private var times: String {
        guard let slots = whole?.slots, let first = slots.first else { return phrase("names.a-time") }
        guard slots.count > 3 else { return slots.map { LocalTime.near($0.start, now: now) }.joined(separator: ", ") }
        return phrase("event.meeting.times", ["n": slots.count, "time": LocalTime.near(first.start, now: now)])
    }

    private func withDeadline(_ sentence: String) -> String {
        guard let deadline = whole?.deadline else { return sentence }
        return sentence + phrase("event.meeting.until", ["time": LocalTime.near(deadline, now: now)])
    }

    private func because(_ sentence: String) -> String {
        guard let reason = data["reason"]?.string, !reason.isEmpty else { return sentence }
        return "\(sentence): \(Plain.line(reason))"
    }

    private func counted(_ sentence: String) -> String {
        guard let tally else { return sentence }
        return "\(sentence) · " + phrase("tally.voted", ["n": tally.voted, "total": tally.invitees])
    }

    private func going(_ sentence: String, _ tally: Tally?) -> String {
        guard let count = tally?.going else { return sentence }
        return "\(sentence) · " + phrase("tally.going", ["n": count])
    }
}
