import KinKeeper
import KinModel
import KinStore

extension Meetings {
    private static let who = "invitees; public: every member; not the host"

    static let vote = Method.command(
        "meeting.vote", "Votes on slots, in the place of all that the caller said before.", access: .signedIn,
        note: who,
        [named, .required("votes", votes, "Slots that are left out have no answer.")], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/votes"), events: [Meeting.voted],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.visible(act, params)
            let member = try answering(stored, act)
            try stored.checkOpen(act)
            try act.answered(about(stored.meeting.id), by: member)
            let votes = try read(params, stored.meeting)
            let before = try stored.part(of: member, act)
            if before?.reply == .voted, before?.votes == votes { return try done(stored, act) }
            var part = before ?? OwnPart()
            part.reply = .voted
            part.votes = votes
            try stored.take(part, of: member, instead: before, act)
            let meeting = stored.meeting
            try stored.tell(
                Meeting.voted, .init(meeting: meeting.id, member: member, votes: votes, tally: meeting.tally), act)
            return try done(stored, part: part, act)
        })

    /// The votes of a request, sorted by slot.
    private static func read(_ params: Params, _ meeting: Meeting) throws(Rejection) -> [Vote] {
        let list = params["votes"]?.array ?? []
        guard !list.isEmpty else {
            throw Rejection(
                .invalid, "Vote on at least one slot, or refuse the meeting.", field: "votes")
        }
        var votes: [Vote] = []
        for (index, json) in list.enumerated() {
            guard let vote = Vote(json) else { preconditionFailure("the shape of votes was checked") }
            let field = "votes[\(index)].slot"
            guard meeting.slots.contains(where: { $0.id == vote.slot }) else {
                throw Rejection(
                    .notFound,
                    "There is no slot \(vote.slot) in this meeting; perhaps its host removed it. Look at it again.",
                    field: field)
            }
            guard !votes.contains(where: { $0.slot == vote.slot }) else {
                throw Rejection(.invalid, "\(field) is there twice.", field: field)
            }
            votes.append(vote)
        }
        return votes.sorted { $0.slot < $1.slot }
    }

    static let refuse = Method.command(
        "meeting.refuse", "Says that the caller takes no part in it; votes are taken back.", access: .signedIn,
        note: who, [named, .optional("reason", reason, "For all who see the meeting.")], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/refusal"), events: [Meeting.refused],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.visible(act, params)
            let member = try answering(stored, act)
            try stored.checkOpen(act)
            try act.answered(about(stored.meeting.id), by: member)
            let reason = params.optionalString("reason")
            let before = try stored.part(of: member, act)
            let earlier = try act.first(
                "SELECT reason FROM meeting_people WHERE meeting = ? AND member = ?", .int(stored.number),
                .id(member)
            ) { row in row.optionalText(0) }
            if before?.reply == .refused, earlier ?? nil == reason { return try done(stored, act) }
            var part = before ?? OwnPart()
            part.reply = .refused
            part.votes = []
            try stored.take(part, of: member, reason: reason, instead: before, act)
            let meeting = stored.meeting
            try stored.tell(
                Meeting.refused, .init(meeting: meeting.id, member: member, reason: reason, tally: meeting.tally), act)
            return try done(stored, part: part, act)
        })

    static let attend = Method.command(
        "meeting.attend", "Says whether the caller is going, once a slot is confirmed.", access: .signedIn, note: who,
        [named, .required("answer", attendance)], result: told,
        route: Route("PUT", "/api/meetings/{meeting}/attendance"), events: [Meeting.attended],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.visible(act, params)
            let member = try answering(stored, act)
            try stored.checkNotPast(act)
            guard stored.meeting.state == .confirmed else {
                throw Rejection(
                    .conflict, "No slot of this meeting is confirmed so far; vote on its slots.")
            }
            guard let answer = OwnPart.Attendance(rawValue: try params.string("answer")) else {
                preconditionFailure("the shape of answer was checked")
            }
            try act.answered(about(stored.meeting.id), by: member)
            let before = try stored.part(of: member, act)
            var part = before ?? OwnPart()
            part.attendance = answer
            if part == before { return try done(stored, act) }
            try stored.attend(part, of: member, instead: before, act)
            let meeting = stored.meeting
            try stored.tell(
                Meeting.attended, .init(meeting: meeting.id, member: member, answer: answer, tally: meeting.tally),
                act)
            return try done(stored, part: part, act)
        })

    /// Takes an answer that the caller gave in a calendar. For an open slot it is a vote, for the confirmed slot it
    /// says whether the caller goes. An answer of `none` to an open slot takes the vote on it back; the last vote
    /// stays, because a member votes on at least one slot. `false`: the answer is not kept. Once a slot is confirmed,
    /// a member goes or does not: `tentative` says neither.
    static func say(
        _ answer: Entry.Answer, to slot: Identifier?, of id: Identifier, _ act: Act
    ) throws(Rejection) -> Bool {
        let stored = try StoredMeeting.visible(act, id)
        guard stored.meeting.state != .confirmed else {
            let attendance: OwnPart.Attendance
            switch answer {
            case .accepted: attendance = .going
            case .declined: attendance = .notGoing
            case .tentative, .none: return false
            }
            _ = try attend.apply(act, Params(["meeting": .id(id), "answer": .string(attendance.rawValue)]))
            return true
        }
        guard let slot else { return false }
        var votes = (try stored.part(of: try act.member.id, act) ?? OwnPart()).votes.filter { $0.slot != slot }
        switch answer {
        case .accepted: votes.append(Vote(slot: slot, answer: .yes))
        case .tentative: votes.append(Vote(slot: slot, answer: .ifNeedBe))
        case .declined: votes.append(Vote(slot: slot, answer: .no))
        case .none: break
        }
        guard !votes.isEmpty else { return false }
        _ = try vote.apply(act, Params(["meeting": .id(id), "votes": .array(votes.map(\.json))]))
        return true
    }

    static let suggest = Method.command(
        "meeting.suggest", "Suggests one more slot; the host accepts it or not.", access: .signedIn, note: who,
        [named, .required("slot", MeetingTimes.span)], result: told,
        route: Route("POST", "/api/meetings/{meeting}/slots", status: 201), events: [Meeting.suggested],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredMeeting.visible(act, params)
            let member = try answering(stored, act, "Change its slots.")
            try stored.checkOpen(act)
            let meeting = stored.meeting
            let times = try MeetingTimes(zone: meeting.zone)
            let span = try times.span(params["slot"] ?? nil, "slot", act)
            let all = meeting.slots + meeting.suggestions.map(\.slot)
            guard !all.contains(where: { $0.start == span.start && $0.end == span.end }) else {
                throw Rejection(.conflict, "This slot is there or suggested already.", field: "slot")
            }
            try check(slotCount: all.count + 1, field: "slot")
            let slot = Slot(id: act.newIdentifier(), start: span.start, end: span.end)
            let suggestion = Suggestion(slot: slot, by: member)
            stored.meeting.suggestions.append(suggestion)
            try stored.checkRoom(act)
            try stored.saveSlots(act)
            try stored.save(act)
            try stored.tell(Meeting.suggested, .init(meeting: meeting.id, suggestion: suggestion), act)
            return try done(stored, act)
        })

    /// Slots and suggestions together are bounded.
    static func check(slotCount: Int, field: String) throws(Rejection) {
        guard slotCount <= Limits.meetingSlotsMax else {
            throw Rejection(
                .tooLarge, "A meeting has at most \(Limits.meetingSlotsMax) slots, suggested ones included.",
                field: field)
        }
    }

    /// The members who may answer: everybody who sees it, except the host.
    private static func answering(
        _ stored: StoredMeeting, _ act: Act, _ instead: String = "Confirm a slot, or cancel it."
    ) throws(Rejection) -> Identifier {
        let member = try act.member.id
        guard stored.meeting.host != member else {
            throw Rejection(.forbidden, "You host this meeting and answer nobody. \(instead)")
        }
        return member
    }
}

extension StoredMeeting {
    /// Tells all who see it.
    func tell<Data>(_ type: EventType<Data>, _ data: Data, _ act: Act) throws(Rejection) {
        try tell(type, data, to: seers(try act.roster), act)
    }

    /// The same to some of them. Its title and its host are handed along for the inboxes.
    func tell<Data>(
        _ type: EventType<Data>, _ data: Data, to audience: Audience, _ act: Act
    ) throws(Rejection) {
        try act.emit(
            type, data, about: Meetings.about(meeting.id), to: audience, title: meeting.title, owner: meeting.host)
    }

    /// Writes down whether a member is going; the reply and its reason stay.
    fileprivate mutating func attend(
        _ part: OwnPart, of member: Identifier, instead before: OwnPart?, _ act: Act
    ) throws(Rejection) {
        let reason = try act.first(
            "SELECT reason FROM meeting_people WHERE meeting = ? AND member = ?", .int(number), .id(member)
        ) { row in row.optionalText(0) }
        try take(part, of: member, reason: reason ?? nil, instead: before, act)
    }
}
