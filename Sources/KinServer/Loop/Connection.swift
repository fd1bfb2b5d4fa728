import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore
import KinTLS

/// One client's connection: what it speaks, who it is, what it still waits for and what it has not yet taken.
///
/// Data only; the server's extensions act on it, on the loop's thread.
final class Connection {
    /// What the connection speaks now.
    enum Codec {
        /// The first byte will tell.
        case undecided
        /// HTTP/1.1. Boxed: it is several times what a WebSocket needs, and every connection would take as much.
        indirect case http(HTTPRequestParser)
        /// RFC 6455 after its handshake.
        case webSocket(WebSocketMachine)
        /// JSON-RPC, a line each.
        case lines(LineSplitter)
        /// A stream of events as an HTTP response; input is read and dropped.
        case stream(Envelope)
        /// Input no longer counts: the last bytes go out, then the connection ends.
        case ending
    }

    /// What a reply has to become.
    enum Answer {
        /// A JSON-RPC response; without an id nothing is answered.
        case rpc(id: JSON?)
        /// An HTTP response.
        case http(HTTPExchange)
        /// The handshake of a WebSocket whose credential is being judged.
        case upgrade(HTTPExchange, key: String, subprotocol: String?)
        /// A stream of events, once the follow is permitted.
        case stream(HTTPExchange, Envelope)
    }

    // Fixed at birth.
    let token: Token
    let peer: Peer
    /// True for the Unix socket's peers that act as administrators.
    let isMachine: Bool
    /// It came to an address where metrics are served, and nothing else.
    let isForMetrics: Bool

    /// What it is in the middle of, and until when.
    var life: ConnectionLife

    // What it speaks.
    var tls: TLSSession?
    var codec = Codec.undecided
    /// The bits of the window that its messages are compressed with, where that was agreed (RFC 7692); else 0.
    var windowBits: UInt8 = 0
    /// It follows in another protocol than ours, as its subscription says.
    var isForeign = false
    /// It is only written out and closed.
    var isEnding: Bool { if case .ending = codec { true } else { false } }
    /// The HTTP request that is being read or answered.
    var exchange: HTTPExchange?
    /// The address that counts: the peer's, or the one a trusted proxy names.
    var address: IPAddress?
    /// It counts there, for the limit of connections per address.
    var isCountedForAddress = false
    /// True when a proxy stands between: loopback's privileges are gone.
    var isForwarded = false
    /// Whether the trusted proxy says that its client came by https; `nil` where it says nothing of that.
    var isForwardedSecure: Bool?

    // Who it is.
    /// Bytes of messages that it said while it was nobody's.
    var bytesBeforeSignIn = 0
    var identity: Identity?
    /// It is among its member's connections, which are limited.
    var isCountedForMember = false

    // Requests and events under way.
    /// What it follows.
    var following: Following?
    var sequence: UInt64 = 0
    var answers = Answers()
    /// The slow request that is under way: later ones wait for its answer, so that all are applied in their order.
    var heldBy: UInt64?
    /// Its member or address has had the share of this turn: it goes on once its last request is on its way.
    var waitsForTurn = false
    /// Bytes are being parsed: what is answered at once must not begin to parse those behind them.
    var isParsing = false
    /// Its handshake waits for a turn in which there is room for another step.
    var isHandshakeWaiting = false
    /// Bytes read and not yet parsed, because credits ran out.
    var unread: [UInt8] = []
    /// It stands in the line of those that need a snapshot.
    var isInSnapshotLine = false

    // What it has not yet taken.
    /// Bytes made ready for it.
    var out: [UInt8] = []
    var outStart = 0
    /// A message that leaves in pieces, until the client has taken the last one.
    var inPieces: MessageInPieces?
    /// Ciphertext made of `out`.
    var wire: [UInt8] = []
    var wireStart = 0
    var isDirty = false
    init(
        token: Token, peer: Peer, isMachine: Bool, isForMetrics: Bool = false, now: UInt64, limits: ServerLimits
    ) {
        self.token = token
        self.peer = peer
        self.isMachine = isMachine
        self.isForMetrics = isForMetrics
        life = ConnectionLife(now, limits)
        if case .tcp(let address, _) = peer { self.address = address }
    }

    /// The number that finds this connection again in tickets and jobs.
    var key: UInt64 { UInt64(token.generation) << 32 | UInt64(token.slot) }

    /// What its requests are judged by, unless they bring something of their own.
    var credential: Credential {
        guard let identity else { return isMachine ? .machine : .none }
        if let session = identity.session { return .session(session) }
        return isMachine ? .machineAs(identity.member) : .none
    }

    var isUnix: Bool { if case .unix = peer { true } else { false } }
    /// On this machine and not through a proxy.
    var isLocal: Bool { isUnix || (address?.isLoopback ?? false) && !isForwarded }
    /// A proxy that encrypts on its side makes nothing of what reached it in plain text.
    var isEncrypted: Bool { isForwardedSecure ?? (tls != nil) }

    /// How messages of this connection are wrapped, where it carries messages.
    var envelope: Envelope? {
        if isForeign, !isEnding { return .foreign }
        return switch codec {
        case .webSocket: windowBits == 0 ? .webSocket : .deflated(windowBits: windowBits)
        case .lines: .line
        case .stream(let envelope): envelope
        default: nil
        }
    }

    var isClosed: Bool { life.isClosed }

    /// Bytes made ready and not yet taken.
    var pendingBytes: Int { out.count - outStart + wire.count - wireStart + (inPieces?.behind.count ?? 0) }

    /// The last bytes made ready are within a message.
    var isWithinPieces: Bool { inPieces.map { !$0.isWritten } ?? false }

    /// Where whole messages are written: behind one that leaves in pieces.
    var messagesOut: [UInt8] {
        get { isWithinPieces ? inPieces?.behind ?? [] : out }
        _modify {
            if let inPieces, !inPieces.isWritten { yield &inPieces.behind } else { yield &out }
        }
    }
}
