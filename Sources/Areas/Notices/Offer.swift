import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The answers that a member was offered by buttons below a notice. Each button has a secret that permits one act of
/// that member, until one of them was pressed or the thing asks nothing more.
///
/// The secret is not stored (``ButtonSecret``): neither the log nor another client of the member has it.
struct Offer {
    let id: Identifier
    let member: Identifier
    let entry: Identifier
    let about: String
    /// Every button that was shown for the offer.
    let names: [String]
    let isUsed: Bool

    private init(_ row: borrowing Row) {
        id = row.identifier("id")
        member = row.identifier("member")
        entry = row.identifier("entry")
        about = row.text("about")
        names = row.text("names").split(separator: " ").map { String($0) }
        isUsed = row.optionalInstant("used") != nil
    }

    private static let columns = "SELECT id, member, entry, about, names, used FROM notice_answers"

    // MARK: Offering

    /// The buttons below a notice; none if nothing is asked.
    static func buttons(
        _ entry: InboxEntry, to owner: Roster.Entry, _ act: Act
    ) throws(Rejection) -> [(offer: Identifier, name: String, label: String)] {
        let answers = try answers(entry.id, entry.about, owner, act)
        guard !answers.isEmpty else { return [] }
        let offer = try open(entry, to: owner, answers.map { code($0) }, act)
        return answers.map { (offer, code($0), $0.name) }
    }

    /// Whether an entry asks its member something.
    static func isAsked(_ entry: InboxEntry, _ owner: Roster.Entry, _ act: Act) throws(Rejection) -> Bool {
        try !answers(entry.id, entry.about, owner, act).isEmpty
    }

    /// Whether the question cannot wait.
    static func isPressing(_ entry: InboxEntry, _ owner: Roster.Entry, _ act: Act) throws(Rejection) -> Bool {
        try answers(entry.id, entry.about, owner, act).contains { !$0.mayWait }
    }

    /// The answers that are possible now: the area's, and `later` where there is room.
    private static func answers(
        _ entry: Identifier, _ about: String, _ owner: Roster.Entry, _ act: Act
    ) throws(Rejection) -> [InboxAnswer] {
        var found = try act.answers(about: about, by: owner)
        guard !found.isEmpty else { return [] }
        // A question that no single button answers keeps one place for the button that opens the page.
        let room = Limits.noticeAnswersMax - (found.contains { $0.name == Self.anySlot } ? 1 : 0)
        if found.count < room, found.allSatisfy(\.mayWait) {
            found.append(InboxAnswer("later", to: "", "notice.snooze", ["entry": .id(entry)]))
        }
        return found
    }

    /// The button that says yes to every one of several slots.
    static let anySlot = "anySlot"

    /// A button's code: its name, and the question that it answers.
    private static func code(_ answer: InboxAnswer) -> String {
        "\(answer.name).\(Hex.encode(Array(Digest.sha256(Array(answer.subject.utf8)).prefix(4))))"
    }

    /// The offer that is open, or a new one.
    private static func open(
        _ entry: InboxEntry, to owner: Roster.Entry, _ names: [String], _ act: Act
    ) throws(Rejection) -> Identifier {
        let known = try act.first(
            columns + " WHERE member = ? AND entry = ? AND used IS NULL", .id(owner.id), .id(entry.id)
        ) { row in Offer(row) }
        guard let known else {
            let id = act.newIdentifier()
            try act.run(
                "INSERT INTO notice_answers (id, member, entry, about, names, made) VALUES (?, ?, ?, ?, ?, ?)", .id(id),
                .id(owner.id), .id(entry.id), .text(entry.about), .text(names.joined(separator: " ")), .time(act.now))
            return id
        }
        let new = names.filter { !known.names.contains($0) }
        if !new.isEmpty {
            // The oldest buttons make room.
            let all = (known.names + new).suffix(Limits.noticeButtonsKeptMax).joined(separator: " ")
            try act.run("UPDATE notice_answers SET names = ? WHERE id = ?", .text(all), .id(known.id))
        }
        return known.id
    }

    // MARK: The secret

    /// The offer and the button of a secret; `nil` if there is none.
    static func find(_ secret: String, _ act: Act) throws(Rejection) -> (offer: Offer, name: String)? {
        guard let id = ButtonSecret.offer(of: secret),
            let offer = try act.first(columns + " WHERE id = ?", .id(id), map: { row in Offer(row) }),
            let owner = try act.roster[offer.member], let names = try Bell(owner, act)?.names()
        else { return nil }
        // Each device has secrets of its own, so that a lost device's secrets end with it.
        let devices = try act.ask { (database) throws(StoreFailure) in
            try Notices.devices(of: offer.member, database)
        }
        for key in devices.map({ names.buttonKey(of: $0.id) }) {
            let name = offer.names.first { name in
                equalInConstantTime(Array(ButtonSecret.make(id, name, key: key).utf8), Array(secret.utf8))
            }
            if let name { return (offer, name) }
        }
        return nil
    }

    // MARK: Answering

    /// The act of a button now; `nil` if nothing is asked any more, or something else.
    func answer(_ name: String, _ act: Act) throws(Rejection) -> InboxAnswer? {
        guard !isUsed, let owner = try act.roster[member] else { return nil }
        return try Self.answers(entry, about, owner, act).first { Self.code($0) == name }
    }

    /// One of its buttons was pressed, and none is valid any more.
    func use(_ name: String, _ act: Act) throws(Rejection) {
        try act.run("UPDATE notice_answers SET used = ? WHERE id = ?", .time(act.now), .id(id))
    }
}
