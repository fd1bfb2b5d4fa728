import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// Screens on walls: a tablet in the kitchen that shows the household what is going on.
///
/// A screen is a row of the roster with a name, a number and a household of its own, and has a session like a member. So
/// members find it among those who might see their position, and are asked about it like about a newcomer. The list of
/// who looked names it, too. Audiences, snapshots and the log need no second kind of viewer. A screen differs by its kind.
/// The mechanism gives that kind an access of its own (``Access/wall``), which no command has, and a view of the areas that
/// say so (``Area/isForWalls``).
enum Walls {
    static let methods = [add, list]

    static let add = Method.secretCommand(
        "wall.add",
        "Adds a screen on a household's wall: a viewer of its own that does nothing, with a link that pairs one device.",
        access: .admins,
        note: """
            The link is good once, for a day; session.link makes another, and the device that redeems it takes the \
            place of the one before. member.remove takes the screen away.
            """,
        [.required("name", .name, "Such as: Kitchen wall."), .required("household", .id)],
        result: .object([
            .required("member", Member.shape), .required("link", .token(max: 64)), .required("expires", .time),
        ]),
        route: Route("POST", "/api/households/{household}/walls", status: 201), events: [Member.added],
        apply: { (act, params) throws(Rejection) in
            let household = try act.household(try params.id("household"))
            let count = try act.first("SELECT count(*) FROM members WHERE kind = 'wall'") { row in row.int(0) }
            guard (count ?? 0) < Limits.wallsMax else {
                throw Rejection(
                    .tooLarge,
                    "The family has \(Limits.wallsMax) screens on walls, which is the most; remove one first.")
            }
            // Nobody signs in with it: it is there because every member has one.
            let username = "wall-" + Hex.encode(act.randomBytes(5))
            let wall = Member(
                id: act.newIdentifier(), username: username, displayName: try params.string("name"), role: .member,
                kind: .wall, household: household.id)
            try Members.checkFree(username, act)
            try Members.growing(act) { () throws(Rejection) in
                try Members.insert(wall, password: PasswordHash.decoy, broughtBy: act.caller.memberID, act)
            }
            try Members.tell(Member.added, wall.id, act)
            let (link, expires) = try Sessions.makeLink(for: wall.id, act)
            var result = try act.show(wall.id)
            result["link"] = .string(link)
            result["expires"] = .time(expires)
            return .done(result, ids: [wall.id])
        })

    /// A screen, as it is listed.
    private struct Listed: WireRecord {
        let member: Identifier
        let name: String
        let household: Identifier
        let pairedAt: Instant?
        let usedAt: Instant?

        static let fields = Fields(
            "Wall", Listed.init(member:name:household:pairedAt:usedAt:), .required("member", \.member, .id),
            .required("name", \.name, .name), .required("household", \.household, .id),
            .optional("pairedAt", \.pairedAt, .time, "When a device was paired with it; absent where none is."),
            .optional("usedAt", \.usedAt, .time, "Noted once an hour."))
        /// Each is selected under its field's name.
        static let columns = Columns<Listed>()
    }

    static let list = Method.query(
        "wall.list", "The screens on walls, and which of them a device is paired with.", access: [.family, .machine],
        result: .object([.required("walls", .list(Listed.shape, max: Int(Limits.wallsMax)))]),
        route: Route("GET", "/api/walls"),
        apply: { (act, _) throws(Rejection) in
            let walls = try act.rows(
                """
                SELECT m.id AS member, m.display_name AS name, m.household, max(s.opened_at) AS paired_at,
                max(s.used_at) AS used_at FROM members m LEFT JOIN sessions s ON s.member = m.id WHERE m.kind = 'wall' GROUP BY m.id ORDER BY m.id
                """
            ) { (row) throws(StoreFailure) in try Listed.columns.read(row) }
            return .done(["walls": .array(walls.map(\.json))])
        })

    // MARK: For the rest of the area

    /// Those of a household.
    static func all(in household: Identifier, _ act: Act) throws(Rejection) -> [Member] {
        let ids = try act.rows(
            "SELECT id FROM members WHERE household = ? AND kind = 'wall' ORDER BY id", .id(household)
        ) { row in row.identifier(0) }
        var all: [Member] = []
        for id in ids {
            let found = try act.ask { (database) throws(StoreFailure) in try People.member(id, database) }
            if let found { all.append(found) }
        }
        return all
    }

    /// Refuses what only people have: roles, relations, usernames.
    static func mustNotBe(_ member: Member, field: String = "member") throws(Rejection) {
        guard member.kind == .wall else { return }
        throw Rejection(.invalid, "This is a screen on a wall and nobody; name a person.", field: field)
    }

    /// A device takes the screen over: one is paired with it at a time.
    static func pair(_ wall: Identifier, _ params: Params, _ act: Act) throws(Rejection) {
        guard params["password"] == nil else {
            throw Rejection(.invalid, "A screen on a wall has no password.", field: "password")
        }
        let sessions = try act.rows("SELECT id FROM sessions WHERE member = ?", .id(wall)) { row in row.identifier(0) }
        for session in sessions {
            try Sessions.end(session, act)
            act.revoke(.session(session))
        }
    }
}
