import KinKeeper
import KinModel
import KinStore

extension Meetings {
    private static let changedSlot = Shape.object([
        .optional("id", .id, "A slot that stays, with its votes; other times move it."),
        .optional("start", MeetingTimes.shape), .optional("end", MeetingTimes.shape),
    ])

    static let update = Method.command(
        "meeting.update", "Changes a meeting; what is left out stays. Votes on slots that stay are kept.",
        access: .signedIn, note: leaders,
        [
            named, .optional("title", title), .optional("place", .nullable(place)), .optional("note", .nullable(note)),
            .optional("zone", zone, "The IANA zone in which days and hours are meant."),
            .optional(
                "slots", .list(changedSlot, max: Limits.meetingSlotsMax),
                "All slots from now on. One with the id, or both times, of an earlier one is that one."),
            .optional("invitees", members, "All invitees from now on."),
            .optional("deadline", .nullable(MeetingTimes.shape), "Another one opens a closed meeting again."),
        ],
        result: told, route: Route("PATCH", "/api/meetings/{meeting}"),
        events: [Meeting.updated, Meeting.shown, Meeting.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let before = try StoredMeeting.led(act, params)
            var stored = before
            try change(&stored.meeting, params, act)
            let guests = try changeInvitees(&stored, params, act)
            let changes = Self.difference(from: before, to: stored)
            guard !changes.isEmpty else { return try done(stored, act) }
            if stored.meeting.confirmed == nil, before.meeting.confirmed != nil {
                try act.run("UPDATE meeting_people SET attendance = NULL WHERE meeting = ?", .int(stored.number))
            }
            try stored.checkRoom(act)
            try stored.saveSlots(act)
            try stored.recount(act)
            try stored.save(act)
            try stored.schedule(act)
            if changes.contains(.title) { try act.retitle(about(stored.meeting.id), stored.meeting.title) }
            try tell(changes, before, stored, guests, act)
            return try done(stored, act)
        })

    // MARK: The meeting itself

    private static func change(_ meeting: inout Meeting, _ params: Params, _ act: Act) throws(Rejection) {
        if let title = params.optionalString("title") { meeting.title = title }
        if let place = params["place"] { meeting.place = place.string }
        if let note = params["note"] { meeting.note = note.string }
        let times = try MeetingTimes(zone: params.optionalString("zone") ?? meeting.zone)
        meeting.zone = times.name
        if let list = params["slots"]?.array { try changeSlots(&meeting, list, times, act) }
        if let deadline = params["deadline"] {
            guard meeting.confirmed == nil else {
                throw Rejection(
                    .conflict, "A slot is confirmed, so there is nothing to vote on by a deadline.", field: "deadline")
            }
            meeting.deadline =
                deadline.isNull ? nil : try times.deadline(deadline, ends: meeting.ends, act)
            meeting.state = .open
        } else if meeting.state == .open, let deadline = meeting.deadline {
            try MeetingTimes.check(deadline: deadline, ends: meeting.ends)
        }
    }

    private static func changeSlots(
        _ meeting: inout Meeting, _ list: [JSON], _ times: MeetingTimes, _ act: Act
    ) throws(Rejection) {
        var slots: [Slot] = []
        for (index, json) in list.enumerated() {
            let slot = try changed(json, "slots[\(index)]", meeting, times, act)
            guard !slots.contains(where: { $0.id == slot.id }) else {
                throw Rejection(.invalid, "slots[\(index)] is there twice.", field: "slots[\(index)]")
            }
            slots.append(slot)
        }
        try check(slots)
        try check(slotCount: slots.count + meeting.suggestions.count, field: "slots")
        meeting.slots = slots
        if meeting.confirmed != nil, meeting.confirmedSlot == nil {
            // The slot that was confirmed is gone: the meeting is open again.
            meeting.confirmed = nil
            meeting.state = .open
            if let deadline = meeting.deadline, deadline <= act.now || deadline > meeting.ends {
                meeting.deadline = nil
            }
        }
        guard meeting.ends > act.now else {
            throw Rejection(.invalid, "All of these slots are over; add one that is still to come.", field: "slots")
        }
    }

    private static func changed(
        _ json: JSON, _ field: String, _ meeting: Meeting, _ times: MeetingTimes, _ act: Act
    ) throws(Rejection) -> Slot {
        guard let id = json["id"]?.identifier else {
            let start = try times.read(json["start"], field + ".start")
            let end = try times.read(json["end"], field + ".end")
            if let known = meeting.slots.first(where: { $0.start == start && $0.end == end }) { return known }
            try MeetingTimes.check(start, end, field, act)
            return Slot(id: act.newIdentifier(), start: start, end: end)
        }
        guard let known = meeting.slots.first(where: { $0.id == id }) else {
            throw Rejection(
                .notFound, "There is no slot \(id) in this meeting; leave the id out for a new one.",
                field: field + ".id")
        }
        var slot = known
        if let start = json["start"] { slot.start = try times.read(start, field + ".start") }
        if let end = json["end"] { slot.end = try times.read(end, field + ".end") }
        if slot != known { try MeetingTimes.check(slot.start, slot.end, field, act) }
        return slot
    }

    // MARK: Who is invited

    /// Members who are newly invited, and members who no longer are.
    private struct Guests {
        var named: [Roster.Entry] = []
        var dropped: [Roster.Entry] = []
    }

    private static func changeInvitees(
        _ stored: inout StoredMeeting, _ params: Params, _ act: Act
    ) throws(Rejection) -> Guests {
        var guests = Guests()
        guard params["invitees"]?.array != nil else { return guests }
        let known = Set(try stored.invitees(act))
        let entries = try invitees(
            params, host: stored.meeting.host, kind: stored.meeting.kind, known: known, act)
        let kept = Set(entries.map(\.id))
        guests.named = entries.filter { !known.contains($0.id) }
        let roster = try act.roster
        guests.dropped = known.subtracting(kept).sorted().compactMap { roster[$0] }
        for entry in guests.dropped {
            stored.invited.remove(entry.number)
            try stored.forget(entry.id, act)
        }
        for entry in guests.named {
            stored.invited.insert(entry.number)
            try stored.invite(entry.id, act)
        }
        return guests
    }

    // MARK: Telling

    private static func difference(
        from before: StoredMeeting, to after: StoredMeeting
    ) -> [Meeting.Updated.Change] {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        let (old, new) = (before.meeting, after.meeting)
        var changed: Set<Meeting.Updated.Change> = []
        // Compared by bytes: Swift treats two spellings of a word as equal that may look different.
        if bytes(old.title) != bytes(new.title) { changed.insert(.title) }
        if bytes(old.place) != bytes(new.place) { changed.insert(.place) }
        if bytes(old.note) != bytes(new.note) { changed.insert(.note) }
        if old.zone != new.zone { changed.insert(.zone) }
        if old.deadline != new.deadline { changed.insert(.deadline) }
        if old.slots != new.slots { changed.insert(.slots) }
        if before.invited != after.invited { changed.insert(.invitees) }
        if old.state != new.state { changed.insert(.state) }
        return Meeting.Updated.Change.allCases.filter { changed.contains($0) }
    }

    /// A member who gains sight or is newly named gets the whole meeting with the own part. A member who loses sight is
    /// told to forget it. Everybody else gets the meeting as it is now.
    private static func tell(
        _ changes: [Meeting.Updated.Change], _ before: StoredMeeting, _ after: StoredMeeting, _ guests: Guests,
        _ act: Act
    ) throws(Rejection) {
        let roster = try act.roster
        let (saw, see) = (before.seers(roster), after.seers(roster))
        let about = about(after.meeting.id)
        try act.emit(Meeting.hidden, .init(meeting: after.meeting.id), about: about, to: saw.subtracting(see))
        var shown = Audience()
        var parts: [OwnPart: Audience] = [:]
        for entry in guests.named + guests.dropped where see.contains(entry.number) {
            let part = try after.part(of: entry.id, act) ?? OwnPart()
            parts[part, default: Audience()].insert(entry.number)
            shown.insert(entry.number)
        }
        // One row for each distinct part, in an order that does not depend on hashing.
        for (part, audience) in parts.sorted(by: { $0.value.members[0] < $1.value.members[0] }) {
            try after.showWhole(to: audience, part, act)
        }
        try after.tell(
            Meeting.updated, .init(meeting: after.meeting, changes: changes),
            to: see.intersection(saw).subtracting(shown), act)
    }
}
