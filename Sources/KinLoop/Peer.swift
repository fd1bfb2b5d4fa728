/// Who is at the other end of an accepted connection.
public enum Peer: Sendable, Hashable {
    /// Over the network.
    case tcp(IPAddress, port: UInt16)
    /// On this machine, with the credentials the kernel vouches for (`SO_PEERCRED`) as of its `connect`.
    case unix(uid: UInt32, gid: UInt32, pid: Int32)
}
