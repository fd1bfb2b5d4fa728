import KinKeeper
import KinModel
import KinStore

/// A member's phone, as its app identifies it: a row of `phones`. It is known from its first post until it is
/// forgotten, or the app password that it uses is revoked.
struct Phone: Equatable {
    let id: Identifier
    let member: Identifier
    let app: PhoneApp
    let name: String
    /// When it was first heard of.
    let since: Instant
    /// When it was last heard of, whatever it said.
    var contact: Instant
    /// The time of the newest point it sent.
    var place: Instant?
    var battery: Double?
    var isCharging: Bool?
    /// The troubles that it reports.
    var troubles: [PhoneTrouble]
    /// Whether its app carries out commands in an answer; `nil` while it has not said so.
    var takesCommands: Bool?
    /// How many regions of its own it watches.
    var regions: Int64?
    /// Whether the places its member sees go to its app as regions; only OwnTracks takes them.
    var takesWaypoints: Bool

    /// The part of it that its member is told.
    struct Told: WireRecord {
        let id: Identifier
        let app: PhoneApp
        let name: String
        let since: Instant
        let contact: Instant
        let isSilent: Bool
        let place: Instant?
        let battery: Double?
        let isCharging: Bool?
        let troubles: [PhoneTrouble]
        let takesCommands: Bool?
        let regions: Int64?
        let takesWaypoints: Bool?
        let waiting: Int64

        static let fields = Fields(
            "Phone",
            Told.init(
                id:app:name:since:contact:isSilent:place:battery:isCharging:troubles:takesCommands:regions:
                takesWaypoints:waiting:),
            .required("id", \.id, .id), .required("app", \.app, .word),
            .required("name", \.name, .text(max: Limits.nameCharactersMax)),
            .required("since", \.since, .time, "When it was first heard of."),
            .required("contact", \.contact, .time, "When it was last heard of, whatever it said."),
            .required(
                "silent", \.isSilent, .bool,
                "Whether it was not heard of for \(Limits.phoneSilentHours) hours or longer."),
            .optional("place", \.place, .time, "Of when the newest place is that it sent."),
            .optional("battery", \.battery, .number(Point.batteryBounds), "Per cent, with that place."),
            .optional(
                "charging", \.isCharging, .bool, "Whether it was being charged, or full with its cable in."),
            .required(
                "troubles", \.troubles, .list(.word, max: PhoneTrouble.allCases.count),
                "What it says of itself that keeps it from reporting well."),
            .optional(
                "commands", \.takesCommands, .bool,
                "Whether its app does what it is told in an answer, as far as it said so."),
            .optional(
                "regions", \.regions, .integer(Int64(0)...Int64.max), "How many regions of its own it watches."),
            .optional(
                "waypoints", \.takesWaypoints, .bool,
                "Whether the places in sight go to the app as regions; with OwnTracks alone."),
            .required(
                "waiting", \.waiting, .integer(Int64(0)...Int64(Limits.phoneCommandsMax)),
                "Commands that ride on its next post."))
    }

    /// As the wire has it.
    func json(now: Instant, waiting: Int64) -> JSON {
        Told(
            id: id, app: app, name: name, since: since, contact: contact,
            isSilent: contact.adding(seconds: Limits.phoneSilentHours * 3600) <= now, place: place, battery: battery,
            isCharging: isCharging, troubles: troubles, takesCommands: takesCommands, regions: regions,
            takesWaypoints: app == .owntracks ? takesWaypoints : nil, waiting: waiting
        ).json
    }

    // MARK: What it says

    /// It sent points. Points from the future say nothing about now.
    mutating func sent(_ points: some Sequence<Point>, now: Instant) {
        guard let newest = points.lazy.filter({ Point.isPossible($0.at, now: now) }).max(by: { $0.at < $1.at }),
            newest.at > place ?? .earliest
        else { return }
        place = newest.at
        battery = newest.battery
        isCharging = newest.isCharging
    }

    /// It reported everything that keeps it from reporting positions; its mode is kept apart.
    mutating func said(_ troubles: [PhoneTrouble]) {
        self.troubles = PhoneTrouble.allCases.filter {
            $0 == .quiet ? self.troubles.contains($0) : troubles.contains($0)
        }
    }

    /// It said whether it reports by itself.
    mutating func said(isQuiet: Bool) {
        let others = troubles.filter { $0 != .quiet }
        troubles = PhoneTrouble.allCases.filter { $0 == .quiet ? isQuiet : others.contains($0) }
    }

    // MARK: Rows

    private static let columns =
        "id, member, app, name, since, contact, place, battery, charging, troubles, takes_commands, regions, waypoints"

    private init?(_ row: borrowing Row) {
        guard let app = PhoneApp(rawValue: row.text("app")) else { return nil }
        id = row.identifier("id")
        member = row.identifier("member")
        self.app = app
        name = row.text("name")
        since = row.instant("since")
        contact = row.instant("contact")
        place = row.optionalInstant("place")
        battery = row.optionalDouble("battery")
        isCharging = row.optionalBool("charging")
        troubles = row.text("troubles").split(separator: " ").compactMap { PhoneTrouble(rawValue: String($0)) }
        takesCommands = row.optionalBool("takes_commands")
        regions = row.optionalInt("regions")
        takesWaypoints = row.bool("waypoints")
    }

    /// The phone that posts, made known by its first post. Beyond ``Limits/devicesPerMemberMax`` the one not heard of
    /// for longest is forgotten.
    static func posting(_ app: PhoneApp, named name: String?, _ act: Act) throws(Rejection) -> Phone {
        let caller = try act.member
        let name = name ?? caller.appPassword?.device ?? app.title
        let sql = "SELECT \(columns) FROM phones WHERE member = ? AND app = ? AND name = ?"
        let values: [Value] = [.id(caller.id), .text(app.rawValue), .text(name)]
        let known = try act.ask { (database) throws(StoreFailure) in
            try database.first(sql, values: values) { (row) throws(StoreFailure) in Phone(row) } ?? nil
        }
        if var known {
            known.contact = act.now
            return known
        }
        try act.run(
            """
            DELETE FROM phones WHERE id IN
            (SELECT id FROM phones WHERE member = ? ORDER BY contact DESC LIMIT -1 OFFSET ?)
            """, .id(caller.id), Value(Limits.devicesPerMemberMax - 1))
        try act.run(
            """
            INSERT INTO phones (id, member, app, name, app_password, since, contact, troubles)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, '')
            """, .id(act.newIdentifier()), .id(caller.id), .text(app.rawValue), .text(name),
            caller.appPassword.map { .id($0.0) } ?? .null, .time(act.now))
        let made = try act.ask { (database) throws(StoreFailure) in
            try database.first(sql, values: values) { (row) throws(StoreFailure) in Phone(row) } ?? nil
        }
        guard let made else { preconditionFailure("a row just written is there") }
        if app == .owntracks { try Waypoints.queue(made.id, act) }
        return made
    }

    /// Writes it down.
    func save(_ act: Act) throws(Rejection) {
        try act.run(
            """
            UPDATE phones SET contact = ?, place = ?, battery = ?, charging = ?, troubles = ?, takes_commands = ?,
            regions = ?, app_password = coalesce(?, app_password) WHERE id = ?
            """, .time(contact), Value(place), Value(battery), Value(isCharging),
            .text(troubles.map(\.rawValue).joined(separator: " ")), Value(takesCommands),
            Value(regions), try act.member.appPassword.map { .id($0.0) } ?? .null, .id(id))
    }

    /// A member's phones, the latest heard of first.
    static func all(of member: Identifier, _ act: Act) throws(Rejection) -> [Phone] {
        try act.rows(
            "SELECT \(columns) FROM phones WHERE member = ? ORDER BY contact DESC, id", .id(member)
        ) { (row) throws(StoreFailure) in Phone(row) }.compactMap { $0 }
    }
}
