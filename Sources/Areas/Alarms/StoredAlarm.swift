import KinGeo
import KinKeeper
import KinModel
import KinStore

/// An alarm as it is stored, and what becomes of it.
struct StoredAlarm {
    var wire: Alarm
    /// Whether the daemon chose the members to be called, and may call more.
    let isWide: Bool
    let rings: Int

    init(wire: Alarm, isWide: Bool, rings: Int) {
        self.wire = wire
        self.isWide = isWide
        self.rings = rings
    }

    // MARK: Reading

    /// The place and the position have columns of the same row. The called members have rows of another table.
    private static let columns = Columns<Alarm>(
        called: ["by": "raiser", "expected": "expected_at"], elsewhere: ["place", "position", "called"])
    private static let places = Columns<AlarmPlace>(
        called: ["name": "place", "lat": "place_lat", "lon": "place_lon", "radius": "place_radius"])
    private static let positions = Columns<AlarmPosition>(called: ["at": "position_at"])
    private static let calls = Columns<AlarmCall>()

    private init(_ row: borrowing Row) throws(StoreFailure) {
        isWide = row.bool("wide")
        rings = Int(row.int("rings"))
        var others: [String: JSON] = ["called": []]
        if let place = try Self.places.readUnlessNull(row) { others["place"] = place.json }
        wire = try Self.columns.read(row, others)
        wire.position = try Self.positions.readUnlessNull(row)
    }

    private static func read(
        _ sql: String, _ values: Value..., in database: Database
    ) throws(StoreFailure) -> [StoredAlarm] {
        var found = try database.rows(
            "SELECT wide, rings, \(columns.names), \(places.names), \(positions.names) FROM alarms " + sql,
            values: values
        ) { (row) throws(StoreFailure) in try StoredAlarm(row) }
        for index in found.indices {
            found[index].wire.called = try database.rows(
                "SELECT \(calls.names) FROM alarm_called WHERE alarm = ? ORDER BY member",
                .id(found[index].wire.id)
            ) { (row) throws(StoreFailure) in try calls.read(row) }
        }
        return found
    }

    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredAlarm? {
        try act.ask { (database) throws(StoreFailure) in try read("WHERE id = ?", .id(id), in: database).first }
    }

    /// The alarm that a text such as `alarm/0198…` names.
    static func of(_ about: String, _ act: Act) throws(Rejection) -> StoredAlarm? {
        guard let id = Identifier(about.split(separator: "/").last ?? "") else { return nil }
        return try find(id, act)
    }

    /// An alarm that the caller raised or is called by; 1404 for any other, whether it exists or not.
    static func visible(_ act: Act, _ params: Params) throws(Rejection) -> StoredAlarm {
        let (id, member) = (try params.id("alarm"), try act.member.id)
        guard let found = try find(id, act), found.wire.by == member || found.isCalled(member) else {
            throw .notFound("alarm", id.description, field: "alarm")
        }
        return found
    }

    static func seen(by member: Identifier, _ database: Database) throws(StoreFailure) -> [StoredAlarm] {
        try read(
            "WHERE raiser = ?1 OR id IN (SELECT alarm FROM alarm_called WHERE member = ?1) ORDER BY id DESC",
            .id(member), in: database)
    }

    static func raised(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredAlarm] {
        try act.ask { (database) throws(StoreFailure) in try read("WHERE raiser = ?", .id(member), in: database) }
    }

    static func calling(_ member: Identifier, _ act: Act) throws(Rejection) -> [StoredAlarm] {
        try act.ask { (database) throws(StoreFailure) in
            try read("WHERE id IN (SELECT alarm FROM alarm_called WHERE member = ?)", .id(member), in: database)
        }
    }

    static func all(_ act: Act) throws(Rejection) -> [StoredAlarm] {
        try act.ask { (database) throws(StoreFailure) in try read("ORDER BY id", in: database) }
    }

    // MARK: Who

    var about: String { Alarms.about(wire.id) }

    func isCalled(_ member: Identifier) -> Bool { wire.called.contains { $0.member == member } }

    /// The member who raised it and the members who are called.
    func audience(_ act: Act) throws(Rejection) -> Audience {
        let roster = try act.roster
        return Audience(([wire.by] + wire.called.map(\.member)).compactMap { roster[$0]?.number })
    }

    /// Whether somebody comes, or has said that all is well. A call for help then stops ringing.
    private var isAnswered: Bool { wire.called.contains { $0.answer == .coming || $0.answer == .allWell } }

    /// Whether anybody has said more than that the alarm was seen.
    private var hasAnswer: Bool { wire.called.contains { $0.answer != nil && $0.answer != .seen } }

    // MARK: Raising

    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO alarms (\(Self.columns.names), \(Self.places.names), \(Self.positions.names), wide, rings)
            VALUES (\(Self.columns.placeholders), \(Self.places.placeholders), \(Self.positions.placeholders), ?, 0)
            """,
            values: Self.columns.values(of: wire) + Self.places.values(of: wire.place)
                + Self.positions.values(of: wire.position) + [.bool(isWide)])
        for call in wire.called { try add(call.member, act) }
        act.memory(OpenAlarms.self).forget()
        try act.emit(
            Alarm.raised, .init(alarm: wire), about: about, to: try audience(act), key: about, title: wire.text,
            owner: wire.by)
        try act.plan(Alarms.untilDue, about: about, at: wire.until)
        try act.plan(Alarms.expectedDue, about: about, at: wire.expected)
        try act.plan(Alarms.ringDue, about: about, at: nextRing(after: 0, act))
    }

    private func add(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("INSERT INTO alarm_called (alarm, member) VALUES (?, ?)", .id(wire.id), .id(member))
    }

    // MARK: Ringing

    /// The time of the next ring after this many rings; `nil`: it rings no more.
    private func nextRing(after rings: Int, _ act: Act) -> Instant? {
        let seconds: Int64
        switch wire.kind {
        case .sos:
            if isAnswered { return nil }
            seconds = rings < Limits.sosRingsClose ? Limits.sosRingSeconds : Limits.sosLaterRingSeconds
        case .come:
            let isEarly = rings < Limits.comeRingsClose
            if !isEarly, hasAnswer { return nil }
            seconds = isEarly ? Limits.comeRingSeconds : Limits.comeLaterRingSeconds
        case .check:
            if wire.isOverdue { return nil }
            seconds = Limits.checkRingSeconds
        case .onTheWay: return nil
        }
        return act.now.adding(seconds: seconds)
    }

    /// Rings again for everybody who has not answered.
    func ringAgain(_ act: Act) throws(Rejection) {
        let count = rings + 1
        try act.run("UPDATE alarms SET rings = ? WHERE id = ?", .int(Int64(count)), .id(wire.id))
        if wire.kind == .sos, isAnswered { return }
        if wire.kind == .come, hasAnswer, count > Limits.comeRingsClose { return }
        for call in wire.called where call.answer == nil { try act.hooks.ring?(act, about, call.member) }
        try act.plan(Alarms.ringDue, about: about, at: nextRing(after: count, act))
        switch wire.kind {
        case .sos where act.now >= wire.at.adding(seconds: Limits.alarmSecondsToFamily): try callFamily(act)
        case .come where count >= Limits.comeRingsClose && !hasAnswer: try callFamily(act)
        default: break
        }
    }

    /// The clock was put back. The alarm goes on ringing as before, and keeps its duration.
    func redate(_ act: Act) throws(Rejection) {
        if try act.isPlanned(Alarms.ringDue, about: about) {
            try act.plan(Alarms.ringDue, about: about, at: nextRing(after: rings, act))
        }
        guard wire.at > act.now else { return }
        func moved(_ moment: Instant) -> Instant { act.now.adding(milliseconds: moment.milliseconds(since: wire.at)) }
        try act.run(
            "UPDATE alarms SET until = ?, expected_at = ? WHERE id = ?", .time(moved(wire.until)),
            Value(wire.expected.map(moved)), .id(wire.id))
        try act.plan(Alarms.untilDue, about: about, at: moved(wire.until))
        if !wire.isOverdue { try act.plan(Alarms.expectedDue, about: about, at: wire.expected.map(moved)) }
    }

    /// Calls everybody who is no guest, because nobody in the household answered. An alarm that was addressed to
    /// somebody calls nobody else: the addressees may have been chosen because of the others.
    func callFamily(_ act: Act) throws(Rejection) {
        guard isWide, !isAnswered else { return }
        let roster = try act.roster
        let more = roster.entries(in: roster.everyone.subtracting(roster.walls)).filter {
            $0.id != wire.by && !isCalled($0.id)
        }
        guard !more.isEmpty else { return }
        let before = try audience(act)
        for entry in more { try add(entry.id, act) }
        guard let now = try StoredAlarm.find(wire.id, act) else { return }
        try act.emit(
            Alarm.updated, .init(alarm: now.wire), about: about, to: before, key: about, title: wire.text,
            owner: wire.by)
        try act.emit(
            Alarm.raised, .init(alarm: now.wire), about: about, to: Audience(more.map(\.number)),
            key: about + "/family", title: wire.text, owner: wire.by)
    }

    /// The expected time is over: the member has not arrived, or somebody has not said that all is well.
    func isOverdue(_ act: Act) throws(Rejection) {
        guard !wire.isOverdue else { return }
        if wire.kind == .check, wire.called.allSatisfy({ $0.answer != nil && $0.answer != .seen }) { return }
        try act.run("UPDATE alarms SET overdue = 1 WHERE id = ?", .id(wire.id))
        guard let now = try StoredAlarm.find(wire.id, act) else { return }
        try act.emit(
            Alarm.updated, .init(alarm: now.wire), about: about, to: try audience(act), key: about, title: wire.text,
            owner: wire.by)
    }

    // MARK: What becomes of it

    func answer(
        _ answer: AlarmCall.Answer, _ text: String?, of member: Identifier, _ act: Act
    ) throws(Rejection) {
        let reached = wire.called.first { $0.member == member }?.reached ?? act.now
        let call = AlarmCall(member: member, answer: answer, at: act.now, reached: reached)
        try act.run(
            "UPDATE alarm_called SET answer = ?, at = ?, reached = ? WHERE alarm = ? AND member = ?",
            .text(answer.rawValue), .time(act.now), .time(reached), .id(wire.id), .id(member))
        try act.emit(
            Alarm.answered, .init(alarm: wire.id, call: call, text: text), about: about, to: try audience(act),
            key: "\(about)/\(member)", title: wire.text, owner: wire.by)
        try act.hooks.hush?(act, about, member)
        guard let now = try StoredAlarm.find(wire.id, act) else { return }
        if now.wire.kind == .sos, now.isAnswered { return try act.unplan(Alarms.ringDue, about: about) }
        // A member who was coming cannot come after all. It rings again soon, however often it rang before.
        if now.wire.kind == .sos, isAnswered {
            try act.plan(Alarms.ringDue, about: about, at: act.now.adding(seconds: Limits.sosRingSeconds))
        }
        // Nobody in the household can come. The family is called at once.
        if now.wire.kind == .sos, now.wire.called.allSatisfy({ $0.answer != nil }) { try now.callFamily(act) }
    }

    /// A device of a called member received the ring. That is told once.
    func reach(_ member: Identifier, _ act: Act) throws(Rejection) {
        let isNew = try act.run(
            "UPDATE alarm_called SET reached = ? WHERE alarm = ? AND member = ? AND reached IS NULL", .time(act.now),
            .id(wire.id), .id(member))
        guard isNew > 0 else { return }
        try act.emit(
            Alarm.reached, .init(alarm: wire.id, member: member, at: act.now), about: about, to: try audience(act),
            key: "\(about)/\(member)/reached")
    }

    /// The member who raised it has moved.
    func move(_ position: Position, _ act: Act) throws(Rejection) {
        guard wire.kind != .check, position.at > wire.position?.at ?? .earliest else { return }
        let place = AlarmPosition(
            lat: position.lat, lon: position.lon, at: position.at, accuracy: position.accuracy)
        if let goal = wire.place, position.accuracy ?? 0 <= 200, position.at >= wire.at {
            let here = Coordinate(lat: position.lat, lon: position.lon)
            if here.distance(to: Coordinate(lat: goal.lat, lon: goal.lon)) <= goal.radius {
                return try end(.arrived, act)
            }
        }
        try act.run(
            "UPDATE alarms SET \(Self.positions.assignments) WHERE id = ?",
            values: Self.positions.values(of: place) + [.id(wire.id)])
        try act.emit(
            Alarm.moved, .init(alarm: wire.id, position: place), about: about, to: try audience(act),
            key: about + "/position")
    }

    /// Ends it. None of its data stay, not even a position.
    func end(_ cause: Alarm.Ended.Cause, _ act: Act) throws(Rejection) {
        let audience = try audience(act)
        try act.run("DELETE FROM alarm_called WHERE alarm = ?", .id(wire.id))
        try act.run("DELETE FROM alarms WHERE id = ?", .id(wire.id))
        act.memory(OpenAlarms.self).forget()
        try act.unplan(about: about)
        try act.erase(about: about)
        try act.emit(
            Alarm.ended, .init(alarm: wire.id, kind: wire.kind, raiser: wire.by, cause: cause), about: about,
            to: audience)
    }

    /// A called member leaves.
    func release(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM alarm_called WHERE alarm = ? AND member = ?", .id(wire.id), .id(member))
        guard let now = try StoredAlarm.find(wire.id, act) else { return }
        if now.wire.called.isEmpty { return try now.end(.left, act) }
        try act.emit(
            Alarm.updated, .init(alarm: now.wire), about: about, to: try now.audience(act), key: about,
            title: wire.text, owner: wire.by)
    }
}
