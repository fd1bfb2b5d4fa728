import KinKeeper
import KinLoop

/// Followers that speak another protocol than ours.
extension Server {
    /// A connection's subscription, where it follows in another protocol than ours.
    func subscription(_ connection: Connection) -> (any Subscription)? {
        fanOut.subscriptions[connection]
    }

    /// Sends a keepalive, where none was sent for a while. WebSockets are pinged.
    func keepAlive(_ connection: Connection, _ subscription: any Subscription) {
        let now = time.monotonicNanoseconds()
        let pause = UInt64(limits.ntfyKeepaliveMilliseconds) &* 1_000_000
        guard !subscription.isWebSocket, now &- subscription.keptAliveAt >= pause else { return }
        subscription.keptAliveAt = now
        rouse(connection)
        subscription.writeKeepalive(at: self.now, random: randomNumber(), to: &connection.out)
        markDirty(connection)
    }

    /// Ends a follower whose next events are no longer at hand. It comes back and says how far it has come.
    func sendSubscriberAway(_ connection: Connection) { end(connection, .restarting) }
}
