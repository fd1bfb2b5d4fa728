import Glibc
import Synchronization

/// Looks names up with a deadline.
///
/// `getaddrinfo` has its own time limit: with a name server that never answers it takes ten seconds or more, depending
/// on `resolv.conf`. So each look-up runs on a short-lived thread of its own. When the deadline passes, the caller goes
/// on, and the thread ends by itself. There are at most a few such threads.
public final class NameLookup: Sendable {
    /// The most look-ups under way, including those that nobody waits for any more.
    public static let underWayMax = 4

    private let underWay = Mutex(0)

    /// One object for all callers.
    public init() {}

    /// The result of a look-up, for its caller.
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
            // The C library's name services are modules that need a larger stack than our own threads.
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
