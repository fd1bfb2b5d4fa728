import KinModel
import KinStore

extension Map {
    static let listPhones = Method.query(
        "phone.list",
        "The phones that report where a member is: their charge, their last word, what keeps them silent.",
        access: .signedIn, note: "oneself; an adult for the children of the household",
        [.optional("member", .id, "Whose; the caller's without it.")],
        result: .object([
            .required("phones", .list(Phone.shape, max: Limits.devicesPerMemberMax)),
            .optional(
                "cause", trouble, "While the member shares and no place has come for long: the likeliest reason."),
        ]),
        route: Route("GET", "/api/phones"),
        apply: { (act, params) throws(Rejection) in
            let member = try phoneOwner(params, act)
            let phones = try Phone.all(of: member, act)
            var all: [JSON] = []
            for phone in phones { all.append(phone.json(now: act.now, waiting: try PhoneCommands.count(phone, act))) }
            let consent = try act.ask { (database) throws(StoreFailure) in try Consent.find(database, member) }
            var cause: PhoneTrouble?
            if let consent, consent.isOn, consent.isSilent {
                cause = .likeliest(phones, last: try Dot(member, act).own?.at)
            }
            return .done(
                .object(leavingOut: ["phones": .array(all), "cause": cause.map { .string($0.rawValue) }]))
        })

    static let forgetPhone = Method.command(
        "phone.forget", "Takes a phone off the list; if it still posts, it is back.", access: .signedIn,
        note: "oneself; an adult for the children of the household",
        [.required("phone", .id)], result: .nothing, route: Route("DELETE", "/api/phones/{phone}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("phone")
            let owner = try act.first("SELECT member FROM phones WHERE id = ?", .id(id)) { row in row.identifier(0) }
            guard let owner, try isTrusted(with: owner, act) else {
                throw Rejection.notFound("phone", id.description, field: "phone")
            }
            try act.run("DELETE FROM phones WHERE id = ?", .id(id))
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    /// Why a phone is silent, on the wire.
    static let trouble = Shape.oneOf(PhoneTrouble.allCases.map(\.rawValue))

    /// Whose phones a request is about, if the caller may know.
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
            let other = try act.ask({ (database) throws(StoreFailure) in try Members.member(member, database) })
        else { return false }
        return other.kind == .child && other.household == caller.household
    }
}
