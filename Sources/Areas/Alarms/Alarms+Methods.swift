import KinKeeper
import KinModel
import KinStore

extension Alarms {
    private static let named = Field.required("alarm", .id)
    private static let result = Shape.object([.required("alarm", Alarm.shape)])

    static let raise = Method.command(
        "alarm.raise", "Calls others: for help, to come, to say that one is on the way, or to ask whether all is well.",
        access: .signedIn, note: "children too; guests: their household",
        [
            .required("kind", Form<Alarm.Kind>.word.shape, "sos, come, onTheWay, check."),
            .optional("text", Alarm.textForm.shape),
            .optional(
                "to", .list(.id, max: Limits.alarmToMax),
                "Members and households; else one's household, for sos then the family where nobody answers."),
            .optional(
                "expected", .time, "onTheWay: when one is to be there; check: how long answers are waited for."),
            .optional("place", AlarmPlace.shape, "onTheWay: where to; it ends when one is there."),
            .optional("position", AlarmPosition.shape, "Where the caller is, where the client knows better."),
        ],
        result: result, route: Route("POST", "/api/alarms", status: 201), events: [Alarm.raised],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            guard let kind = Alarm.Kind(rawValue: try params.string("kind")) else {
                preconditionFailure("the shape of kind was checked")
            }
            if let same = try StoredAlarm.raised(by: member.id, act).first(where: { $0.wire.kind == kind }) {
                // The button was pressed twice in a fright: that is one alarm.
                if kind == .sos { return .done(["alarm": same.wire.json], ids: [same.wire.id]) }
                throw Rejection(.conflict, "You have raised one like that already; end it first.")
            }
            try spend(act)
            let to = params["to"]?.array.map { $0.compactMap(\.identifier) }
            let called = try called(to, by: member, kind, act)
            let expected = try expected(params, kind, act)
            let place = kind == .onTheWay ? (params["place"] ?? nil).flatMap(AlarmPlace.init) : nil
            let alarm = Alarm(
                id: act.newIdentifier(), kind: kind, by: member.id, at: act.now,
                text: params.optionalString("text").flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 },
                expected: expected, place: place, until: act.now.adding(seconds: 3600 * Limits.alarmHours),
                position: kind == .check ? nil : try position(of: member.id, params, act),
                called: called.map { AlarmCall(member: $0) })
            let stored = StoredAlarm(wire: alarm, isWide: to == nil, rings: 0)
            try stored.save(act)
            return .done(["alarm": alarm.json], ids: [alarm.id])
        }
    ).forOwnWord()

    static let answer = Method.command(
        "alarm.answer", "Answers an alarm; everybody who is called sees it.", access: .signedIn,
        note: "who is called; seen: not of an sos",
        [
            named, .required("answer", Form<AlarmCall.Answer>.word.shape, "coming, cannot, allWell, seen."),
            .optional("text", Alarm.textForm.shape),
        ],
        result: result, route: Route("PUT", "/api/alarms/{alarm}/answer"), events: [Alarm.answered],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredAlarm.visible(act, params)
            let member = try act.member.id
            guard stored.isCalled(member) else {
                throw Rejection(.conflict, "You raised this alarm; end it when it is over.")
            }
            guard let answer = AlarmCall.Answer(rawValue: try params.string("answer")) else {
                preconditionFailure("the shape of answer was checked")
            }
            if stored.wire.kind == .sos, answer == .seen {
                throw Rejection(
                    .conflict, "A call for help is not silenced: say that you come, or that you cannot.")
            }
            try stored.answer(answer, params.optionalString("text"), of: member, act)
            return .done(try again(act, [stored.wire.id]), ids: [stored.wire.id])
        }
    ).forOwnWord()

    static let take = Method.command(
        "alarm.take", "Says that a device of the caller shows an alarm; everybody who is called sees whom it reached.",
        access: .signedIn, note: "who is called; told once", [named], result: result,
        route: Route("PUT", "/api/alarms/{alarm}/taken"), events: [Alarm.reached],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredAlarm.visible(act, params)
            let member = try act.member.id
            guard stored.isCalled(member) else {
                throw Rejection(.conflict, "You raised this alarm; end it when it is over.")
            }
            try stored.reach(member, act)
            return .done(try again(act, [stored.wire.id]), ids: [stored.wire.id])
        }
    ).forOwnWord()

    static let end = Method.command(
        "alarm.end", "Says that an alarm is over: nobody sees it or where somebody is any more.", access: .signedIn,
        note: "who raised it, and who leads that household", [named], result: .nothing,
        route: Route("DELETE", "/api/alarms/{alarm}"), events: [Alarm.ended],
        apply: { (act, params) throws(Rejection) in
            let stored = try StoredAlarm.visible(act, params)
            let household = try act.roster[stored.wire.by]?.household
            try act.require(
                act.isOneself(stored.wire.by) || household.map { act.leads($0) } ?? false,
                "Only whoever raised an alarm, or leads that household, ends it.", asking: [stored.wire.by])
            try stored.end(.ended, act)
            return .done([:], ids: [stored.wire.id])
        }
    ).freeingRoom().forOwnWord()

    static let list = Method.query(
        "alarm.list", "Alarms that go on, which the caller raised or is called by, newest first.", access: .signedIn,
        note: "oneself",
        result: .object([
            .required(
                "alarms", .list(Alarm.shape, max: Limits.alarmsSnapshotBytesMax / Limits.alarmBytesMin))
        ]),
        route: Route("GET", "/api/alarms"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let seen = try act.ask { (database) throws(StoreFailure) in try StoredAlarm.seen(by: member, database) }
            return .done(["alarms": .array(seen.map(\.wire.json))])
        }
    ).listing().forOwnWord()

    /// The answer to a repeated command: the present state.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first, let found = try StoredAlarm.find(id, act) else {
            throw .notFound("alarm", ids.first?.description ?? "", field: "alarm")
        }
        return ["alarm": found.wire.json]
    }

    // MARK: Raising

    private static func spend(_ act: Act) throws(Rejection) {
        let member = try act.member.id
        let lately = try act.first(
            "SELECT count(*) FROM alarm_raises WHERE member = ? AND at > ?", .id(member),
            .time(act.now.adding(seconds: -3600))
        ) { row in row.int(0) }
        guard lately ?? 0 < Limits.alarmsPerHourMax else {
            throw Rejection(
                .slowDown,
                "You raised \(Limits.alarmsPerHourMax) alarms in an hour, which is the most. Call by phone.",
                retryAfter: 600)
        }
        try act.run("INSERT INTO alarm_raises (member, at) VALUES (?, ?)", .id(member), .time(act.now))
    }

    /// The members who are called, sorted. Members whom the caller does not see count as absent.
    private static func called(
        _ given: [Identifier]?, by member: CallingMember, _ kind: Alarm.Kind, _ act: Act
    ) throws(Rejection) -> [Identifier] {
        let roster = try act.roster
        var audience = roster.household(member.household)
        if member.role != .guest { audience = audience.subtracting(roster.guests(of: member.household)) }
        if let given {
            audience = Audience()
            let sight = act.sight
            for id in given {
                if let entry = roster[id], sight?.contains(entry.household) ?? false {
                    guard entry.role != .guest || entry.household == member.household else {
                        throw Rejection(
                            .forbidden, "Only the people of a guest's household call the guest.", field: "to")
                    }
                    audience = audience.union(roster.only(id))
                } else if sight?.contains(id) ?? false, !roster.household(id).isEmpty {
                    audience = audience.union(roster.household(id).subtracting(roster.guests(of: id)))
                } else {
                    throw .notFound("member", id.description, field: "to")
                }
            }
        }
        // Nobody hears a call at a screen on a wall.
        audience = audience.subtracting(roster.walls)
        let own = roster.only(member.id)
        if given == nil, audience.subtracting(own).isEmpty, member.role != .guest {
            audience = roster.everyone.subtracting(roster.walls)
        }
        let called = roster.entries(in: audience.subtracting(own)).map(\.id).sorted()
        guard !called.isEmpty else {
            throw Rejection(.conflict, "There is nobody to call. Invite somebody into the family first.")
        }
        return called
    }

    private static func expected(
        _ params: Params, _ kind: Alarm.Kind, _ act: Act
    ) throws(Rejection) -> Instant? {
        let given = (params["expected"] ?? nil)?.instant
        guard kind == .onTheWay || kind == .check else {
            guard given == nil else {
                throw Rejection(.invalid, "expected goes with onTheWay and check.", field: "expected")
            }
            return nil
        }
        if let given {
            guard given > act.now, given <= act.now.adding(seconds: 3600 * Limits.alarmHours) else {
                throw Rejection(
                    .invalid, "expected must lie within the next \(Limits.alarmHours) hours.", field: "expected")
            }
            return given
        }
        return kind == .check ? act.now.adding(seconds: Limits.checkSeconds) : nil
    }

    /// The caller's position: as the client gives it, or else as the caller's phone reported it last.
    private static func position(
        of member: Identifier, _ params: Params, _ act: Act
    ) throws(Rejection) -> AlarmPosition? {
        if let given = (params["position"] ?? nil).flatMap(AlarmPosition.init) {
            return AlarmPosition(lat: given.lat, lon: given.lon, at: min(given.at, act.now), accuracy: given.accuracy)
        }
        guard let last = try act.hooks.position?(act, member),
            last.at > act.now.adding(seconds: -3600 * Limits.alarmPositionHours)
        else { return nil }
        return AlarmPosition(lat: last.lat, lon: last.lon, at: last.at, accuracy: last.accuracy)
    }

    // MARK: Buttons

    /// The buttons below the alarm's notice.
    static func buttons(_ id: Identifier, _ reader: Roster.Entry, _ act: Act) throws(Rejection) -> [InboxAnswer] {
        guard let alarm = try StoredAlarm.find(id, act)?.wire,
            let call = alarm.called.first(where: { $0.member == reader.id }), call.answer == nil
        else { return [] }
        let answers: [AlarmCall.Answer] =
            switch alarm.kind {
            case .sos: [.coming, .cannot]
            case .come: [.coming, .cannot, .seen]
            case .onTheWay: [.seen]
            case .check: [.allWell, .seen]
            }
        // Somebody is coming already. A member who sees the alarm only now can still answer, and need not be startled.
        let isAnswered = alarm.kind == .sos && alarm.called.contains { $0.answer == .coming || $0.answer == .allWell }
        return answers.map { answer in
            InboxAnswer(
                answer.rawValue, to: alarm.id.description, "alarm.answer",
                ["alarm": .id(alarm.id), "answer": .string(answer.rawValue)], mayWait: isAnswered,
                insists: alarm.kind != .onTheWay && !isAnswered && !alarm.isOverdue)
        }
    }
}
