import KinCodec
import KinCrypto
public import KinLoop
public import KinModel

/// Drives a ``Follower`` on real sockets. Confined to its thread; ``interruption`` may be woken from any.
public final class FollowingClient {
    /// The result of a wait.
    public enum News: Sendable, Hashable {
        /// A message as it was received, before the news that it means; only when asked for.
        case message([UInt8])
        /// An event of the log.
        case event(Event)
        /// Something that is so for a moment; only when asked for.
        case passing(Follower.Passing)
        /// What the member sees, built anew.
        case reset(Snapshot)
        /// Nothing is outstanding up to this cursor.
        case caughtUp(cursor: String)
        /// The connection is gone; the next attempt follows after that time.
        case lost(sentence: String, retryAfterMilliseconds: Int)
        /// Following again after a break. Without a gap when the daemon still had everything since; else the next news
        /// is a snapshot, and what happened in between is only in it.
        case back(withoutGap: Bool)
        /// The time given is over.
        case nothing
        /// ``interruption`` was woken.
        case interrupted
        /// It is over.
        case stopped(Follower.Stop)
    }

    // Fixed at birth.
    private let address: Address
    private let trust: Trust
    private let wantsMessages: Bool
    /// Ends a wait from another thread.
    public let interruption: Wakeup

    // Changes from news to news.
    /// Where following stands: cursor, view, snapshot.
    public private(set) var follower: Follower
    private var conversation: Conversation?
    private var orders: [Follower.Order] = [.connect]
    private var news: [News] = []
    private var wakeAt: UInt64?
    private var lastSentence = ""
    private var wasLost = false
    private var isStarted = false

    /// A client that begins with the first ``next(timeoutMilliseconds:)``.
    public init(
        _ follower: Follower, address: Address, trust: Trust = .system, wantsMessages: Bool = false,
        interruption: Wakeup
    ) {
        self.follower = follower
        self.address = address
        self.trust = trust
        self.wantsMessages = wantsMessages
        self.interruption = interruption
    }

    /// The next news; waits for it, at most the time given (`nil`: without end).
    public func next(timeoutMilliseconds: Int?) -> News {
        let deadline = Moment(afterMilliseconds: timeoutMilliseconds)
        if !isStarted {
            isStarted = true
            orders = take(.started)
        }
        while true {
            carryOut()
            if !news.isEmpty { return news.removeFirst() }
            if interruption.wait(timeoutMilliseconds: 0) { return .interrupted }
            if deadline.hasPassed { return .nothing }
            receive(until: deadline)
        }
    }

    /// Sends a request beside following, whose answer nobody reads; false when there is no connection. For marks.
    @discardableResult
    public func tell(_ method: String, _ params: JSON) -> Bool {
        guard let conversation, follower.state == .following else { return false }
        do throws(ClientFailure) {
            try conversation.send(RPC.request(id: "aside", method: method, params: params))
            return true
        } catch { return false }
    }

    private func take(_ fact: Follower.Fact) -> [Follower.Order] {
        let before = follower.state
        let orders = follower.take(fact, now: Moment.now, random: Randomness.uint64())
        if follower.state == .following, before == .asking, wasLost {
            wasLost = false
            let isReset = orders.contains { if case .reset = $0 { true } else { false } }
            news.append(.back(withoutGap: !isReset))
        }
        return orders
    }

    private func carryOut() {
        while !orders.isEmpty {
            switch orders.removeFirst() {
            case .connect:
                wakeAt = nil
                connect()
            case .send(let message):
                do throws(ClientFailure) { try conversation?.send(message) } catch { broke(error) }
            case .disconnect:
                conversation?.wire.close()
                conversation = nil
            case .wait(let moment):
                wakeAt = moment
                guard follower.state == .waiting else { break }
                conversation = nil
                wasLost = true
                let now = Moment.now
                let left = moment > now ? Int(clamping: moment - now) : 0
                let sentence = lastSentence.isEmpty ? "The connection broke." : lastSentence
                news.append(.lost(sentence: sentence, retryAfterMilliseconds: left))
                lastSentence = ""
            case .deliver(let event): news.append(.event(event))
            case .pass(let passing): news.append(.passing(passing))
            case .reset(let snapshot): news.append(.reset(snapshot))
            case .caughtUp(let cursor): news.append(.caughtUp(cursor: cursor))
            case .stop(let stop): news.append(.stopped(stop))
            }
        }
    }

    private func connect() {
        do throws(ClientFailure) {
            conversation = try Conversation.open(address, trust: trust)
            orders += take(.connected)
        } catch { broke(error) }
    }

    private func broke(_ failure: ClientFailure) {
        conversation = nil
        lastSentence = failure.sentence
        orders =
            if case .closed(let closing) = failure { take(.disconnected(closing)) } else { take(.disconnected(nil)) }
    }

    /// Waits for the connection, the clock or the interruption, and takes what came.
    private func receive(until deadline: Moment) {
        let now = Moment.now
        var timeout = deadline.remainingMilliseconds
        if let wakeAt { timeout = min(timeout ?? .max, wakeAt > now ? Int(clamping: wakeAt - now) : 0) }
        guard let conversation else {
            _ = interruption.wait(timeoutMilliseconds: timeout)
            return passTime()
        }
        do throws(ClientFailure) {
            var messages = try conversation.take()
            if messages.isEmpty {
                waitForAny([conversation.wire.descriptor, interruption.fd], timeoutMilliseconds: timeout)
                messages = try conversation.take()
            }
            for message in messages {
                if wantsMessages { news.append(.message(message)) }
                noteClosing(message)
                orders += take(.received(message))
                carryOut()
            }
        } catch { broke(error) }
        passTime()
    }

    private func passTime() {
        guard let moment = wakeAt, moment <= Moment.now else { return }
        wakeAt = nil
        orders += take(.timePassed)
    }

    /// Keeps the daemon's own words about the end for the person who waits.
    private func noteClosing(_ message: [UInt8]) {
        guard message.count < 4096, let json = try? JSON.parse(message), json["method"]?.string == "closing",
            let closing = json["params"]?.object.flatMap(Closing.init)
        else { return }
        lastSentence = closing.sentence
    }
}
