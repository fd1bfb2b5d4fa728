import Glibc
import Testing

/// A network of the test's own, with one address beside loopback: nothing of it leaves this machine, and browsers treat the
/// address as any other's. Root alone may make one.
final class OwnNetwork {
    static let address = "10.77.0.1"

    /// Whether one can be made here.
    static let canBe =
        geteuid() == 0
        && ["/usr/bin/unshare", "/usr/bin/nsenter", "/usr/sbin/ip", "/usr/bin/certutil"].allSatisfy {
            (path: String) in access(path, X_OK) == 0
        }

    private let holder: Program
    private let (own, inside): (CInt, CInt)

    init(_ stage: Stage) throws {
        holder = stage.start([
            "unshare", "--net", "sh", "-c",
            "ip link set lo up && ip address add \(Self.address)/32 dev lo && echo ready && exec cat",
        ])
        let holder = holder
        try stage.wait("a network of its own") { holder.lines.contains("ready") || holder.status != nil }
        try #require(holder.status == nil, "\(holder.said)")
        own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)
        inside = open("/proc/\(holder.process)/ns/net", O_RDONLY | O_CLOEXEC)
        try #require(own >= 0 && inside >= 0)
    }

    deinit {
        close(own)
        close(inside)
    }

    /// What stands before a command that is to run in it.
    var prefix: [String] { ["nsenter", "--net=/proc/\(holder.process)/ns/net", "--"] }

    /// Makes a socket there: it stays there, whoever uses it.
    func within(_ make: () -> CInt) -> CInt {
        guard Self.enter(inside) == 0 else { return -1 }
        defer { _ = Self.enter(own) }
        return make()
    }

    /// `setns(2)` for a network; the module Glibc has no name for it.
    private static func enter(_ network: CInt) -> CInt {
        typealias Enter = @convention(c) (CInt, CInt) -> CInt
        guard let symbol = dlsym(nil, "setns") else { return -1 }
        return unsafeBitCast(symbol, to: Enter.self)(network, 0x4000_0000)
    }
}
