import KinKeeper
import KinModel
import KinStore

/// Rings a member's devices for entries of the inbox. A member without a device has no bell.
struct Bell {
    let owner: Roster.Entry
    let act: Act

    init?(_ owner: Roster.Entry, _ act: Act) throws(Rejection) {
        let has = try act.first("SELECT 1 FROM notice_devices WHERE member = ? LIMIT 1", .id(owner.id)) { row in
            row.bool(0)
        }
        guard has != nil else { return nil }
        self.owner = owner
        self.act = act
    }

    // MARK: Ringing

    /// Rings for an entry that is new or has another line. Devices show the notice in place of the earlier one.
    func ring(_ entry: InboxEntry) throws(Rejection) {
        let grade = PushQueue.Grade(entry, act)
        let number = try note(entry.id, about: entry.about, Notice.Act.ring.rawValue, weight: grade.weight)
        if grade == .ordinary, try isBurst(besides: entry.id), try !isPressing(entry) {
            return try ringBurst(upTo: number)
        }
        let hearing = try Hearing(of: entry, owner, act)
        try PushQueue.add(entry.id, number, of: owner.id, grade, hearing, act)
        let buttons = try Offer.buttons(entry, to: owner, act)
        try tell(Spoken(entry, to: owner, act).notice(id: try names().text(number), at: act.now, buttons), hearing)
    }

    /// Rings for an announcement, which is no entry of the member's own.
    func ringAnnouncement(_ about: String) throws(Rejection) {
        guard let id = Identifier(about.drop { $0 != "/" }.dropFirst()) else { return }
        if let entry = try unread(id) { try ring(entry) }
    }

    /// Rings again for a thing whose notices have other words now.
    func ringAgain(about: String) throws(Rejection) {
        for entry in try rung(about: about) { if let entry = try ringing(entry) { try ring(entry) } }
        // Rings that were silenced while nothing was asked are considered again.
        let silent = try act.rows(
            "SELECT entry FROM notice_rings WHERE about = ? AND member = ? AND act NOT IN ('ring', 'answered')",
            .text(about), .id(owner.id)
        ) { row in row.identifier(0) }
        for entry in silent { if let entry = try insisting(entry) { try ring(entry) } }
    }

    /// Clears the notices of a thing that asks nothing any more, because it was answered here or elsewhere.
    func hush(about: String) throws(Rejection) {
        for entry in try rung(about: about) where try ringing(entry) == nil { try silence([entry], .clear) }
    }

    /// Rings one device as a test.
    func test(_ device: NoticeDevice) throws(Rejection) {
        let number = try note(device.id, about: "notice/\(device.id)", Self.tested)
        try PushQueue.add(test: device.id, number, of: owner.id, act)
        try act.emit(
            NoticeDevice.rang,
            .init(notice: try notice(ofTest: device.id, number, at: act.now), device: device.id),
            about: "notice/\(device.id)",
            to: try act.roster.only(owner.id), key: key(device.id))
    }

    /// The note for a test, in the place of an entry's.
    static let tested = "test"

    /// The notice of a test.
    func notice(ofTest device: Identifier, _ number: Int64, at: Instant) throws(Rejection) -> Notice {
        let name = try act.first("SELECT name FROM notice_devices WHERE id = ?", .id(device)) { row in row.text(0) }
        return Notice(
            id: try names().text(number), act: .ring, entry: device, at: at, title: name,
            text: try Spoken.test(to: owner.id, act), tags: ["bell"], click: "/")
    }

    // MARK: Answers

    /// The notes for an entry that was answered from a device, and for one that rings later.
    static let answered = "answered"
    static let snoozed = "snoozed"
    /// The notes of which a device that comes later is told only that the entry is no longer shown.
    static let done: Set = [answered, snoozed]

    /// A button below an entry was pressed. Devices that still show the entry, or showed it until that answer, show the
    /// result.
    func ringAnswered(_ offer: Offer, _ text: String) throws(Rejection) {
        let isOfficial = try act.first(
            """
            SELECT official FROM notice_rings WHERE member = ? AND entry = ?
            AND (act IN ('ring', 'answered') OR act = 'clear' AND at = ?)
            """, .id(owner.id), .id(offer.entry), .time(act.now)
        ) { row in row.int(0) > 0 }
        guard let isOfficial else { return }
        let number = try note(offer.entry, about: offer.about, Self.answered)
        try PushQueue.drop(offer.entry, of: owner.id, act)
        let entry = try act.hooks.inbox?.listed(act, offer.entry, owner)
        let notice = Notice(
            id: try names().text(number), act: .ring, entry: offer.entry, at: act.now, title: entry?.title, text: text,
            priority: 2, tags: ["heavy_check_mark"], isOfficial: isOfficial ? true : nil)
        try tell(notice, Hearing(of: entry, isOfficial: isOfficial, owner, act))
    }

    /// A button was pressed whose question is over. Devices that still show the entry say so. If the entry asks
    /// something else now, they show that question, with valid buttons.
    func ringOver(_ offer: Offer, _ text: String) throws(Rejection) {
        let isShown = try act.first(
            "SELECT 1 FROM notice_rings WHERE member = ? AND entry = ? AND act = 'ring'", .id(owner.id),
            .id(offer.entry)
        ) { row in row.bool(0) }
        if isShown == nil { return }
        if let entry = try ringing(offer.entry), try Offer.isAsked(entry, owner, act) { return }
        try ringAnswered(offer, text)
    }

    /// Puts an entry off: no device shows it until it rings later.
    func snooze(_ entry: InboxEntry) throws(Rejection) {
        let number = try note(entry.id, about: entry.about, Self.snoozed)
        try PushQueue.drop(entry.id, of: owner.id, act)
        try tell(Notice(id: try names().text(number), act: .clear, entry: entry.id, at: act.now))
        try silenceBurst()
    }

    /// The time for which an entry was put off is over. If it rang meanwhile with something new, it does not ring
    /// twice.
    func wake(_ entry: Identifier) throws(Rejection) {
        let waits = try act.first(
            "SELECT 1 FROM notice_rings WHERE member = ? AND entry = ? AND act = ?", .id(owner.id), .id(entry),
            .text(Self.snoozed)
        ) { row in row.bool(0) }
        if waits != nil, let entry = try ringing(entry) { try ring(entry) }
    }

    // MARK: Falling silent

    /// Removes notices about a thing that is gone.
    func silence(about: String) throws(Rejection) { try silence(try rung(about: about), .delete) }

    /// Silences the rings of some entries.
    func silence(_ entries: [Identifier], _ how: Notice.Act) throws(Rejection) {
        for entry in entries {
            let about = try act.first(
                "SELECT about FROM notice_rings WHERE member = ? AND entry = ? AND act IN ('ring', 'answered')",
                .id(owner.id), .id(entry)
            ) { row in row.text(0) }
            guard let about else { continue }
            let number = try note(entry, about: about, how.rawValue)
            try PushQueue.drop(entry, of: owner.id, act)
            try tell(Notice(id: try names().text(number), act: how, entry: entry, at: act.now))
        }
        try silenceBurst()
    }

    // MARK: Bursts

    /// Whether a script sent it with the highest priority. Such a message rings by itself even in a burst of others,
    /// unless there are too many of them.
    private func isPressing(_ entry: InboxEntry) throws(Rejection) -> Bool {
        guard entry.about.hasPrefix(StoredMessage.about), try Spoken.priority(of: entry, to: owner, act) >= 5 else {
            return false
        }
        let since = act.now.adding(seconds: -Limits.noticesInARowSeconds)
        return try StoredMessage.pressing(owner.id, since: since, act) <= Limits.noticesPressingMax
    }

    /// The note for a burst, in the place of an entry's.
    private static let burst = "burst"

    /// Puts one notice in the place of many that a device missed; the newest two stay. It is named like the newest of
    /// those that it stands for, and has the member's identifier, so that the next one replaces it.
    func gathered(_ missed: [(Int64, Notice)], at device: Identifier) throws(Rejection) -> [(Int64, Notice)] {
        var rings = missed.indices.filter { index in
            let notice = missed[index].1
            // An alarm is told by itself, however much else was missed.
            return notice.act == .ring && notice.entry != device
                && !(notice.isOfficial == true && notice.priority ?? 3 >= 5)
        }
        guard rings.count > Limits.noticesAtOnceMax else { return missed }
        // Official rings are sent as well, as long as there are few of them.
        if rings.count(where: { missed[$0].1.isOfficial == true }) <= Limits.noticesOfficialAtOnceMax {
            rings.removeAll { missed[$0].1.isOfficial == true }
        }
        let many = rings.dropLast(Limits.noticesBesideBurst)
        guard let newest = many.last else { return missed }
        let (number, last) = missed[newest]
        try noteBurst(upTo: number)
        let notice = Notice(
            id: last.id, act: .ring, entry: owner.id, at: last.at,
            text: try Spoken.more(unread(upTo: number), to: owner.id, act),
            priority: Self.loudest(many.map { missed[$0].1.priority ?? 3 }), tags: ["inbox_tray"], click: "/#/inbox",
            isOfficial: many.contains { missed[$0].1.isOfficial == true } ? true : nil)
        let gone = Set(many)
        return missed.indices.compactMap { $0 == newest ? (number, notice) : gone.contains($0) ? nil : missed[$0] }
    }

    /// Notes a burst that stands for the entries up to a number.
    private func noteBurst(upTo number: Int64, toldAt: Instant? = nil) throws(Rejection) {
        try act.run("DELETE FROM notice_rings WHERE member = ?1 AND entry = ?1", .id(owner.id))
        try act.run(
            "INSERT INTO notice_rings (member, number, entry, about, act, at) VALUES (?1, ?2, ?1, ?3, ?4, ?5)",
            .id(owner.id), .int(-number), .text("notice/\(owner.id)"), .text(Self.burst), .time(toldAt ?? act.now))
    }

    /// Due work: tells a burst that goes on again.
    static let burstDue = "notice.burst"

    /// Whether so many entries rang lately that new ones are told together. Official entries are always told singly,
    /// and do not count for a burst.
    private func isBurst(besides entry: Identifier) throws(Rejection) -> Bool {
        let lately = try act.first(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM notice_rings WHERE member = ? AND act = 'ring' AND official = 0 AND at BETWEEN ? AND ?
                AND entry != ? ORDER BY number DESC LIMIT ?)
            """, .id(owner.id), .time(act.now.adding(milliseconds: 1 - 1000 * Limits.noticesInARowSeconds)),
            .time(act.now), .id(entry), .int(Int64(Limits.noticesInARowMax))
        ) { row in row.int(0) }
        return lately ?? 0 >= Limits.noticesInARowMax
    }

    /// Rings one notice for a burst, in the place of the one before, and no more often than phones should sound.
    private func ringBurst(upTo number: Int64) throws(Rejection) {
        let told = try act.first(
            "SELECT at FROM notice_rings WHERE member = ?1 AND entry = ?1 AND act = ?2", .id(owner.id),
            .text(Self.burst)
        ) { row in row.instant(0) }
        if let told, act.now < told.adding(seconds: Limits.noticeBurstSeconds), told <= act.now {
            try noteBurst(upTo: number, toldAt: told)
            return try act.plan(
                Self.burstDue, about: "notice/\(owner.id)", at: told.adding(seconds: Limits.noticeBurstSeconds))
        }
        try noteBurst(upTo: number)
        try tellBurst(upTo: number)
    }

    /// Tells a burst again, because more has come since.
    func goOnWithBurst() throws(Rejection) {
        guard var number = try burstUpTo() else { return }
        // If an alarm rang meanwhile, a device that received it would take the waiting entries for older ones.
        if try names().last > number, let moved = try moveUpHeld(upTo: number) {
            number = moved
        } else {
            // A device that came meanwhile was told of the newest of them under that entry's own name.
            number = try takeNumber()
        }
        try noteBurst(upTo: number)
        try tellBurst(upTo: number)
    }

    /// Gives new numbers to the entries that have waited since the burst was told. Answers the last number; `nil` if
    /// none waits.
    private func moveUpHeld(upTo number: Int64) throws(Rejection) -> Int64? {
        let held = try act.rows(
            """
            SELECT r.entry, r.about FROM notice_rings r JOIN notice_rings b ON b.member = r.member AND b.entry = b.member
            WHERE r.member = ? AND r.number BETWEEN 1 AND ? AND r.act = 'ring' AND r.at >= b.at ORDER BY r.number
            """, .id(owner.id), .int(number)
        ) { row in (entry: row.identifier("entry"), about: row.text("about")) }
        var last: Int64?
        for one in held {
            guard let entry = try ringing(one.entry), PushQueue.Grade(entry, act) == .ordinary else { continue }
            last = try note(one.entry, about: one.about, Notice.Act.ring.rawValue)
        }
        return last
    }

    private func tellBurst(upTo number: Int64) throws(Rejection) {
        var hearing = try Hearing(of: nil, owner, act)
        // A device that would ring for none of the newest entries is not told that there are many.
        if hearing.hasRules {
            let newest = try act.rows(
                """
                SELECT entry FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ? AND act = 'ring'
                ORDER BY number DESC LIMIT ?
                """, .id(owner.id), .int(number), .int(Int64(Limits.noticesInARowMax))
            ) { row in row.identifier(0) }
            var all: [Hearing] = []
            for id in newest { if let entry = try unread(id) { all.append(try Hearing(of: entry, owner, act)) } }
            hearing.reachNone(of: all)
        }
        try PushQueue.add(owner.id, number, of: owner.id, .ordinary, hearing, act)
        if let notice = try noticeOfBurst(upTo: number) { try tell(notice, hearing) }
    }

    /// The present notice of a burst; `nil` if none of its entries is unread any more.
    private func noticeOfBurst(upTo number: Int64) throws(Rejection) -> Notice? {
        let count = try unread(upTo: number)
        guard count > 0 else { return nil }
        return Notice(
            id: try names().text(number), act: .ring, entry: owner.id, at: act.now,
            text: try Spoken.more(count, to: owner.id, act), priority: try priority(ofBurstUpTo: number),
            tags: ["inbox_tray"], click: "/#/inbox")
    }

    /// The highest priority among the newest entries of a burst; `nil` for the ordinary one.
    private func priority(ofBurstUpTo number: Int64) throws(Rejection) -> Int64? {
        let newest = try act.rows(
            """
            SELECT entry FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ? AND act = 'ring'
            ORDER BY number DESC LIMIT ?
            """, .id(owner.id), .int(number), .int(Int64(Limits.noticesAtOnceMax))
        ) { row in row.identifier(0) }
        var all: [Int64] = []
        for id in newest {
            if let entry = try unread(id) { all.append(try Spoken.priority(of: entry, to: owner, act)) }
        }
        return Self.loudest(all)
    }

    private static func loudest(_ priorities: [Int64]) -> Int64? {
        let most = priorities.max() ?? 3
        return most == 3 ? nil : most
    }

    /// The number of unread entries that have rung, up to a number.
    private func unread(upTo number: Int64) throws(Rejection) -> Int {
        try act.first(
            "SELECT count(*) FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ? AND act = 'ring'",
            .id(owner.id), .int(number)
        ) { row in Int(row.int(0)) } ?? 0
    }

    /// The number up to which a burst stands for earlier rings; `nil` where there is no burst.
    private func burstUpTo() throws(Rejection) -> Int64? {
        try act.first(
            "SELECT number FROM notice_rings WHERE member = ?1 AND entry = ?1 AND act = ?2", .id(owner.id),
            .text(Self.burst)
        ) { row in -row.int(0) }
    }

    // MARK: Browsers

    /// The present notice of a waiting push; `nil` if there is nothing to tell any more.
    func notice(ofPush one: PushQueue.Waiting) throws(Rejection) -> Notice? {
        if one.entry == one.device { return try notice(ofTest: one.device, one.number, at: act.now) }
        if one.entry == owner.id {
            guard let notice = try noticeOfBurst(upTo: one.number) else { return nil }
            return try Hearing(of: nil, owner, act).notice(notice, for: one.device)
        }
        guard let entry = try ringing(one.entry) else { return nil }
        let notice = try Spoken(entry, to: owner, act).notice(
            id: try names().text(one.number), at: act.now, try Offer.buttons(entry, to: owner, act))
        return try Hearing(of: entry, owner, act).notice(notice, for: one.device)
    }

    /// Silences the burst, because all its entries were read or are gone.
    private func silenceBurst() throws(Rejection) {
        let burst = try act.first(
            "SELECT about, number FROM notice_rings WHERE member = ?1 AND entry = ?1 AND act = ?2", .id(owner.id),
            .text(Self.burst)
        ) { row in (about: row.text("about"), upTo: -row.int("number")) }
        guard let burst else { return }
        let rings = try act.first(
            "SELECT 1 FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ? AND act = 'ring' LIMIT 1",
            .id(owner.id), .int(burst.upTo)
        ) { row in row.bool(0) }
        guard rings == nil else { return }
        let number = try note(owner.id, about: burst.about, Notice.Act.clear.rawValue)
        try PushQueue.drop(owner.id, of: owner.id, act)
        try tell(Notice(id: try names().text(number), act: .clear, entry: owner.id, at: act.now))
    }

    // MARK: Reading

    /// Silences rings of entries that were read.
    func silenceRead() throws(Rejection) { try silenceUnlessUnread(.clear) }

    /// Removes the notices of entries that left the inbox without an event.
    func silenceGone() throws(Rejection) { try silenceUnlessUnread(.delete) }

    private func silenceUnlessUnread(_ how: Notice.Act) throws(Rejection) {
        let rung = try act.rows(
            "SELECT entry FROM notice_rings WHERE member = ? AND act IN ('ring', 'answered') ORDER BY number",
            .id(owner.id)
        ) { row in row.identifier(0) }
        for entry in rung {
            guard try unread(entry) == nil, try insisting(entry) == nil else { continue }
            try silence([entry], how)
        }
    }

    /// Takes the sentences out of the log, because they are only for devices that listen at that moment. A ring of this
    /// same turn, for instance after the machine slept, is not sent yet: its sentence stays until the next time, unless
    /// the member leaves.
    func forgetTexts(all: Bool = false) throws(Rejection) {
        let rung = try act.rows("SELECT entry, at FROM notice_rings WHERE member = ?", .id(owner.id)) { row in
            (entry: row.identifier("entry"), isNew: row.instant("at") == act.now)
        }
        let devices = try act.ask { (database) throws(StoreFailure) in
            try Notices.devices(of: owner.id, database)
        }
        let new = Set(rung.filter(\.isNew).map(\.entry))
        for id in rung.map(\.entry) + devices.map(\.id) where all || !new.contains(id) {
            try act.withdraw(key: key(id))
        }
    }

    // MARK: Inside

    /// An entry in its present state in the inbox, if it is unread.
    func unread(_ entry: Identifier) throws(Rejection) -> InboxEntry? {
        try act.hooks.inbox?.unread(act, entry, owner)
    }

    /// The same, without an entry that rings only while it asks something, once nothing is asked any more.
    func ringing(_ id: Identifier) throws(Rejection) -> InboxEntry? {
        guard let entry = try unread(id) else { return try insisting(id) }
        let kind = entry.lines.last?["kind"]?.string.flatMap { act.inboxKinds[$0] }
        if kind?.ringsWhileAsked ?? false, try !Offer.isAsked(entry, owner, act) { return nil }
        return entry
    }

    /// An entry, read or not, whose question goes on until the member answers.
    func insisting(_ id: Identifier) throws(Rejection) -> InboxEntry? {
        guard let entry = try act.hooks.inbox?.listed(act, id, owner) else { return nil }
        return try act.insists(about: entry.about, on: owner) ? entry : nil
    }

    /// The names of the member's notices.
    func names() throws(Rejection) -> NoticeNames {
        let known = try act.first("SELECT salt, last FROM notice_members WHERE member = ?", .id(owner.id)) { row in
            NoticeNames(salt: row.blob("salt"), last: row.int("last"))
        }
        if let known { return known }
        let new = NoticeNames(salt: act.randomBytes(16), last: 0)
        try act.run(
            "INSERT INTO notice_members (member, salt, last) VALUES (?, ?, 0)", .id(owner.id), .blob(new.salt))
        return new
    }

    /// Notes what devices are told about an entry, and answers its number. Without a `weight` the earlier one stays.
    private func note(
        _ entry: Identifier, about: String, _ what: String, weight: Int64? = nil
    ) throws(Rejection) -> Int64 {
        let number = try takeNumber()
        let was = try act.first(
            "SELECT official FROM notice_rings WHERE member = ? AND entry = ?", .id(owner.id), .id(entry)
        ) { row in row.int(0) }
        try act.run("DELETE FROM notice_rings WHERE member = ? AND entry = ?", .id(owner.id), .id(entry))
        try act.run(
            "INSERT INTO notice_rings (member, number, entry, about, act, at, official) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .id(owner.id), .int(number), .id(entry), .text(about), .text(what), .time(act.now),
            .int(weight ?? was ?? 0))
        // Old rings are removed together with their rows of the log.
        let old = try act.rows(
            "SELECT entry FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ?", .id(owner.id),
            .int(number - Limits.noticesKeptMax)
        ) { row in row.identifier(0) }
        for entry in old {
            try act.run("DELETE FROM notice_rings WHERE member = ? AND entry = ?", .id(owner.id), .id(entry))
            try act.withdraw(key: key(entry))
        }
        return number
    }

    /// The next number, which names nothing yet.
    private func takeNumber() throws(Rejection) -> Int64 {
        let number = try names().last + 1
        try act.run("UPDATE notice_members SET last = ? WHERE member = ?", .int(number), .id(owner.id))
        return number
    }

    private func rung(about: String) throws(Rejection) -> [Identifier] {
        try act.rows(
            "SELECT entry FROM notice_rings WHERE about = ? AND member = ? AND act IN ('ring', 'answered')",
            .text(about), .id(owner.id)
        ) { row in row.identifier(0) }
    }

    private func key(_ entry: Identifier) -> String { "notice/\(owner.number)/\(entry)" }

    private func tell(_ notice: Notice, _ hearing: Hearing? = nil) throws(Rejection) {
        try act.emit(
            NoticeDevice.rang,
            .init(notice: notice, except: hearing?.deaf.listed, silent: hearing?.silent.listed),
            about: "notice/\(notice.entry)",
            to: try act.roster.only(owner.id), key: key(notice.entry))
    }
}
