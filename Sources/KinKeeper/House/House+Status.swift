import KinModel
import KinStore

extension House {
    package static func status(_ sums: [FamilySum]) -> Method {
        Method.query(
            "daemon.status", "How the daemon does: version, clients, lag, disk, certificate, last backup.",
            access: .admins,
            result: DaemonStatus.fields(
                used: .object(sums.map { .required($0.name, DaemonStatus.count.shape) })
            ).shape,
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

    private static func status(_ act: Act) throws(Rejection) -> KeeperStatus {
        let store = act.store
        let rows = try act.first("SELECT count(*) FROM log") { row in row.int(0) }
        let backup = try act.first("SELECT last_backup_at, last_backup_bytes FROM house") { row in
            row.optionalInstant("last_backup_at").map { (at: $0, bytes: row.int("last_backup_bytes")) }
        }
        return KeeperStatus(
            counters: act.counters, commits: store.commitCount, syncs: store.fsyncCount, logRows: rows ?? 0,
            logBytes: store.log.byteCount, isShortOfRoom: store.isShortOfRoom, lastBackup: backup.flatMap(\.self),
            isClockDoubted: act.isClockDoubted, clock: act.clock.map { shown($0) },
            sums: try sums(act))
    }

    private static func sums(_ act: Act) throws(Rejection) -> JSON.Object {
        var sums = JSON.Object()
        for sum in act.sums { sums.append(sum.name, .int(try sum.count(act))) }
        return sums
    }
}
