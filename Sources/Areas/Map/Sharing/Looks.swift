import KinKeeper
import KinModel
import KinStore

/// A record of who looked at whom. It is written together with the answer that shows the position, for the member
/// looked at.
///
/// Seeing the position live, through whatever client, is one look for each viewer and day; so are the answers a phone
/// with OwnTracks gets. Each question about a history is one of its own with the time it was about, up to
/// ``Limits/looksPerDayMax`` a day, and so is each guest link and day, with how often it was opened.
enum Looks {
    /// In which way somebody looked.
    enum How: String, CaseIterable, Sendable {
        /// The position, in a snapshot, a stream or a list.
        case live
        /// The history.
        case history
        /// The position, on a phone with OwnTracks.
        case phone
        /// A guest link.
        case link
        /// The history, taken out as a file.
        case export
    }

    /// The day that a look counts for.
    static func day(_ at: Instant) -> Int64 { at.milliseconds / 86_400_000 }

    /// The caller sees the positions of these members now. `all`: they are all that the caller can see.
    static func note(_ how: How, at watched: [Identifier], all: Bool, _ act: Act) throws(Rejection) {
        guard case .member(let caller) = act.caller else { return }
        let memory = act.memory(LookMemory.self)
        let viewer = LookMemory.Settled(viewer: caller.id, how: how, isAtMachine: caller.isAtMachine)
        for member in watched { try note(how, at: member, by: caller.id, isAtMachine: caller.isAtMachine, act) }
        if all { memory.settle(viewer) }
    }

    /// Whether all that the caller can see is noted for today, so that nobody has to find out what that is.
    static func isNoted(_ how: How, _ act: Act) -> Bool {
        guard case .member(let caller) = act.caller else { return true }
        let memory = act.memory(LookMemory.self)
        return memory.isSettled(
            LookMemory.Settled(viewer: caller.id, how: how, isAtMachine: caller.isAtMachine))
    }

    /// One look that counts once a day. Members themselves look as often as they like; the machine in their name does not.
    static func note(
        _ how: How, at watched: Identifier, by viewer: Identifier, isAtMachine: Bool, _ act: Act
    ) throws(Rejection) {
        guard viewer != watched || isAtMachine else { return }
        let memory = act.memory(LookMemory.self)
        let look = LookMemory.Look(viewer: viewer, watched: watched, how: how, isAtMachine: isAtMachine)
        guard memory.remember(look), let track = try track(of: watched, act) else { return }
        let known = try act.first(
            """
            SELECT 1 FROM looks WHERE track = ? AND day = ? AND how = ? AND at_machine = ? AND viewer = ?
            """, .int(track), .int(day(act.now)), .text(how.rawValue), .bool(isAtMachine), .id(viewer),
            map: { (row) throws(StoreFailure) in row.bool(0) })
        guard known == nil else { return }
        try add(track, how, viewer: viewer, link: nil, isAtMachine: isAtMachine, range: nil, act)
    }

    /// The caller looks at a member's history of a time, to read it or to take it along as a file. `isFurther`: it is
    /// a further piece of a file, which counts once.
    static func noteHistory(
        _ how: How = .history, of watched: Identifier, from: Instant, to: Instant, isFurther: Bool = false, _ act: Act
    ) throws(Rejection) {
        guard case .member(let caller) = act.caller, caller.id != watched || caller.isAtMachine,
            let track = try track(of: watched, act)
        else { return }
        let today: [Value] = [
            .int(track), .int(day(act.now)), .text(how.rawValue), .bool(caller.isAtMachine), .id(caller.id),
        ]
        let same = "track = ? AND day = ? AND how = ? AND at_machine = ? AND viewer = ?"
        func count(_ more: String, _ values: [Value]) throws(Rejection) -> Int64? {
            try act.ask { (database) throws(StoreFailure) in
                try database.first(
                    "SELECT max(number) AS newest, count(*) AS looks FROM looks WHERE \(same)\(more)",
                    values: today + values
                ) { (row) throws(StoreFailure) in
                    row.int("looks") > (more.isEmpty ? Limits.looksPerDayMax - 1 : 0) ? row.optionalInt("newest") : nil
                }.flatMap(\.self)
            }
        }
        // The next page of the same question, or too many different questions: counted with one that is there.
        var known = try count(" AND from_at = ? AND to_at = ?", [.time(from), .time(to)])
        if known != nil, isFurther { return }
        if known == nil { known = try count("", []) }
        guard let known else {
            return try add(
                track, how, viewer: caller.id, link: nil, isAtMachine: caller.isAtMachine, range: (from, to), act)
        }
        try act.run(
            """
            UPDATE looks SET count = count + 1, last_at = ?, from_at = min(from_at, ?), to_at = max(to_at, ?)
            WHERE track = ? AND number = ?
            """, .time(act.now), .time(from), .time(to), .int(track), .int(known))
    }

    /// Notes that a guest link was opened. `isFurther`: the page was open already and shows something new, so it is no
    /// further opening.
    static func noteLink(_ link: Identifier, track: Int64, isFurther: Bool, _ act: Act) throws(Rejection) {
        let counted = try act.run(
            "UPDATE looks SET count = count + ?, last_at = ? WHERE track = ? AND day = ? AND how = 'link' AND link = ?",
            .int(isFurther ? 0 : 1), .time(act.now), .int(track), .int(day(act.now)), .id(link))
        guard counted == 0 else { return }
        try add(track, .link, viewer: nil, link: link, isAtMachine: false, range: nil, act)
    }

    private static func track(of watched: Identifier, _ act: Act) throws(Rejection) -> Int64? {
        try act.first(
            "SELECT track FROM sharing WHERE member = ?", .id(watched),
            map: { (row) throws(StoreFailure) in row.int(0) })
    }

    private static func add(
        _ track: Int64, _ how: How, viewer: Identifier?, link: Identifier?, isAtMachine: Bool,
        range: (from: Instant, to: Instant)?, _ act: Act
    ) throws(Rejection) {
        try act.run(
            """
            INSERT INTO looks (track, number, viewer, link, how, at_machine, day, first_at, last_at, count, from_at,
            to_at) SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, 1, ?8, ?9 FROM looks
            WHERE track = ?1
            """, .int(track), Value(viewer), Value(link), .text(how.rawValue), .bool(isAtMachine),
            .int(day(act.now)), .time(act.now), Value(range?.from), Value(range?.to))
    }

    /// Removes what is older than ``Limits/looksDays``.
    static func prune(_ act: Act) throws(Rejection) {
        let oldest = Value.int(day(act.now.adding(days: -Limits.looksDays)))
        try act.run("DELETE FROM looks WHERE day < ?", oldest)
    }
}
