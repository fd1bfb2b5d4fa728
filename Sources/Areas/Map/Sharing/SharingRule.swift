import KinKeeper
import KinModel
import KinStore

/// What a member chose for one viewer or a group of viewers.
struct SharingRule: WireRecord {
    /// Whom it is about, from many to one.
    enum Viewer: Hashable, Sendable {
        /// Every member who is no guest.
        case everyone
        /// Those of the member's own household who are no guests.
        case household
        /// One member, who may be a guest.
        case member(Identifier)
    }

    let viewer: Viewer
    let precision: Precision
    /// When it ends by itself; `nil` for no end.
    let until: Instant?
    /// Whether the history may be looked at, or the latest only.
    let showsHistory: Bool

    /// What holds until a member gives rules.
    static let first = [SharingRule(viewer: .everyone, precision: .exact, until: nil, showsHistory: false)]

    /// Precisions that can be chosen.
    static let precisions = Precision.allCases

    static let fields = Fields<SharingRule>(
        nil,
        { (viewer: Viewer, precision: Precision, until: Instant?, history: Bool?) in
            SharingRule(viewer: viewer, precision: precision, until: until, showsHistory: history ?? false)
        },
        .required("viewer", \.viewer, Viewer.form, "A member, or a group of members."),
        .required(
            "precision", \.precision, .word,
            "home: whether at home; place: the name of a place the viewer sees; coarse: a cell of about a kilometre."),
        .optional(
            "until", \.until, Form<Instant>.time.shaped(.nullable(.time)),
            "When the rule ends by itself; without, it has no end."),
        .optional(
            "history", { (rule: SharingRule) -> Bool? in rule.showsHistory }, .bool,
            "Whether the history may be looked at too; false if left out."))

    /// Whether it has not ended.
    func holds(at now: Instant) -> Bool { until.map { $0 > now } ?? true }

    init(viewer: Viewer, precision: Precision, until: Instant?, showsHistory: Bool) {
        self.viewer = viewer
        self.precision = precision
        self.until = until
        self.showsHistory = showsHistory
    }

    /// Reads a rule that was checked against ``shape``. `path` names it in the sentence: `rules[3].`.
    init(_ object: JSON.Object, path: String, now: Instant) throws(Rejection) {
        guard let rule = SharingRule(JSON.object(object)) else {
            throw Rejection(.params, "\(path)viewer must be a member, household or everyone.", field: path + "viewer")
        }
        self = rule
        if let until, until <= now {
            throw Rejection(
                .invalid, "\(path)until is \(until), which is over; give a later time.", field: path + "until")
        }
    }

    // MARK: In the database

    /// The rules of one member's sharing, groups first; ``first`` where none were ever given.
    static func all(track: Int64, _ database: Database) throws(StoreFailure) -> [SharingRule] {
        try database.rows(
            """
            SELECT kind, viewer, precision, until, shows_history FROM sharing_rules WHERE track = ?
            ORDER BY kind, viewer
            """, .int(track)
        ) { (row) throws(StoreFailure) in
            let viewer: Viewer =
                switch row.int("kind") {
                case 0: .everyone
                case 1: .household
                default: .member(row.identifier("viewer"))
                }
            return SharingRule(
                viewer: viewer, precision: row.word("precision"),
                until: row.optionalInstant("until"),
                showsHistory: row.bool("shows_history"))
        }
    }

    /// Puts these rules in the place of those before.
    static func save(_ rules: [SharingRule], track: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM sharing_rules WHERE track = ?", .int(track))
        for rule in rules {
            let (kind, viewer): (Value, Value) =
                switch rule.viewer {
                case .everyone: (0, .blob([]))
                case .household: (1, .blob([]))
                case .member(let id): (2, .id(id))
                }
            try act.run(
                """
                INSERT INTO sharing_rules (track, kind, viewer, precision, until, shows_history) VALUES (?,?,?,?,?,?)
                """, .int(track), kind, viewer, .text(rule.precision.rawValue), Value(rule.until),
                .bool(rule.showsHistory))
        }
    }
}
