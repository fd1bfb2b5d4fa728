import KinKeeper
import KinModel
import KinStore

/// Waiting sessions: opened by a link or a password that somebody else made, on an account that was in use. They see
/// nobody's positions and histories, not even the member's own past, and show nobody more; everything else works. So a
/// person who makes a link for another must act as that other for three days before the session tells where anybody is.
/// By then the member and the adults of the household have been told.
extension Sessions {
    /// Due work that ends a wait; its `about` is `session/ID`.
    static let waitDue = "session.waits"

    /// Notes that the account is in use from here on. Where it was in use before, and somebody else opened the session,
    /// the session waits. Answers until when.
    static func wait(
        _ session: Identifier, of member: Identifier, by makers: Makers?, _ act: Act
    ) throws(Rejection) -> Instant? {
        let isFirst = try act.run(
            "UPDATE members SET first_opened_at = ? WHERE id = ? AND first_opened_at IS NULL", .time(act.now),
            .id(member))
        guard isFirst == 0, makers != nil else { return nil }
        let until = act.now.adding(seconds: Limits.waitSeconds)
        try act.run("UPDATE sessions SET waits_until = ? WHERE id = ?", .time(until), .id(session))
        try act.plan(waitDue, about: "session/\(session)", at: until)
        if let one = try Wait.all(of: member, act).first(where: { $0.session == session }) {
            try tell(.sessionWaits, one, act)
        }
        return until
    }

    /// The time is over, and nobody who was told objected.
    static func waitFellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let id = Identifier(about.split(separator: "/").last ?? "") else { return }
        let owner = try act.first(
            "SELECT member FROM sessions WHERE id = ? AND waits_until IS NOT NULL", .id(id)
        ) { row in row.identifier(0) }
        guard let owner, let wait = try Wait.all(of: owner, act).first(where: { $0.session == id }) else { return }
        try end(wait, .waitEnded, act)
    }

    /// The session waits no longer. Streams that it followed began without the map: their cursors are no longer valid
    /// (``isOfWait(_:of:_:)``), and followers are sent back for a fresh snapshot.
    private static func end(_ wait: Wait, _ what: AccountChange, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE sessions SET waits_until = NULL, own_from = ? WHERE id = ?", .int(act.logPosition),
            .id(wait.session))
        // Somebody who may speak for the member trusted it: nobody else counts as its opener any more.
        if what == .sessionTrusted {
            try act.run("UPDATE sessions SET opened_by = NULL WHERE id = ?", .id(wait.session))
        }
        try act.unplan(waitDue, about: "session/\(wait.session)")
        act.revoke(.wait(session: wait.session))
        try settleQuestion(of: wait, act)
        try tell(what, wait, act)
    }

    /// A session that waited is good, or is no more: nobody is asked about it.
    static func settleQuestion(of wait: Wait, _ act: Act) throws(Rejection) {
        try act.settle(Members.accountChanged, about: Members.about(wait.member)) { (line, _) in
            line.word == AccountChange.sessionWaits.rawValue && line.name == wait.device && line.time == wait.until
        }
    }

    /// Whether a cursor is of the time when the session waited.
    static func isOfWait(_ cursor: String, of session: Identifier, _ act: Act) throws(Rejection) -> Bool {
        let ownFrom = try act.first("SELECT own_from FROM sessions WHERE id = ?", .id(session)) { row in
            row.optionalInt(0)
        }.flatMap(\.self)
        guard let ownFrom, let position = act.position(of: cursor) else { return false }
        return position <= ownFrom
    }

    // MARK: Telling

    static let opened = EventType(
        "session.opened", "Somebody signed in as the member; the member.", Opened.self)
    static let accountChanged = EventType(
        "account.changed",
        "Somebody made or used a way into a member's account: the adults of the household; of sessions that wait the member too.",
        AccountChanged.self)

    /// A new session.
    struct Opened: WireRecord {
        let session: Identifier
        let device: String

        static let fields = Fields(
            nil, Opened.init(session:device:),
            .required("session", \.session, .id),
            .required("device", \.device, .name))
    }

    /// The account, and what happened to it.
    struct AccountChanged: WireRecord {
        let member: Identifier
        let what: AccountChange
        let setBy: Identifier??
        var session: Identifier?
        var device: String?
        var until: Instant?

        static let fields = Fields(
            nil, AccountChanged.init(member:what:setBy:session:device:until:),
            .required("member", \.member, .id),
            .required("what", \.what, .word),
            .optional(
                "setBy", \.setBy, .nullable(.id), "Who made the link or set the password; null: the machine."),
            .optional("session", \.session, .id),
            .optional("device", \.device, .name),
            .optional("until", \.until, .time, "sessionWaits: until when."))
    }

    /// Tells the adults of a member's household what was made for the account. The member hears `permission.changed`.
    static func tellAdults(
        _ what: AccountChange, of member: Identifier, by makers: Makers, _ act: Act
    ) throws(Rejection) {
        if makers.isAlone(member) { return }
        let hearers = try adults(around: member, act).subtracting(try act.roster.only(member))
        try act.emit(
            accountChanged, .init(member: member, what: what, setBy: .some(makers.last)),
            about: Members.about(member), to: hearers)
    }

    private static func tell(_ what: AccountChange, _ wait: Wait, _ act: Act) throws(Rejection) {
        let hearers = try adults(around: wait.member, act).union(try act.roster.only(wait.member))
        try act.emit(
            accountChanged,
            .init(
                member: wait.member, what: what, setBy: .some(wait.makers.last), session: wait.session,
                device: wait.device, until: what == .sessionWaits ? wait.until : nil),
            about: Members.about(wait.member), to: hearers)
    }

    /// The adults who live with a member and are no guests; the member too, being one.
    private static func adults(around member: Identifier, _ act: Act) throws(Rejection) -> Audience {
        let numbers = try act.rows(
            """
            SELECT number FROM members WHERE kind = 'adult' AND role <> 'guest'
            AND household = (SELECT household FROM members WHERE id = ?)
            """, .id(member)
        ) { row in Int32(truncatingIfNeeded: row.int(0)) }
        return Audience(numbers)
    }

    // MARK: Ending it

    static let trust = Method.command(
        "session.trust", "Says that a session which waits is its member's own doing: it waits no longer.",
        access: [.signedIn, .machine],
        note: """
            An older session of the member that does not wait itself; another adult of the household, in the family for as \
            long as a session waits, who did not make the link or the password; the machine.
            """,
        [
            .optional("member", .id, "Whose; the caller if left out."),
            .optional("session", .id, "Which; all that the caller may speak for if left out."),
        ],
        result: .object([.required("trusted", .list(.id, max: Limits.sessionsPerMemberMax))]),
        route: Route("POST", "/api/sessions/trust"), events: [Sessions.accountChanged],
        again: { (_, ids) throws(Rejection) in ["trusted": .array(ids.map { .id($0) })] },
        apply: { (act, params) throws(Rejection) in
            let owner: Member
            if let named = params.optionalID("member") {
                owner = try act.member(named)
            } else {
                guard act.caller.memberID != nil else {
                    throw Rejection(.params, "The parameter member is missing.", field: "member")
                }
                owner = try act.member(try act.member.id)
            }
            var waits = try Wait.all(of: owner.id, act)
            if let session = params.optionalID("session") {
                waits = waits.filter { $0.session == session }
                guard !waits.isEmpty else {
                    throw Rejection.notFound("waiting session", session.description, field: "session")
                }
            }
            let trusted = try Wait.toBeTrusted(of: waits, by: act)
            guard !trusted.isEmpty || waits.isEmpty else {
                throw Rejection(
                    .forbidden,
                    "Only an older session of the member, or another adult of the household who did not make the link or "
                        + "the password, says so.")
            }
            for wait in trusted { try end(wait, .sessionTrusted, act) }
            let ids = trusted.map(\.session)
            return .done(["trusted": .array(ids.map { .id($0) })], ids: ids)
        }
    ).holdingConnection()

    static let waiting = Method.query(
        "session.waiting", "Sessions that wait, of those for whom the caller may say that they are trusted.",
        access: [.signedIn, .machine], note: "See session.trust; the machine: all.",
        result: .object([
            .required(
                "sessions", .list(Wait.shape, max: Limits.sessionsPerMemberMax * Limits.membersMax))
        ]),
        route: Route("GET", "/api/sessions/waiting"),
        apply: { (act, _) throws(Rejection) in
            .done(["sessions": .array(try Wait.toBeTrusted(of: try Wait.all(of: nil, act), by: act).map(\.json))])
        })
}

/// A session that waits.
struct Wait: WireRecord {
    let session: Identifier
    let member: Identifier
    let device: String
    let address: String
    let openedAt: Instant
    let until: Instant
    let openedBy: Identifier?
    /// All members who had a hand in it; the last one is told.
    private(set) var makers = Makers.machine

    static let fields = Fields(
        nil,
        {
            Wait(session: $0, member: $1, device: $2, address: $3, openedAt: $4, until: $5, openedBy: $6)
        },
        .required("session", \.session, .id),
        .required("member", \.member, .id),
        .required("device", \.device, .name),
        .required("address", \.address, .text(max: 200)),
        .required("openedAt", \.openedAt, .time),
        .required("waitsUntil", \.until, .time),
        .required("openedBy", \.openedBy, .nullable(.id)))

    private static let columns = Columns<Wait>(called: ["session": "id"], elsewhere: ["openedBy"])

    /// A member's, or everybody's, oldest first.
    static func all(of member: Identifier?, _ act: Act) throws(Rejection) -> [Wait] {
        try act.rows(
            """
            SELECT \(columns.names), opened_by FROM sessions
            WHERE waits_until IS NOT NULL AND (?1 IS NULL OR member = ?1) ORDER BY opened_at, id
            """, Value(member)
        ) { (row) throws(StoreFailure) in
            let makers = Makers(row.optionalBlob("opened_by")) ?? .machine
            var wait = try columns.read(row, ["openedBy": makers.json])
            wait.makers = makers
            return wait
        }
    }

    /// Those that the caller's word ends.
    static func toBeTrusted(of waits: [Wait], by act: Act) throws(Rejection) -> [Wait] {
        var trusted: [Wait] = []
        for wait in waits { if try wait.isToBeTrusted(by: act) { trusted.append(wait) } }
        return trusted
    }

    /// Whether the caller's word ends it.
    private func isToBeTrusted(by act: Act) throws(Rejection) -> Bool {
        guard case .member(let caller) = act.caller, !caller.isAtMachine else { return act.isOwnWord }
        guard act.isOwnWord else { return false }
        if caller.id == member {
            let since = try act.first(
                "SELECT opened_at FROM sessions WHERE id = ?", Value(caller.session)
            ) { row in row.instant(0) }
            return since.map { $0 <= openedAt } ?? false
        }
        let household = try act.roster[member]?.household
        guard caller.kind == .adult, caller.role != .guest, caller.household == household else { return false }
        // A sign-in cannot be vouched for by anybody who had a hand in it, nor by a member who was added for that
        // purpose.
        let hands = Set(makers.members)
        guard !hands.contains(caller.id), hands.isDisjoint(with: caller.openedBy?.members ?? []) else { return false }
        let joined = try act.first("SELECT joined_at FROM members WHERE id = ?", .id(caller.id)) { row in
            row.instant(0)
        }
        return joined.map { $0.adding(seconds: Limits.waitSeconds) <= openedAt } ?? false
    }
}

/// A change of the ways into an account, as `account.changed` says it.
enum AccountChange: String, CaseIterable {
    case signInLinkMade, passwordSet, sessionWaits, sessionTrusted, waitEnded
}
