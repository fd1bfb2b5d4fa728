import KinGeo
package import KinKeeper
import KinModel
import KinStore

/// Alarms: members call for help or for company, say that they are on the way, or ask whether all is well. The rules
/// stand in the documentation's page Alarms.
package enum Alarms {
    package static let area = Area(
        "Alarms", view: "alarms", isForOwnWord: true,
        tables: [
            Table("alarms", dated: ["at"], datedByPhones: ["position_at"], ahead: ["expected_at", "until"]),
            Table("alarm_called", dated: ["at", "reached"]), Table("alarm_raises", dated: ["at"]),
            Table("alarm_shortcuts", dated: ["made", "used"], givesWayIn: true), Table("alarm_numbers"),
        ],
        migrations: migrations,
        methods: [
            raise, answer, take, end, list, shortcutAdd, shortcutList, shortcutRemove, shortcutFind,
        ],
        events: [Alarm.raised, Alarm.updated, Alarm.answered, Alarm.reached, Alarm.moved, Alarm.ended],
        due: [
            ringDue: { (act, about) throws(Rejection) in try StoredAlarm.of(about, act)?.ringAgain(act) },
            expectedDue: { (act, about) throws(Rejection) in try StoredAlarm.of(about, act)?.isOverdue(act) },
            tookDue: { (act, about) throws(Rejection) in
                let parts = about.split(separator: "/")
                guard parts.count == 3, let id = Identifier(parts[1]), let member = Identifier(parts[2]) else { return }
                try StoredAlarm.find(id, act)?.reach(member, act)
            },
            untilDue: { (act, about) throws(Rejection) in try StoredAlarm.of(about, act)?.end(.expired, act) },
        ], dueInDoubt: [ringDue, expectedDue, tookDue],
        upkeep: { (act) throws(Rejection) in
            try act.run("DELETE FROM alarm_raises WHERE at < ?", .time(act.now.adding(seconds: -3600)))
        },
        inbox: inboxRules, inboxKinds: [raisedKind, answeredKind, overdueKind, overKind],
        sees: [
            "alarm": { (act, alarm, member) throws(Rejection) in
                try StoredAlarm.find(alarm, act).map { $0.wire.by == member.id || $0.isCalled(member.id) }
            }
        ],
        answers: ["alarm": { (act, id, reader) throws(Rejection) in try buttons(id, reader, act) }],
        memories: [OpenAlarms.self, Guesses<OpenAlarms>.self],
        hooks: Area.Hooks(
            exposed: exposed, answer: presser,
            took: { (act, about, member) throws(Rejection) in try took(about, member, act) },
            moved: { (act, position) throws(Rejection) in try moved(position, act) }),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try leave(from, act) },
            deleteOwned: { (act, member) throws(Rejection) in try leave(member, act) },
            restored: { (act) throws(Rejection) in
                // Members who were shown a position may no longer be allowed to see it.
                for alarm in try StoredAlarm.all(act) { try alarm.end(.expired, act) }
            },
            redated: { (act, redating) throws(Rejection) in
                guard case .toNow = redating else { return }
                for alarm in try StoredAlarm.all(act) { try alarm.redate(act) }
            }),
        searched: [searched],
        snapshot: [
            .required(
                "alarms", .list(Alarm.shape, max: Limits.alarmsSnapshotBytesMax / Limits.alarmBytesMin),
                "Alarms that go on, which the looking member raised or is called by.")
        ],
        snapshotBytesMax: Limits.alarmsSnapshotBytesMax + 64,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let seen = try StoredAlarm.seen(by: viewer.id, database).map(\.wire)
            let fitting = snapshot.fitting(
                seen, in: "alarms", bytesMax: Limits.alarmsSnapshotBytesMax, largest: Limits.alarmBytesMax
            ) { $0.json.bytes.count + 1 }
            for alarm in fitting { snapshot.alarms[alarm.id] = alarm }
        })

    static let ringDue = "alarm.rings"
    static let expectedDue = "alarm.expected"
    static let untilDue = "alarm.until"
    static let tookDue = "alarm.took"

    /// `wide`: the daemon chose whom to call, and calls the household first. `rings`: how often it rang. `alarm_raises`
    /// counts each member's alarms within the last hour. `alarm_shortcuts` are addresses by which phones' shortcuts
    /// raise an alarm, by the digest of their secret; `called` are the members that a shortcut names. `alarm_numbers`
    /// gives each alarm a number, by which a search finds it (``Searched/sql(numbers:of:columns:)``).
    static let migrations = [
        Migration(
            number: 36, name: "alarms", tables: ["alarms", "alarm_called", "alarm_raises"],
            sql: """
                CREATE TABLE alarms (
                    id BLOB NOT NULL PRIMARY KEY, raiser BLOB NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
                    text TEXT, expected_at INTEGER, overdue INTEGER NOT NULL, until INTEGER NOT NULL, wide INTEGER NOT NULL,
                    rings INTEGER NOT NULL, place TEXT, place_lat REAL, place_lon REAL, place_radius REAL,
                    lat REAL, lon REAL, accuracy REAL, position_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX alarms_by_raiser ON alarms (raiser);
                CREATE TABLE alarm_called (
                    alarm BLOB NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
                    member BLOB NOT NULL, answer TEXT, at INTEGER, PRIMARY KEY (alarm, member)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX alarm_called_by_member ON alarm_called (member, alarm);
                CREATE TABLE alarm_raises (member BLOB NOT NULL, at INTEGER NOT NULL) STRICT;
                CREATE INDEX alarm_raises_by_time ON alarm_raises (member, at);
                """),
        Migration(
            number: 39, name: "shortcuts for alarms", tables: ["alarm_shortcuts"],
            sql: """
                CREATE TABLE alarm_shortcuts (
                    id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL REFERENCES members (id) ON DELETE CASCADE,
                    name TEXT NOT NULL, kind TEXT NOT NULL, text TEXT, called TEXT NOT NULL,
                    secret BLOB NOT NULL UNIQUE, made INTEGER NOT NULL, used INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX alarm_shortcuts_by_member ON alarm_shortcuts (member);
                """),
        .part(
            of: 41, tables: ["alarm_called"],
            sql: "ALTER TABLE alarm_called ADD COLUMN reached INTEGER;"),
        Migration(
            number: 85, name: "numbers of alarms, to be searched", tables: ["alarms", "alarm_numbers", "due"],
            sql: Searched.sql(numbers: "alarm_numbers", of: "alarms", columns: ["raiser", "at", "text", "place"])
                + "\n" + Searched.sql(takingIn: "alarm")),
    ]

    /// The `about` of the log's rows about an alarm.
    static func about(_ alarm: Identifier) -> String { "alarm/\(alarm)" }

    /// Takes a member's new position. The member may have raised an alarm.
    private static func moved(_ position: Position, _ act: Act) throws(Rejection) {
        guard try act.memory(OpenAlarms.self).isOpen(by: position.member, act) else { return }
        for alarm in try StoredAlarm.raised(by: position.member, act) { try alarm.move(position, act) }
    }

    /// A device received the ring of an alarm. That is told in an act of its own: a request for missed notices only
    /// reads.
    private static func took(_ about: String, _ member: Identifier, _ act: Act) throws(Rejection) {
        guard about.hasPrefix("alarm/"), let id = Identifier(about.dropFirst("alarm/".count)) else { return }
        let isNew = try act.first(
            "SELECT 1 FROM alarm_called WHERE alarm = ? AND member = ? AND reached IS NULL", .id(id), .id(member)
        ) { row in row.bool(0) }
        if isNew != nil { try act.plan(tookDue, about: "took/\(id)/\(member)", at: act.now) }
    }

    /// A member leaves: the member's alarms are over, and the member is no longer called.
    private static func leave(_ member: Identifier, _ act: Act) throws(Rejection) {
        for alarm in try StoredAlarm.raised(by: member, act) { try alarm.end(.left, act) }
        for alarm in try StoredAlarm.calling(member, act) { try alarm.release(member, act) }
        for table in ["alarm_raises", "alarm_shortcuts"] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
    }
}

/// The members whose alarms go on. Every point that a phone reports asks for them.
final class OpenAlarms: AreaMemory {
    private var raisers: Set<Identifier>?
    private var rollbacks = 0

    init() {}

    func turn(_ turn: Turn) {
        if turn.rollbacks != rollbacks { raisers = nil }
        rollbacks = turn.rollbacks
    }

    func forget() { raisers = nil }

    func isOpen(by member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        if let raisers { return raisers.contains(member) }
        let all = Set(try act.rows("SELECT DISTINCT raiser FROM alarms") { row in row.identifier(0) })
        raisers = all
        return all.contains(member)
    }
}
