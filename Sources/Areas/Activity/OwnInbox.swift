import KinKeeper
import KinModel
import KinStore

/// One member's inbox, as it is written: every change is told to the member's clients.
struct OwnInbox {
    let owner: Roster.Entry
    let act: Act

    init(_ owner: Roster.Entry, _ act: Act) {
        self.owner = owner
        self.act = act
    }

    /// With fewer unread entries than this all are in view, however long they are: nothing can come into view.
    static let alwaysInView: Int64 = 20

    func ask<T>(_ body: (InboxQuery) throws(StoreFailure) -> T) throws(Rejection) -> T {
        try act.ask { (database) throws(StoreFailure) in
            try body(try InboxQuery(database, act.inboxKinds, member: owner.id, role: owner.role))
        }
    }

    func unread() throws(Rejection) -> Int64 {
        try ask { (query) throws(StoreFailure) in try query.unread() }
    }

    // MARK: Taking

    /// Takes a line in: into the entry about the same thing while that is unread, else into a new one.
    func take(
        _ line: InboxLine, about: String, title: String?
    ) throws(Rejection) {
        // A screen on a wall has no inbox.
        guard !owner.isWall, let settings = try InboxSettings.of(owner.id, act) else { return }
        let isOfficial = line.kind.isOfficial
        if !isOfficial, settings.muted.contains(line.kind.name) { return }
        let quietUntil = isOfficial ? nil : settings.quietUntil(act.now)
        let state = quietUntil == nil ? EntryState.unread : .held
        let open = try isOfficial ? nil : openEntry(about, state)
        // A line that goes into an unread entry changes no count.
        let counted = open != nil && state == .unread ? try unread() : nil
        var before: InboxEntry?
        let id: Identifier
        if let open {
            if let counted, counted > Self.alwaysInView {
                before = try ask { (query) throws(StoreFailure) in try query.entry(open) }
            }
            id = open
            try extend(open, by: line)
        } else {
            try makeRoom()
            // An identifier reveals its time, and the event that the entry is gone names it. It must not reveal when
            // somebody came.
            let at = line.kind.isDatedByDay ? line.at.startOfDay : line.at
            id = Identifier(at: at, random: (act.randomNumber(), act.randomNumber()))
            try insert(id, about: about, isOfficial: isOfficial, state: state, at: line.at, title: title)
            try write(line, in: id, number: 1)
        }
        if let quietUntil { return try hold(until: quietUntil) }
        try tell(id, replacing: before, unread: counted, at: line.at)
    }

    /// The entry about a thing that a new line goes into.
    private func openEntry(_ about: String, _ state: EntryState) throws(Rejection) -> Identifier? {
        try act.first(
            "SELECT id FROM inbox WHERE about = ? AND member = ? AND state = ? AND official = 0", .text(about),
            .id(owner.id), .int(state.rawValue)
        ) { row in row.identifier(0) }
    }

    func insert(
        _ id: Identifier, about: String, isOfficial: Bool, state: EntryState, at: Instant, title: String?
    ) throws(Rejection) {
        try act.run(
            "INSERT INTO inbox (id, member, about, official, state, at, title) VALUES (?, ?, ?, ?, ?, ?, ?)", .id(id),
            .id(owner.id), .text(about), .bool(isOfficial), .int(state.rawValue), .time(at),
            Value(title.map { InboxEntry.title(of: $0) }))
    }

    func write(_ line: InboxLine, in entry: Identifier, number: Int64) throws(Rejection) {
        try act.run(
            """
            INSERT INTO inbox_lines (entry, number, kind, at, by, count, word, name, time, at_machine)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(entry), .int(number), .text(line.kind.name), .time(line.at), Value(line.by),
            .int(line.count), Value(line.word), Value(line.name), Value(line.time), .bool(line.isAtMachine))
    }

    /// Adds a line as the newest. Several deeds of one member are one line with a count. Beyond three lines the oldest
    /// is dropped.
    private func extend(_ entry: Identifier, by line: InboxLine) throws(Rejection) {
        let lines = try act.rows(
            "SELECT number, \(InboxLine.columns) FROM inbox_lines WHERE entry = ? ORDER BY number", .id(entry)
        ) { row in (number: row.int("number"), line: InboxLine(row, act.inboxKinds)) }
        var line = line
        var gone: [Int64] = []
        if let same = lines.first(where: {
            $0.line?.kind.name == line.kind.name && $0.line?.by == line.by && $0.line?.isAtMachine == line.isAtMachine
        }),
            let old = same.line
        {
            line.count = old.count + 1
            if line.kind.mergesWords { line.word = InboxLine.merged(old.word, line.word) }
            gone.append(same.number)
        } else if lines.count >= InboxEntry.linesMax, let oldest = lines.first {
            gone.append(oldest.number)
            try act.run("UPDATE inbox SET more = more + 1 WHERE id = ?", .id(entry))
        }
        for number in gone {
            try act.run("DELETE FROM inbox_lines WHERE entry = ? AND number = ?", .id(entry), .int(number))
        }
        try write(line, in: entry, number: (lines.last?.number ?? 0) + 1)
        try act.run("UPDATE inbox SET at = max(at, ?) WHERE id = ?", .time(line.at), .id(entry))
    }

    /// At most ``Limits/inboxEntriesPerMemberMax``: the oldest count as read and go.
    private func makeRoom() throws(Rejection) {
        let count = try act.first("SELECT count(*) FROM inbox WHERE member = ?", .id(owner.id)) { row in row.int(0) }
        guard (count ?? 0) >= Limits.inboxEntriesPerMemberMax else { return }
        let last = try act.first(
            "SELECT at FROM inbox WHERE member = ? ORDER BY at, id LIMIT 1 OFFSET ?", .id(owner.id),
            .int(Limits.inboxEntriesPerMemberMax / 10)
        ) { row in row.instant(0) }
        if let last { try expire(upTo: last) }
    }

    // MARK: Telling

    /// The log's key of the event that shows an entry to this member.
    func key(_ entry: Identifier) -> String { "inbox/\(owner.number)/\(entry)" }

    /// Tells the member's clients of an entry, and of entries that come into view because this one is shorter now.
    /// `before` is the entry as it was, where that can happen.
    private func tell(_ id: Identifier, replacing before: InboxEntry?, unread counted: Int64?, at: Instant)
        throws(Rejection)
    {
        guard let entry = try ask({ (query) throws(StoreFailure) in try query.entry(id) }) else { return }
        let unread = if let counted { counted } else { try unread() }
        try emit(entry, unread: unread, at: at)
        guard let before, before.byteCount > entry.byteCount else { return }
        let list = try ask { (query) throws(StoreFailure) in try query.newest(Inbox.entriesMax + 1) }
        let earlier = (list.filter { $0.id != id } + [before]).sorted(by: InboxEntry.isNewer)
        try refill(Inbox.window(earlier), unread: unread, at: at)
    }

    func emit(_ entry: InboxEntry, unread: Int64, isAgain: Bool = false, at: Instant? = nil) throws(Rejection) {
        try act.emit(
            Inbox.added, .init(entry: entry, unread: unread, again: isAgain ? true : nil), about: entry.about,
            to: try act.roster.only(owner.id), key: key(entry.id), toldAt: at,
            isHeard: true)
    }

    /// The log's row of an entry says what the entry says now. One that is not unread has none.
    func showAgain(_ id: Identifier, isUnread: Bool) throws(Rejection) {
        guard isUnread, let entry = try ask({ (query) throws(StoreFailure) in try query.unread(id) }) else {
            return try act.withdraw(key: key(id))
        }
        try emit(entry, unread: try unread(), isAgain: true)
    }

    /// The same of all entries about a thing, or of an announcement, whose rows have left the log.
    func showCorrected(_ about: String, announced: Identifier?) throws(Rejection) {
        let own = try act.rows(
            "SELECT id FROM inbox WHERE about = ? AND member = ? AND state = 0", .text(about), .id(owner.id)
        ) { row in row.identifier(0) }
        for id in own + [announced].compactMap(\.self) { try showAgain(id, isUnread: true) }
    }

    /// The entries in view, where others might come into view when some leave; `nil` where none can.
    func windowIfFull() throws(Rejection) -> [InboxEntry]? {
        guard try unread() > Self.alwaysInView else { return nil }
        return try ask { (query) throws(StoreFailure) in try query.window() }
    }

    /// Tells of what came into view since then.
    func refill(_ before: [InboxEntry]?, unread: Int64, at: Instant? = nil) throws(Rejection) {
        guard let before else { return }
        let known = Set(before.map(\.id))
        for entry in try ask({ (query) throws(StoreFailure) in try query.window() }) where !known.contains(entry.id) {
            try emit(entry, unread: unread, isAgain: true, at: at)
        }
    }
}

extension Instant {
    /// When its day began, in UTC.
    fileprivate var startOfDay: Instant { adding(milliseconds: -(milliseconds % 86_400_000)) }
}
