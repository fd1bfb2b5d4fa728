import KinModel

/// What stands in the family's calendars.
extension CalendarsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "calendars",
            known: [KnownEntries.self], sentence: { $0.calendars() }, isEcho: { $0.isOfMeeting },
            line: { (voice, line, _) in voice.entry(line) },
            headings: [
                "entry": { (voice, id) in id.map { voice.names.entry($0, voice.reader) } ?? "" },
                "calendar": { (voice, _) in voice.phrase("names.a-calendar") },
            ],
            signs: ["entry": ("calendar", "calendar"), "calendar": ("calendar", "calendar")])
    }
}

extension Voice {
    /// What happened to an entry or a calendar.
    func calendars() -> String? {
        switch event.type {
        case Entry.added.name: event[Entry.added].map { told("event.entry.added", $0.entry) }
        case Entry.updated.name: event[Entry.updated].map { told("event.entry.updated", $0.entry) }
        case Entry.shown.name: event[Entry.shown].map { told("event.entry.shown", $0.entry) }
        case Entry.hidden.name:
            event[Entry.hidden].map { phrase("event.entry.hidden", ["entry": names.entry($0.entry, reader)]) }
        case Entry.removed.name:
            event[Entry.removed].map {
                phrase("event.entry.removed", ["by": somebody, "entry": names.entry($0.entry, reader)])
            }
        case Entry.answered.name:
            event[Entry.answered].map { data in
                phrase(
                    "event.entry.answered.\(data.answer.rawValue)",
                    ["by": names.member(data.member, reader), "entry": names.entry(data.entry, reader)])
            }
        case Entry.starred.name:
            event[Entry.starred].map {
                phrase(
                    "event.entry.starred",
                    ["by": somebody, "entry": names.entry($0.entry, reader), "n": $0.stars.count])
            }
        case Entry.reminded.name:
            event[Entry.reminded].map {
                phrase(
                    "event.entry.reminded",
                    ["entry": names.entry($0.entry, reader), "time": reader.near($0.start, now: now)])
            }
        case FamilyCalendar.added.name: event[FamilyCalendar.added].map { told("event.calendar.added", $0.calendar) }
        case FamilyCalendar.updated.name:
            event[FamilyCalendar.updated].map { told("event.calendar.updated", $0.calendar) }
        case FamilyCalendar.shared.name:
            event[FamilyCalendar.shared].map {
                told("event.calendar.shared.\($0.calendar.right.rawValue)", $0.calendar)
            }
        case FamilyCalendar.removed.name:
            event[FamilyCalendar.removed].map { _ in phrase("event.calendar.removed", ["by": somebody]) }
        case FamilyCalendar.stopped.name:
            event[FamilyCalendar.stopped].map {
                phrase("event.calendar.stopped", ["why": phrase("calendar.trouble.\($0.trouble.rawValue)")])
            }
        case EntryCategory.changed.name: event[EntryCategory.changed].map { told($0) }
        default: nil
        }
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ entry: Entry) -> String {
        phrase(key, ["by": somebody, "entry": Plain.line(entry.subject), "time": reader.start(of: entry.times)])
    }

    private func told(_ key: String, _ calendar: FamilyCalendar) -> String {
        phrase(key, ["by": somebody, "calendar": names.calendar(calendar, reader)])
    }

    private func told(_ category: EntryCategory) -> String {
        let isGone = category.color == nil && category.icon == nil
        return phrase(
            isGone ? "event.category.removed" : "event.category.set",
            ["by": somebody, "category": Plain.line(category.category)])
    }

    /// Whether the meeting that it was made from has said it already.
    var isOfMeeting: Bool {
        switch event.type {
        case Entry.added.name: event[Entry.added]?.entry.meeting != nil
        case Entry.updated.name: event[Entry.updated]?.entry.meeting != nil
        case Entry.shown.name: event[Entry.shown]?.entry.meeting != nil
        case Entry.answered.name: event[Entry.answered]?.meeting != nil
        case Entry.removed.name: event[Entry.removed]?.meeting != nil
        case Entry.hidden.name: event[Entry.hidden]?.meeting != nil
        default: false
        }
    }
}

extension InboxVoice {
    /// What a line says of an entry or a calendar.
    func entry(_ line: JSON) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "entryInvited": return phrase("inbox.entry-invited", ["by": by])
        case "entryChanged": return phrase("inbox.entry-changed", ["by": by])
        case "entryCancelled": return phrase("inbox.entry-cancelled", ["by": by])
        case "entryAnswered":
            let reply = line["reply"]?.string.flatMap { Entry.Answer(rawValue: $0) } ?? .none
            return phrase("inbox.entry-answered.\(reply.rawValue)", ["by": by])
        case "reminder": return phrase("inbox.reminder", ["time": time(line["start"])])
        case "calendarShared":
            let right = line["right"]?.string.flatMap { FamilyCalendar.Right(rawValue: $0) } ?? .none
            return phrase("inbox.calendar-shared.\(right.rawValue)", ["by": by])
        case "calendarStopped":
            let trouble = line["trouble"]?.string.flatMap { FamilyCalendar.Trouble(rawValue: $0) } ?? .failing
            return phrase("inbox.calendar-stopped", ["why": phrase("calendar.trouble.\(trouble.rawValue)")])
        default: return nil
        }
    }
}
