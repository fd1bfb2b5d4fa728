import KinLoop

/// What the fan-out knows of a follower.
struct FollowerPlace {
    /// Its socket.
    let token: Token
    /// While it is ready: the position up to which events were made ready for it. Otherwise its ``Following`` has
    /// the position.
    var cursor: Int64
    let number: Int32
    /// The envelope of its connection, which does not change while it follows.
    let envelope: Envelope
    /// Whether it asked for everything its member may see.
    let isWhole: Bool
    /// Whether it only gets events, and its socket takes them at once.
    var isReady = false
}
