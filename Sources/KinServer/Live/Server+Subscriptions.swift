import KinKeeper
import KinLoop

/// Followers who speak another protocol than ours.
extension Server {
    /// What a connection listens to, where it does so in another protocol than ours.
    func subscription(_ connection: Connection) -> (any Subscription)? {
        connection.isForeign ? subscriptions[connection.key] : nil
    }

    /// Says that it is still there, where nothing was said for the sake of that for a while. WebSockets are pinged.
    func keepAlive(_ connection: Connection, _ subscription: any Subscription) {
        let now = time.monotonicNanoseconds()
        let pause = UInt64(limits.ntfyKeepaliveMilliseconds) &* 1_000_000
        guard !subscription.isWebSocket, now &- subscription.keptAliveAt >= pause else { return }
        subscription.keptAliveAt = now
        rouse(connection)
        subscription.writeKeepalive(at: self.now, random: randomNumber(), to: &connection.out)
        markDirty(connection)
    }

    /// What it should have next is not at hand: it comes again and says how far it has come.
    func sendSubscriberAway(_ connection: Connection) { end(connection, .restarting) }
}
