import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Notices {
    /// A topic that a device listens to.
    private struct Heard: WireRecord {
        let discreet: String?
        let key: String

        static let fields = Fields(
            nil, Heard.init(discreet:key:),
            .optional("discreet", \.discreet, .text(max: 200), "What it says in the place of everything."),
            .required(
                "key", \.key, .token(max: 64), "What the secrets of its buttons are made with; base64url."))
    }

    /// A notice, and the topic that it is for.
    private struct Missed: WireRecord {
        let topic: Int64
        let notice: Notice

        private static let places: ClosedRange<Int64> = 0...Int64(Limits.noticeTopicsPerRequestMax)
        static let fields = Fields(
            nil, Missed.init(topic:notice:), .required("topic", \.topic, .integer(places), "Which of them."),
            .required("notice", \.notice, Notice.form))
    }

    /// The gateway's question for a device: its member, by its topics, and the notices that it missed. From then on it
    /// listens.
    static let take = Method.query(
        "notice.take", "What devices missed, by their topics; from there on they may listen.", access: .everybody,
        note: "For the daemon's own gateway; a topic is the credential.",
        [
            .required("topics", .list(.token(max: 64), max: Limits.noticeTopicsPerRequestMax)),
            .required(
                "since", .token(max: 64),
                "none, all, latest, taken (when the device last asked), a notice's id, a moment, or how long ago."),
        ],
        result: .object([
            .required("topics", .list(Heard.shape, max: Limits.noticeTopicsPerRequestMax)),
            .required(
                "notices",
                .list(Missed.shape, max: Limits.noticeTopicsPerRequestMax * Limits.noticesPerAnswerMax)),
        ]),
        apply: { (act, params) throws(Rejection) in
            let topics = (params["topics"]?.array ?? []).compactMap(\.string)
            guard let since = NoticeSince(try params.string("since"), now: act.now) else {
                throw Rejection(
                    .invalid, "since is all, none, latest, a message's id, a unix time or a duration such as 10m.",
                    field: "since")
            }
            let listeners = try topics.map { (topic) throws(Rejection) in try Listener(topic, act) }
            var found: [(topic: Int, number: Int64, notice: Notice)] = []
            let from = try Listener.moment(of: since, among: listeners, act)
            for (index, listener) in listeners.enumerated() {
                for (number, notice) in try listener.missed(since, orFrom: from) {
                    found.append((index, number, notice))
                }
                try listener.noteTaken()
            }
            if case .latest = since { found = Array(found.max { $0.notice.at < $1.notice.at }.map { [$0] } ?? []) }
            found.sort { ($0.notice.at, $0.topic, $0.number) < ($1.notice.at, $1.topic, $1.number) }
            return .done(
                [
                    "topics": .array(
                        listeners.map { Heard(discreet: $0.discreet, key: Base64.urlEncode($0.key)).json }),
                    "notices": .array(found.map { Missed(topic: Int64($0.topic), notice: $0.notice).json }),
                ], effect: .listen(listeners.map(\.identity)))
        }
    ).forGateways()
}

/// The point after which a device wants the notices that it missed.
enum NoticeSince {
    case none, all, latest
    /// All notices since the device's last visit.
    case taken
    /// All notices after one that is named.
    case id(String)
    case time(Instant)

    /// Reads it as ntfy's clients write it. The forms are tried in the order of ntfy's server.
    init?(_ text: String, now: Instant) {
        let bytes = Array(text.utf8)
        switch text {
        case "none": self = .none
        case "all": self = .all
        case "latest": self = .latest
        case "taken": self = .taken
        case _ where bytes.count == 12 && bytes.allSatisfy(Self.isOfName): self = .id(text)
        default:
            if let seconds = Int64(text) {
                guard (0...4_102_444_800).contains(seconds) else { return nil }
                self = .time(Instant(milliseconds: seconds * 1000))
            } else if let milliseconds = Self.duration(bytes) {
                self = .time(now.adding(milliseconds: -milliseconds))
            } else {
                return nil
            }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// Milliseconds of `1h30m`, `1.5h`, `90s` or `2d`; none of a year or more.
    private static func duration(_ bytes: [UInt8]) -> Int64? {
        let units: [(String, Int64)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
        ]
        var total: Int64 = 0
        var rest = bytes[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            var decimals: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: ".") {
                decimals = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                guard (1...9).contains(decimals.count) else { return nil }
                rest = rest.dropFirst(1 + decimals.count)
            }
            let letters = rest.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(letters.count)
            let unit = units.first { $0.0 == String(decoding: letters, as: UTF8.self) }
            guard (1...9).contains(digits.count), let count = Int64(String(decoding: digits, as: UTF8.self)), let unit
            else { return nil }
            // No client writes more decimals than thousandths.
            let part = decimals.prefix(3).reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            let thousandths = part * [1, 100, 10, 1][min(decimals.count, 3)]
            total += count * unit.1 + thousandths * unit.1 / 1000
            guard total < 366 * 86_400_000 else { return nil }
        }
        return total
    }
}

/// A device that showed its topic.
private struct Listener {
    let device: Identifier
    let owner: Roster.Entry
    /// The text that replaces everything, on a discreet device.
    let discreet: String?
    /// The only notices that ring on it; `nil`: all.
    let only: NoticeDevice.Only?
    /// The key for the secrets of the device's buttons.
    let key: [UInt8]
    private let act: Act
    private let taken: Instant?

    /// Refuses unknown and former topics alike.
    init(_ topic: String, _ act: Act) throws(Rejection) {
        let found = try act.first(
            "SELECT id, member, discreet, only, taken FROM notice_devices WHERE topic = ?", Secret.digest(topic)
        ) { row in
            (
                id: row.identifier("id"), member: row.identifier("member"), isDiscreet: row.bool("discreet"),
                only: row.optionalWord("only") as NoticeDevice.Only?,
                taken: row.optionalInstant("taken")
            )
        }
        guard let found, let owner = try act.roster[found.member] else {
            if let wait = act.memory(Guesses<Notices>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
                throw Rejection(
                    .slowDown, "Too many topics that there are not. Wait \(wait) s and try again.", retryAfter: wait)
            }
            throw Rejection(.forbidden, "There is no such topic.")
        }
        device = found.id
        self.owner = owner
        discreet = found.isDiscreet ? try Spoken.discreet(to: owner.id, act) : nil
        taken = found.taken
        only = found.only
        key = try Bell(owner, act)?.names().buttonKey(of: found.id) ?? []
        self.act = act
    }

    /// It is named by the device, so that the connection ends with the device.
    var identity: Identity { Identity(member: owner.id, number: owner.number, session: device) }

    /// The moment of a notice that one of the listeners received. The notices of the other listeners have other names.
    static func moment(
        of since: NoticeSince, among listeners: [Listener], _ act: Act
    ) throws(Rejection) -> Instant? {
        guard case .id(let name) = since else { return nil }
        for listener in listeners {
            guard let number = try Bell(listener.owner, act)?.names().number(name) else { continue }
            return try act.first(
                "SELECT at FROM notice_rings WHERE member = ? AND number BETWEEN 1 AND ? ORDER BY number DESC LIMIT 1",
                .id(listener.owner.id), .int(number)
            ) { row in row.instant(0) } ?? .earliest
        }
        return nil
    }

    /// The notices that it missed, with their numbers, in the inbox's present words. `moment` is the beginning where
    /// the named notice is another member's.
    func missed(_ since: NoticeSince, orFrom moment: Instant?) throws(Rejection) -> [(Int64, Notice)] {
        guard let bell = try Bell(owner, act) else { return [] }
        let names = try bell.names()
        var after: Int64 = 0
        var from = Instant.earliest
        // A client that names its last notice is also told what is no longer to be shown.
        var isWhole = false
        switch since {
        case .none: return []
        case .all, .latest: break
        case .taken:
            guard let taken else { return [] }
            from = taken
        case .time(let time): from = time
        case .id(let name):
            isWhole = true
            if let number = names.number(name) {
                after = number
            } else if let moment {
                from = moment
            } else {
                // The device's last notice is not known: the device gets everything.
                isWhole = false
            }
        }
        var found: [(Int64, Notice)] = []
        // Rings come first, so that the many removed ones leave no less room for them. A device's own rules may keep
        // many notices from it; the search ends after a bounded number.
        let most = Limits.noticesPerAnswerMax * (try Hearing(of: nil, owner, act).hasRules ? 4 : 1)
        var rows = try rung("act IN ('ring', '\(Bell.tested)')", after, from, most)
        if case .latest = since { rows.sort { $0.number > $1.number } }
        for row in rows {
            guard found.count < Limits.noticesPerAnswerMax else { break }
            let id = names.text(row.number)
            if row.act == Bell.tested {
                guard row.entry == device else { continue }
                found.append((row.number, try bell.notice(ofTest: device, row.number, at: row.at)))
                if case .latest = since { break }
                continue
            }
            if let entry = try bell.ringing(row.entry) {
                let hearing = try Hearing(of: entry, owner, act)
                if hearing.deaf.contains(device) { continue }
                for hook in act.hooks.took { try hook(act, row.about, owner.id) }
                let buttons = try Offer.buttons(entry, to: owner, act)
                let notice = try Spoken(entry, to: owner, act).notice(id: id, at: row.at, buttons)
                found.append((row.number, hearing.notice(notice, for: device) ?? notice))
                if case .latest = since { break }
            } else if isWhole {
                // An entry that left the inbox without an event is gone.
                found.append((row.number, Notice(id: id, act: .delete, entry: row.entry, at: row.at)))
            }
        }
        found = try bell.gathered(found.sorted { $0.0 < $1.0 }, at: device)
        guard isWhole else { return found }
        let room = max(0, Limits.noticesPerAnswerMax - found.count)
        for row in try rung("act NOT IN ('ring', '\(Bell.tested)') AND number > 0", after, from, room) {
            // Entries that were answered or put off are not told again.
            let what = Bell.done.contains(row.act) ? .clear : Notice.Act(rawValue: row.act) ?? .delete
            found.append((row.number, Notice(id: names.text(row.number), act: what, entry: row.entry, at: row.at)))
        }
        return found.sorted { $0.0 < $1.0 }
    }

    /// The notices of the member's devices since then. The heaviest rings come first, so that an alarm is told however
    /// much else came. Of rings of one weight the newest come first.
    private func rung(
        _ condition: String, _ after: Int64, _ from: Instant, _ most: Int
    ) throws(Rejection) -> [(number: Int64, entry: Identifier, about: String, act: String, at: Instant)] {
        try act.rows(
            """
            SELECT number, entry, about, act, at FROM notice_rings WHERE member = ? AND number > ? AND at >= ?
            AND (act != 'ring' OR official >= ?) AND \(condition)
            ORDER BY iif(act = 'ring', official, 0) DESC, number DESC LIMIT ?
            """, .id(owner.id), .int(after), .time(from), .bool(only == .official), .int(Int64(most))
        ) { row in
            (
                number: row.int("number"), entry: row.identifier("entry"), about: row.text("about"),
                act: row.text("act"), at: row.instant("at")
            )
        }
    }

    /// Notes the device's visit.
    func noteTaken() throws(Rejection) {
        if let taken, act.now < taken.adding(seconds: Limits.noticeTakenSeconds) { return }
        try act.run("UPDATE notice_devices SET taken = ? WHERE id = ?", .time(act.now), .id(device))
    }
}
