import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// Those who listen by ntfy's interface. They are followers as all others are; they hear of one type of event, and are
/// written ntfy's messages.
extension Server {
    /// The topics are good: what was missed goes out, and from the place in the log at which that is true it goes on.
    func listen(
        _ connection: Connection, _ exchange: HTTPExchange, _ subscription: Subscription, key: String, missed: [UInt8]
    ) {
        guard let first = subscription.topics.first?.owner else { return }
        let identity = Identity(member: first.member, number: first.number, session: nil)
        connection.subscription = subscription
        if subscription.form == .ws {
            connection.identity = identity
            upgrade(connection, exchange, key: key, subprotocol: nil, isDeflated: false)
        } else {
            openStream(connection, exchange, .ntfy, mediaType: subscription.form.mediaType)
        }
        signIn(connection, identity)
        let following = Following(
            follow: fanOut.nextFollow(), number: first.number, member: first.member, isAtMachine: false,
            view: .all(for: first.member), types: [NoticeDevice.rang.name], state: .live,
            cursor: exchange.answeredAt, others: subscription.topics.dropFirst().map(\.owner.number))
        fanOut.begin(connection, following)
        var bytes: [UInt8] = []
        subscription.writeSign("open", id: signName(), now: now, to: &bytes)
        subscription.wrap(bytes + missed, to: &connection.out)
        connection.life.saidUpto(time.monotonicNanoseconds())
        plan(connection)
        markDirty(connection)
        checkMemberLimit(connection)
    }

    /// Says that it is still there, where nothing was said for the sake of that for a while. WebSockets are pinged.
    func keepAlive(_ connection: Connection, _ subscription: Subscription) {
        let now = time.monotonicNanoseconds()
        let pause = UInt64(limits.ntfyKeepaliveMilliseconds) &* 1_000_000
        guard subscription.form != .ws, now &- subscription.keptAliveAt >= pause else { return }
        subscription.keptAliveAt = now
        rouse(connection)
        var bytes: [UInt8] = []
        subscription.writeSign("keepalive", id: signName(), now: self.now, to: &bytes)
        subscription.wrap(bytes, to: &connection.out)
        markDirty(connection)
    }

    /// What it should have next is not at hand: it comes again and says how far it has come.
    func sendSubscriberAway(_ connection: Connection) { end(connection, .restarting) }

    /// Twelve letters and digits, which nobody asks for.
    private func signName() -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz012345".utf8)
        let number = randomNumber()
        return String(decoding: (0..<12).map { alphabet[Int(number >> UInt64(5 * $0) & 31)] }, as: UTF8.self)
    }
}
