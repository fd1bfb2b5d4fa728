import CLinux
import Glibc

extension SocketAddress {
    /// Writes the address as the kernel takes it; its length.
    func fill(_ storage: inout sockaddr_storage) -> socklen_t {
        unsafe kin_make_address(&storage, address.isV6 ? AF_INET6 : AF_INET, address.sixteen, port)
    }

    /// Reads an address of the kernel; `nil` when it is of another family.
    init?(_ storage: sockaddr_storage) {
        var sixteen = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        var storage = storage
        let family = unsafe kin_split_address(&storage, &sixteen, &port)
        guard family != 0 else { return nil }
        self.init(IPAddress(sixteen: sixteen, isV6: family == AF_INET6), port: port)
    }

    /// Reads an address behind a pointer of the C library, which is valid for as many bytes as its family needs.
    init?(sockaddr: UnsafePointer<sockaddr>) {
        var sixteen = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let family = unsafe kin_split_address(UnsafeRawPointer(sockaddr), &sixteen, &port)
        guard family != 0 else { return nil }
        self.init(IPAddress(sixteen: sixteen, isV6: family == AF_INET6), port: port)
    }

    /// Where a socket is bound; `nil` when that is no address of TCP.
    init?(boundTo fd: Int32) throws(LoopFailure) {
        var storage = sockaddr_storage()
        try LoopFailure.check("getsockname", unsafe kin_bound_address(fd, &storage))
        self.init(storage)
    }
}

/// Writes a path (or, after an `@`, an abstract name) as the kernel takes it; its length, 0 when it does not fit.
func unixAddress(_ path: String, abstractAllowed: Bool = false, _ storage: inout sockaddr_storage) -> socklen_t {
    var bytes = Array(path.utf8)
    if bytes.contains(0) { return 0 }
    if abstractAllowed, bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    return unsafe kin_make_unix_address(&storage, bytes, bytes.count)
}
