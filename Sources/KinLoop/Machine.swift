import CLinux
import Glibc

/// Raises the soft limit of open descriptors to the hard one, and says how many may be open now.
public func descriptorLimit() -> Int { Int(kin_raise_descriptor_limit()) }

/// What the process asks about itself and the machine it runs on.
public enum Machine {
    /// This process.
    public static var processID: Int32 { getpid() }

    /// The user whose rights this process has; 0 is root.
    public static var effectiveUserID: UInt32 { geteuid() }

    /// The group whose rights this process has.
    public static var effectiveGroupID: UInt32 { getegid() }

    /// The name of the machine, without its domain; `localhost` when it has none.
    public static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let bytes = name.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "localhost" : String(decoding: bytes, as: UTF8.self)
    }

    /// Processors that are there.
    public static var processors: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Keeps a thread on one processor, counted from 0. Where that is not allowed it runs on as it did.
    /// - Parameter thread: Its number (`/proc/PID/task`); 0 is the caller's.
    public static func keep(thread: Int32, on processor: UInt32) { _ = kin_pin(thread, processor) }

    /// A variable of the environment; `nil` when it is not set.
    public static func environment(_ name: String) -> String? {
        // Copied at once. Nobody sets variables while threads run, except the tests of this file.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The addresses of the interfaces that are up, without loopback and link-local ones.
    public static func localAddresses() -> [IPAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var addresses: [IPAddress] = []
        var entry = unsafe first
        while let found = unsafe entry {
            let isUp = unsafe found.pointee.ifa_flags & UInt32(IFF_UP) != 0
            if isUp,
                let address = unsafe found.pointee.ifa_addr.flatMap({ unsafe SocketAddress(sockaddr: $0)?.address }),
                !address.isLoopback, !address.isLinkLocal, !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe entry = found.pointee.ifa_next
        }
        return addresses
    }

    /// The networks that this machine is in, one for each address of its interfaces, loopback included. Throws where
    /// the kernel does not tell: a caller that must stay out of them must then stay out of everything.
    public static func localNetworks() throws(LoopFailure) -> [CIDR] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { throw .system(call: "getifaddrs", errno: errno) }
        defer { unsafe freeifaddrs(first) }
        var networks: [CIDR] = []
        var entry = unsafe first
        while let found = unsafe entry {
            if let address = unsafe found.pointee.ifa_addr.flatMap({ unsafe SocketAddress(sockaddr: $0)?.address }) {
                let mask = unsafe found.pointee.ifa_netmask.flatMap { unsafe SocketAddress(sockaddr: $0)?.address }
                let whole = address.isV6 ? 128 : 32
                let bits = mask.map { $0.high.nonzeroBitCount + $0.low.nonzeroBitCount } ?? whole
                let network = CIDR(around: address, bits: min(bits, whole))
                if !networks.contains(network) { networks.append(network) }
            }
            unsafe entry = found.pointee.ifa_next
        }
        return networks
    }

    /// Has large allocations mapped one by one, so that they go back to the system when freed. By default the allocator
    /// raises the size that counts as large to the largest block ever freed. After one password (32 MiB) or picture all
    /// later ones would stay in its arenas. Call it before threads are started.
    public static func returnLargeMemory() {
        mallopt(M_MMAP_THRESHOLD, 256 << 10)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
    }

    /// Gives freed memory that the allocator keeps back to the system, in whole pages.
    public static func giveBackMemory() { malloc_trim(0) }

    /// Drops the mapped pages of programs' code (`r-xp` in proc(5)): a quiet daemon does not need what a start or a
    /// storm needed. The kernel maps sixteen pages around each that is used, so most were never needed at all. Pages
    /// that are needed come back from the page cache by themselves, with a minor fault.
    public static func letGoOfCode() {
        guard let bytes = try? Files.read("/proc/self/maps", max: 1 << 20) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, let start = unsafe UnsafeMutableRawPointer(bitPattern: ends[0]) else { continue }
            // Never written to, so that nothing is lost.
            _ = unsafe madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
        }
    }

    /// Bytes of memory in use (the resident set); 0 when `/proc` does not say.
    public static func residentBytes() -> Int { memoryPages(1) * sysconf(Int32(_SC_PAGESIZE)) }

    /// Bytes of address space; 0 when `/proc` does not say.
    public static func virtualBytes() -> Int { memoryPages(0) * sysconf(Int32(_SC_PAGESIZE)) }

    /// A field of statm: size, resident, shared …, in pages.
    private static func memoryPages(_ field: Int) -> Int {
        guard let text = try? Files.read("/proc/self/statm", max: 256) else { return 0 }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > field ? Int(fields[field]) ?? 0 : 0
    }

    /// Time that all threads together spent on processors, in nanoseconds.
    public static func cpuNanoseconds() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 else { return 0 }
        return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
    }

    /// Open descriptors; 0 when `/proc` does not say.
    public static func openDescriptors() -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor that reads the folder.
        return max(0, count - 3)
    }

    /// When the process began, in seconds since 1970; 0 when `/proc` does not say.
    public static func startSeconds() -> Int {
        // The 22nd field of stat, counted behind the name in parentheses: ticks since the machine was started.
        guard let stat = try? Files.read("/proc/self/stat", max: 4096), let whole = try? Files.read("/proc/stat") else {
            return 0
        }
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        let boot = String(decoding: whole, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Int(fields[19]), let seconds = boot.flatMap({ Int($0.dropFirst(6)) })
        else {
            return 0
        }
        return seconds + ticks / max(1, sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Whether a descriptor leads to systemd's journal (`JOURNAL_STREAM`, systemd.exec(5)).
    public static func isJournal(_ descriptor: Int32) -> Bool {
        var found = stat()
        guard let named = environment("JOURNAL_STREAM"), unsafe fstat(descriptor, &found) == 0 else { return false }
        return named == "\(found.st_dev):\(found.st_ino)"
    }

    /// Voluntary and involuntary context switches of the process so far (`getrusage`).
    public static func contextSwitches() -> Int { Int(kin_context_switches()) }
}
