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

    /// A variable of the environment; `nil` when it is not set.
    public static func environment(_ name: String) -> String? {
        // Copied at once. Nobody sets variables while threads run, except the tests of this file.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The addresses of the interfaces that are up, without loopback and what holds on one link only.
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

    /// Bytes of memory in use (the resident set); 0 when `/proc` does not say.
    public static func residentBytes() -> Int {
        // statm: size resident shared …, in pages.
        guard let text = try? Files.read("/proc/self/statm", max: 256) else { return 0 }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Voluntary and involuntary context switches of the process so far (`getrusage`).
    public static func contextSwitches() -> Int { Int(kin_context_switches()) }
}
