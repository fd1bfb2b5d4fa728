import KinKeeper
import KinModel
import KinStore

extension Map {
    static let ask = Method.command(
        "position.ask", "Asks a member's phone where it is: with its next post, since nothing else reaches it.",
        access: .signedIn,
        note:
            "Who sees the member's position. The member is told who asked; asking again within minutes is one question.",
        [.required("member", .id)],
        result: .object([
            .required("at", .time, "When the caller asked; a moment ago, if this is the same question once more."),
            .required("rides", .bool, "Whether a phone is there that can be asked with its next post."),
            .optional(
                "contact", .time, "When a phone of the member's was last heard of, as finely as the caller sees."),
            .optional("last", .time, "Of when the coordinates are that the caller sees."),
        ]),
        route: Route("POST", "/api/positions/{member}/questions"), events: [Map.asked],
        again: { (act, ids) throws(Rejection) in try Asking(ids[0], act).json(act) },
        apply: { (act, params) throws(Rejection) in
            let asking = try Asking(try params.id("member"), act)
            try asking.ask(act)
            return .done(try asking.json(act), ids: [asking.member])
        }
    ).forOwnWord()

    static let asked = EventType(
        "position.asked", "Somebody asks where the member is; the member.", Member.Named.self)
}

/// A member asks where another is.
struct Asking {
    let member: Identifier
    private let asker: Identifier
    /// How much of the position the asker sees.
    private let precision: Precision

    /// Refuses a member whom the caller does not see on the map.
    init(_ member: Identifier, _ act: Act) throws(Rejection) {
        let caller = try act.member
        guard member != caller.id else {
            throw Rejection(
                .invalid, "This asks others where they are; your own phone reports by itself.", field: "member")
        }
        _ = try act.member(member)
        let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
        let precision = sharing.flatMap { $0.isOn ? $0.viewers.precision(for: caller.number) : nil } ?? .off
        guard precision != .off else {
            throw Rejection(.forbidden, "This member does not show you a position.", field: "member")
        }
        self.member = member
        self.precision = precision
        asker = caller.id
    }

    /// Sends the question and tells the member, unless that was done minutes ago.
    func ask(_ act: Act) throws(Rejection) {
        if let at = try at(act), at.adding(seconds: Limits.askAgainSeconds) > act.now { return }
        try act.run(
            "INSERT OR REPLACE INTO position_asks (member, asker, at) VALUES (?, ?, ?)", .id(member), .id(asker),
            .time(act.now))
        try Self.askPhones(of: member, act)
        try act.emit(
            Map.asked, .init(member: member), about: LatestPositions.about(member), to: try act.roster.only(member))
    }

    /// Sharing was switched on: the phone is asked, so that its position of now is shown, and not an older one.
    static func sharingChanged(_ told: Told, _ act: Act) throws(Rejection) {
        guard let data = told[Sharing.changed], data.sharing.isOn, data.changes.contains(.state),
            let member = Identifier(told.about.drop { $0 != "/" }.dropFirst())
        else { return }
        try askPhones(of: member, act)
    }

    private static func askPhones(of member: Identifier, _ act: Act) throws(Rejection) {
        try PhoneCommands.add(member, ["_type": "cmd", "action": "reportLocation"], key: "reportLocation", act)
    }

    /// The answer to the one who asks.
    func json(_ act: Act) throws(Rejection) -> JSON {
        let phones = try Phone.all(of: member, act)
        let minute: Int64 = 60_000
        // A phone's messages without a position concern only its owner; the asker learns only that it was heard of.
        let contact = phones.first.map {
            precision == .exact
                ? Instant(milliseconds: $0.contact.milliseconds / minute * minute) : CoarsePosition.rounded($0.contact)
        }
        let latest = try LatestPositions(member, act)
        let last: Instant? =
            switch precision {
            case .exact: latest.shown?.at
            case .coarse: latest.coarse?.at
            default: nil
            }
        return .object(leavingOut: [
            "at": .time(try at(act) ?? act.now),
            "rides": .bool(phones.contains { $0.app == .owntracks && $0.takesCommands != false }),
            "contact": contact.map { .time($0) }, "last": last.map { .time($0) },
        ])
    }

    private func at(_ act: Act) throws(Rejection) -> Instant? {
        try act.first("SELECT at FROM position_asks WHERE member = ? AND asker = ?", .id(member), .id(asker)) { row in
            row.instant(0)
        }
    }
}
