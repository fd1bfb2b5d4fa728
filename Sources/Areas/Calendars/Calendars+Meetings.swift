import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// Meetings in calendars. The open slots of a meeting are tentative entries for the members that they ask. The
/// confirmed slot is an entry with the voters' answers. All of these follow from the events of meetings.
extension Calendars {
    static let meetings: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Meeting.proposed.name: { (act, told) throws(Rejection) in
            if let data = told[Meeting.proposed] { try follow(data.meeting, act) }
        },
        Meeting.shown.name: { (act, told) throws(Rejection) in
            if let data = told[Meeting.shown] { try follow(data.meeting, act) }
        },
        Meeting.updated.name: { (act, told) throws(Rejection) in
            if let data = told[Meeting.updated] { try follow(data.meeting, act) }
        },
        Meeting.hidden.name: { (act, told) throws(Rejection) in
            guard let id = told[Meeting.hidden]?.meeting else { return }
            let gone = Set(try act.roster.entries(in: told.audience).map(\.id))
            for stored in try entries(of: id, act) {
                try stored.change(act) { $0.wire.invitees.removeAll { gone.contains($0.member) } }
            }
        },
        Meeting.voted.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.voted] else { return }
            try hear(data.member, of: data.meeting, act) { slot in
                data.votes.first { $0.slot == slot }.map { Entry.Answer($0.answer) } ?? .none
            }
        },
        Meeting.refused.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.refused] else { return }
            try hear(data.member, of: data.meeting, act) { _ in .declined }
        },
        Meeting.attended.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.attended] else { return }
            try hear(data.member, of: data.meeting, act) { _ in Entry.Answer(data.answer) }
            if data.answer == .going { try remindOf(data.meeting, [data.member], act) }
        },
        Meeting.confirmed.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.confirmed] else { return }
            try follow(data.meeting, act)
            try remindOf(data.meeting.id, data.going + [data.meeting.host], act)
        },
        Meeting.handedOver.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.handedOver] else { return }
            let parts = try act.hooks.parts?(act, data.meeting) ?? [:]
            let roster = try act.roster
            for stored in try entries(of: data.meeting, act) {
                try stored.change(act) { stored in
                    stored.wire.owner = data.host
                    stored.wire.invitees = asked(
                        parts, host: data.host, to: stored.slot, isDecided: stored.wire.status == .confirmed, roster)
                }
                if stored.wire.status == .confirmed { try remindOf(data.meeting, [data.host], act) }
            }
        },
        Meeting.cancelled.name: { (act, told) throws(Rejection) in
            if let id = told[Meeting.cancelled]?.meeting { try drop(id, act) }
        },
        Meeting.deleted.name: { (act, told) throws(Rejection) in
            if let id = told[Meeting.deleted]?.meeting { try drop(id, act) }
        },
        Meeting.ended.name: { (act, told) throws(Rejection) in
            // Slots that were never decided are removed; the confirmed one stays.
            guard let id = told[Meeting.ended]?.meeting else { return }
            for stored in try entries(of: id, act) where stored.wire.status == .tentative {
                try stored.remove(erasing: true, act)
            }
        },
    ]

    /// The entries that stand for a meeting: its holds, or the one of its confirmed slot.
    private static func entries(of meeting: Identifier, _ act: Act) throws(Rejection) -> [StoredEntry] {
        try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows("WHERE e.meeting = ? ORDER BY e.number", [.id(meeting)], database)
        }
    }

    private static func drop(_ meeting: Identifier, _ act: Act) throws(Rejection) {
        for stored in try entries(of: meeting, act) { try stored.remove(erasing: true, act) }
    }

    /// A member's answer to a meeting is the member's answer to its entries, slot by slot. A member who answers a public
    /// meeting without having been asked is among the invitees from then on.
    private static func hear(
        _ member: Identifier, of meeting: Identifier, _ act: Act, _ answer: (_ slot: Identifier?) -> Entry.Answer
    ) throws(Rejection) {
        let all = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows("WHERE e.meeting = ? ORDER BY e.number", [.id(meeting)], hasStars: false, database)
        }
        var said: [(entry: StoredEntry, answer: Entry.Answer)] = []
        for stored in all {
            let answer = answer(stored.slot)
            if let invitee = stored.wire.invitees.first(where: { $0.member == member }) {
                if invitee.answer != answer { said.append((stored, answer)) }
            } else if member != stored.wire.owner, answer != .none {
                try StoredEntry.find(stored.wire.id, act)?.change(act) { stored in
                    stored.wire.invitees.append(EntryInvitee(member: member, answer: answer))
                    stored.wire.invitees.sort { $0.member < $1.member }
                }
            }
        }
        try tell(said, of: member, act)
    }

    /// Stores a member's answers to entries, and tells the members who see the entries. It needs as few statements as
    /// possible, because one vote answers all slots.
    private static func tell(
        _ said: [(entry: StoredEntry, answer: Entry.Answer)], of member: Identifier, _ act: Act
    ) throws(Rejection) {
        guard !said.isEmpty else { return }
        let numbers = Value.text(JSON.array(said.map { .int($0.entry.number) }).text)
        try act.run(
            "UPDATE entries SET position = ? WHERE number IN (SELECT value FROM json_each(?))",
            .int(act.logPosition + 1), numbers)
        try act.run(
            """
            INSERT INTO entry_people (entry, member, answer)
            SELECT json_extract(j.value, '$[0]'), ?1, json_extract(j.value, '$[1]') FROM json_each(?2) j WHERE true
            ON CONFLICT DO UPDATE SET answer = excluded.answer
            """, .id(member),
            .text(JSON.array(said.map { .array([.int($0.entry.number), .string($0.answer.rawValue)]) }).text))
        let reminded = Set(
            try act.rows(
                """
                SELECT DISTINCT entry FROM entry_reminders
                WHERE member = ? AND entry IN (SELECT value FROM json_each(?))
                """, .id(member), numbers
            ) { row in row.int(0) })
        for (entry, answer) in said {
            var entry = entry
            entry.wire.take(answer, of: member, to: nil, note: nil)
            try act.emit(
                Entry.answered,
                .init(
                    entry: entry.wire.id, member: member, occurrence: nil, answer: answer, note: nil,
                    tally: EntryTally(entry.wire.invitees), meeting: entry.wire.meeting), about: about(entry.wire.id),
                to: try entry.seers(act),
                title: entry.wire.subject, owner: entry.wire.owner)
            if reminded.contains(entry.number) { try entry.remind(member, act) }
        }
    }

    /// Sets the reminders of a decided meeting: for its host and for each member who goes, unless the member set
    /// another.
    private static func remindOf(
        _ meeting: Identifier, _ members: [Identifier], _ act: Act
    ) throws(Rejection) {
        for stored in try entries(of: meeting, act) where stored.wire.status == .confirmed {
            for member in members where try stored.reminders(of: member, act).isEmpty {
                try stored.setReminders(Limits.meetingReminders, of: member, act)
            }
        }
    }

    /// The members who are asked to a slot, each with the answer. Guests are among them only where they are named.
    private static func asked(
        _ parts: [Identifier: OwnPart], host: Identifier, to slot: Identifier?, isDecided: Bool, _ roster: Roster
    ) -> [EntryInvitee] {
        parts.compactMap { member, part in
            guard member != host, let entry = roster[member], part.isInvited || entry.role != .guest else { return nil }
            let answer = Entry.Answer(part, to: slot, isDecided: isDecided)
            return part.isInvited || answer != .none ? EntryInvitee(member: member, answer: answer) : nil
        }.sorted { $0.member < $1.member }
    }

    /// Brings the entries of a meeting into step with it.
    private static func follow(_ meeting: Meeting, _ act: Act) throws(Rejection) {
        guard let family = try act.memory(CalendarMemory.self).known(act).implied.first?.id,
            let parts = try act.hooks.parts?(act, meeting.id)
        else { return }
        let known = try entries(of: meeting.id, act)
        let isDecided = meeting.confirmed != nil
        let wanted = isDecided ? [meeting.confirmedSlot].compactMap(\.self) : meeting.slots
        for stored in known where !wanted.contains(where: { $0.id == stored.slot }) {
            try stored.remove(erasing: true, act)
        }
        let place =
            isDecided
            ? (meeting.kind == .public ? family : StoredCalendar.ofMeetings(family)) : StoredCalendar.toDecide(family)
        guard var calendar = try StoredCalendar.find(place, act) else { return }
        let (roster, zone) = (try act.roster, Zone(meeting.zone) ?? .utc)
        for slot in wanted {
            let old = known.first { $0.slot == slot.id }
            var entry =
                old?.wire
                ?? Entry(
                    id: act.newIdentifier(), calendar: place, owner: meeting.host, subject: meeting.title,
                    times: EntryTimes(start: "1970-01-01"), meeting: meeting.id, changed: act.now)
            entry.owner = meeting.host
            entry.subject = meeting.title
            entry.note = meeting.note
            entry.place = meeting.place.map { EntryPlace(text: $0) }
            entry.status = isDecided ? .confirmed : .tentative
            entry.times = EntryTimes(slot, zone)
            entry.invitees = asked(parts, host: meeting.host, to: slot.id, isDecided: isDecided, roster)
            var stored = old ?? StoredEntry(entry, slot: slot.id)
            let seers = try old?.seers(act) ?? Audience()
            stored.wire = entry
            try stored.save(instead: old, in: &calendar, seenBy: seers, act)
        }
    }
}

extension StoredEntry {
    /// Changes the entry of a meeting, in its calendar.
    fileprivate func change(_ act: Act, _ body: (inout StoredEntry) -> Void) throws(Rejection) {
        var changed = self
        let seers = try seers(act)
        guard var calendar = try StoredCalendar.find(wire.calendar, act) else { return }
        body(&changed)
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
    }
}

extension EntryTimes {
    /// The civil time of a slot in a zone. If a clock shows it twice that night and the second one is meant, it is in
    /// universal time.
    fileprivate init(_ slot: Slot, _ zone: Zone) {
        let civil = zone.civil(at: slot.start)
        let isFirst = abs(Timing.moment(civil, zone).milliseconds(since: slot.start)) < 1000
        let zone = isFirst ? zone : .utc
        self.init(
            start: zone.civil(at: slot.start).description, zone: zone.name,
            minutes: min(max(0, slot.end.milliseconds(since: slot.start) / 60_000), Limits.entryMinutesMax))
    }
}

extension Entry.Answer {
    /// The answer in a calendar for a vote.
    fileprivate init(_ vote: Vote.Answer) {
        self =
            switch vote {
            case .yes: .accepted
            case .ifNeedBe: .tentative
            case .no: .declined
            }
    }

    /// The answer in a calendar for a member who goes, or does not.
    fileprivate init(_ attendance: OwnPart.Attendance) { self = attendance == .going ? .accepted : .declined }

    /// A member's answer to a slot. Once the meeting is decided, it says whether the member goes; until then it is the
    /// vote.
    fileprivate init(_ part: OwnPart, to slot: Identifier?, isDecided: Bool) {
        if isDecided, let attendance = part.attendance {
            self.init(attendance)
        } else if part.reply == .refused {
            self = .declined
        } else {
            self = part.votes.first { $0.slot == slot }.map { Self($0.answer) } ?? .none
        }
    }
}
