import KinKeeper
import KinModel
import KinStore

extension Map {
    static let listPhones = Method.query(
        "phone.list",
        "The phones that report where a member is: their charge, their last word, what keeps them silent.",
        access: .signedIn, note: "oneself; an adult for the children of the household",
        [.optional("member", .id, "Whose; the caller's without it.")],
        result: .object([
            .required("phones", .list(Phone.Told.shape, max: Limits.devicesPerMemberMax)),
            .optional(
                "cause", trouble, "While the member shares and no place has come for long: the likeliest reason."),
        ]),
        route: Route("GET", "/api/phones"),
        apply: { (act, params) throws(Rejection) in
            let member = try phoneOwner(params, act)
            let phones = try Phone.all(of: member, act)
            var all: [JSON] = []
            for phone in phones { all.append(phone.json(now: act.now, waiting: try PhoneCommands.count(phone, act))) }
            let sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, member) }
            var cause: PhoneTrouble?
            if let sharing, sharing.isOn, sharing.isSilent {
                cause = .likeliest(phones, last: try LatestPositions(member, act).own?.at)
            }
            return .done(
                .object(leavingOut: ["phones": .array(all), "cause": cause.map { .string($0.rawValue) }]))
        })

    static let forgetPhone = Method.command(
        "phone.forget", "Takes a phone off the list; if it still posts, it is back.", access: .signedIn,
        note: "oneself; an adult for the children of the household",
        [.required("phone", .id)], result: .nothing, route: Route("DELETE", "/api/phones/{phone}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try trusted(try params.id("phone"), act).id
            try act.run("DELETE FROM phones WHERE id = ?", .id(id))
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    static let updatePhone = Method.command(
        "phone.update", "Says whether the places in sight go to a phone's app as its regions.", access: .signedIn,
        note:
            "Oneself; an adult for the children of the household. OwnTracks alone takes them, and only on its next post.",
        [.required("phone", .id), .required("waypoints", .bool)],
        result: .object([.required("phone", Phone.Told.shape)]), route: Route("PATCH", "/api/phones/{phone}"),
        events: [],
        again: { (act, ids) throws(Rejection) in try shown(try trusted(ids[0], act), act) },
        apply: { (act, params) throws(Rejection) in
            var phone = try trusted(try params.id("phone"), act)
            guard phone.app == .owntracks else {
                throw Rejection(.invalid, "Only OwnTracks takes places as its regions.", field: "phone")
            }
            let takes = params["waypoints"]?.bool ?? true
            if takes != phone.takesWaypoints {
                phone.takesWaypoints = takes
                try act.run("UPDATE phones SET waypoints = ? WHERE id = ?", .bool(takes), .id(phone.id))
                try Waypoints.queue(phone.id, act)
            }
            return .done(try shown(phone, act), ids: [phone.id])
        })

    private static func shown(_ phone: Phone, _ act: Act) throws(Rejection) -> JSON {
        ["phone": phone.json(now: act.now, waiting: try PhoneCommands.count(phone, act))]
    }

    /// A phone the caller may change.
    private static func trusted(_ id: Identifier, _ act: Act) throws(Rejection) -> Phone {
        let owner = try act.first("SELECT member FROM phones WHERE id = ?", .id(id)) { row in row.identifier(0) }
        guard let owner, try isTrusted(with: owner, act),
            let phone = try Phone.all(of: owner, act).first(where: { $0.id == id })
        else { throw Rejection.notFound("phone", id.description, field: "phone") }
        return phone
    }

    /// Why a phone is silent, on the wire.
    static let trouble = Shape.oneOf(PhoneTrouble.allCases.map(\.rawValue))

    /// The owner of the phones that a request is about, if the caller may know them.
    private static func phoneOwner(_ params: Params, _ act: Act) throws(Rejection) -> Identifier {
        let caller = try act.member
        guard let asked = params.optionalID("member"), asked != caller.id else { return caller.id }
        _ = try act.member(asked)
        guard try isTrusted(with: asked, act) else {
            throw Rejection(
                .forbidden, "Phones are shown to their own member, and a child's to the adults of the household.",
                field: "member")
        }
        return asked
    }

    /// Whether the caller is a member, or an adult of the household of a child.
    private static func isTrusted(with member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        let caller = try act.member
        if member == caller.id { return true }
        guard caller.kind == .adult, caller.role != .guest,
            let other = try act.ask({ (database) throws(StoreFailure) in try People.member(member, database) })
        else { return false }
        return other.kind == .child && other.household == caller.household
    }
}
