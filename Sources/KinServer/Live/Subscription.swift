import KinKeeper
import KinModel

/// What a follower listens to who speaks another protocol than ours. It stands at a cursor of its own as every follower
/// does; what it is written, and whose rights it lives by, is its gateway's to say.
protocol Subscription: AnyObject {
    /// Whether it is a WebSocket, which is pinged; else it is the content of an answer, in chunks.
    var isWebSocket: Bool { get }
    /// When something was last said for the sake of saying something, by the clock of the loop.
    var keptAliveAt: UInt64 { get set }
    /// Appends what an event is for it, as its connection takes it: nothing, where it is not for it.
    func write(_ entry: Feed.Entry, to out: inout [UInt8])
    /// Appends that it is still there.
    func writeKeepalive(at now: Instant, random: UInt64, to out: inout [UInt8])
    /// Whether it ends with somebody's right to listen.
    func ends(by revocation: Revocation) -> Bool
}
