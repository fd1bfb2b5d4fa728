import KinKeeper
import KinModel
import KinStore

/// A member's wish to be told when certain members arrive or leave somewhere, or put something on the map. Members are
/// told only what they ask for and may see.
struct PlaceRule: WireRecord {
    /// Of what.
    enum Moment: String, CaseIterable, Sendable {
        case arrive, leave, both
        /// A hotspot or a note is new on the map.
        case pinned
    }

    let id: Identifier
    /// The member whose coming and going is meant; `nil` for anybody's.
    let who: Identifier?
    /// Where; `nil` for anywhere.
    let place: Identifier?
    let moment: Moment

    static let fields = Fields(
        "PlaceRule", PlaceRule.init(id:who:place:moment:), .required("id", \.id, .id),
        .optional("who", \.who, .id, "Whose coming, going or adding; absent for anybody's."),
        .optional("place", \.place, .id, "Where; absent for anywhere."),
        .required("when", \.moment, .word, "What happens; pinned: a hotspot or a note is new on the map."))

    /// A member's rules, oldest first.
    static func all(of member: Identifier, _ act: Act) throws(Rejection) -> [PlaceRule] {
        try act.rows(
            """
            SELECT r.id, r.who, p.id AS place, r.moment FROM place_rules r LEFT JOIN places p ON p.number = r.place
            WHERE r.owner = ? ORDER BY r.id
            """, .id(member)
        ) { row in
            PlaceRule(
                id: row.identifier("id"), who: row.optionalIdentifier("who"), place: row.optionalIdentifier("place"),
                moment: row.word("moment"))
        }
    }

    /// The members with a rule that fits an arrival or a leaving.
    static func wishers(_ told: Told, _ act: Act) throws(Rejection) -> Set<Identifier> {
        guard let data = told[Stays.entered] ?? told[Stays.left] else { return [] }
        let moment = told.type == Stays.left.name ? Moment.leave : .arrive
        return Set(
            try act.rows(
                """
                SELECT DISTINCT r.owner FROM place_rules r LEFT JOIN places p ON p.number = r.place
                WHERE (r.who IS NULL OR r.who = ?1) AND (r.place IS NULL OR p.id = ?2) AND r.moment IN (?3, 'both')
                """, .id(data.member), .id(data.place), .text(moment.rawValue)
            ) { row in row.identifier(0) })
    }

    /// The members with a rule that fits a new hotspot or note.
    static func additionWishers(_ told: Told, _ act: Act) throws(Rejection) -> Set<Identifier> {
        Set(
            try act.rows(
                "SELECT DISTINCT owner FROM place_rules WHERE (who IS NULL OR who = ?1) AND moment = ?2",
                Value(told.by), .text(Moment.pinned.rawValue)
            ) { row in row.identifier(0) })
    }
}

extension Places {
    private static let moment = Form<PlaceRule.Moment>.word.shape

    static let notify = Method.command(
        "place.notify",
        "Tells the caller in the inbox when somebody comes to a place or leaves it, or when one is new on the map.",
        access: .signedIn,
        note: """
            Oneself. Without a rule nobody is told; a rule shows nothing that its owner may not see. The same rule twice \
            is one.
            """,
        [
            .optional("who", .id, "Whose coming, going or adding; anybody's if left out."),
            .optional("place", .id, "Where; anywhere if left out. Not with pinned."),
            .required("when", moment, "What happens; pinned: a hotspot or a note is new on the map."),
        ],
        result: .object([.required("rule", PlaceRule.shape)]), route: Route("POST", "/api/place-rules", status: 201),
        events: [],
        again: { (act, ids) throws(Rejection) in try shown(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let owner = try act.member.id
            let who = try params.optionalID("who").map { (id) throws(Rejection) in
                try act.member(id, field: "who").id
            }
            let place = try params.optionalID("place").map { (id) throws(Rejection) in try StoredPlace.visible(act, id)
            }
            let moment = PlaceRule.Moment(rawValue: try params.string("when")) ?? .both
            guard moment != .pinned || place == nil else {
                throw Rejection(
                    .invalid, "New tips and notes are at no place yet; leave the place out.", field: "place")
            }
            let rules = try PlaceRule.all(of: owner, act)
            let made = PlaceRule(id: act.newIdentifier(), who: who, place: place?.id, moment: moment)
            if let same = rules.first(where: {
                $0.who == made.who && $0.place == made.place && $0.moment == made.moment
            }) {
                return .done(["rule": same.json], ids: [same.id])
            }
            guard Int64(rules.count) < Limits.placeRulesPerMemberMax else {
                throw Rejection(
                    .tooLarge, "You have \(Limits.placeRulesPerMemberMax) rules; take one away.")
            }
            try act.run(
                "INSERT INTO place_rules (id, owner, who, place, moment) VALUES (?,?,?,?,?)", .id(made.id),
                .id(owner), Value(who), Value(place?.number), .text(moment.rawValue))
            return .done(["rule": made.json], ids: [made.id])
        })

    static let unnotify = Method.command(
        "place.unnotify", "Takes a rule of place.notify away.", access: .signedIn, note: "oneself",
        [.required("rule", .id)], result: .nothing, route: Route("DELETE", "/api/place-rules/{rule}"), events: [],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("rule")
            let gone = try act.run(
                "DELETE FROM place_rules WHERE id = ? AND owner = ?", .id(id), .id(try act.member.id))
            guard gone > 0 else { throw Rejection.notFound("rule", id.description, field: "rule") }
            return .done([:], ids: [id])
        }
    ).freeingRoom()

    static let rules = Method.query(
        "place.rules", "What the caller asked to be told of.", access: .signedIn, note: "oneself",
        result: .object([.required("rules", .list(PlaceRule.shape, max: Int(Limits.placeRulesPerMemberMax)))]),
        route: Route("GET", "/api/place-rules"),
        apply: { (act, _) throws(Rejection) in
            .done(["rules": .array(try PlaceRule.all(of: try act.member.id, act).map(\.json))])
        })

    private static func shown(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        guard let rule = try PlaceRule.all(of: try act.member.id, act).first(where: { $0.id == id }) else {
            throw Rejection.notFound("rule", id.description, field: "rule")
        }
        return ["rule": rule.json]
    }
}
