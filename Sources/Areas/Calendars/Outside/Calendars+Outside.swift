import KinKeeper
import KinModel
import KinStore

/// Calendars from outside, such as a school's, the rubbish collection's, or one of another program at its secret
/// address.
extension Calendars {
    private static let result = Shape.object([
        .required("calendar", FamilyCalendar.shape), .required("subscription", Subscription.Told.shape),
    ])

    static let subscribe = Method.command(
        "calendar.subscribe",
        "Adds a calendar that is read outside, at an address, again and again. Nobody writes into it here.",
        access: .family,
        note: """
            Once an admin allowed it (calendar.allowOutside). Only the caller sees the address. It is read within \
            \(Limits.subscriptionFirstSeconds) s; calendar.refresh reads it at once, and says what came of it.
            """,
        [
            .required(
                "address", Subscription.addressForm.shape,
                "Begins with https:// or webcal://; a machine of the house is asked only where an admin allowed it (outside.allow)."
            ),
            .optional("name", .line(max: Limits.nameCharactersMax), "As its file calls it, if left out."),
            .optional("color", FamilyCalendar.colorForm.shape, "#rrggbb; as its file says, if left out."),
        ],
        result: result, route: Route("POST", "/api/calendars/subscriptions", status: 201),
        events: [FamilyCalendar.added],
        again: { (act, ids) throws(Rejection) in
            guard let id = ids.first else { return [:] }
            return try shown(try mine(id, act), act)
        },
        apply: { (act, params) throws(Rejection) in
            try requireOutside(act)
            let address = try Subscription.read(address: try params.string("address"), act)
            let calendar = try add(
                named: params.optionalString("name"), color: try color(params), as: .subscribed, act)
            try Subscription.add(address, to: calendar, act)
            return .done(try shown(try mine(calendar.id, act), act), ids: [calendar.id])
        })

    static let refresh = Method.command(
        "calendar.refresh", "Reads a calendar from outside now, and says what came of it.", access: .signedIn,
        note: "who added it", [.required("calendar", .id)], result: result,
        route: Route("POST", "/api/calendars/{calendar}/refresh"),
        events: [FamilyCalendar.updated, Entry.added, Entry.updated, Entry.removed], isSlow: true,
        again: { (act, ids) throws(Rejection) in
            guard let id = ids.first else { return [:] }
            return try shown(try mine(id, act), act)
        },
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("calendar")
            var subscription = try mine(id, act)
            if let work = act.work {
                // The changes of a refused turn are taken back. That the calendar is read again soon was written when
                // the reading began.
                guard var taking = Taking(work, act), !taking.made.isCrowded else {
                    throw Rejection(.unavailable, "Too much is asked outside at once.", retryAfter: 30)
                }
                guard try take(&taking, act) else { return .later(.rest(after: 0, carrying: taking)) }
                return .done(try shown(try mine(id, act), act), ids: [id])
            }
            try requireOutside(act)
            try requireFamily(act)
            if let asked = subscription.asked {
                let wait = Limits.subscriptionAskedSeconds - act.now.milliseconds(since: asked) / 1000
                if (1...Limits.subscriptionAskedSeconds).contains(wait) {
                    throw Rejection(
                        .slowDown, "It was read a moment ago. Wait \(wait) s.", retryAfter: Int(wait))
                }
            }
            try subscription.begin(Limits.subscriptionAskedFlightSeconds, act)
            return .later(try SubscriptionWork(subscription, act))
        })

    static let allowOutside = Method.command(
        "calendar.allowOutside", "Allows that calendars are read outside, or forbids it.", access: .admins,
        note: "While it is forbidden, calendars from outside stay as they are.",
        [.required("on", .bool, "Servers outside learn that this house reads a calendar, and when.")],
        result: .object([.required("on", .bool)]), route: Route("PUT", "/api/calendars/outside"), events: [],
        again: { (act, _) throws(Rejection) in ["on": .bool(try Subscription.isAllowed(act))] },
        apply: { (act, params) throws(Rejection) in
            let isOn = params["on"]?.bool ?? false
            try act.run("DELETE FROM calendar_outside")
            try act.run("INSERT INTO calendar_outside (is_on) VALUES (?)", .bool(isOn))
            try Subscription.planNext(act)
            return .done(["on": .bool(isOn)])
        })

    /// The daemon calls this itself, as long as a reading is due.
    static let readOutside = Method.command(
        "calendar.readOutside", "Reads the calendars from outside that are due, and notes what came of it.",
        access: .machine, note: "the daemon itself", [], result: .nothing, route: nil,
        events: [
            FamilyCalendar.updated, FamilyCalendar.stopped, Entry.added, Entry.updated, Entry.removed,
        ],
        apply: { (act, _) throws(Rejection) in
            if let work = act.work, var taking = Taking(work, act), try !take(&taking, act) {
                return .later(.rest(after: 0, carrying: taking))
            }
            guard try Subscription.isAllowed(act), act.work?.isCrowdedOut != true,
                var next = try Subscription.due(act)
            else {
                try Subscription.planNext(act)
                return .done([:])
            }
            try next.begin(Limits.subscriptionFlightSeconds, act)
            return .later(try SubscriptionWork(next, act))
        }
    ).forGateways()

    /// Reads the calendar at another address from now on. What was read last stays until the new address has answered.
    /// The time of the last read stays too, so that a change of address makes nobody ask more often.
    static func move(_ calendar: StoredCalendar, to address: String, _ act: Act) throws(Rejection) {
        guard var subscription = try Subscription.find(calendar.id, act) else {
            throw Rejection(.invalid, "Only a calendar from outside has an address.", field: "address")
        }
        try requireFamily(act)
        let address = try Subscription.read(address: address, act)
        guard !address.hasSameBytes(as: subscription.address) else { return }
        subscription.address = address
        subscription.validators = nil
        if !subscription.isBegun { subscription.digest = nil }
        subscription.recovered()
        subscription.wire.next = act.now.adding(seconds: Limits.subscriptionFirstSeconds)
        try subscription.save(act)
        act.truncateSoon()
    }

    // MARK: Inside

    private static func requireOutside(_ act: Act) throws(Rejection) {
        try act.require(
            try Subscription.isAllowed(act), "Calendars are not read outside in this family; an admin can allow it.",
            asking: try act.admins)
    }

    private static func requireFamily(_ act: Act) throws(Rejection) {
        try act.require(try act.member.role != .guest, "For guests nothing is read outside.")
    }

    /// The caller's subscription; 1404 for another member's.
    private static func mine(_ id: Identifier, _ act: Act) throws(Rejection) -> Subscription {
        guard let found = try Subscription.find(id, act), found.owner == (try act.member.id) else {
            throw Rejection.notFound("calendar from outside", id.description, field: "calendar")
        }
        return found
    }

    private static func shown(_ subscription: Subscription, _ act: Act) throws(Rejection) -> JSON {
        let reader = try act.member.id
        guard case .object(var object) = try again(act, calendar: [subscription.id]) else { return [:] }
        object["subscription"] = subscription.json(to: reader)
        return .object(object)
    }

    /// Writes the result of a reading. An entry that is unchanged is left alone, so that nobody is told of it and no client
    /// reads it anew. Answers whether all is written: a long file takes several turns.
    private static func take(_ taking: inout Taking, _ act: Act) throws(Rejection) -> Bool {
        let made = taking.made
        guard var subscription = try Subscription.find(made.id, act),
            made.address.hasSameBytes(as: subscription.address),
            var calendar = try StoredCalendar.find(made.id, act)
        else { return true }
        let before = (subscription.wire.trouble, calendar.name, calendar.color)
        let wasTold = subscription.isTold
        switch made.outcome {
        case .crowded:
            subscription.wire.next = act.now.adding(seconds: Limits.subscriptionAskedSeconds)
        case .failed(let trouble, let seconds):
            try fail(&subscription, calendar, trouble, retryAfter: seconds, act)
        case .same:
            subscription.validators = made.validators
            subscription.succeeded(act)
        case .file(let file):
            let replacing = try Replacing(calendar, of: subscription.owner, act)
            let step = try replacing.carryOut(file.items, &taking, isBegun: subscription.isBegun, act)
            if case .more = step.end {
                subscription.begins()
                try subscription.save(act)
                // The log gets a new row, so that a calendar app that asks in between is shown what the next turn
                // writes.
                try calendar.tell(FamilyCalendar.updated, to: calendar.audience(.read, try act.roster), act)
                return false
            }
            if case .spent = step.end {
                let seconds = 86_400 - act.now.milliseconds / 1000 % 86_400
                try fail(&subscription, calendar, .changing, retryAfter: seconds, act)
                break
            }
            subscription.wire.every = file.everySeconds
            if calendar.name == nil { calendar.name = file.name }
            if calendar.color == nil { calendar.color = file.color }
            subscription.wire.leftOut = Int64(file.leftOut + step.left)
            // Entries that were left out may find room later, though the file is the same.
            (subscription.validators, subscription.digest) =
                subscription.wire.leftOut > 0 ? (nil, nil) : (made.validators, file.digest)
            subscription.succeeded(act)
        }
        if wasTold, !subscription.isTold {
            try act.settle(stopped, about: about(calendar: calendar.id))
        }
        try subscription.save(act)
        guard before != (subscription.wire.trouble, calendar.name, calendar.color) else { return true }
        try calendar.save(act)
        try calendar.tell(FamilyCalendar.updated, to: calendar.audience(.busy, try act.roster), act)
        return true
    }

    private static func fail(
        _ subscription: inout Subscription, _ calendar: StoredCalendar, _ trouble: Subscription.Trouble,
        retryAfter seconds: Int64?, _ act: Act
    ) throws(Rejection) {
        guard subscription.failed(trouble, retryAfter: seconds, act) else { return }
        try act.emit(
            FamilyCalendar.stopped, .init(calendar: calendar.id, trouble: trouble),
            about: about(calendar: calendar.id), to: try act.roster.only(subscription.owner), isHeard: true,
            title: calendar.name, owner: subscription.owner)
    }
}

/// A file that was read, and the number of its entries that are written so far.
private struct Taking: Sendable {
    let made: SubscriptionWork.Made
    /// The number of earlier turns.
    var turns = 0
    /// Entries that were written. Each is written once, even if comparing it again finds a difference.
    var written: Set<Identifier> = []

    init?(_ work: SlowResult, _ act: Act) {
        if let going = act.carried as? Taking {
            self = going
        } else {
            guard let made = work.made(SubscriptionWork.Made.self) else { return nil }
            self.made = made
        }
    }
}

/// Brings the entries of a calendar from outside up to date with its file, a bounded number in each turn. Each turn
/// compares anew, so that nothing is wrong if the daemon ends in between, or if two readings meet.
private struct Replacing {
    private let calendar: StoredCalendar
    private let owner: Identifier
    private let known: [StoredEntry]

    init(_ calendar: StoredCalendar, of owner: Identifier, _ act: Act) throws(Rejection) {
        self.calendar = calendar
        self.owner = owner
        known = try calendar.entries(act)
    }

    /// The entries to be written.
    private struct Change {
        let before: StoredEntry?
        var after: StoredEntry
    }

    /// The way in which a turn ended.
    enum End {
        case whole
        /// Another turn goes on.
        case more
        /// The owner's quota of the day is used up.
        case spent
    }

    /// Carries out a part of it. Answers also for how many events there was no room. `isBegun` is whether a part was
    /// written before about which no member was told.
    func carryOut(
        _ items: [ICalItem], _ taking: inout Taking, isBegun: Bool, _ act: Act
    ) throws(Rejection) -> (left: Int, end: End) {
        var calendar = calendar
        var left = 0
        var uids: [String: StoredEntry] = [:]
        for entry in known { uids[entry.uid] = entry }
        // Some servers give events another UID at each reading, or none. Those are recognised by their time and
        // subject.
        let named = Set(items.compactMap(\.uid))
        var alike: [String: [StoredEntry]] = [:]
        for entry in known.reversed() where !named.contains(entry.uid) {
            alike[Self.key(entry.wire), default: []].append(entry)
        }
        var changes: [Change] = []
        var kept: Set<Identifier> = []
        var taken: Set<String> = []
        for item in items {
            // A second event with the same UID counts as one without a UID.
            let uid = item.uid.flatMap { taken.insert($0).inserted ? $0 : nil }
            let sameName = uid.flatMap { uids[$0] }
            let old = sameName ?? item.entry.flatMap { alike[Self.key($0)]?.popLast() }
            if let old, !kept.insert(old.wire.id).inserted { continue }
            guard
                let made = Calendars.made(
                    of: item, instead: old?.wire, in: calendar.id, owner: owner, invitees: [], act),
                made.json.bytes.count + (item.raw?.utf8.count ?? 0) <= Limits.entryBytesMax
            else {
                left += 1
                if let old { kept.remove(old.wire.id) }
                continue
            }
            var after = old ?? StoredEntry(made, uid: uid)
            after.wire = made
            after.raw = item.raw
            if let old, old.raw == after.raw, made.changes(from: old.wire).isEmpty { continue }
            if taking.written.contains(made.id) { continue }
            changes.append(Change(before: old, after: after))
        }
        let gone = known.filter { !kept.contains($0.wire.id) }
        // Entries that are removed make room, so they go first.
        var room = max(0, try room(act) + Int64(gone.count))
        changes = changes.filter { change in
            guard change.before == nil else { return true }
            room -= 1
            if room < 0 { left += 1 }
            return room >= 0
        }
        let pending = gone.count + changes.count
        let isTold = !isBegun && pending <= Limits.subscriptionToldMax
        taking.turns += 1
        let count = taking.turns < Limits.subscriptionStepsMax ? min(pending, Limits.subscriptionStepMax) : pending
        if count > 0 {
            let most = Limits.subscriptionEntriesPerDayMax
            guard try Calendars.outside.take(Int64(count), of: most, for: owner, act) else {
                if isBegun { try showAnew(act) }
                return (left, .spent)
            }
        }
        for entry in gone.prefix(count) { try entry.remove(erasing: true, isTold: isTold, act) }
        for change in changes.prefix(max(0, count - gone.count)) {
            var after = change.after
            taking.written.insert(after.wire.id)
            let seers = try change.before?.seers(act) ?? Audience()
            try after.save(instead: change.before, in: &calendar, seenBy: seers, isTold: isTold, act)
        }
        guard count == pending else { return (left, .more) }
        if !isTold { try showAnew(act) }
        return (left, .whole)
    }

    /// Has members who see the calendar, and their calendar apps, list its entries again.
    private func showAnew(_ act: Act) throws(Rejection) {
        let seers = calendar.audience(.read, try act.roster)
        try act.reset(seers)
        try ShelfTrace.turn(seers, in: calendar.id, act)
    }

    /// The number of entries that may be added.
    private func room(_ act: Act) throws(Rejection) -> Int64 {
        let outside = try act.first(
            "SELECT count(*) FROM entries WHERE calendar IN (SELECT calendar FROM calendar_subscriptions)"
        ) { row in row.int(0) }
        return min(
            Limits.entriesMax - (try act.memory(CalendarMemory.self).held(act)),
            Limits.subscriptionEntriesOfFamilyMax - (outside ?? 0))
    }

    /// The key by which an event without a lasting name is recognised.
    private static func key(_ entry: Entry) -> String {
        "\(entry.times.start) \(entry.times.zone ?? "") \(entry.subject)"
    }
}
