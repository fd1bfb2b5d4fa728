import KinKeeper
import KinModel
import KinStore

extension Members {
    /// The caller, as the gateway for calendars and contacts shows a principal (RFC 3744, 2).
    static let principal = Method.query(
        "member.principal", "The caller, as a client of calendars and contacts sees it.", access: .signedIn,
        result: .object([
            .required("member", .id), .required("username", .username), .required("name", .name),
            .required("family", .name), .required("guest", .bool),
        ]),
        apply: { (act, _) throws(Rejection) in
            let id = try act.member.id
            let member = try act.ask { (database) throws(StoreFailure) in try People.member(id, database) }
            let family = try act.ask { (database) throws(StoreFailure) in try People.family(database) }
            guard let member, let family else {
                throw Rejection.notFound("member", id.description, field: "member")
            }
            return .done([
                "member": .id(id), "username": .string(member.username), "name": .string(member.displayName),
                "family": .string(family.name), "guest": .bool(member.role == .guest),
            ])
        }
    ).scoped(.calendar).forGateways()

    /// Somebody who may be invited.
    private struct Named: WireRecord {
        let member: Identifier
        let name: String

        static let fields = Fields(
            nil, Named.init(member:name:), .required("member", \.member, .id), .required("name", \.name, .name))
    }

    static let principals = Method.query(
        "member.principals", "The people whom the caller sees, as clients of calendars look for whom to invite.",
        access: .signedIn, [.optional("member", .id, "Only this one.")],
        result: .object([.required("people", .list(Named.shape, max: Limits.membersMax))]),
        apply: { (act, params) throws(Rejection) in
            guard let sight = act.sight else { throw Rejection(.notSignedIn, "Sign in first.") }
            let one = params.optionalID("member")
            let seen = try act.ask { (database) throws(StoreFailure) in try People.members(database, in: sight) }
            let people = seen.filter { $0.kind != .wall && (one == nil || $0.id == one) }
            return .done(["people": .array(people.map { Named(member: $0.id, name: $0.displayName).json })])
        }
    ).scoped(.calendar).forGateways()
}
