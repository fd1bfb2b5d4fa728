import KinKeeper
import KinModel
import KinStore

/// A calendar as it is stored, and the members' rights in it.
package struct StoredCalendar: Sendable, Equatable {
    /// One share of it: with everyone, a household or a member.
    struct Grant: Equatable {
        /// Everyone except guests, a household, or a member.
        enum Whom: Equatable { case everyone, household(Identifier), member(Identifier) }
        let whom: Whom
        let right: FamilyCalendar.Right
    }

    typealias Kind = FamilyCalendar.Kind
    typealias Right = FamilyCalendar.Right

    /// The small number that entries name it by; 0 before it has a row.
    private(set) var number: Int64 = 0
    let id: Identifier
    let kind: Kind
    var name: String?
    var color: String?
    /// The owner, if it belongs to a member.
    var owner: Identifier?
    /// The others with whom it is shared.
    var grants: [Grant] = []
    /// The minutes before a new entry in it at which its readers are reminded unless they set others, the longest
    /// first.
    var remind: [Int64] = []

    init(id: Identifier, kind: Kind, name: String? = nil, color: String? = nil, owner: Identifier? = nil) {
        self.id = id
        self.kind = kind
        self.name = name
        self.color = color
        self.owner = owner
    }

    /// Reads the columns number, id, kind, name, color, owner and remind.
    init(_ row: borrowing Row, grants: [Grant]) {
        self.init(
            id: row.identifier("id"), kind: row.word("kind"), name: row.optionalText("name"),
            color: row.optionalText("color"), owner: row.optionalIdentifier("owner"))
        number = row.int("number")
        self.grants = grants
        remind = row.optionalText("remind").map { Self.minutes(in: $0) } ?? []
    }

    // MARK: Who may what

    /// A member's right in it.
    func right(of entry: Roster.Entry) -> Right {
        var right = own(entry)
        for grant in grants {
            let isMeant =
                switch grant.whom {
                case .everyone: entry.role != .guest
                case .household(let household): entry.household == household
                case .member(let member): entry.id == member
                }
            // Nobody writes into a calendar that comes from outside.
            if isMeant { right = max(right, kind == .subscribed ? min(grant.right, .read) : grant.right) }
        }
        return right
    }

    /// The right that a member has without a share.
    private func own(_ entry: Roster.Entry) -> Right {
        switch kind {
        case .family: entry.role == .guest ? .none : entry.role == .admin ? .own : .write
        case .household:
            entry.household != id
                ? .none : entry.role == .guest ? .read : entry.role == .member ? .write : .own
        case .personal, .added, .subscribed: entry.id == owner ? .own : .none
        case .meetings, .toDecide, .birthdays: .none
        }
    }

    /// The members who have at least this right in it.
    func audience(_ right: Right, _ roster: Roster) -> Audience {
        Audience(roster.entries.filter { self.right(of: $0) >= right }.map(\.number))
    }

    /// Whether it has no entries of its own. Its entries are made for each reader from meetings or birthdays that the
    /// reader knows.
    var isMade: Bool { kind == .meetings || kind == .toDecide || kind == .birthdays }

    /// The calendar in the form for a member.
    func wire(to entry: Roster.Entry) -> FamilyCalendar {
        let right = isMade ? Right.read : right(of: entry)
        return FamilyCalendar(
            id: id, kind: kind, name: name, color: color, owner: owner, right: right,
            remind: right >= .read ? remind : [])
    }

    // MARK: Reading

    /// The calendars of confirmed meetings and of open slots. Each has the family's identifier with another end.
    static func ofMeetings(_ family: Identifier) -> Identifier { Identifier(high: family.high, low: family.low ^ 1) }
    static func toDecide(_ family: Identifier) -> Identifier { Identifier(high: family.high, low: family.low ^ 2) }
    /// The calendar of birthdays, likewise.
    static func birthdays(_ family: Identifier) -> Identifier { Identifier(high: family.high, low: family.low ^ 3) }

    /// All calendars, including those without a row.
    static func all(_ act: Act) throws(Rejection) -> [StoredCalendar] {
        let known = try act.memory(CalendarMemory.self).known(act)
        let personal = try act.roster.entries.filter { $0.role != .guest && !$0.isWall }.map {
            StoredCalendar(id: $0.id, kind: .personal, owner: $0.id)
        }
        // The order must not depend on which calendars have a row, because that tells whether anybody ever wrote into
        // them.
        return ((known.implied + personal).filter { known.stored[$0.id] == nil } + known.stored.values).sorted {
            ($0.kind.order, $0.id) < ($1.kind.order, $1.id)
        }
    }

    /// The calendar with an identifier; `nil` if there is none.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredCalendar? {
        let known = try act.memory(CalendarMemory.self).known(act)
        if let one = known.stored[id] ?? known.implied.first(where: { $0.id == id }) { return one }
        guard let entry = try act.roster[id], entry.role != .guest, !entry.isWall else { return nil }
        return StoredCalendar(id: id, kind: .personal, owner: id)
    }

    /// The calendar with a number.
    static func numbered(_ number: Int64, _ act: Act) throws(Rejection) -> StoredCalendar? {
        try act.memory(CalendarMemory.self).known(act).stored.values.first { $0.number == number }
    }

    /// A calendar in which the caller has a right. It is 1404 if the caller sees nothing of it, and 1403 if the caller
    /// has a lesser right.
    static func allowed(_ id: Identifier, _ right: Right, _ act: Act) throws(Rejection) -> StoredCalendar {
        let member = try act.member
        guard let entry = try act.roster[member.id], let found = try find(id, act), found.right(of: entry) > .none
        else {
            throw Rejection.notFound("calendar", id.description, field: "calendar")
        }
        guard right != .write || found.kind != .subscribed else { throw readOutside(field: "calendar") }
        guard found.right(of: entry) >= right else {
            guard right > .read else {
                throw Rejection(
                    .forbidden, "Of this calendar you see only when something is.", field: "calendar")
            }
            throw Rejection(
                .forbidden,
                right == .own
                    ? "Only who owns a calendar shares, changes or removes it."
                    : "You cannot write into this calendar.",
                field: "calendar")
        }
        return found
    }

    /// The refusal of a change in a calendar that is read outside.
    static func readOutside(field: String) -> Rejection {
        Rejection(.forbidden, "This calendar is read outside; what stands in it is changed there.", field: field)
    }

    // MARK: Writing

    /// Gives it a row, if it has none.
    mutating func ensure(_ act: Act) throws(Rejection) {
        guard number == 0 else { return }
        try act.run(
            "INSERT INTO calendars (id, kind, name, color, owner) VALUES (?, ?, ?, ?, ?)", .id(id),
            .text(kind.rawValue), Value(name), Value(color), Value(owner))
        number = act.database.lastInsertedRow
    }

    /// Stores its name, colour, owner and reminders.
    mutating func save(_ act: Act) throws(Rejection) {
        try ensure(act)
        try act.run(
            "UPDATE calendars SET name = ?, color = ?, owner = ?, remind = ? WHERE number = ?", Value(name),
            Value(color), Value(owner), remind.isEmpty ? .null : .text(Self.text(of: remind)), .int(number))
    }

    /// Shares it with somebody, or ends that.
    mutating func grant(_ right: Right, to whom: Grant.Whom, _ act: Act) throws(Rejection) {
        try ensure(act)
        let (kind, grantee): (String, Value) =
            switch whom {
            case .everyone: ("everyone", .blob([]))
            case .household(let id): ("household", .id(id))
            case .member(let id): ("member", .id(id))
            }
        grants.removeAll { $0.whom == whom }
        try act.run(
            "DELETE FROM calendar_rights WHERE calendar = ? AND kind = ? AND grantee = ?", .int(number), .text(kind),
            grantee)
        guard right != .none else { return }
        grants.append(Grant(whom: whom, right: right))
        try act.run(
            "INSERT INTO calendar_rights (calendar, kind, grantee, power) VALUES (?, ?, ?, ?)", .int(number),
            .text(kind), grantee, .text(right.rawValue))
    }
}
