package import KinModel

/// How the daemon does, as `daemon.status` answers it: what the keeper knows, and what the server does.
package struct DaemonStatus: WireRecord {
    /// Open connections by what they speak.
    package struct Clients: WireRecord {
        package var webSocket: Int64
        package var lines: Int64
        package var serverSentEvents: Int64
        package var ndjson: Int64
        package var http: Int64
        package var unix: Int64

        package init(
            webSocket: Int64 = 0, lines: Int64 = 0, serverSentEvents: Int64 = 0, ndjson: Int64 = 0, http: Int64 = 0,
            unix: Int64 = 0
        ) {
            (self.webSocket, self.lines, self.serverSentEvents) = (webSocket, lines, serverSentEvents)
            (self.ndjson, self.http, self.unix) = (ndjson, http, unix)
        }

        package static let fields = Fields(
            nil, Clients.init(webSocket:lines:serverSentEvents:ndjson:http:unix:),
            .required("webSocket", \.webSocket, DaemonStatus.count), .required("lines", \.lines, DaemonStatus.count),
            .required("serverSentEvents", \.serverSentEvents, DaemonStatus.count),
            .required("ndjson", \.ndjson, DaemonStatus.count), .required("http", \.http, DaemonStatus.count),
            .required("unix", \.unix, DaemonStatus.count))
    }

    /// Connections that follow the log, and how far they are behind.
    package struct Followers: WireRecord {
        let count: Int64
        let behindMax: Int64
        let behindSum: Int64
        let secondsBehindMax: Int64

        package init(count: Int64, behindMax: Int64, behindSum: Int64, secondsBehindMax: Int64) {
            (self.count, self.behindMax, self.behindSum) = (count, behindMax, behindSum)
            self.secondsBehindMax = secondsBehindMax
        }

        package static let fields = Fields(
            nil, Followers.init(count:behindMax:behindSum:secondsBehindMax:),
            .required("count", \.count, DaemonStatus.count),
            .required("behindMax", \.behindMax, DaemonStatus.count, "Events the slowest has not been given."),
            .required(
                "behindSum", \.behindSum, DaemonStatus.count, "Events that all of them together have not been given."),
            .required(
                "secondsBehindMax", \.secondsBehindMax, DaemonStatus.count,
                "Seconds without a byte taken, of the slowest."))
    }

    /// The log.
    package struct Log: WireRecord {
        let rows: Int64
        let bytes: Int64

        package static let fields = Fields(
            nil, Log.init(rows:bytes:), .required("rows", \.rows, DaemonStatus.count, "Its events."),
            .required("bytes", \.bytes, DaemonStatus.count))
    }

    /// The data directory.
    package struct Disk: WireRecord {
        let databaseBytes: Int64
        let walBytes: Int64
        let freeBytes: Int64?
        let isShort: Bool

        package init(databaseBytes: Int64, walBytes: Int64, freeBytes: Int64?, isShort: Bool) {
            (self.databaseBytes, self.walBytes) = (databaseBytes, walBytes)
            (self.freeBytes, self.isShort) = (freeBytes, isShort)
        }

        package static let fields = Fields(
            nil, Disk.init(databaseBytes:walBytes:freeBytes:isShort:),
            .required("databaseBytes", \.databaseBytes, DaemonStatus.count),
            .required("walBytes", \.walBytes, DaemonStatus.count),
            .optional("freeBytes", \.freeBytes, DaemonStatus.count),
            .required("isShort", \.isShort, .bool, "The disk was full: ordinary commands are refused."))
    }

    /// The certificate of HTTPS.
    package struct Certificate: WireRecord {
        let notAfter: Instant
        let isOwn: Bool

        package init(notAfter: Instant, isOwn: Bool) { (self.notAfter, self.isOwn) = (notAfter, isOwn) }

        package static let fields = Fields(
            nil, Certificate.init(notAfter:isOwn:), .required("notAfter", \.notAfter, .time),
            .required("isOwn", \.isOwn, .bool, "Of the family's own authority."))
    }

    /// The last backup.
    package struct Backup: WireRecord {
        let at: Instant
        let bytes: Int64

        package static let fields = Fields(
            nil, Backup.init(at:bytes:), .required("at", \.at, .time),
            .required("bytes", \.bytes, DaemonStatus.count))
    }

    let version: String
    let startedAt: Instant
    let urls: [String]
    let clients: Clients
    let followers: Followers
    let log: Log
    let disk: Disk
    let certificate: Certificate?
    let used: JSON
    let lastBackup: Backup?
    let clock: JSON?

    package static let fields: Fields<DaemonStatus> = fields(used: .any)

    /// The same, where it is known what all members together use of.
    static func fields(used: Shape) -> Fields<DaemonStatus> {
        Fields(
            nil,
            DaemonStatus.init(
                version:startedAt:urls:clients:followers:log:disk:certificate:used:lastBackup:clock:),
            .required("version", \.version, .token(max: 64)), .required("startedAt", \.startedAt, .time),
            .required(
                "urls", \.urls, .list(.text(max: 2048), max: 256),
                "Where it is reached, the URL that links carry first."),
            .required(
                "clients", \.clients, Clients.form,
                "Connections by what they speak; those of the Unix socket apart."),
            .required("followers", \.followers, Followers.form), .required("log", \.log, Log.form),
            .required("disk", \.disk, Disk.form), .optional("certificate", \.certificate, Certificate.form),
            .required(
                "used", \.used, .json(used), "What all members together used of what there is for all; nobody's own."),
            .optional("lastBackup", \.lastBackup, Backup.form), .optional("clock", \.clock, .json(House.Clock.shape)))
    }

    static let count = Form<Int64>.integer(0...Int64.max)
}

extension DaemonStatus {
    /// What the keeper knows, with what the server adds.
    package init(
        _ keeper: KeeperStatus, startedAt: Instant, urls: [String], clients: Clients, followers: Followers,
        disk: Disk, certificate: Certificate?
    ) {
        self.init(
            version: KinwireVersion.text, startedAt: startedAt, urls: urls, clients: clients, followers: followers,
            log: Log(rows: keeper.logRows, bytes: Int64(keeper.logBytes)), disk: disk, certificate: certificate,
            used: .object(keeper.sums), lastBackup: keeper.lastBackup.map { Backup(at: $0.at, bytes: $0.bytes) },
            clock: keeper.clock)
    }
}
