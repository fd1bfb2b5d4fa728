import KinCodec
public import KinModel

/// The client's side of following the log, without input or output: facts go in, orders come out. Whoever drives it owns
/// the socket, the clock and the dice, on a real network or a simulated one.
///
/// It keeps the last cursor, the view it was given and the snapshot with every event applied; it comes back by itself
/// after a break, goes on from its cursor, and stops when there is nothing to come back to.
public struct Follower: Sendable {
    /// Something that happened.
    public enum Fact: Sendable, Hashable {
        /// The driver is ready: begin.
        case started
        /// The connection that was ordered stands.
        case connected
        /// One whole message of the daemon's, without its envelope.
        case received([UInt8])
        /// The connection ended or could not be made; with the close code of a WebSocket, if one was given.
        case disconnected(Closing?)
        /// The moment of the last ``Order/wait(until:)`` has come.
        case timePassed
    }

    /// Something the driver is to do, in the order given.
    public enum Order: Sendable, Hashable {
        /// Connect; then say `connected` or `disconnected`.
        case connect
        /// Send this message in the connection's envelope.
        case send([UInt8])
        /// Close the connection; nothing of it needs to be said any more.
        case disconnect
        /// Say `timePassed` at this moment of the driver's clock, in milliseconds; replaces the moment before.
        case wait(until: UInt64)
        /// An event of the log, each once and in order.
        case deliver(Event)
        /// Something that is so for a moment, and stands in no log; only when asked for.
        case pass(Passing)
        /// What the member sees, built anew; what was delivered before is in it.
        case reset(Snapshot)
        /// Nothing is outstanding up to here: snapshot and events together are a fresh snapshot.
        case caughtUp(cursor: String)
        /// It is over, and nothing will bring it back.
        case stop(Stop)
    }

    /// Something that is so for a moment: nothing keeps it, and it moves no cursor.
    public struct Passing: Sendable, Hashable {
        /// What it is, such as `message.typing`.
        public let type: String
        /// Whose doing it is.
        public let by: Identifier
        /// What it is about, such as `room/` with an identifier.
        public let about: String
        /// Whether it was said at the machine in that member's name.
        public let isAtMachine: Bool

        init?(_ json: JSON) {
            guard let type = json["type"]?.string, let by = json["by"]?.identifier, let about = json["about"]?.string
            else { return nil }
            self.type = type
            self.by = by
            self.about = about
            isAtMachine = json["atMachine"] == true
        }
    }

    /// Why following is over.
    public enum Stop: Sendable, Hashable {
        /// The daemon said no, in a way that does not pass.
        case refused(Rejection)
        /// The daemon closed for good.
        case closed(Closing)
    }

    /// Where it stands between two facts.
    public enum State: Sendable, Hashable {
        /// Before `started`.
        case idle
        /// A connection was ordered.
        case connecting
        /// Signing in: no answer yet.
        case signingIn
        /// Asked to follow: no answer yet.
        case asking
        /// Following.
        case following
        /// Until the next attempt.
        case waiting
        /// Over.
        case stopped
    }

    /// Milliseconds without a message after which a connection counts as dead: four `upto` that did not come.
    public static let silenceMillisecondsMax: UInt64 = 60_000
    private static let signInID: JSON = 1
    private static let followID: JSON = 2

    // Fixed at birth.
    private let credential: Credential
    private let types: [String]?
    private let wantsPassing: Bool

    // Lives from connection to connection.
    /// Where it stands.
    public private(set) var state = State.idle
    /// The last resume point of the stream; `nil` before the first.
    public private(set) var cursor: String?
    /// What the daemon was asked to show, in the daemon's own words.
    public private(set) var view: String?
    /// What the member sees at ``cursor``; `nil` until the first `reset` when it began from a cursor alone.
    public private(set) var snapshot: Snapshot?
    /// Attempts that failed in a row.
    public private(set) var backoff = Backoff()

    // Of this connection.
    private var lastHeard: UInt64 = 0

    /// A follower at its start.
    ///
    /// - Parameters:
    ///   - credential: Who it signs in as on each new connection.
    ///   - cursor: Where to go on from; `nil` for a snapshot first.
    ///   - view: The view that the cursor belongs to, or a view to ask for; `nil` for all.
    ///   - snapshot: What was seen at `cursor`, if that was kept.
    ///   - types: Types of events or prefixes of types to receive; `nil` for all.
    ///   - wantsPassing: Whether what passes is told as well.
    public init(
        credential: Credential, since cursor: String? = nil, view: String? = nil, snapshot: Snapshot? = nil,
        types: [String]? = nil, wantsPassing: Bool = false
    ) {
        self.credential = credential
        self.cursor = cursor
        self.view = view
        self.snapshot = snapshot
        self.types = types
        self.wantsPassing = wantsPassing
    }

    /// Takes a fact and says what is to be done. Facts that do not fit the state, such as late news of a connection
    /// that was given up, change nothing.
    ///
    /// - Parameters:
    ///   - now: Milliseconds of a clock that only goes forward.
    ///   - random: 64 random bits, for the wait before the next attempt.
    public mutating func take(_ fact: Fact, now: UInt64, random: UInt64) -> [Order] {
        switch (state, fact) {
        case (.idle, .started):
            state = .connecting
            return [.connect]
        case (.connecting, .connected):
            lastHeard = now
            return [firstRequest(), .wait(until: now &+ Self.silenceMillisecondsMax)]
        case (.signingIn, .received(let message)), (.asking, .received(let message)),
            (.following, .received(let message)):
            lastHeard = now
            return received(message, now: now, random: random)
        case (.connecting, .disconnected(let closing)), (.signingIn, .disconnected(let closing)),
            (.asking, .disconnected(let closing)), (.following, .disconnected(let closing)):
            return ended(closing, now: now, random: random)
        case (.signingIn, .timePassed), (.asking, .timePassed), (.following, .timePassed):
            let deadline = lastHeard &+ Self.silenceMillisecondsMax
            if now < deadline { return [.wait(until: deadline)] }
            return [.disconnect] + retry(after: nil, now: now, random: random)
        case (.waiting, .timePassed):
            state = .connecting
            return [.connect]
        default: return []
        }
    }

    /// What is said first on a new connection.
    private mutating func firstRequest() -> Order {
        guard let signIn = credential.request else { return followRequest() }
        state = .signingIn
        return .send(RPC.request(id: Self.signInID, method: signIn.method, params: signIn.params))
    }

    private mutating func followRequest() -> Order {
        state = .asking
        let params = JSON.object(leavingOut: [
            "since": cursor.map { .string($0) } ?? .null,
            "view": view.map { .string($0) },
            "types": types.map { .array($0.map { .string($0) }) },
            "passing": wantsPassing ? true : nil,
        ])
        return .send(RPC.request(id: Self.followID, method: "live.follow", params: params))
    }

    private mutating func received(_ message: [UInt8], now: UInt64, random: UInt64) -> [Order] {
        guard let json = try? JSON.parse(message), let message = try? RPCMessage.parse(json) else {
            return broken(now: now, random: random)
        }
        switch message {
        case .result(Self.signInID, _) where state == .signingIn: return [followRequest()]
        case .result(Self.followID, let result) where state == .asking:
            return followed(result, now: now, random: random)
        case .error(let id, let error):
            guard id == Self.signInID || id == Self.followID || id.isNull else { return [] }
            return refused(Rejection(error), now: now, random: random)
        case .notification("closing", let params):
            return [.disconnect] + ended(Closing(params), now: now, random: random)
        case .notification(let method, let params) where state == .following:
            return noticed(method, .object(params), now: now, random: random)
        default: return []
        }
    }

    private mutating func followed(_ result: JSON, now: UInt64, random: UInt64) -> [Order] {
        switch result["mode"]?.string {
        case "live", "replay":
            // The client keeps its own cursor: the answer's may already be past what a replay is about to bring.
            guard cursor != nil else { return broken(now: now, random: random) }
            state = .following
            view = result["view"]?.string ?? view
            return []
        case "reset":
            let orders = reset(result, now: now, random: random)
            if state == .asking { state = .following }
            return orders
        default: return broken(now: now, random: random)
        }
    }

    private mutating func noticed(_ method: String, _ params: JSON, now: UInt64, random: UInt64) -> [Order] {
        switch method {
        case "event":
            guard let event = Event(params) else { return broken(now: now, random: random) }
            cursor = event.cursor
            snapshot?.apply(event)
            return [.deliver(event)]
        case "upto":
            guard let reached = params["cursor"]?.string else { return broken(now: now, random: random) }
            cursor = reached
            // Only now does the wait start afresh. A daemon that accepts requests and then breaks off each time is not
            // hurried.
            backoff.succeeded()
            return [.caughtUp(cursor: reached)]
        case "reset": return reset(params, now: now, random: random)
        case "passing":
            guard wantsPassing, let passing = Passing(params) else { return [] }
            return [.pass(passing)]
        default: return []
        }
    }

    private mutating func reset(_ params: JSON, now: UInt64, random: UInt64) -> [Order] {
        guard let reached = params["cursor"]?.string, let seen = params["snapshot"].flatMap(Snapshot.init) else {
            return broken(now: now, random: random)
        }
        cursor = reached
        view = params["view"]?.string ?? view
        snapshot = seen
        return [.reset(seen)]
    }

    private mutating func refused(_ rejection: Rejection, now: UInt64, random: UInt64) -> [Order] {
        switch rejection.kind {
        case .slowDown, .unavailable:
            return [.disconnect] + retry(after: rejection.retryAfter, now: now, random: random)
        default:
            state = .stopped
            return [.disconnect, .stop(.refused(rejection))]
        }
    }

    private mutating func ended(_ closing: Closing?, now: UInt64, random: UInt64) -> [Order] {
        guard let closing, closing.isFinal else {
            return retry(after: closing?.retryAfter, now: now, random: random)
        }
        state = .stopped
        return [.stop(.closed(closing))]
    }

    private mutating func broken(now: UInt64, random: UInt64) -> [Order] {
        [.disconnect] + retry(after: nil, now: now, random: random)
    }

    private mutating func retry(after seconds: Int?, now: UInt64, random: UInt64) -> [Order] {
        state = .waiting
        return [.wait(until: now &+ backoff.failed(retryAfter: seconds, random: random))]
    }
}
