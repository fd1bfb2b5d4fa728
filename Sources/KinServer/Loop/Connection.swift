import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore
import KinTLS

/// One client's connection: its protocol, its identity, the answers it waits for, and the bytes it has not yet taken.
///
/// It holds data only; the server's extensions act on it, on the loop's thread.
final class Connection {
    /// What the connection speaks now.
    enum Codec {
        /// Not known yet: the first byte will tell. Nor does it speak anything once its input no longer counts.
        case undecided
        /// HTTP/1.1. Boxed, because it needs several times the memory of a WebSocket, and every connection would take
        /// as much.
        indirect case http(HTTPRequestParser)
        /// RFC 6455 after its handshake.
        case webSocket(WebSocketMachine)
        /// JSON-RPC, a line each.
        case lines(LineSplitter)
        /// A stream of events as an HTTP response; input is read and dropped.
        case stream(Envelope)
    }

    /// The form of an answer.
    enum Answer {
        /// A JSON-RPC response; without an id there is none.
        case rpc(id: JSON?)
        /// An HTTP response.
        case http(HTTPExchange)
        /// The handshake of a WebSocket whose credential is being judged.
        case upgrade(HTTPExchange, key: String, subprotocol: String?)
        /// A stream of events, once the follow is permitted.
        case stream(HTTPExchange, Envelope)
    }

    /// How its client came.
    enum Way {
        case direct
        /// A trusted proxy stands between: loopback's privileges are gone. The proxy says whether its client came by
        /// https; `nil` where it says nothing of that.
        case proxy(isSecure: Bool?)
    }

    // Fixed at birth.
    let token: Token
    let peer: Peer
    /// True for the Unix socket's peers that act as administrators.
    let isMachine: Bool
    /// Whether it came to an address that serves metrics and nothing else.
    let isForMetrics: Bool

    /// Its stage of life, until when that may last, and what keeps its requests waiting.
    var life: ConnectionLife

    // What it speaks.
    var tls: TLSSession?
    var codec = Codec.undecided
    /// The bits of the window that its messages are compressed with, where that was agreed (RFC 7692); else 0.
    var windowBits: UInt8 = 0
    /// Whether it follows in another protocol than ours, as its subscription says.
    var isForeign = false
    /// The HTTP request that is being read or answered.
    var exchange: HTTPExchange?
    /// The address that counts: the peer's, or the one a trusted proxy names.
    var address: IPAddress?
    /// Whether it is counted for the limit of connections per address.
    var isCountedForAddress = false
    var way = Way.direct

    // Who it is.
    /// Bytes of messages that it sent before anybody signed in.
    var bytesBeforeSignIn = 0
    var identity: Identity?
    /// Whether it is counted for the limit of connections per member.
    var isCountedForMember = false

    // Requests and events under way.
    /// The follow of this connection.
    var following: Following?
    var sequence: UInt64 = 0
    var answers = Answers()
    /// Bytes read and not yet parsed, because too many requests are unanswered.
    var unread: [UInt8] = []

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

    /// The credential of its requests, unless a request brings its own.
    var credential: Credential {
        guard let identity else { return isMachine ? .machine : .none }
        if let session = identity.session { return .session(session) }
        return isMachine ? .machineAs(identity.member) : .none
    }

    var isUnix: Bool { if case .unix = peer { true } else { false } }
    /// Whether it is on this machine and does not come through a proxy.
    var isLocal: Bool {
        isUnix || (address?.isLoopback ?? false) && !isForwarded
    }
    /// Whether it comes through a proxy.
    var isForwarded: Bool { if case .proxy = way { true } else { false } }
    /// Whether its client came by TLS. A proxy's own TLS does not count where the client reached the proxy in plain
    /// text.
    var isEncrypted: Bool { if case .proxy(let isSecure?) = way { isSecure } else { tls != nil } }

    /// The envelope of its messages, where it carries messages.
    var envelope: Envelope? {
        if isForeign, !life.isInputDropped { return .foreign }
        return switch codec {
        case .webSocket: windowBits == 0 ? .webSocket : .deflated(windowBits: windowBits)
        case .lines: .line
        case .stream(let envelope): envelope
        default: nil
        }
    }

    var isClosed: Bool { life.isClosed }

    /// Lets go of its parser: its input no longer counts from here on.
    func dropInput(_ limits: ServerLimits) {
        _ = life.take(.dropsInput, 0, limits)
        codec = .undecided
    }

    /// Bytes made ready and not yet taken.
    var pendingBytes: Int { out.count - outStart + wire.count - wireStart + (inPieces?.behind.count ?? 0) }

    /// Whether the last bytes made ready end within a message.
    var isWithinPieces: Bool { inPieces.map { !$0.isWritten } ?? false }

    /// Whole messages are written here: after one that is sent in pieces.
    var messagesOut: [UInt8] {
        get { isWithinPieces ? inPieces?.behind ?? [] : out }
        _modify {
            if let inPieces, !inPieces.isWritten { yield &inPieces.behind } else { yield &out }
        }
    }
}
