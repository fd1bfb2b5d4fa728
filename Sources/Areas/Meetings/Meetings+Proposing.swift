import KinKeeper
import KinModel
import KinStore

extension Meetings {
    static let propose = Method.command(
        "meeting.propose", "Proposes a meeting with slots to choose from; the caller is its host.", access: .family,
        [
            .required("title", title),
            .required(
                "kind", .oneOf(Meeting.Kind.allCases.map(\.rawValue)),
                "solo: alone or with one; group: those invited; public: every member sees and votes."),
            .optional("slots", .list(MeetingTimes.span, max: Limits.meetingSlotsMax), "Or find."),
            .optional(
                "find", .object(FreeTimes.fields),
                "Instead of slots: times at which nobody is busy who shows the caller when they are."),
            .required("zone", zone, "The IANA zone its times are meant to be read in, such as Europe/Berlin."),
            .optional("invitees", members, "Without the host, who is there anyway."),
            .optional("place", place), .optional("note", note),
            .optional("deadline", MeetingTimes.shape, "Until when votes are taken: at most until the last slot ends."),
        ],
        result: told, route: Route("POST", "/api/meetings", status: 201), events: [Meeting.proposed],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let host = try act.member
            guard let kind = Meeting.Kind(rawValue: try params.string("kind")) else {
                preconditionFailure("the shape of kind was checked")
            }
            let times = try MeetingTimes(zone: try params.string("zone"))
            guard params.has("slots") != params.has("find") else {
                throw Rejection(.invalid, "Give slots, or find in their place.", field: "slots")
            }
            let invitees = try invitees(params, host: host.id, kind: kind, known: [], act)
            let slots =
                if let asked = params["find"]?.object {
                    try foundSlots(asked, times, invitees.map(\.id), act)
                } else { try newSlots(params["slots"]?.array ?? [], times, act) }
            var meeting = Meeting(
                id: act.newIdentifier(), title: try params.string("title"), kind: kind, host: host.id,
                zone: times.name, place: params.optionalString("place"), note: params.optionalString("note"),
                slots: slots, tally: Tally())
            if let deadline = params["deadline"] {
                meeting.deadline = try times.deadline(deadline, ends: meeting.ends, act)
            }
            try StoredMeeting.checkHost(host.id, act)
            let made = try StoredMeeting.insert(meeting, invitees: invitees, act)
            try made.schedule(act)
            try made.tell(Meeting.proposed, .init(meeting: made.meeting, invitees: try made.invitees(act)), act)
            return try done(made, act)
        })

    private static func newSlots(_ list: [JSON], _ times: MeetingTimes, _ act: Act) throws(Rejection) -> [Slot] {
        var slots: [Slot] = []
        for (index, json) in list.enumerated() {
            let span = try times.span(json, "slots[\(index)]", act)
            slots.append(Slot(id: act.newIdentifier(), start: span.start, end: span.end))
        }
        try check(slots)
        return slots
    }

    /// At least one slot, and none twice.
    static func check(_ slots: [Slot]) throws(Rejection) {
        guard !slots.isEmpty else {
            throw Rejection(.invalid, "A meeting needs at least one slot.", field: "slots")
        }
        for (index, slot) in slots.enumerated()
        where slots[..<index].contains(where: { $0.start == slot.start && $0.end == slot.end }) {
            throw Rejection(.invalid, "slots[\(index)] is there twice.", field: "slots[\(index)]")
        }
    }

    /// The invitees that a request names, each once and without the host. Members in `known` are invited already, so a
    /// caller who does not see them may name them.
    static func invitees(
        _ params: Params, host: Identifier, kind: Meeting.Kind, known: Set<Identifier>, _ act: Act
    ) throws(Rejection) -> [Roster.Entry] {
        let roster = try act.roster
        var entries: [Roster.Entry] = []
        var named: Set<Identifier> = [host]
        for (index, json) in (params["invitees"]?.array ?? []).enumerated() {
            guard let id = json.identifier, named.insert(id).inserted else { continue }
            guard let entry = roster[id], known.contains(id) || act.sight?.contains(entry.household) == true else {
                throw Rejection.notFound("member", id.description, field: "invitees[\(index)]")
            }
            try entry.mustAnswer(field: "invitees[\(index)]")
            entries.append(entry)
        }
        switch kind {
        case .solo where entries.count > 1:
            throw Rejection(
                .invalid, "A solo meeting is with one invitee at most; propose a group.", field: "invitees")
        case .group where entries.isEmpty:
            throw Rejection(
                .invalid, "A group meeting needs an invitee; propose a solo one, or a public one.", field: "invitees")
        default: return entries
        }
    }
}
