import KinKeeper
import KinModel
import KinStore

/// The members' plans at the times of a meeting, and the times at which nobody has plans.
extension Meetings {
    static let find = Method.query(
        "meeting.find",
        "Times at which nobody is busy, as far as their calendars show the caller; who shows nothing is unknown, not free.",
        access: .family,
        FreeTimes.fields + [
            .required("zone", zone, "The IANA zone in which days and hours are meant."),
            .optional("members", members, "Who is to have nothing on, besides the caller."),
        ],
        result: .object([.required("found", .list(FreeTimes.Found.shape, max: Limits.meetingSlotsMax))]),
        route: Route("GET", "/api/meetings/free"),
        apply: { (act, params) throws(Rejection) in
            let times = try MeetingTimes(zone: try params.string("zone"))
            let members = try people(params, act)
            let found = try FreeTimes(params.object, times, act).find(members, act)
            return .done(["found": .array(found.map(\.json))])
        })

    /// The members that a question names, each once.
    private static func people(_ params: Params, _ act: Act) throws(Rejection) -> [Identifier] {
        var people: [Identifier] = []
        for id in (params["members"]?.array ?? []).compactMap(\.identifier) where !people.contains(id) {
            people.append(try act.member(id, field: "members").id)
        }
        return people
    }

    /// Slots for a new meeting, where a request wants them found.
    static func foundSlots(
        _ asked: JSON.Object, _ times: MeetingTimes, _ invitees: [Identifier], _ act: Act
    ) throws(Rejection) -> [Slot] {
        let found = try FreeTimes(asked, times, act).find(invitees, act)
        guard !found.isEmpty else {
            throw Rejection(
                .conflict,
                "In those days and hours somebody is always busy; look in more days, in more hours, or for less time.",
                field: "find")
        }
        return try found.enumerated().map { (index, one) throws(Rejection) in
            try MeetingTimes.check(one.start, one.end, "find", act)
            return Slot(id: act.newIdentifier(), start: one.start, end: one.end)
        }
    }

    /// What is on at one of a meeting's slots.
    private struct Conflict: WireRecord {
        /// Something that the caller has on.
        struct Own: WireRecord {
            let start: Instant
            let end: Instant
            let subject: String?

            static let fields = Fields(
                nil, Own.init(start:end:subject:), .required("start", \.start, .time), .required("end", \.end, .time),
                .optional("subject", \.subject, .line(max: Limits.entrySubjectCharactersMax)))
        }

        let slot: Identifier
        let own: [Own]
        let busy: [Identifier]
        let free: [Identifier]
        let unknown: [Identifier]

        static let fields = Fields(
            nil, Conflict.init(slot:own:busy:free:unknown:), .required("slot", \.slot, .id),
            .required("own", \.own, .list(Own.form, max: Limits.conflictsMax), "What the caller has on then."),
            .required("busy", \.busy, .members, "To the host: who has something on then."),
            .required("free", \.free, .members, "To the host: who has nothing on then."),
            .required("unknown", \.unknown, .members, "To the host: who shows nothing."))
    }

    static let conflicts = Method.query(
        "meeting.conflicts",
        "What the caller has on at the times of a meeting, and to its host, who of the invitees is busy then, as far as they show it.",
        access: .signedIn, note: "who may see the meeting", [.required("meeting", .id)],
        result: .object([.required("slots", .list(Conflict.shape, max: Limits.meetingSlotsMax))]),
        route: Route("GET", "/api/meetings/{meeting}/conflicts"),
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredMeeting.visible(act, params)
            let meeting = stored.meeting
            let caller = try act.member.id
            guard let from = meeting.slots.map(\.start).min(), let to = meeting.slots.map(\.end).max() else {
                return .done(["slots": []])
            }
            func plans(_ member: Identifier) throws(Rejection) -> [Plan]? {
                // Times farther off than calendars answer for are not looked at.
                try act.hooks.plans?(act, member, from, min(to, from.adding(days: Limits.conflictDaysMax)))?.filter {
                    $0.source != meeting.id
                }
            }
            let own = try plans(caller) ?? []
            var others: [(member: Identifier, plans: [Plan]?)] = []
            if meeting.host == caller {
                for invitee in try stored.invitees(act) { others.append((invitee, try plans(invitee))) }
            }
            let conflicts = meeting.slots.map { slot -> Conflict in
                func isBusy(_ plans: [Plan]) -> Bool {
                    plans.contains { $0.isOn(from: slot.start, to: slot.end) }
                }
                func ids(_ isMeant: ([Plan]?) -> Bool) -> [Identifier] {
                    others.filter { isMeant($0.plans) }.map(\.member)
                }
                let then = own.filter { $0.isOn(from: slot.start, to: slot.end) }.prefix(Limits.conflictsMax)
                return Conflict(
                    slot: slot.id,
                    own: then.map { Conflict.Own(start: $0.start, end: $0.end, subject: $0.subject) },
                    busy: ids { $0.map(isBusy) ?? false }, free: ids { $0.map { !isBusy($0) } ?? false },
                    unknown: ids { $0 == nil })
            }
            return .done(["slots": .array(conflicts.map(\.json))])
        })
}
