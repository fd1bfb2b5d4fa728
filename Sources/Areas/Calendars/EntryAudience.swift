import KinKeeper
import KinModel
import KinStore

/// The audience of an entry: some of those who may read its calendar. Everybody else sees nothing of it, not even when it
/// is. Its owner, its invitees and the calendar's owner always see it. That is stricter than `privacy`, which still shows
/// the times.
///
/// The row has two columns. `audience` is NULL for all readers of the calendar. `audience_ids` has the members who are
/// named; for a household it has the household and then its members, so that a member who moves away can be told which
/// entries went out of sight.
enum EntryAudience {
    /// The values of the first column.
    private enum Word: String {
        case everyone, household, members
    }

    /// Reads the two columns. If they have any other value, the row is damaged, and the audience is not guessed.
    static func read(_ row: borrowing Row, _ word: Column, _ ids: Column) -> SharedWith? {
        guard let word = row.optionalText(word, as: { Word(rawValue: $0) }) else { return nil }
        let named = row.optionalText(ids) { (text) -> [Identifier]? in
            let words = text.split(separator: " ")
            let all = words.compactMap { Identifier($0) }
            return all.count == words.count ? all : nil
        }
        let all = named ?? []
        switch word {
        case .everyone: return .everyone
        case .household: return all.first.map { SharedWith.household($0) } ?? SharedWith.nobody
        case .members: return .members(all)
        }
    }

    /// The values of the two columns.
    static func values(_ with: SharedWith?, _ roster: Roster) -> [Value] {
        guard let with else { return [.null, .null] }
        let ids: [Identifier] =
            switch with {
            case .everyone: []
            case .household(let household):
                [household] + roster.entries.filter { $0.household == household }.map(\.id)
            case .members(let members): members
            }
        return [.text(with.word), .text(ids.map(\.description).joined(separator: " "))]
    }

    /// Finds entries `e` whose audience includes a reader; the reader's own entries are found elsewhere.
    static func condition(for reader: Roster.Entry) -> String {
        let everyone = reader.role == .guest ? "" : " OR e.audience = 'everyone'"
        return """
            (e.audience IS NULL\(everyone)
            OR (e.audience = 'household' AND substr(e.audience_ids, 1, 36) = '\(reader.household)')
            OR (e.audience = 'members' AND instr(e.audience_ids, '\(reader.id)') > 0))
            """
    }

    // MARK: The family changes

    /// Entries of one move about which the member is told one by one. If there are more, the member lists entries
    /// again.
    private static let toldMost = 100

    /// A member has joined. The member is told about no entry, and lists them.
    static func joined(_ entry: Roster.Entry, _ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE entries SET audience_ids = audience_ids || ?1
            WHERE audience = 'household' AND substr(audience_ids, 1, 36) = ?2 AND instr(audience_ids, ?3) = 0
            """, .text(" \(entry.id)"), .text(entry.household.description), .text(entry.id.description))
    }

    /// A member lives elsewhere. Entries for the former household go out of the member's sight, and entries for the new
    /// one come into it. If `isTold` is false, the member lists entries again anyway.
    static func moved(_ entry: Roster.Entry, isTold: Bool, _ act: Act) throws(Rejection) {
        let (member, household) = (entry.id.description, entry.household.description)
        let all = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                """
                WHERE e.audience = 'household' AND (instr(e.audience_ids, ?1) > 0 OR substr(e.audience_ids, 1, 36) = ?2)
                ORDER BY e.number
                """, [.text(member), .text(household)], database)
        }
        let known = Set(
            try act.rows(
                "SELECT number FROM entries WHERE audience = 'household' AND instr(audience_ids, ?) > 0", .text(member)
            ) { row in row.int(0) })
        var changed: [(entry: StoredEntry, isGained: Bool)] = []
        for stored in all {
            let (was, isNow) = (known.contains(stored.number), stored.sharedWith?.household == entry.household)
            guard was != isNow else { continue }
            try act.run(
                isNow
                    ? "UPDATE entries SET audience_ids = audience_ids || ?1 WHERE number = ?2"
                    : "UPDATE entries SET audience_ids = replace(audience_ids, ?1, '') WHERE number = ?2",
                .text(" \(member)"), .int(stored.number))
            guard let calendar = try StoredCalendar.find(stored.wire.calendar, act) else { continue }
            // Nothing changes for a member who would see the entry with any audience, or would not see it even without
            // one.
            var open = stored
            open.sharedWith = nil
            var closed = stored
            closed.sharedWith = SharedWith.nobody
            guard open.isSeen(by: entry, in: calendar), !closed.isSeen(by: entry, in: calendar) else { continue }
            changed.append((stored, isNow))
        }
        let only = Audience([entry.number])
        // The log and inbox of a member who no longer sees an entry keep nothing of it, and the member is not told its
        // later names.
        for (stored, _) in changed.filter({ !$0.isGained }) {
            var left = stored
            try left.star(false, entry.id, except: only, act)
            try stored.forget(only, act)
            try act.hooks.inbox?.remove(act, [Calendars.about(stored.wire.id)], only)
        }
        guard isTold, !changed.isEmpty else { return }
        guard changed.count <= toldMost else {
            try Calendars.lookAnew(entry.id, act)
            return try act.reset(only)
        }
        for (stored, isGained) in changed {
            if isGained { try stored.show(to: only, act) } else { try stored.hide(from: only, act) }
        }
        for calendar in Set(changed.filter { $0.isGained }.map { $0.entry.wire.calendar }).sorted() {
            try ShelfTrace.turn(only, in: calendar, act)
        }
    }

    /// Removes a member who has left from all audiences.
    static func left(_ member: Identifier, _ act: Act) throws(Rejection) {
        for table in ["entries", "entries_gone"] {
            try act.run(
                """
                UPDATE \(table) SET audience_ids = trim(replace(' ' || audience_ids || ' ', ' ' || ?1 || ' ', ' '))
                WHERE instr(audience_ids, ?1) > 0
                """, .text(member.description))
        }
    }
}

extension StoredEntry {
    /// Whether a reader of the calendar may know that the entry exists.
    func isFor(_ reader: Roster.Entry) -> Bool { sharedWith?.includes(reader, of: wire.owner) ?? true }

    /// Takes the audience, if a request has one.
    mutating func take(audience params: Params, _ act: Act) throws(Rejection) {
        guard let given = params["audience"] else { return }
        guard act.isOneself(wire.owner) || act.isAdministrator else {
            throw Rejection(.forbidden, "Only its owner and admins choose for whom an entry is.", field: "audience")
        }
        guard !given.isNull else {
            sharedWith = nil
            return
        }
        sharedWith = try SharedWith(given, household: try act.roster[wire.owner]?.household, act)
    }

    /// Refuses to put the entry, as it is from now on, into a calendar whose owner would see it there without being in
    /// its audience. `before` is the entry as it stands in the other calendar. A member who is not told the audience
    /// may put the entry into nobody else's calendar, whatever the audience is: otherwise the answer would tell it.
    func requireFit(for calendar: StoredCalendar, insteadOf before: StoredEntry, _ act: Act) throws(Rejection) {
        guard let owner = calendar.owner, !act.isOneself(owner), owner != before.wire.owner,
            !wire.invitees.contains(where: { $0.member == owner }),
            let source = try StoredCalendar.find(before.wire.calendar, act), source.owner != owner
        else { return }
        guard act.isOneself(before.wire.owner) || act.isAdministrator else {
            throw Rejection(
                .forbidden, "An entry of somebody else's does not go into a calendar of somebody else's.",
                field: "calendar")
        }
        guard sharedWith != nil || wire.privacy != .public else { return }
        guard let reader = try act.roster[owner],
            (wire.privacy == .public && isFor(reader)) || before.isSeen(by: reader, in: source)
        else {
            throw Rejection(.forbidden, "This entry is not for the owner of that calendar.", field: "calendar")
        }
    }

    /// Tells the members who see it from now on.
    func show(to gained: Audience, _ act: Act) throws(Rejection) {
        try act.emit(
            Entry.shown, .init(entry: wire), about: Calendars.about(wire.id), to: gained, title: wire.subject,
            owner: wire.owner)
    }

    /// Takes it out of the sight of members. They are not told its earlier content either, however long they were away.
    func hide(from lost: Audience, _ act: Act) throws(Rejection) {
        guard !lost.isEmpty else { return }
        try ShelfTrace.leave(wire.id, from: wire.calendar, sightOf: lost, at: act.logPosition + 1, act)
        try act.narrow(about: Calendars.about(wire.id), by: lost)
        try forget(lost, act)
        // The event is about no entry: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(
            Entry.hidden, .init(entry: wire.id, meeting: wire.meeting), about: "entries", to: lost, isHeard: true)
    }
}
