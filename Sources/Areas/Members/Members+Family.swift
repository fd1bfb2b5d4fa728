import KinKeeper
import KinModel
import KinStore

extension Members {
    static let found = Method.secretCommand(
        "family.found", "Founds the family, its first household and its first admin; once.",
        access: [.nobody, .machine], note: "at the machine, or with the set-up link printed at the first start",
        [
            .required("name", .name, "The family's name."),
            .required("household", .name, "The first household's name."),
            .required("username", .username), .required("password", .password), .required("displayName", .name),
            .optional("link", .code, "The set-up link's secret; needed except at the machine."),
            .optional("device", .name, "What the session is called that the set-up link opens."),
        ],
        result: .object(
            [
                .required("family", Family.shape), .required("household", Household.shape),
                .required("member", Member.shape),
                .optional("token", .token(max: 64), "With the set-up link: the session's secret."),
                .optional("session", .id), .optional("knownDevice", .token(max: 64)),
            ]),
        events: [Family.founded, Household.founded, Member.added, Sessions.opened], isSlow: true,
        apply: { (act, params) throws(Rejection) in try found(act, params) })

    private static func found(_ act: Act, _ params: Params) throws(Rejection) -> Outcome {
        guard try act.ask({ (database) throws(StoreFailure) in try People.family(database) }) == nil else {
            throw Rejection(.conflict, "The family is founded already. Ask an admin for an invite.")
        }
        var isAtMachine = true
        if case .nobody = act.caller {
            isAtMachine = false
            try act.require(
                try isGood(setUpLink: params.optionalString("link") ?? "", act),
                "Open the set-up link that the daemon printed at its last start, or use kin found.")
        }
        let (name, householdName) = (try params.string("name"), try params.string("household"))
        let (username, displayName) = (try params.string("username"), try params.string("displayName"))
        guard let work = act.work else {
            return try Passwords.hashing(
                try params.string("password"), for: [username, displayName, name, householdName], act)
        }
        let password = try Passwords.hash(work).encoded
        let family = Family(id: act.newIdentifier(), name: name)
        let household = Household(id: act.newIdentifier(), name: householdName)
        try act.run(
            "INSERT INTO family (one, id, name, founded_at) VALUES (1, ?, ?, ?)", .id(family.id), .text(name),
            .time(act.now))
        try act.run("DELETE FROM links WHERE kind = 'set-up'")
        try insert(household, act)
        let member = Member(
            id: act.newIdentifier(), username: username, displayName: displayName, role: .admin, kind: .adult,
            household: household.id)
        try insert(member, password: password, broughtBy: nil, act)
        try act.emit(Family.founded, .init(family: family), about: "family", to: try act.roster.everyone)
        try tellFounded(household, act)
        try tell(Member.added, member.id, act)
        act.note(.founded, "The family was founded by \(username).")
        var result: JSON = ["family": family.json, "household": household.json, "member": member.json]
        guard !isAtMachine else {
            // From here on the machine's connection acts as the founder, so that the rest of the set-up is theirs.
            let number = try act.roster[member.id]?.number ?? 0
            return .done(
                result, ids: [family.id],
                effect: .signedIn(Identity(member: member.id, number: number, session: nil)))
        }
        let opened = try Sessions.open(for: member.id, device: params.optionalString("device"), act)
        result["token"] = opened.result["token"]
        result["session"] = opened.result["session"]
        result["knownDevice"] = opened.result["knownDevice"]
        return .done(result, ids: [family.id], effect: opened.effect)
    }

    /// A household, and how many live there.
    private struct Inhabited: WireRecord {
        let household: Household
        let members: Int64

        private static let counts: ClosedRange<Int64> = 0...Int64(Limits.membersMax)
        static let fields = Fields(
            nil, Inhabited.init(household:members:), .all(of: \.household),
            .required("members", \.members, .integer(counts), "How many live there."))
        static let columns = Columns<Inhabited>()
    }

    static let showFamily = Method.query(
        "family.show", "The family and its households.", access: [.signedIn, .machine],
        note: "guests: their own household",
        result: .object([
            .required("family", Family.shape),
            .required("households", .list(Inhabited.shape, max: Limits.householdsMax)),
        ]),
        route: Route("GET", "/api/family"),
        apply: { (act, _) throws(Rejection) in
            let family = try act.family()
            let households = try act.rows(
                """
                SELECT h.id, h.name, (SELECT count(*) FROM members m WHERE m.household = h.id) AS members
                FROM households h ORDER BY h.id
                """
            ) { (row) throws(StoreFailure) in try Inhabited.columns.read(row) }
            let seen = households.filter { act.sight?.contains($0.household.id) ?? false }
            return .done(["family": family.json, "households": .array(seen.map(\.json))])
        })

    static let renameFamily = Method.command(
        "family.rename", "Gives the family another name.", access: .admins, [.required("name", .name)],
        result: .object([.required("family", Family.shape)]), route: Route("PATCH", "/api/family"),
        events: [Family.renamed],
        again: { (act, _) throws(Rejection) in ["family": try act.family().json] },
        apply: { (act, params) throws(Rejection) in
            let former = try act.family()
            let family = Family(id: former.id, name: try params.string("name"))
            if family != former {
                try growing(act) { () throws(Rejection) in
                    try act.run("UPDATE family SET name = ?", .text(family.name))
                }
                let everybody = Audience(try act.roster.entries.map(\.number))
                try act.emit(Family.renamed, .init(family: family), about: "family", to: everybody)
            }
            return .done(["family": family.json], ids: [family.id])
        })

    static let close = Method.command(
        "family.close", "Deletes the family with everything it has, and signs everybody out. There is no way back.",
        access: .admins, [.required("confirm", .name, "The family's name, letter by letter.")], result: .nothing,
        route: Route("POST", "/api/family/close"), events: [],
        apply: { (act, params) throws(Rejection) in
            let confirm = try params.string("confirm")
            guard confirm.utf8.elementsEqual(try act.family().name.utf8) else {
                throw Rejection(
                    .invalid, "This is not the family's name; nothing was deleted.", field: "confirm")
            }
            try act.wipe()
            act.revoke(.everybody)
            act.note(.familyClosed, "The family was closed by an administrator: everything was deleted.")
            return .done([:], effect: .signedOut)
        }
    ).freeingRoom()
}
