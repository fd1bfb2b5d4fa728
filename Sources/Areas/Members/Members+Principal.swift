import KinKeeper
import KinModel
import KinStore

extension Members {
    /// Who asks, as the gateway for calendars and contacts shows it (RFC 3744, 2).
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
}
