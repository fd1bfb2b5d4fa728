import KinModel

extension InboxVoice {
    /// What a line says of a meeting.
    func meeting(_ line: JSON, _ entry: InboxEntry) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "invited": return phrase("inbox.invited", ["by": by])
        case "meetingChanged": return changed(line, by)
        case "voted": return phrase(line["reply"]?.string == "refused" ? "inbox.refused" : "inbox.voted", ["by": by])
        case "allReplied": return phrase("inbox.all-replied")
        case "deadlineNear":
            return phrase("inbox.deadline-near", ["time": time(line["deadline"])])
        case "closed": return phrase("inbox.closed")
        case "confirmed": return confirmed(entry)
        case "cancelled": return phrase("inbox.cancelled", ["by": by])
        case "nudged": return phrase("inbox.nudged", ["by": by])
        case "goingChanged":
            return phrase(line["answer"]?.string == "going" ? "inbox.going" : "inbox.not-going", ["by": by])
        default: return nil
        }
    }

    private func changed(_ line: JSON, _ by: String) -> String {
        let changes = (line["changes"]?.array ?? []).compactMap(\.string)
        switch changes {
        case ["suggestions"]: return phrase("inbox.suggested", ["by": by])
        case ["host"]: return phrase("inbox.handed-over", ["by": by])
        default: return phrase("inbox.changed", ["by": by, "changes": reader.changes(changes)])
        }
    }

    private func confirmed(_ entry: InboxEntry) -> String {
        let meeting = names.meeting(entry.subject)
        guard let slot = meeting?.confirmedSlot else { return phrase("inbox.confirmed") }
        return phrase("inbox.confirmed-at", ["time": reader.range(slot.start, slot.end, now: now)])
    }
}
