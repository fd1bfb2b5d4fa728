import Glibc
import Synchronization

/// Looks names up with a deadline.
///
/// `getaddrinfo` keeps its own time: a name server that never answers costs ten seconds and more, by what
/// `resolv.conf` says. Each lookup is therefore a short thread of its own. When the time is over the caller goes on, and
/// the thread ends by itself. Of such threads there are a few at most.
public final class NameLookup: Sendable {
    /// Lookups under way at most, those that nobody waits for any more included.
    public static let underWayMax = 4

    private let underWay = Mutex(0)

    /// For all who look up.
    public init() {}

    /// What a lookup leaves for who waits.
    private enum Found: Sendable {
        case addresses([IPAddress])
        case failure(LoopFailure)
    }

    /// The addresses a name has, in the order the system prefers; at least one.
    public func addresses(of name: String, timeoutMilliseconds: Int) throws(LoopFailure) -> [IPAddress] {
        if let address = IPAddress(name) { return [address] }
        let isFree = underWay.withLock { count in
            guard count < Self.underWayMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw .timedOut("The name server") }
        let thread: ThreadHandle
        let answer: Mailbox<Found>
        do throws(LoopFailure) {
            let box = Mailbox<Found>(wakeup: try Wakeup())
            answer = box
            // The name services of the C library are modules that want more of a stack than our own threads.
            thread = try startThread(name: "kin-name", stackBytes: 512 << 10) { [self] in
                do throws(LoopFailure) {
                    box.post(.addresses(try ClientSocket.resolve(name)))
                } catch { box.post(.failure(error)) }
                underWay.withLock { $0 -= 1 }
            }
        } catch {
            underWay.withLock { $0 -= 1 }
            throw error
        }
        thread.detach()
        guard answer.wait(timeoutMilliseconds: timeoutMilliseconds), let found = answer.take() else {
            throw .timedOut("The name server")
        }
        switch found {
        case .addresses(let addresses):
            guard !addresses.isEmpty else { throw .unknownHost(name) }
            return addresses
        case .failure(let failure): throw failure
        }
    }
}
