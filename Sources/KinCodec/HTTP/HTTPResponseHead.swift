/// The status line and fields of a response (RFC 9112 §4).
public struct HTTPResponseHead: Sendable, Hashable {
    /// 100 to 599.
    public var status: Int
    /// The phrase; RFC 9110's own unless another is given.
    public var reason: String
    /// The fields.
    public var headers: HTTPHeaders

    /// A head.
    public init(status: Int, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders()) {
        self.status = status
        self.reason = reason ?? Self.reason(of: status)
        self.headers = headers
    }

    /// Appends the head as HTTP/1.1, its empty line included.
    public func write(to out: inout [UInt8]) {
        out += "HTTP/1.1 \(status) ".utf8
        for byte in reason.utf8 { out.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
        out += "\r\n".utf8
        headers.write(to: &out)
        out += "\r\n".utf8
    }

    /// `100 Continue` (RFC 9110 §15.2.1).
    public static let continued: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The phrase RFC 9110, 4918, 6585 or 8470 gives a status; empty for others.
    public static func reason(of status: Int) -> String { reasons[status] ?? "" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        207: "Multi-Status",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request",
        422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
    ]
}
