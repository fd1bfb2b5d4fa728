import KinKeeper
import KinModel
import KinStore

extension Meetings {
    static let leaders = "the host, and admins who see it"

    static let confirm = Method.command(
        "meeting.confirm", "Confirms a slot: whoever voted yes on it is going until they say otherwise.",
        access: .signedIn, note: leaders, [named, .required("slot", .id)], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/confirmation"), events: [Meeting.confirmed],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.led(act, params)
            let id = try params.id("slot")
            if stored.meeting.confirmed == id { return try done(stored, act) }
            guard stored.meeting.confirmed == nil else {
                throw Rejection(
                    .conflict,
                    "Another slot is confirmed already. To move the meeting, change that slot.",
                    field: "slot")
            }
            guard let slot = stored.meeting.slots.first(where: { $0.id == id }) else {
                throw Rejection(
                    .notFound, "There is no slot \(id) in this meeting; perhaps it was removed. Look at it again.",
                    field: "slot")
            }
            guard slot.end > act.now else {
                throw Rejection(.invalid, "This slot is over; confirm one that is still to come.", field: "slot")
            }
            let going = try stored.confirm(slot, act)
            try stored.tell(Meeting.confirmed, .init(meeting: stored.meeting, going: going), act)
            return try done(stored, act)
        })

    static let cancel = Method.command(
        "meeting.cancel", "Says that it does not take place; it is past then.", access: .signedIn, note: leaders,
        [named, .optional("reason", reason)], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/cancellation"), events: [Meeting.cancelled],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.led(act, params)
            stored.meeting.state = .cancelled
            stored.meeting.suggestions = []
            try stored.saveSlots(act)
            try stored.becomePast(act)
            try stored.tell(
                Meeting.cancelled, .init(meeting: stored.meeting.id, reason: params.optionalString("reason")), act)
            return try done(stored, act)
        })

    static let nudge = Method.command(
        "meeting.nudge", "Reminds those who have not replied, and nobody else.", access: .signedIn, note: leaders,
        [named],
        result: .object(
            toldFields + [
                .optional("nudged", .integer(0...Int64(Limits.membersMax)), "How many were reminded; not on a repeat.")
            ]),
        route: Route("POST", "/api/meetings/{meeting}/nudges"), events: [Meeting.nudged],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredMeeting.led(act, params)
            try stored.checkOpen(act)
            let silent = try stored.silent(act)
            try stored.tell(Meeting.nudged, .init(meeting: stored.meeting.id), to: silent, act)
            var result = try rendered(stored, act)
            result["nudged"] = .int(Int64(silent.count))
            return .done(result, ids: [stored.meeting.id])
        })

    static let accept = Method.command(
        "meeting.accept", "Makes a suggested slot one of the slots.", access: .signedIn, note: leaders,
        [named, .required("suggestion", .id)], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/suggestions/{suggestion}"), events: [Meeting.updated],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.led(act, params)
            let suggestion = try taken(&stored, params)
            guard suggestion.slot.end > act.now else {
                throw Rejection(.invalid, "The suggested slot is over; decline it.", field: "suggestion")
            }
            stored.meeting.slots.append(suggestion.slot)
            try stored.checkRoom(act)
            try stored.settle([.slots, .suggestions], act)
            return try done(stored, act)
        })

    static let decline = Method.command(
        "meeting.decline", "Takes a suggested slot away.", access: .signedIn, note: leaders,
        [named, .required("suggestion", .id)], result: told,
        route: Route("DELETE", "/api/meetings/{meeting}/suggestions/{suggestion}"), events: [Meeting.updated],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.led(act, params)
            _ = try taken(&stored, params)
            try stored.settle([.suggestions], act)
            return try done(stored, act)
        })

    /// Takes the named suggestion out of the list.
    private static func taken(_ stored: inout StoredMeeting, _ params: Params) throws(Rejection) -> Suggestion {
        let id = try params.id("suggestion")
        guard let index = stored.meeting.suggestions.firstIndex(where: { $0.slot.id == id }) else {
            throw Rejection(
                .notFound,
                "There is no suggestion \(id) in this meeting; perhaps it was accepted or declined already.",
                field: "suggestion")
        }
        return stored.meeting.suggestions.remove(at: index)
    }

    static let handOver = Method.command(
        "meeting.handOver", "Makes another member its host; the one before becomes an invitee.", access: .signedIn,
        note: leaders, [named, .required("to", .id)], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/host"), events: [Meeting.handedOver, Meeting.shown],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.led(act, params)
            let id = try params.id("to")
            guard let entry = try act.roster[id], act.sight?.contains(entry.household) == true else {
                throw Rejection.notFound("member", id.description, field: "to")
            }
            if stored.meeting.host == id { return try done(stored, act) }
            guard entry.role != .guest else {
                throw Rejection(.invalid, "Nothing is handed over to a guest; name a member.", field: "to")
            }
            try entry.mustAnswer(field: "to")
            if stored.meeting.kind == .solo, !stored.invited.isEmpty, !stored.invited.contains(entry.number) {
                throw Rejection(
                    .conflict, "A solo meeting is for two: hand it over to its invitee, or remove the invitee first.",
                    field: "to")
            }
            try stored.moveHost(to: entry, isOldInvited: true, act)
            return try done(stored, act)
        })
}

extension StoredMeeting {
    /// Confirms a slot. Answers who is going.
    fileprivate mutating func confirm(_ slot: Slot, _ act: Act) throws(Rejection) -> [Identifier] {
        meeting.state = .confirmed
        meeting.confirmed = slot.id
        meeting.suggestions = []
        try act.run("UPDATE meeting_people SET attendance = NULL WHERE meeting = ?", .int(number))
        let going = try act.rows(
            "SELECT member FROM meeting_votes WHERE meeting = ? AND slot = ? AND answer = 'yes' ORDER BY member",
            .int(number), .id(slot.id)
        ) { row in row.identifier(0) }
        try act.run(
            """
            UPDATE meeting_people SET attendance = 'going' WHERE meeting = ?1 AND member IN
            (SELECT member FROM meeting_votes WHERE meeting = ?1 AND slot = ?2 AND answer = 'yes')
            """, .int(number), .id(slot.id))
        try saveSlots(act)
        try recount(act)
        try save(act)
        try schedule(act)
        return going
    }

    /// Writes changed slots or suggestions, and tells all who see it.
    mutating func settle(_ changes: [Meeting.Updated.Change], _ act: Act) throws(Rejection) {
        try saveSlots(act)
        try recount(act)
        try save(act)
        try schedule(act)
        try tell(Meeting.updated, .init(meeting: meeting, changes: changes), act)
    }

    /// Makes somebody its host, who is no invitee from then on.
    mutating func moveHost(to entry: Roster.Entry, isOldInvited: Bool, _ act: Act) throws(Rejection) {
        let roster = try act.roster
        let old = meeting.host
        let before = seers(roster)
        try forget(entry.id, act)
        invited.remove(entry.number)
        if isOldInvited, let number = roster[old]?.number {
            invited.insert(number)
            try invite(old, act)
        }
        meeting.host = entry.id
        try recount(act)
        try save(act)
        let told = isOldInvited ? before : before.subtracting(roster.only(old))
        try tell(
            Meeting.handedOver, .init(meeting: meeting.id, host: entry.id, from: old, tally: meeting.tally), to: told,
            act)
        if !before.contains(entry.number) { try showWhole(to: roster.only(entry.id), OwnPart(), act) }
    }

    /// Gives the whole meeting to members who have the same part in it.
    func showWhole(to audience: Audience, _ own: OwnPart, _ act: Act) throws(Rejection) {
        try tell(
            Meeting.shown, .init(meeting: meeting, own: own, invitees: try invitees(act)), to: audience, act)
    }
}
