import CLinux
import Glibc

extension EpollNetwork {
    /// Opens the listeners of the settings: TCP first, so that they have the indices of ``boundAddresses``. Adopted
    /// sockets replace the ones that would have been opened of their kind.
    static func open(_ settings: Settings) throws(LoopFailure) -> [Listener] {
        var adopted: [Listener] = []
        for fd in settings.adopted { adopted.append(try Listener.adopted(fd)) }
        var tcp: [Listener] = []
        let listen = adopted.contains { $0.address != nil } ? [] : settings.listen
        for (index, wanted) in listen.enumerated() {
            let former = index > 0 ? listen[index - 1] : nil
            // `:0` means one port for both families.
            let isSecondHalf =
                wanted.port == 0 && former?.port == 0 && wanted.address.isV6 && former?.address.isV6 == false
            if isSecondHalf, let first = tcp.last {
                tcp.removeLast()
                tcp += try pair(first, with: wanted, settings)
            } else {
                do throws(LoopFailure) {
                    tcp.append(try Listener.tcp(wanted, backlog: settings.backlogConnections))
                } catch .system(_, let reason) where reason == EAFNOSUPPORT && !tcp.isEmpty {
                    // A machine without IPv6 serves IPv4.
                }
            }
        }
        tcp += adopted.filter { $0.address != nil }
        var unix = adopted.filter { $0.address == nil }
        if unix.isEmpty, let path = settings.unixPath {
            unix.append(try .unix(path, mode: settings.unixMode, backlog: settings.backlogConnections))
        }
        var asides: [Listener] = []
        for wanted in settings.asides {
            asides.append(try .tcp(wanted, backlog: settings.backlogConnections))
        }
        return tcp + unix + asides
    }

    /// Where the listeners of ``Settings/asides`` were bound, port 0 resolved.
    public var asideAddresses: [SocketAddress] { listeners.suffix(settings.asides.count).compactMap(\.address) }

    /// Binds an IPv6 address to the port that the kernel chose for IPv4; chooses anew while another program has that
    /// port.
    private static func pair(
        _ first: Listener, with second: SocketAddress, _ settings: Settings
    ) throws(LoopFailure) -> [Listener] {
        var first = first
        for attempt in 1...16 {
            guard let bound = first.address else { preconditionFailure("TCP listeners have an address") }
            do throws(LoopFailure) {
                let wanted = SocketAddress(second.address, port: bound.port)
                return [first, try .tcp(wanted, backlog: settings.backlogConnections)]
            } catch .addressInUse where attempt < 16 {
                first = try .tcp(SocketAddress(bound.address, port: 0), backlog: settings.backlogConnections)
            } catch .system(_, let reason) where reason == EAFNOSUPPORT {
                return [first]
            }
        }
        preconditionFailure("the last attempt returns or throws")
    }

    /// Whether a Unix socket was made by this process, at ``Settings/unixPath``.
    public var hasOwnUnixSocket: Bool { listeners.contains(where: \.isOwnFile) }

    /// Closes the listeners for good and removes the Unix socket's file; open connections go on.
    public func closeListeners() { listeners.removeAll() }

    /// See ``Network/stopAccepting()``.
    public func stopAccepting() {
        isStopped = true
        armListeners()
    }

    /// See ``Network/resumeAccepting()``.
    public func resumeAccepting() {
        isStopped = false
        armListeners()
    }

    func armListeners() {
        let interest = isStopped || pausedUntil != nil ? 0 : Self.readable
        for (index, listener) in listeners.enumerated() {
            let bits = Token(slot: UInt32(index), generation: 0).bits
            let result = kin_epoll_modify(epoll.number, listener.descriptor.number, interest, bits)
            precondition(result == 0, "a listener is watched from birth to end")
        }
    }
}
