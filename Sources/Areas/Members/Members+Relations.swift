import KinKeeper
import KinModel
import KinStore

extension Members {
    static let relate = Method.command(
        "member.relate",
        "Says that a member is a parent or a partner of another, or no longer; also across households.",
        access: [.family, .machine],
        note:
            "partners: themselves, admins, heads of either household; parents of an adult: that adult; of a child: its "
            + "parents, the first by whoever brought the child in, else by the heads of its household",
        [
            .required("member", .id),
            .optional("parentOf", .id, "The member is a parent of this one."),
            .optional("partnerOf", .id, "The member is a partner of this one."),
            .optional("remove", .bool, "True: the relation ends."),
        ],
        result: .memberResult, route: Route("PUT", "/api/members/{member}/relations"), events: [Member.updated],
        again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            try Walls.mustNotBe(member)
            let isRemoval = params["remove"]?.bool ?? false
            switch (params.optionalID("parentOf"), params.optionalID("partnerOf")) {
            case (let child?, nil):
                let child = try act.member(child, field: "parentOf")
                try Walls.mustNotBe(child, field: "parentOf")
                try checkTwo(member, child, "parentOf")
                try mayNameParent(member, of: child, isRemoval, act)
                try growing(act) { () throws(Rejection) in try setParent(member, of: child, isRemoval, act) }
            case (nil, let partner?):
                let partner = try act.member(partner, field: "partnerOf")
                try Walls.mustNotBe(partner, field: "partnerOf")
                try mayBePartners(member, partner, act)
                try checkTwo(member, partner, "partnerOf")
                try growing(act) { () throws(Rejection) in try setPartner(member, with: partner, isRemoval, act) }
            default:
                throw Rejection(.params, "Give either parentOf or partnerOf.", field: "parentOf")
            }
            return .done(try act.show(member.id), ids: [member.id])
        }
    ).forOwnWord()

    private static func mayBePartners(_ one: Member, _ other: Member, _ act: Act) throws(Rejection) {
        try act.require(
            act.isOneself(one.id) || act.isOneself(other.id) || act.leads(one.household) || act.leads(other.household),
            "Only the two themselves, admins and the heads of either household say who is whose partner.")
    }

    /// Parents have a say about their child, so that nobody makes himself one.
    private static func mayNameParent(
        _ parent: Member, of child: Member, _ isRemoval: Bool, _ act: Act
    ) throws(Rejection) {
        if act.isAtMachine { return }
        guard child.kind == .child else {
            return try act.require(act.isOneself(child.id), "An adult alone says who their parents are.")
        }
        if isRemoval, act.isOneself(parent.id) { return }
        if isRemoval, try holder(of: child, act) == parent.id {
            throw Rejection(
                .forbidden,
                "\(parent.displayName) holds this child's sharing, so only \(parent.displayName) can say that they are no "
                    + "parent, or hand the sharing over first.", field: "member")
        }
        let parents = try parents(of: child, act)
        guard parents.isEmpty else {
            return try act.require(
                act.isOne(of: parents), "This child has a parent in the family: ask a parent to say who else is one.")
        }
        try act.require(
            act.isOne(of: try standIns(for: child, act)),
            "A child's first parent is named by whoever brought the child into the family; where that is unknown, by the "
                + "heads of its household.")
    }

    private static func checkTwo(_ one: Member, _ other: Member, _ field: String) throws(Rejection) {
        guard one.id != other.id else {
            throw Rejection(.invalid, "Nobody is their own parent or partner.", field: field)
        }
    }

    private static func setParent(
        _ parent: Member, of child: Member, _ isRemoval: Bool, _ act: Act
    ) throws(Rejection) {
        guard child.parents.contains(parent.id) == isRemoval else { return }
        if isRemoval {
            try act.run("DELETE FROM parents WHERE child = ? AND parent = ?", .id(child.id), .id(parent.id))
        } else {
            try checkRoom(child.parents, "parentOf")
            let isAncestor = try act.first(
                """
                WITH RECURSIVE up (id) AS (
                    SELECT ?1 UNION SELECT p.parent FROM parents p JOIN up ON p.child = up.id
                ) SELECT 1 FROM up WHERE id = ?2
                """, .id(parent.id), .id(child.id)
            ) { row in row.bool(0) }
            guard isAncestor == nil else {
                throw Rejection(
                    .conflict, "That would make somebody their own ancestor; end the other relation first.",
                    field: "parentOf")
            }
            try act.run("INSERT INTO parents (child, parent) VALUES (?, ?)", .id(child.id), .id(parent.id))
        }
        try tell(Member.updated, child.id, act, changed: ["parents"], isSeenByGuests: false)
    }

    private static func setPartner(
        _ one: Member, with other: Member, _ isRemoval: Bool, _ act: Act
    ) throws(Rejection) {
        guard one.partners.contains(other.id) == isRemoval else { return }
        let sql: String
        if isRemoval {
            sql = "DELETE FROM partners WHERE one = ? AND other = ?"
        } else {
            try checkRoom(one.partners, "partnerOf")
            try checkRoom(other.partners, "partnerOf")
            sql = "INSERT INTO partners (one, other) VALUES (?, ?)"
        }
        // Both ways, so that either's partners are found by one look-up.
        try act.run(sql, .id(one.id), .id(other.id))
        try act.run(sql, .id(other.id), .id(one.id))
        try tell(Member.updated, one.id, act, changed: ["partners"], isSeenByGuests: false)
        try tell(Member.updated, other.id, act, changed: ["partners"], isSeenByGuests: false)
    }

    private static func checkRoom(_ relations: [Identifier], _ field: String) throws(Rejection) {
        guard relations.count < Limits.relationsPerMemberMax else {
            throw Rejection(
                .tooLarge, "A member has at most \(Limits.relationsPerMemberMax) of these relations.", field: field)
        }
    }
}
