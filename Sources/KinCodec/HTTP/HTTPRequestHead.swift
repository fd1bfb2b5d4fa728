/// The request line and fields of a request (RFC 9112 §3), judged and taken apart.
public struct HTTPRequestHead: Sendable {
    /// How the target was written (RFC 9112 §3.2).
    public enum TargetForm: Sendable, Hashable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`.
        case absolute
        /// `*`, with OPTIONS only.
        case asterisk
    }

    /// How the content's end is found (RFC 9112 §6.3).
    public enum BodyLength: Sendable, Hashable {
        /// There is none.
        case none
        /// So many bytes.
        case length(Int)
        /// Chunks tell.
        case chunked
    }

    /// The method.
    public internal(set) var method: HTTPMethod
    /// The target as sent.
    public internal(set) var target: String
    /// How the target was written.
    public internal(set) var targetForm: TargetForm
    /// The path's segments, percent-decoded: `/a%20b/c` is `["a b", "c"]`, `/a/` is `["a", ""]`, `/` and `*` are `[]`.
    /// A segment may hold a decoded `/`; none is `.` or `..`, none holds NUL.
    public internal(set) var path: [String]
    /// The path as sent, from its first `/` and without the query; `*` for the asterisk form.
    public internal(set) var rawPath: String
    /// The query's fields, decoded as a form (WHATWG URL §5.1), in order.
    public internal(set) var query: FormFields
    /// The query as sent without its `?`; `nil` when there is none.
    public internal(set) var rawQuery: String?
    /// 0 or 1: HTTP/1.`minor`; later ones count as 1.
    public internal(set) var minor: Int
    /// The fields.
    public internal(set) var headers: HTTPHeaders
    /// Host and port as the target or the field `Host` gives them, in lower case: `kin.local:5469`. Empty only for
    /// HTTP/1.0 without it.
    public internal(set) var host: String
    /// How the content's end is found.
    public internal(set) var bodyLength: BodyLength

    /// True when the connection stays open after the answer (RFC 9112 §9.3).
    public var keepAlive: Bool {
        !headers.has("Connection", token: "close") && (minor >= 1 || headers.has("Connection", token: "keep-alive"))
    }

    /// True when the client waits for `100 Continue` before it sends the content (RFC 9110 §10.1.1).
    public var expectsContinue: Bool {
        minor >= 1 && bodyLength != .none && bodyLength != .length(0) && headers.has("Expect", token: "100-continue")
    }

    /// True when this asks for a WebSocket (RFC 6455 §4.2.1); ``WebSocketHandshake/check(_:)`` judges it.
    public var isUpgradeToWebSocket: Bool {
        headers.has("Upgrade", token: "websocket") && headers.has("Connection", token: "upgrade")
    }

    /// Host without the port, in lower case, IPv6 in its brackets.
    public var hostName: String { Authority.split(host).name }
    /// The port if one is given.
    public var port: Int? { Authority.split(host).port }

    /// Appends a request's head, its empty line included, as a client sends it. `Host` must be among the headers.
    public static func write(_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, to out: inout [UInt8]) {
        out += method.description.utf8
        out.append(0x20)
        out += target.utf8
        out += " HTTP/1.1\r\n".utf8
        headers.write(to: &out)
        out += "\r\n".utf8
    }
}
