import KinModel
import KinWords

/// Lists of meetings on a screen, numbered through.
struct MeetingsScreen {
    /// Columns below which a meeting takes two lines.
    private static let wideMin = 72

    let views: [(view: String, meetings: [SeenMeeting])]
    let names: Names
    let me: Identifier?
    let now: Instant
    /// The number of members who may vote, by meeting; the number of invitees if the daemon does not give it.
    var voters: [Identifier: Int] = [:]

    /// The meetings' identifiers in the order of their numbers.
    var ids: [Identifier] { views.flatMap { $0.meetings.map(\.meeting.id) } }

    func lines(_ width: Int, isColoured: Bool) -> [String] {
        let style = Style(isColoured: isColoured)
        var lines: [String] = []
        var number = 0
        let rows = views.map { view, meetings in
            meetings.map { seen -> (title: String, when: String, about: String) in
                (Plain.line(seen.meeting.title), when(seen.meeting), about(seen, view))
            }
        }
        let titles = min(rows.joined().map { Plain.columns($0.title) }.max() ?? 0, width / 3)
        let whens = rows.joined().map { Plain.columns($0.when) }.max() ?? 0
        let numbers = "\(ids.count)".count
        for (index, rows) in rows.enumerated() where !rows.isEmpty {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.bold(phrase("meet.view.\(views[index].view)")))
            for row in rows {
                number += 1
                let lead = "  " + String(repeating: " ", count: numbers - "\(number)".count) + "\(number)  "
                if width >= Self.wideMin {
                    let left = Plain.padded(Plain.fitted(row.title, titles), titles)
                    let text = "\(lead)\(left)  \(Plain.padded(row.when, whens))  \(row.about)"
                    lines.append(Plain.fitted(Plain.trimmed(text), width))
                } else {
                    lines.append(Plain.fitted(lead + row.title, width))
                    let indent = lead.count
                    let below = "\(String(repeating: " ", count: indent))\(row.when) · \(row.about)"
                    let text = Plain.wrapped(below, width, indent: indent)
                    lines += text.split(separator: "\n").map { style.faint(String($0)) }
                }
            }
        }
        return lines
    }

    /// `Sun 17:00`, and how many more times there are to choose from.
    private func when(_ meeting: Meeting) -> String {
        let first = LocalTime.near(meeting.starts, now: now)
        guard meeting.confirmed == nil, meeting.slots.count > 1 else { return first }
        return "\(first) +\(meeting.slots.count - 1)"
    }

    /// `Ada · 2 of 5 · until Sat 12:00`.
    private func about(_ seen: SeenMeeting, _ view: String) -> String {
        let meeting = seen.meeting
        var parts: [String] = []
        if meeting.host != me { parts.append(names.member(meeting.host)) }
        switch meeting.state {
        case .open, .closed:
            let voters = voters[meeting.id] ?? meeting.tally.invitees
            if voters > 0 {
                parts.append(phrase("tally.voted", ["n": meeting.tally.voted, "total": voters]))
            }
            if meeting.state == .closed {
                parts.append(phrase("meet.state.closed"))
            } else if let deadline = meeting.deadline {
                parts.append(phrase("meet.until", ["time": LocalTime.near(deadline, now: now)]))
            }
            if view == "coming", seen.own.reply == .voted { parts.append(phrase("meet.you-voted")) }
            if seen.own.reply == .refused { parts.append(phrase("meet.you-refused")) }
        case .confirmed:
            if let going = meeting.tally.going, meeting.tally.invitees > 0 {
                parts.append(phrase("tally.going", ["n": going]))
            }
            switch seen.own.attendance {
            case .going: parts.append(phrase("meet.you-come"))
            case .notGoing: parts.append(phrase("meet.you-do-not-come"))
            case nil: if meeting.host != me, view != "past" { parts.append(phrase("meet.you-are-asked")) }
            }
        case .cancelled: parts.append(phrase("meet.state.cancelled"))
        }
        if let place = meeting.place { parts.append(Plain.line(place)) }
        return parts.joined(separator: " · ")
    }
}
