import KinModel
import KinStore

extension House {
    package static func status(_ sums: [FamilySum]) -> Method {
        Method.query(
            "daemon.status", "How the daemon does: version, clients, lag, disk, certificate, last backup.",
            access: .admins,
            result: .object([
                .required("version", .token(max: 64)), .required("startedAt", .time),
                .required(
                    "urls", .list(.text(max: 2048), max: 256), "Where it is reached, the URL that links carry first."),
                .required(
                    "clients",
                    .object(
                        ["webSocket", "lines", "serverSentEvents", "ndjson", "http", "unix"].map {
                            .required($0, count)
                        }),
                    "Connections by what they speak; those of the Unix socket apart."),
                .required(
                    "followers",
                    .object([
                        .required("count", count),
                        .required("behindMax", count, "Events the slowest has not been given."),
                        .required("behindSum", count, "Events that all of them together have not been given."),
                        .required("secondsBehindMax", count, "Seconds without a byte taken, of the slowest."),
                    ])),
                .required("log", .object([.required("rows", count, "Its events."), .required("bytes", count)])),
                .required(
                    "disk",
                    .object([
                        .required("databaseBytes", count), .required("walBytes", count), .optional("freeBytes", count),
                        .required("isShort", .bool, "The disk was full: ordinary commands are refused."),
                    ])),
                .optional(
                    "certificate",
                    .object([
                        .required("notAfter", .time), .required("isOwn", .bool, "Of the family's own authority."),
                    ])),
                .required(
                    "used",
                    .object(sums.map { .required($0.name, count) }),
                    "What all members together used of what there is for all; nobody's own."),
                .optional("lastBackup", .object([.required("at", .time), .required("bytes", count)])),
                .optional("clock", Clock.shape),
            ]),
            route: Route("GET", "/api/status"),
            apply: { (act, _) throws(Rejection) in .done(.null, effect: .status(try status(act))) })
    }

    /// The counts behind `/metrics`. A client that may read them without an app password calls as the machine.
    package static let metrics = Method.query(
        "metrics.read", "The daemon's counts, for Prometheus.", access: [.signedIn, .machine],
        apply: { (act, _) throws(Rejection) in
            if case .member(let member) = act.caller {
                try act.require(
                    member.scope == .metrics, "Metrics take an app password with the scope metrics, made by an admin.")
            }
            return .done(.null, effect: .metrics(try status(act)))
        }
    ).scoped(.metrics).forGateways()

    private static let count = Shape.integer(0...Int64.max)

    private static func status(_ act: Act) throws(Rejection) -> KeeperStatus {
        let store = act.store
        let rows = try act.first("SELECT count(*) FROM log") { row in row.int(0) }
        let backup = try act.first("SELECT last_backup_at, last_backup_bytes FROM house") { row in
            row.optionalInstant("last_backup_at").map { (at: $0, bytes: row.int("last_backup_bytes")) }
        }
        return KeeperStatus(
            counters: act.counters, commits: store.commitCount, syncs: store.fsyncCount, logRows: rows ?? 0,
            logBytes: store.log.byteCount, isShortOfRoom: store.isShortOfRoom, lastBackup: backup.flatMap(\.self),
            isClockDoubted: act.isClockDoubted, clock: act.clock.map { shown($0) } ?? .null,
            sums: try sums(act))
    }

    private static func sums(_ act: Act) throws(Rejection) -> JSON.Object {
        var sums = JSON.Object()
        for sum in act.sums { sums.append(sum.name, .int(try sum.count(act))) }
        return sums
    }
}
