import KinModel
import KinWords

extension Meet {
    /// Votes by `1=yes 2=no 3=maybe`, `1,2=yes` or `all=no`; `yes` alone is enough if there is one time only. Slots
    /// that are not named keep their answer.
    func vote() throws(Problem) {
        let seen = try meant()
        let meeting = seen.meeting
        var answers: [Identifier: Vote.Answer] = [:]
        for vote in seen.own.votes { answers[vote.slot] = vote.answer }
        for word in call.words.dropFirst(2) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 1, let answer = Self.answer(word) {
                guard meeting.slots.count == 1, let slot = meeting.slots.first else {
                    throw .usage(phrase("meet.which-time", ["word": Plain.line(word), "n": meeting.slots.count]))
                }
                answers[slot.id] = answer
                continue
            }
            guard parts.count == 2, let answer = Self.answer(String(parts[1])) else {
                throw .usage(phrase("meet.no-vote", ["word": Plain.line(word)]))
            }
            if ["all", "alle"].contains(parts[0].lowercased()) {
                for slot in meeting.slots { answers[slot.id] = answer }
                continue
            }
            for number in parts[0].split(separator: ",") {
                answers[try slot(String(number), of: meeting).id] = answer
            }
        }
        let votes = meeting.slots.compactMap { slot in answers[slot.id].map { Vote(slot: slot.id, answer: $0) } }
        let (result, now) = try act("meeting.vote", meeting, ["votes": .array(votes.map(\.json))])
        let said = meeting.slots.enumerated().compactMap { index, slot in
            answers[slot.id].map { "\(index + 1) \(Reader.here.answer($0))" }
        }
        call.answer(
            result,
            phrase(
                "meet.voted",
                [
                    "title": title(meeting), "votes": said.joined(separator: ", "), "n": now.meeting.tally.voted,
                    "total": MeetingChoice.voters(result)[meeting.id] ?? now.meeting.tally.invitees,
                ]))
    }

    static func answer(_ text: String) -> Vote.Answer? {
        switch text.lowercased() {
        case "yes", "y", "ja", "j", "✓", "+": .yes
        case "maybe", "ifneedbe", "if-need-be", "vielleicht", "zurnot", "notfalls", "m", "~", "?": .ifNeedBe
        case "no", "n", "nein", "✗", "-": .no
        default: nil
        }
    }

    func refuse() throws(Problem) {
        let meeting = try meant().meeting
        let (result, _) = try act("meeting.refuse", meeting, ["reason": call.value("reason").map { .string($0) }])
        call.answer(result, phrase("meet.refused", ["title": title(meeting)]))
    }

    func suggest() throws(Problem) {
        let meeting = try meant().meeting
        let times = try typed(Array(call.words.dropFirst(2)), zone: try zone(of: meeting))
        guard times.count == 1, let time = times.first else { throw .usage(phrase("meet.one-suggestion")) }
        let (result, _) = try act("meeting.suggest", meeting, ["slot": Self.json(time)])
        call.answer(result, phrase("meet.suggested", ["time": time.said(now: now), "title": title(meeting)]))
    }

    func attend() throws(Problem) {
        let answers: [String: OwnPart.Attendance] = [
            "yes": .going, "y": .going, "ja": .going, "j": .going, "going": .going, "no": .notGoing, "n": .notGoing,
            "nein": .notGoing, "not-going": .notGoing,
        ]
        guard let answer = answers[call.words[2].lowercased()] else { throw call.misused }
        let meeting = try meant().meeting
        let (result, now) = try act("meeting.attend", meeting, ["answer": .string(answer.rawValue)])
        let key = answer == .going ? "meet.going" : "meet.not-going"
        call.answer(result, phrase(key, ["title": title(meeting), "n": now.meeting.tally.going ?? 0]))
    }
}
