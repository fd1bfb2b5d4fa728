import KinKeeper
import KinLoop
import KinModel

extension DaemonStatus.Clients {
    /// Connections by protocol; those of the Unix socket are counted apart.
    init(_ connections: ConnectionTable) {
        self.init()
        for connection in connections.open {
            if connection.isUnix {
                unix += 1
                continue
            }
            switch connection.codec {
            case .webSocket: webSocket += 1
            case .lines: lines += 1
            case .stream(.serverSentEvent): serverSentEvents += 1
            case .stream: ndjson += 1
            case .http: http += 1
            case .undecided: break
            }
        }
    }

    /// The same by name, for metrics.
    var pairs: [(name: String, count: UInt64)] {
        (json.object?.members ?? []).map { (name: $0.name, count: UInt64($0.value.int ?? 0)) }
    }
}

/// How far followers are behind the log.
struct FollowerLag {
    private(set) var count = 0
    private(set) var behindMax: Int64 = 0
    private(set) var behindSum: Int64 = 0
    private(set) var nanosecondsMax: UInt64 = 0

    init(_ server: Server) {
        let now = server.time.monotonicNanoseconds()
        for follower in server.fanOut.followers.connections {
            guard let following = follower.following else { continue }
            count += 1
            let behind = max(0, server.fanOut.feed.last - server.fanOut.cursor(following))
            behindMax = max(behindMax, behind)
            behindSum += behind
            if let blockedAt = follower.life.blockedAt { nanosecondsMax = max(nanosecondsMax, now &- blockedAt) }
        }
    }
}

/// Sizes of the data directory on the disk; none in a simulation.
struct DiskFigures {
    var database = 0
    var wal = 0
    var free: Int?

    init(_ directory: String?) {
        guard let directory else { return }
        database = Files.size(of: directory + "/kinwire.db") ?? 0
        wal = Files.size(of: directory + "/kinwire.db-wal") ?? 0
        free = Files.freeBytes(at: directory)
    }
}

/// The standard process metrics of Prometheus.
struct ProcessFigures {
    var residentBytes = 0
    var virtualBytes = 0
    var cpuNanoseconds: UInt64 = 0
    var openDescriptors = 0
    var descriptorsMax = 0
    var startSeconds = 0

    static func now() -> ProcessFigures {
        ProcessFigures(
            residentBytes: Machine.residentBytes(), virtualBytes: Machine.virtualBytes(),
            cpuNanoseconds: Machine.cpuNanoseconds(), openDescriptors: Machine.openDescriptors(),
            descriptorsMax: descriptorLimit(), startSeconds: Machine.startSeconds())
    }

    func add(to page: inout MetricsPage) {
        page.add("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", residentBytes)
        page.add("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", virtualBytes)
        page.add(
            "process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.",
            nanoseconds: cpuNanoseconds)
        page.add("process_open_fds", .gauge, "Number of open file descriptors.", openDescriptors)
        page.add("process_max_fds", .gauge, "Maximum number of open file descriptors.", descriptorsMax)
        page.add(
            "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds.",
            startSeconds)
    }
}
