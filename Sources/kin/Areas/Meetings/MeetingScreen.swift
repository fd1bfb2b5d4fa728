import KinModel
import KinWords

/// A meeting on a screen: its fields, and a grid of slots and people with their answers.
struct MeetingScreen {
    /// The answers of one invitee.
    struct Answers {
        let member: Identifier
        let reply: OwnPart.Reply
        let reason: String?
        let votes: [Identifier: Vote.Answer]
        let attendance: OwnPart.Attendance?

        init?(_ json: JSON) {
            guard let member = json["member"]?.identifier,
                let reply = json["reply"]?.string.flatMap(OwnPart.Reply.init)
            else { return nil }
            self.member = member
            self.reply = reply
            reason = json["reason"]?.string.flatMap { $0.isEmpty ? nil : Plain.line($0) }
            votes = Dictionary(
                (json["votes"]?.array ?? []).compactMap(Vote.init).map { ($0.slot, $0.answer) },
                uniquingKeysWith: { $1 })
            attendance = json["attendance"]?.string.flatMap(OwnPart.Attendance.init)
        }
    }

    let meeting: Meeting
    let own: OwnPart
    /// The caller comes first, then the others by name.
    let invitees: [Answers]
    let names: Names
    let me: Identifier?
    let now: Instant
    /// The number of members who may vote.
    let voters: Int

    /// Reads an answer of `meeting.show`.
    init?(_ shown: JSON, names: Names, me: Identifier?, now: Instant) {
        guard let seen = SeenMeeting(shown) else { return nil }
        (meeting, own) = (seen.meeting, seen.own)
        self.names = names
        self.me = me
        self.now = now
        voters = MeetingChoice.voters(shown)[meeting.id] ?? meeting.tally.invitees
        let answers = (shown["invitees"]?.array ?? []).compactMap(Answers.init)
        invitees = answers.sorted { left, right in
            if (left.member == me) != (right.member == me) { return left.member == me }
            return (names.member(left.member), left.member) < (names.member(right.member), right.member)
        }
    }

    /// The letter of a suggestion: `a` to `z`, then `aa`.
    static func letter(_ index: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return index < 26 ? String(letters[index]) : letter(index / 26 - 1) + String(letters[index % 26])
    }

    func lines(_ width: Int, isColoured: Bool) -> [String] {
        let style = Style(isColoured: isColoured)
        var lines = [style.bold(Plain.fitted(Plain.line(meeting.title), width))]
        lines += wrapped([Plain.wrapped(about, width, indent: 0)])
        if let place = meeting.place {
            lines += wrapped([Plain.wrapped(phrase("meet.place", ["place": Plain.line(place)]), width, indent: 2)])
        }
        if let note = meeting.note, !note.isEmpty {
            for line in note.split(separator: "\n") {
                lines += wrapped([Plain.wrapped("  " + Plain.line(String(line)), width, indent: 2)])
            }
        }
        lines += wrapped([Plain.wrapped(tally, width, indent: 0)])
        lines.append("")
        lines += Grid(self, style).lines(width)
        lines += suggestions(width)
        lines += refusals(width)
        lines += attendance(width)
        if let hint { lines += ["", style.faint(Plain.fitted(hint, width))] }
        return lines
    }

    /// `Ada hosts it · group · open until Sat 12:00 (in 14 h)`.
    private var about: String {
        let host =
            meeting.host == me ? phrase("meet.you-host") : phrase("meet.host", ["name": names.member(meeting.host)])
        return [host, phrase("meet.kind.\(meeting.kind.rawValue)"), state].joined(separator: " · ")
    }

    private var state: String {
        switch meeting.state {
        case .open:
            guard let deadline = meeting.deadline else { return phrase("meet.state.open") }
            return phrase(
                "meet.state.open-until",
                ["time": LocalTime.near(deadline, now: now), "age": Words.age(deadline, now: now)])
        case .closed: return phrase("meet.state.closed")
        case .confirmed:
            let slot = meeting.confirmedSlot.map { LocalTime.span($0.start, $0.end, now: now) }
            return phrase("meet.state.confirmed", ["time": slot ?? "?"])
        case .cancelled: return phrase("meet.state.cancelled")
        }
    }

    private var tally: String {
        let tally = meeting.tally
        guard voters > 0 else { return phrase("meet.nobody-else") }
        var parts = [phrase("meet.tally", ["n": tally.voted, "total": voters])]
        if tally.refused > 0 { parts.append(phrase("meet.tally.refused", ["n": tally.refused])) }
        if tally.noReply > 0 { parts.append(phrase("meet.tally.silent", ["n": tally.noReply])) }
        if let going = tally.going { parts.append(phrase("tally.going", ["n": going])) }
        return parts.joined(separator: " · ")
    }

    private func suggestions(_ width: Int) -> [String] {
        guard !meeting.suggestions.isEmpty else { return [] }
        let rows = meeting.suggestions.enumerated().map { index, suggestion in
            let time = LocalTime.span(suggestion.slot.start, suggestion.slot.end, now: now)
            let by = phrase("meet.by", ["name": names.member(suggestion.by)])
            return Plain.wrapped("  \(Self.letter(index))  \(time) \(by)", width, indent: 5)
        }
        return ["", phrase("meet.suggestions")] + wrapped(rows)
    }

    private func refusals(_ width: Int) -> [String] {
        let refused = invitees.filter { $0.reply == .refused }
        guard !refused.isEmpty else { return [] }
        let rows = refused.map { answers in
            let reason = answers.reason.map { ": \($0)" } ?? ""
            return Plain.wrapped("  \(names.member(answers.member))\(reason)", width, indent: 4)
        }
        return ["", phrase("meet.refusals")] + wrapped(rows)
    }

    private func attendance(_ width: Int) -> [String] {
        guard meeting.state == .confirmed else { return [] }
        let groups: [(String, [Answers])] = [
            (phrase("meet.coming"), invitees.filter { $0.attendance == .going }),
            (phrase("meet.not-coming"), invitees.filter { $0.attendance == .notGoing }),
            (phrase("meet.open"), invitees.filter { $0.attendance == nil && $0.reply != .refused }),
        ]
        let rows = groups.filter { !$0.1.isEmpty }.map { heading, people in
            let line = heading + " " + people.map { names.member($0.member) }.joined(separator: ", ")
            return Plain.wrapped(line, width, indent: 2)
        }
        return [""] + wrapped(rows)
    }

    /// The next command for an invitee who has not answered.
    private var hint: String? {
        let name = Self.slug(meeting.title)
        if meeting.state == .open, own.reply == .none, own.isInvited || meeting.kind == .public, meeting.host != me {
            return "kin meet vote \(name) " + (meeting.slots.count == 1 ? "" : "1=") + phrase("answer.yes")
        }
        if meeting.host == me, meeting.state == .open || meeting.state == .closed, meeting.tally.voted > 0 {
            return "kin meet confirm \(name)" + (meeting.slots.count == 1 ? "" : " 1")
        }
        return nil
    }

    /// A title as one word of a command line.
    static func slug(_ title: String) -> String {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? "1" : words.joined(separator: "-")
    }

    private func wrapped(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
    }
}

/// Emphasis, where the terminal has it.
struct Style {
    let isColoured: Bool

    func bold(_ text: String) -> String { styled(text, "1") }
    func faint(_ text: String) -> String { styled(text, "2") }
    func styled(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
