import KinKeeper
import KinModel

/// A follower that speaks another protocol than ours. It has a cursor of its own, as every follower has. Its gateway
/// decides what is written to it and by whose rights.
protocol Subscription: AnyObject {
    /// Whether it is a WebSocket, which is pinged; else it is the content of an answer, in chunks.
    var isWebSocket: Bool { get }
    /// The moment of the last keepalive, by the clock of the loop.
    var keptAliveAt: UInt64 { get set }
    /// Appends an event in the form that its connection takes; nothing, where the event is not for it.
    func write(_ entry: Feed.Entry, to out: inout [UInt8])
    /// Appends a keepalive.
    func writeKeepalive(at now: Instant, random: UInt64, to out: inout [UInt8])
    /// Whether it ends when a right to listen is revoked.
    func ends(by revocation: Revocation) -> Bool
}
