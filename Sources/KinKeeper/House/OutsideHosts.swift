import KinModel
import KinStore

/// Places of the house that may be asked: a setting of the family.
enum OutsideHosts {
    static let table = Table("outside_places")
    static let migration = Migration.part(
        of: 44, tables: ["outside_places"],
        sql: """
            CREATE TABLE outside_places (place TEXT NOT NULL PRIMARY KEY, is_plain INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            """)
    static let methods = [list, allow, forbid]

    /// A machine that may be asked.
    private struct Allowed: WireRecord {
        let place: String
        let isPlain: Bool

        static let fields = Fields(
            nil, Allowed.init(place:isPlain:), .required("place", \.place, .text(max: 255)),
            .required("plain", \.isPlain, .bool, "Whether it may be asked by http:// too."))
    }

    private static let place = Shape.text(max: 255)
    private static let result = Shape.object([
        .required("places", .list(Allowed.shape, max: Limits.outsideHostsMax), "By name.")
    ])

    static let list = Method.query(
        "outside.list", "Machines of the house that the daemon may ask for the family; all others are closed to it.",
        access: .admins, result: result, route: Route("GET", "/api/outside"),
        apply: { (act, _) throws(Rejection) in .done(try shown(act)) })

    static let allow = Method.command(
        "outside.allow", "Allows that the daemon asks one machine of the house for the family.", access: .admins,
        note: """
            A name may lead to addresses of the house, not to the daemon's own machine: that is allowed by its address alone. \
            Nothing is asked there before something is set up that wants to ask there.
            """,
        [
            .required("place", place, "nas.local, 192.168.1.5, nas.local:5232; without a port the usual ones."),
            .optional("plain", .bool, "Whether it may be asked by http:// too, which others can read and change."),
        ],
        result: result, route: Route("POST", "/api/outside"), events: [],
        again: { (act, _) throws(Rejection) in try shown(act) },
        apply: { (act, params) throws(Rejection) in
            let place = try params.string("place")
            guard OutsideHost.isPlace(place) else {
                throw Rejection(
                    .invalid,
                    "\(Text.quoted(place)) is no machine. Write a name or an address in lower case, such as nas.local or 192.168.1.5:8443.",
                    field: "place")
            }
            let all = try act.outsideHosts
            guard all.count < Limits.outsideHostsMax || all.contains(where: { $0.place == place }) else {
                throw Rejection(
                    .tooLarge, "\(Limits.outsideHostsMax) machines are allowed, which is the most; forbid one first.")
            }
            try act.run(
                "INSERT OR REPLACE INTO outside_places (place, is_plain) VALUES (?, ?)", .text(place),
                .bool(params["plain"]?.bool ?? false))
            return .done(try shown(act))
        })

    static let forbid = Method.command(
        "outside.forbid", "Forbids it again. What is asked at this moment is asked to its end.", access: .admins,
        [.required("place", place)], result: result, route: Route("DELETE", "/api/outside/{place}"), events: [],
        again: { (act, _) throws(Rejection) in try shown(act) },
        apply: { (act, params) throws(Rejection) in
            let place = try params.string("place")
            guard try act.outsideHosts.contains(where: { $0.place == place }) else {
                throw Rejection(.notFound, "\(Text.quoted(place)) was not allowed.", field: "place")
            }
            try act.run("DELETE FROM outside_places WHERE place = ?", .text(place))
            return .done(try shown(act))
        }
    ).freeingRoom()

    private static func shown(_ act: Act) throws(Rejection) -> JSON {
        let all = try act.outsideHosts
        return ["places": .array(all.map { Allowed(place: $0.place, isPlain: $0.isPlain).json })]
    }
}
