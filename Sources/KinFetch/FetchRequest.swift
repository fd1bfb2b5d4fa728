public import KinCodec

/// What is asked.
public struct FetchRequest: Sendable {
    /// How it is asked.
    public enum Method: Sendable, Hashable {
        /// The content; may be answered from what is kept.
        case get
        /// The fields alone.
        case head
        /// To have this content processed. Never repeated, and a redirect is not followed.
        case post([UInt8])
    }

    /// Where.
    public var url: FetchURL
    /// How.
    public var method: Method
    /// Fields beside those that belong to the connection. On the way to another origin only `Accept`,
    /// `Accept-Language` and `User-Agent` are kept; with any other field nothing is kept of the answer.
    public var headers: HTTPHeaders
    /// Whether an old answer will do while the other side cannot be reached, unless it forbade that.
    public var takesStale = false
    /// Who keeps the answer.
    public var keeping = Keeping.cache

    /// Who keeps an answer.
    public enum Keeping: Sendable, Hashable {
        /// The fetcher, as far as the answer permits it.
        case cache
        /// The caller alone; nothing of the answer is written down here. With the validators of what the caller has,
        /// the other side is asked whether that has changed. If not, the answer is 304 without content.
        case caller(FetchValidators?)
    }

    /// An ask.
    public init(_ url: FetchURL, method: Method = .get, headers: HTTPHeaders = [:]) {
        self.url = url
        self.method = method
        self.headers = headers
    }

    /// Fields that say nothing about who asks.
    private static let harmless = ["accept", "accept-language", "user-agent"]
    /// Fields that are the connection's own, or would change what an answer means here.
    private static let own = [
        "host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "expect",
        "accept-encoding", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
        "keep-alive", "proxy-authorization", "cookie",
    ]

    /// Whether a field says more than what is liked.
    var isPersonal: Bool { headers.fields.contains { !Self.harmless.contains($0.name.lowercased()) } }

    /// The fields for another origin.
    var harmlessHeaders: HTTPHeaders {
        var kept: HTTPHeaders = [:]
        for field in headers.fields where Self.harmless.contains(field.name.lowercased()) {
            kept.append(field.name, field.value)
        }
        return kept
    }

    func check(_ limits: FetchLimits) throws(FetchFailure) {
        for field in headers.fields {
            let isToken =
                !field.name.isEmpty
                && field.name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
                }
            let isLine = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            guard isToken, isLine, !Self.own.contains(field.name.lowercased()) else {
                throw .badRequest("The field \(field.name) cannot be sent outside.")
            }
        }
        if case .post(let bytes) = method, bytes.count > limits.sentBytesMax {
            throw .badRequest("At most \(limits.sentBytesMax) bytes are sent outside at once.")
        }
    }
}

/// What was answered: whichever status, but never a redirect.
public struct FetchAnswer: Sendable {
    /// Where the content came from.
    public enum Source: Sendable, Hashable {
        /// From outside, now.
        case asked
        /// From what was kept, which is still fresh.
        case kept
        /// From what was kept: the other side said that it has not changed.
        case confirmed
        /// From what was kept, too old, since the other side could not be reached.
        case stale
    }

    /// 200 to 599.
    public var status: Int
    /// Its fields; those of what was kept are the ones that matter for content.
    public var headers: HTTPHeaders
    /// The content, whole.
    public var body: [UInt8]
    /// The address that answered in the end.
    public var url: FetchURL
    /// Where the content came from.
    public var source: Source

    /// For how many seconds the other side says that it stays as it is (`Cache-Control`), where it says so.
    public var freshSeconds: Int64? {
        let seconds = Freshness(status: status, headers).lifetimeSeconds
        return seconds > 0 ? Int64(seconds) : nil
    }
}
