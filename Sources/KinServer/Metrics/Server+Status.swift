import KinKeeper
import KinLoop
import KinModel

extension Server {
    /// The result of `daemon.status`: what the keeper knows, and what the loop does.
    func status(_ keeper: KeeperStatus) -> JSON {
        let lag = FollowerLag(self)
        let disk = DiskFigures(settings.directory)
        return DaemonStatus(
            keeper, startedAt: clock.startedAt, urls: settings.site.urls, clients: DaemonStatus.Clients(connections),
            followers: DaemonStatus.Followers(
                count: Int64(lag.count), behindMax: lag.behindMax, behindSum: lag.behindSum,
                secondsBehindMax: Int64(lag.nanosecondsMax / 1_000_000_000)),
            disk: DaemonStatus.Disk(
                databaseBytes: Int64(disk.database), walBytes: Int64(disk.wal), freeBytes: disk.free.map { Int64($0) },
                isShort: keeper.isShortOfRoom),
            certificate: handshakes.certificates.flatMap { certificates in
                certificates.notAfter.map {
                    DaemonStatus.Certificate(notAfter: Instant(milliseconds: $0), isOwn: certificates.isOwn)
                }
            }
        ).json
    }
}
