import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// `/metrics`: all counts, gathered when somebody asks.
extension Server {
    /// The media type of Prometheus' text format.
    static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

    /// The page. Names by Prometheus' conventions: base units, `_total` for what only grows.
    func metrics(_ keeper: KeeperStatus) -> MetricsPage {
        var page = MetricsPage()
        page.add(
            "kinwire_build_info", .gauge, "The version that runs.", labels: ["version"],
            [([KinwireVersion.text], 1)])
        addConnections(&page)
        addRequests(keeper, &page)
        addLog(keeper, &page)
        addQueues(&page)
        addDisk(keeper, &page)
        ProcessFigures.now().add(to: &page)
        return page
    }

    private func addConnections(_ page: inout MetricsPage) {
        let clients = DaemonStatus.Clients(connections)
        page.add(
            "kinwire_connections", .gauge, "Open connections by what they speak.", labels: ["transport"],
            clients.pairs.map { ([$0.name], $0.count) })
        page.add("kinwire_connections_accepted_total", .counter, "Connections accepted.", counters.accepted)
        page.add(
            "kinwire_connections_refused_total", .counter, "Connections closed at once because a limit was reached.",
            counters.refused)
        page.add(
            "kinwire_accept_pauses_total", .counter, "Times that accepting paused for want of descriptors.",
            counters.acceptPauses)
        page.add("kinwire_received_bytes_total", .counter, "Bytes read from sockets.", counters.bytesIn)
        page.add("kinwire_sent_bytes_total", .counter, "Bytes written to sockets.", counters.bytesOut)
        page.add(
            "kinwire_limits_hit_total", .counter, "Times that a limit was reached, by its name.", labels: ["limit"],
            Self.limitNames.map { ([$0], UInt64(counters.limitsHit[$0, default: 0])) })
        let lag = FollowerLag(self)
        page.add("kinwire_followers", .gauge, "Connections that follow the log.", lag.count)
        page.add(
            "kinwire_follower_lag_events_max", .gauge, "Log positions that the slowest follower is behind.",
            lag.behindMax)
        page.add(
            "kinwire_follower_lag_events", .gauge, "Log positions that all followers together are behind.",
            lag.behindSum)
        page.add(
            "kinwire_follower_lag_seconds_max", .gauge, "Seconds for which a follower with data waiting took nothing.",
            nanoseconds: lag.nanosecondsMax)
        page.add("kinwire_deliveries_total", .counter, "Events made ready for followers.", counters.deliveries)
        page.add(
            "kinwire_replays_total", .counter, "Follows that went on from a cursor and had missed something.",
            counters.replays)
        page.add(
            "kinwire_resets_total", .counter, "Snapshots sent, at a follow or within a stream.", counters.snapshots)
        page.add(
            "kinwire_log_reads_total", .counter, "Pieces of the log read for followers that fell off the ring.",
            counters.logReads)
    }

    private func addRequests(_ keeper: KeeperStatus, _ page: inout MetricsPage) {
        let outcomes = KeeperCounters.outcomes
        var samples: [([String], UInt64)] = []
        for (index, count) in keeper.counters.requests.enumerated() {
            let (family, outcome) = index.quotientAndRemainder(dividingBy: outcomes.count)
            // Outcomes that never happened would be hundreds of lines; "ok" is there from the start.
            if count > 0 || outcome == 0 {
                samples.append(([registry.methodFamilies[family], outcomes[outcome]], count))
            }
        }
        page.add(
            "kinwire_requests_total", .counter,
            "Requests answered, by what stands before the dot of their method, and outcome.",
            labels: ["family", "outcome"], samples)
        let batch = keeper.counters.batch
        page.add(
            "kinwire_commit_commands", "Requests carried out in one transaction.", bounds: batch.bounds,
            counts: batch.counts, sum: batch.sum, unit: 1)
        let took = keeper.counters.turnNanoseconds
        page.add(
            "kinwire_commit_seconds", "Seconds for one transaction, with its sync.", bounds: took.bounds,
            counts: took.counts, sum: took.sum, unit: 1e9)
        page.add("kinwire_commits_total", .counter, "Transactions that wrote something.", keeper.commits)
        page.add("kinwire_fsyncs_total", .counter, "Files and directories synced.", keeper.syncs)
        page.add("kinwire_events_total", .counter, "Events appended to the log.", keeper.counters.events)
        page.add(
            "kinwire_points_unusable_total", .counter, "Messages of phone apps that were taken and of no use.",
            (keeper.counters.own["phone_points_unusable"] ?? 0) + counters.phoneMessagesUnusable)
    }

    private func addLog(_ keeper: KeeperStatus, _ page: inout MetricsPage) {
        page.add("kinwire_log_rows", .gauge, "Events kept in the log.", keeper.logRows)
        page.add("kinwire_log_bytes", .gauge, "Bytes of events kept in the log.", keeper.logBytes)
        page.add("kinwire_ring_bytes", .gauge, "Bytes of encoded events kept in memory.", fanOut.feed.bytesHeld)
        page.add(
            "kinwire_ring_limit_bytes", .gauge, "Bytes of encoded events kept in memory at most.", limits.feedBytes)
    }

    private func addQueues(_ page: inout MetricsPage) {
        page.add(
            "kinwire_queue_depth", .gauge, "What waits, by queue.", labels: ["queue"],
            [
                (["keeper"], UInt64(port.waiting)), (["loop"], UInt64(inbox.count)),
                (["reader"], UInt64(workers.reader.count)), (["worker"], UInt64(workers.slow.count)),
                (["password"], UInt64(max(0, workers.passwordsWaiting))),
                (["picture"], UInt64(max(0, workers.picturesWaiting))),
            ])
        page.add("kinwire_requests_in_flight", .gauge, "Requests without an answer yet.", requestsInFlight)
    }

    private func addDisk(_ keeper: KeeperStatus, _ page: inout MetricsPage) {
        let disk = DiskFigures(settings.directory)
        page.add("kinwire_database_bytes", .gauge, "Bytes of the database file.", disk.database)
        page.add("kinwire_wal_bytes", .gauge, "Bytes of the write-ahead log.", disk.wal)
        page.add("kinwire_disk_free_bytes", .gauge, "Bytes free on the disk of the data directory.", disk.free ?? 0)
        page.add(
            "kinwire_disk_is_short", .gauge, "1 while the disk was found full and ordinary commands are refused.",
            keeper.isShortOfRoom ? 1 : 0)
        page.add(
            "kinwire_certificate_expiry_timestamp_seconds", .gauge, "When the certificate ends; 0 without one.",
            (handshakes.certificates?.notAfter ?? 0) / 1000)
        page.add(
            "kinwire_last_backup_timestamp_seconds", .gauge, "When the last backup was made; 0 for never.",
            (keeper.lastBackup?.at.milliseconds ?? 0) / 1000)
        page.add(
            "kinwire_clock_doubted", .gauge, "Whether the machine's clock is not believed: 1 or 0.",
            keeper.isClockDoubted ? 1 : 0)
    }
}
