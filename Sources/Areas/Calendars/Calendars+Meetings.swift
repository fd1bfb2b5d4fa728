import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// Meetings in calendars: their open slots are tentative holds for whom they ask, and the confirmed one is an entry with the
/// voters' answers. All of it is made from what meetings tell.
extension Calendars {
    static let meetings: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Meeting.proposed.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.proposed] else { return }
            try follow(data.meeting, invitees: data.invitees, act)
        },
        Meeting.shown.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.shown] else { return }
            try follow(data.meeting, invitees: data.invitees, act)
        },
        Meeting.updated.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.updated] else { return }
            // Who sees a meeting that is not everybody's are its host and its invitees.
            let roster = try act.roster
            let invitees =
                data.meeting.kind == .public
                ? nil : roster.entries(in: told.audience).map(\.id).filter { $0 != data.meeting.host }
            try follow(data.meeting, invitees: invitees, act)
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
            for var stored in try entries(of: data.meeting, act) {
                guard let slot = stored.slot else { continue }
                let vote = data.votes.first { $0.slot == slot }?.answer
                try stored.hear(vote.map { Entry.Answer($0) } ?? .none, of: data.member, act)
            }
        },
        Meeting.refused.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.refused] else { return }
            for var stored in try entries(of: data.meeting, act) { try stored.hear(.declined, of: data.member, act) }
        },
        Meeting.attended.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.attended] else { return }
            for var stored in try entries(of: data.meeting, act) {
                try stored.hear(data.answer == .going ? .accepted : .declined, of: data.member, act)
            }
        },
        Meeting.confirmed.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.confirmed] else { return }
            try follow(data.meeting, invitees: nil, act)
            for var stored in try entries(of: data.meeting.id, act) {
                for member in data.going { try stored.hear(.accepted, of: member, act) }
                // Who goes is reminded, and so is who hosts it.
                for member in data.going + [data.meeting.host] {
                    try stored.setReminders(Limits.meetingReminders, of: member, act)
                }
            }
        },
        Meeting.handedOver.name: { (act, told) throws(Rejection) in
            guard let data = told[Meeting.handedOver] else { return }
            let isStillThere = try act.roster[data.from] != nil
            for stored in try entries(of: data.meeting, act) {
                try stored.change(act) { stored in
                    stored.wire.owner = data.host
                    stored.wire.invitees.removeAll { $0.member == data.host || $0.member == data.from }
                    if isStillThere { stored.wire.invitees.append(EntryInvitee(member: data.from)) }
                    stored.wire.invitees.sort { $0.member < $1.member }
                }
            }
        },
        Meeting.cancelled.name: { (act, told) throws(Rejection) in
            if let id = told[Meeting.cancelled]?.meeting { try drop(id, act) }
        },
        Meeting.deleted.name: { (act, told) throws(Rejection) in
            if let id = told[Meeting.deleted]?.meeting { try drop(id, act) }
        },
        Meeting.ended.name: { (act, told) throws(Rejection) in
            // What was never decided is over; what was confirmed stays as what it was.
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

    /// Brings what stands for a meeting into step with it; `invitees`: who is asked, where that may be another.
    private static func follow(
        _ meeting: Meeting, invitees: [Identifier]?, _ act: Act
    ) throws(Rejection) {
        guard let family = try act.ask({ (database) throws(StoreFailure) in try People.family(database) })?.id else {
            return
        }
        let known = try entries(of: meeting.id, act)
        let isConfirmed = meeting.confirmed != nil
        let wanted = isConfirmed ? [meeting.confirmedSlot].compactMap(\.self) : meeting.slots
        for stored in known where !wanted.contains(where: { $0.id == stored.slot }) {
            try stored.remove(erasing: true, act)
        }
        let place =
            isConfirmed
            ? (meeting.kind == .public ? family : StoredCalendar.ofMeetings(family)) : StoredCalendar.toDecide(family)
        guard var calendar = try StoredCalendar.find(place, act) else { return }
        for slot in wanted {
            let old = known.first { $0.slot == slot.id }
            let asked = invitees?.filter { $0 != meeting.host }.sorted()
            var entry =
                old?.wire
                ?? Entry(
                    id: act.newIdentifier(), calendar: place, owner: meeting.host, subject: meeting.title,
                    times: EntryTimes(start: "1970-01-01"), meeting: meeting.id, changed: act.now)
            let zone = Zone(meeting.zone) ?? .utc
            let minutes = max(0, slot.end.milliseconds(since: slot.start) / 60_000)
            entry.owner = meeting.host
            entry.subject = String(meeting.title.prefix(Limits.entrySubjectCharactersMax))
            entry.note = meeting.note
            entry.place = meeting.place.map { EntryPlace(text: $0) }
            entry.status = isConfirmed ? .confirmed : .tentative
            entry.times = EntryTimes(
                start: zone.civil(at: slot.start).description, zone: zone.name,
                minutes: min(minutes, Limits.entryMinutesMax))
            if let asked {
                entry.invitees = asked.map { id in
                    entry.invitees.first { $0.member == id } ?? EntryInvitee(member: id)
                }
            }
            var stored = old ?? StoredEntry(entry, slot: slot.id)
            let (before, seers) = (old, try old?.seers(act) ?? Audience())
            stored.wire = entry
            try stored.save(instead: before, in: &calendar, seenBy: seers, act)
        }
    }
}

extension StoredEntry {
    /// Changes what stands for a meeting, in its calendar.
    fileprivate func change(_ act: Act, _ body: (inout StoredEntry) -> Void) throws(Rejection) {
        var changed = self
        let seers = try seers(act)
        guard var calendar = try StoredCalendar.find(wire.calendar, act) else { return }
        body(&changed)
        try changed.save(instead: self, in: &calendar, seenBy: seers, act)
    }

    /// What a member says to a meeting is what they say to its entry; who answers a public one uninvited is among those asked.
    fileprivate mutating func hear(_ answer: Entry.Answer, of member: Identifier, _ act: Act) throws(Rejection) {
        if !wire.invitees.contains(where: { $0.member == member }) {
            guard member != wire.owner, answer != .none else { return }
            try change(act) { stored in
                stored.wire.invitees.append(EntryInvitee(member: member))
                stored.wire.invitees.sort { $0.member < $1.member }
            }
            guard let changed = try StoredEntry.find(wire.id, act) else { return }
            self = changed
        }
        try self.answer(answer, of: member, to: nil, note: nil, act)
    }
}

extension Entry.Answer {
    /// What a vote is in a calendar.
    fileprivate init(_ vote: Vote.Answer) {
        self =
            switch vote {
            case .yes: .accepted
            case .ifNeedBe: .tentative
            case .no: .declined
            }
    }
}
