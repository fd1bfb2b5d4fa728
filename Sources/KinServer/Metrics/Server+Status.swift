import KinKeeper
import KinLoop
import KinModel

extension Server {
    /// The result of `daemon.status`: what the keeper knows, and what the loop does.
    func status(_ keeper: KeeperStatus) -> JSON {
        let lag = FollowerLag(self)
        let disk = DiskFigures(settings.directory)
        var clients = JSON.Object()
        for (name, count) in ClientCounts(connections).pairs { clients[name] = .int(Int64(count)) }
        return .object(leavingOut: [
            "version": .string(KinwireVersion.text), "startedAt": .time(clock.startedAt),
            "urls": .array(settings.site.urls.map { .string($0) }), "clients": .object(clients),
            "followers": [
                "count": .int(Int64(lag.count)), "behindMax": .int(lag.behindMax), "behindSum": .int(lag.behindSum),
                "secondsBehindMax": .int(Int64(lag.nanosecondsMax / 1_000_000_000)),
            ],
            "log": ["rows": .int(keeper.logRows), "bytes": .int(Int64(keeper.logBytes))],
            "disk": .object(leavingOut: [
                "databaseBytes": .int(Int64(disk.database)), "walBytes": .int(Int64(disk.wal)),
                "freeBytes": disk.free.map { .int(Int64($0)) }, "isShort": .bool(keeper.isShortOfRoom),
            ]),
            "certificate": handshakes.certificates.flatMap { certificates in
                certificates.notAfter.map {
                    ["notAfter": .time(Instant(milliseconds: $0)), "isOwn": .bool(certificates.isOwn)]
                }
            },
            "used": .object(keeper.sums),
            "lastBackup": keeper.lastBackup.map { ["at": .time($0.at), "bytes": .int($0.bytes)] },
            "clock": keeper.clock,
        ])
    }
}
