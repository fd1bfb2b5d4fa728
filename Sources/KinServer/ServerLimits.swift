import KinKeeper
import KinModel

/// Every limit of sockets and transports, with its unit. The limits of what a family may hold and ask are `Limits` in
/// KinKeeper and the areas. Hitting one is an answer or a close code, never growth.
public struct ServerLimits: Sendable {
    /// Seconds from accepting a connection to its first byte.
    public var firstByteSeconds = 10
    /// Seconds for a TLS handshake.
    public var handshakeSeconds = 10
    /// Seconds after which TLS session tickets are sealed with a fresh key; those of the key before are taken as long
    /// again.
    public var ticketKeySeconds = 12 * 3600
    /// Steps of TLS handshakes in one turn of the loop, of all connections together; the rest waits for the next turns.
    public var handshakeStepsPerTurnMax = 8
    /// Seconds for a request's head once begun, and for what must be said first on lines and WebSockets.
    public var headSeconds = 10
    /// Seconds for a request's body.
    public var bodySeconds = 60
    /// Seconds for a WebSocket message or a line once begun, from whoever is signed in.
    public var messageSeconds = 60
    /// Seconds an HTTP connection may stand idle between requests.
    public var idleSeconds = 75
    /// Seconds a WebSocket or line connection may stand without being signed in.
    public var signInSeconds = 30
    /// Bytes of lines, or of WebSocket messages, that a connection may say in all before anybody is signed in.
    public var bytesBeforeSignInMax = 4096
    /// Bytes of a WebSocket message or a line.
    public var messageBytesMax = 1 << 20
    /// Bytes of a message or body beyond which a worker parses it, so that the loop has nobody wait for it. Few commands
    /// are longer; sixty-four connections with 15 kB each kept the loop for tens of milliseconds a turn.
    public var parsedOnLoopBytesMax = 4 << 10
    /// Bytes of an HTTP body, unless the route says otherwise.
    public var bodyBytesMax = 1 << 20
    /// Bytes of what a phone's app posts at once: a thousand points in Overland's words, with room.
    public var phoneBodyBytesMax = 2 << 20
    /// Bytes of a body in plain text from another machine that are read to see which secrets were shown.
    public var plainBodyBytesMax = 8 << 10
    /// Bytes of a page's form.
    public var formBytesMax = 64 << 10
    /// Bytes of a body that carries a picture.
    public var pictureBodyBytesMax = 24 << 20
    /// Bytes of such a body that are held in memory: from half of it on it goes to a file, and reading pauses while more
    /// would wait to be written. At least twice one reading's 64 KiB.
    public var pictureBodyHeldBytesMax = 256 << 10
    /// Bytes of an upload that are held in memory, a quarter of them in each piece that waits for the disk. Reading pauses
    /// while more would wait to be written. At least twice one reading's 64 KiB.
    public var uploadHeldBytesMax = 768 << 10
    /// Bytes of a resumable upload that a power cut can take. When half as many are written they are synced, while the
    /// other half is written.
    public var uploadUnsyncedBytesMax = 16 << 20
    /// Bytes of such a body that are no picture, once it goes to a file.
    public var pictureOutlineBytesMax = 64 << 10
    /// Bytes of a file that are read at a time to be sent; of each that is on its way there are two in memory.
    public var downloadPieceBytesMax = 128 << 10
    /// Bytes of all pictures in files, that are arriving or wait to be looked at; then 503.
    public var pictureFilesBytesMax = 256 << 20
    /// Bytes of them that are one member's, or all strangers' together: three of the largest; then 429.
    public var pictureFilesOfOneBytesMax = 48 << 20
    /// Bytes of all bodies held in memory together; then 503.
    public var bodiesBytesMax = 96 << 20
    /// Unanswered requests of one connection; reading stops there.
    public var requestsPerConnectionMax = 32
    /// Requests of one member, or of one address before sign-in, that a turn of the loop takes from their connections;
    /// each connection may put one more.
    public var requestsPerPartyAndTurn = 64
    /// Unanswered requests in all; then 1429.
    public var requestsMax = 4096
    /// Bytes of encoded events kept in memory for all followers together.
    public var feedBytes = 4 << 20
    /// Followers from which on a commit's events wait for those of a commit under way, a millisecond at most.
    public var followersToWaitFor = 256
    /// Bytes of an event from which on it is pushed compressed to those who agreed to that, if that makes it smaller.
    public var compressedEventBytesMin = 128
    /// Bytes of a message for one client alone from which on it is compressed. Messages with a secret are shorter, so
    /// that no compressed length tells of one; a snapshot is longer.
    public var compressedMessageBytesMin = 1024
    /// Bytes made ready for one client before its socket has taken them.
    public var outBytesMax = 64 << 10
    /// Milliseconds between two `upto`.
    public var uptoMilliseconds = 15_000
    /// Milliseconds after which a client of ntfy's interface is told that the connection is still there. Its app gives
    /// up a connection that is silent for 77 s.
    public var ntfyKeepaliveMilliseconds = 45_000
    /// Streams of one guest link: on so many screens its page is told what changes. On others it asks now and then.
    public var guestStreamsPerLinkMax = 8
    /// Streams of guest links of one address (IPv6: /64), loopback excepted.
    public var guestStreamsPerAddressMax = 8
    /// Streams of guest links in all.
    public var guestStreamsMax = 64
    /// Milliseconds between two signs of life on a guest link's stream.
    public var guestStreamBeatMilliseconds = 15_000
    /// Milliseconds after which a guest link's stream asks again at the earliest, however much is committed meanwhile.
    public var guestStreamPauseMilliseconds = 1000
    /// Milliseconds between two WebSocket pings.
    public var pingMilliseconds = 30_000
    /// Milliseconds after which a WebSocket peer that answers no ping is closed.
    public var silenceMilliseconds = 90_000
    /// Milliseconds after which a client that takes no byte while data waits is closed (4008).
    public var stuckMilliseconds = 60_000
    /// Lines a minute of one kind in the daemon's log, of events that strangers can cause; then a sum.
    public var linesPerMinuteMax = 10
    /// Seconds in which a client whose connection was stuck is to take the goodbye.
    public var stuckGoodbyeSeconds = 2
    /// Seconds that connections are given to take their last bytes when the daemon ends.
    public var drainSeconds = 5
    /// Seconds a peer is given to close its side after the server closed its own.
    public var lingerSeconds = 2
    /// Connections of one address (IPv6: /64), loopback and the Unix socket excepted.
    public var connectionsPerAddressMax = 256
    /// Connections of one member, loopback and the Unix socket excepted.
    public var connectionsPerMemberMax = 64
    /// Connections in all.
    public var connectionsMax = 65_536
    /// Bytes of a snapshot that are made ready for a client at a time; a longer one leaves in pieces.
    public var snapshotPieceBytesMax = 64 << 10
    /// Bytes that snapshots on their way take together, over all clients; further clients wait for room.
    public var snapshotsBytesMax = 8 << 20
    /// Milliseconds that a client has to take its snapshot while others wait for room.
    public var snapshotMilliseconds = 20_000

    /// The defaults.
    public init() {}
}
